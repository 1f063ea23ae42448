/** What the names in a statement stand for: tables, their aliases, WITH queries, the columns of UNNEST. */
import { is, nameOf, scan, type Token } from './scan';

export interface Source {
  /** The name by which the statement calls it. */
  alias: string;
  /** The table or WITH query that it is; "" for a subquery or UNNEST. */
  table: string;
  /** The columns that the statement itself names: AS t(engine, count), or the outputs of a subquery. */
  columns?: string[];
}

export interface Names {
  sources: Source[];
  /** WITH queries and the columns they give, as far as the text says. */
  queries: Map<string, string[]>;
}

const notAlias = new Set(
  (
    'where group order having limit offset fetch union except intersect on using join inner left right full cross natural window ' +
    'tablesample qualify select from with as set values lateral pivot unpivot asof semi anti positional'
  ).split(' '),
);
const isName = (t: Token | undefined): t is Token => t?.kind === 'word' || t?.kind === 'quoted';

/** Reads the names of one statement. It takes whatever can be read, since most statements are unfinished. */
export function namesIn(sql: string): Names {
  const tokens = scan(sql).filter(t => t.kind !== 'comment');
  const names: Names = { sources: [], queries: withQueries(tokens) };
  tokens.forEach((t, i) => {
    if (is(t, 'from', 'join') && !inCall(tokens, i)) sourcesAfter(tokens, i + 1, names.sources);
  });
  return names;
}

/** extract(day FROM x), trim(FROM x): FROM in the brackets of a call names no table. */
function inCall(tokens: Token[], at: number): boolean {
  let depth = 0;
  for (let i = at - 1; i >= 0; i--) {
    if (is(tokens[i], ')')) depth++;
    else if (is(tokens[i], '(') && depth-- === 0) return is(tokens[i - 1], 'extract', 'trim', 'substring', 'position', 'overlay');
  }
  return false;
}

function sourcesAfter(tokens: Token[], from: number, sources: Source[]): void {
  for (let i = from; i < tokens.length; ) {
    i = source(tokens, i, sources);
    if (!is(tokens[i], ',')) return;
    i++;
  }
}

/** Reads one table, subquery or call, and gives the index behind it and its alias. */
function source(tokens: Token[], at: number, sources: Source[]): number {
  let i = at;
  if (is(tokens[i], 'lateral')) i++;
  let table = '';
  let columns: string[] | undefined;
  if (is(tokens[i], '(')) {
    const end = closing(tokens, i);
    columns = outputs(tokens.slice(i + 1, end));
    i = end + 1;
  } else if (isName(tokens[i])) {
    table = nameOf(tokens[i] as Token);
    i++;
    while (is(tokens[i], '.') && isName(tokens[i + 1])) {
      table = nameOf(tokens[i + 1] as Token);
      i += 2;
    }
    if (is(tokens[i], '(')) {
      table = '';
      i = closing(tokens, i) + 1;
      if (is(tokens[i], 'with') && is(tokens[i + 1], 'ordinality')) i += 2;
    }
  } else return i;
  if (is(tokens[i], 'as')) i++;
  let alias = table;
  const name = tokens[i];
  if (isName(name) && !(name.kind === 'word' && notAlias.has(name.text.toLowerCase()))) {
    alias = nameOf(name);
    i++;
    if (is(tokens[i], '(')) {
      const end = closing(tokens, i);
      columns = tokens
        .slice(i + 1, end)
        .filter(isName)
        .map(nameOf);
      i = end + 1;
    }
  }
  if (alias !== '' || columns) sources.push({ alias, table, ...(columns && { columns }) });
  return i;
}

/** The index of the bracket that closes the one at i, or the end. */
function closing(tokens: Token[], i: number): number {
  for (let depth = 0; i < tokens.length; i++) {
    if (is(tokens[i], '(', '[')) depth++;
    else if (is(tokens[i], ')', ']') && --depth === 0) return i;
  }
  return tokens.length;
}

function withQueries(tokens: Token[]): Map<string, string[]> {
  const found = new Map<string, string[]>();
  tokens.forEach((t, i) => {
    if (!is(t, 'with') || is(tokens[i + 1], 'ordinality', 'time')) return;
    let at = is(tokens[i + 1], 'recursive') ? i + 2 : i + 1;
    for (;;) {
      const name = tokens[at];
      if (!isName(name)) return;
      let columns: string[] | undefined;
      at++;
      if (is(tokens[at], '(')) {
        const end = closing(tokens, at);
        columns = tokens
          .slice(at + 1, end)
          .filter(isName)
          .map(nameOf);
        at = end + 1;
      }
      if (!is(tokens[at], 'as') || !is(tokens[at + 1], '(')) return;
      const end = closing(tokens, at + 1);
      found.set(nameOf(name), columns ?? outputs(tokens.slice(at + 2, end)));
      at = end + 1;
      if (!is(tokens[at], ',')) return;
      at++;
    }
  });
  return found;
}

/** The names of the columns that SELECT lists, where they have names. */
function outputs(tokens: Token[]): string[] {
  let start = 0;
  while (start < tokens.length && !is(tokens[start], 'select'))
    start = is(tokens[start], '(') ? closing(tokens, start) + 1 : start + 1;
  const names: string[] = [];
  let last: Token | undefined;
  for (let i = start + 1; i <= tokens.length; i++) {
    const t = tokens[i];
    if (!t || is(t, ',', 'from')) {
      if (isName(last)) names.push(nameOf(last));
      if (!is(t, ',')) break;
      last = undefined;
    } else if (is(t, '(', '[')) {
      i = closing(tokens, i);
      last = tokens[i];
    } else last = t;
  }
  return [...new Set(names)];
}
