/** Changes a statement as a refusal or a note offers. */
import type { Table } from './complete';
import { namesIn } from './names';
import { is, scan, type Token } from './scan';

const after = ['group', 'having', 'order', 'limit', 'offset', 'fetch', 'window', 'union', 'except', 'intersect', 'qualify'];

/**
 * The statement with the condition in the WHERE of the SELECT that reads the table: the first whose FROM names it, else
 * the outermost one. Without a FROM the statement stays as it is.
 */
export function addCondition(sql: string, condition: string, table = ''): string {
  const tokens = scan(sql).filter(t => t.kind !== 'comment');
  const from = fromOf(tokens, table);
  if (from < 0) return sql;
  const depths = depthsOf(tokens);
  const depth = depths[from] ?? 0;
  let where = -1;
  let end = from + 1;
  for (; end < tokens.length; end++) {
    if ((depths[end] ?? 0) < depth) break;
    if (depths[end] !== depth) continue;
    if (is(tokens[end], ...after, ';')) break;
    if (is(tokens[end], 'where')) where = end;
  }
  const last = tokens[end - 1] as Token;
  if (where < 0) return `${sql.slice(0, last.to)}\nWHERE ${condition}${apart(sql.slice(last.to))}`;
  const old = sql.slice((tokens[where] as Token).to, last.to).trim();
  const guarded = hasOr(tokens.slice(where + 1, end), depth, depths.slice(where + 1, end)) ? `(${old})` : old;
  return `${sql.slice(0, (tokens[where] as Token).to)} ${guarded}\n  AND ${condition}${apart(sql.slice(last.to))}`;
}

/** What follows the condition begins on a line of its own if it was on the same line before. */
const apart = (rest: string): string => (/^[ \t]+\S/.test(rest) ? `\n${rest.trimStart()}` : rest);

/** The statement with another form of a number. */
export function replaceNumber(sql: string, number: string, by: string): string {
  let at = 0;
  let out = '';
  for (const t of scan(sql)) {
    if (t.kind !== 'number' || t.text !== number) continue;
    out += sql.slice(at, t.from) + by;
    at = t.to;
  }
  return out + sql.slice(at);
}

/** The table of a statement that a condition is about: one that has its first column. */
export function tableOf(sql: string, condition: string, tables: readonly Table[]): string {
  const column = /[\w$]+/.exec(condition)?.[0]?.toLowerCase();
  const read = namesIn(sql).sources.map(s => s.table);
  return tables.find(t => read.includes(t.name) && t.columns.some(c => c.name.toLowerCase() === column))?.name ?? '';
}

/** The brackets around each token; a bracket belongs to what is outside of it. */
function depthsOf(tokens: Token[]): number[] {
  let depth = 0;
  return tokens.map(t => {
    if (is(t, ')')) depth--;
    const here = depth;
    if (is(t, '(')) depth++;
    return here;
  });
}

function fromOf(tokens: Token[], table: string): number {
  const depths = depthsOf(tokens);
  const named = tokens.findIndex(
    (t, i) => table !== '' && t.text.replaceAll('"', '').toLowerCase() === table.toLowerCase() && reads(tokens, i),
  );
  for (let i = named; i >= 0; i--) if (is(tokens[i], 'from') && (depths[i] ?? 0) <= (depths[named] ?? 0)) return i;
  let best = -1;
  tokens.forEach((t, i) => {
    if (is(t, 'from') && (best < 0 || (depths[i] ?? 0) < (depths[best] ?? 0))) best = i;
  });
  return best;
}

const reads = (tokens: Token[], i: number): boolean => is(tokens[i - 1], 'from', 'join', ',', '.');

const hasOr = (tokens: Token[], depth: number, depths: number[]): boolean =>
  tokens.some((t, i) => depths[i] === depth && is(t, 'or'));
