/** What the word at the cursor may become: granted tables, their columns, functions, keywords. */
import { namesIn, type Source } from './names';
import { is, nameOf, scan, type Token } from './scan';
import { type Column, fieldsOf } from './types';

export interface Table {
  name: string;
  doc?: string;
  columns: Column[];
}
export interface Callable {
  name: string;
  signatures: string[];
  doc?: string;
  kind?: string;
}
export interface Dictionary {
  tables: Table[];
  functions: Callable[];
  keywords: string[];
}

export interface Offer {
  label: string;
  kind: 'table' | 'column' | 'function' | 'keyword' | 'query';
  /** Shown beside the label: a type, a signature, the table. */
  detail?: string;
  doc?: string;
  signatures?: string[];
  /** What is written, if it is not the label; the cursor goes before a last bracket. */
  write?: string;
  boost: number;
}

export interface Offers {
  from: number;
  offers: Offer[];
}

/** Offers for the word that ends at pos; nothing in texts, comments, numbers and parameters. `asked` is Ctrl-Space. */
export function complete(sql: string, pos: number, d: Dictionary, asked: boolean): Offers | undefined {
  const before = scan(sql.slice(0, pos)).filter(t => !(t.kind === 'comment' && t.to < pos));
  let word: Token | undefined;
  const last = before.at(-1);
  if (last && last.to === pos && last.kind !== 'mark') {
    if (last.kind !== 'word' && !(last.kind === 'quoted' && last.open)) return undefined;
    word = last;
    before.pop();
  }
  const from = word ? word.from : pos;
  const sources = resolve(sql, d);
  if (is(before.at(-1), '.')) return { from, offers: members(before, sources, d) };
  if (word?.kind === 'quoted') return undefined;
  if (!word && !asked && !afterTableWord(before)) return undefined;
  if (before.every(t => t.kind === 'comment')) return { from, offers: beginnings(word?.text ?? '') };
  if (afterTableWord(before)) return { from, offers: tables(sql, d) };
  return { from, offers: expression(word?.text ?? '', sources, sql, d) };
}

/** The words that a statement may begin with. */
const beginnings = (word: string): Offer[] =>
  ['SELECT', 'WITH', 'DESCRIBE', 'SHOW', 'EXPLAIN', 'VALUES'].map(
    (k): Offer => ({ label: matchCase(k, word), kind: 'keyword', boost: 2 }),
  );

interface Resolved extends Source {
  list: Column[];
}

/** The sources of the statement with their columns. */
function resolve(sql: string, d: Dictionary): Resolved[] {
  const names = namesIn(sql);
  return names.sources.map(s => {
    const table = d.tables.find(t => t.name === s.table);
    const own = s.columns ?? names.queries.get(s.table);
    const list = own ? own.map(name => ({ name, type: '' })) : (table?.columns ?? []);
    return { ...s, list };
  });
}

function afterTableWord(before: Token[]): boolean {
  const last = before.at(-1);
  return is(last, 'from', 'join', 'describe', 'desc') && !is(before.at(-2), 'distinct');
}

/** The members of what stands before the dot: columns of a source, fields of a row. */
function members(before: Token[], sources: Resolved[], d: Dictionary): Offer[] {
  const path: string[] = [];
  for (let i = before.length - 1; is(before[i], '.'); i -= 2) {
    const name = before[i - 1];
    if (!name || (name.kind !== 'word' && name.kind !== 'quoted')) return [];
    path.unshift(nameOf(name));
  }
  const [first = '', ...rest] = path;
  const source = sources.find(s => s.alias === first) ?? sources.find(s => s.table === first);
  let columns = source?.list ?? d.tables.find(t => t.name === first)?.columns;
  let inside = rest;
  if (!columns) {
    columns = sources.flatMap(s => s.list);
    inside = path;
  }
  for (const name of inside) {
    const column: Column | undefined = columns.find(c => c.name.toLowerCase() === name.toLowerCase());
    columns = column ? fieldsOf(column.type) : [];
  }
  return columns.map((c, i) => column(c, 20 - i / 1000));
}

const column = (c: Column, boost: number, of = ''): Offer => ({
  label: c.name,
  kind: 'column',
  detail: [c.type, of].filter(Boolean).join(' · '),
  ...(c.doc && { doc: c.doc }),
  ...(needsQuotes(c.name) && { write: `"${c.name.replaceAll('"', '""')}"` }),
  boost,
});

const needsQuotes = (name: string): boolean => !/^[a-z_][a-z0-9_]*$/i.test(name);

function tables(sql: string, d: Dictionary): Offer[] {
  const queries = [...namesIn(sql).queries.keys()].map((label): Offer => ({ label, kind: 'query', detail: 'WITH', boost: 30 }));
  return [...queries, ...d.tables.map((t): Offer => table(t, 20))];
}

const table = (t: Table, boost: number): Offer => ({
  label: t.name,
  kind: 'table',
  detail: `${t.columns.length} columns`,
  ...(t.doc && { doc: t.doc }),
  boost,
});

/** Columns of all tables are offered only while the statement names none: SELECT is written before FROM. */
function expression(word: string, sources: Resolved[], sql: string, d: Dictionary): Offer[] {
  const offers: Offer[] = [];
  const several = sources.length > 1;
  for (const s of sources) {
    offers.push(...s.list.map((c, i) => column(c, 20 - i / 1000, several ? s.alias : '')));
    if (s.alias !== s.table && s.alias !== '')
      offers.push({ label: s.alias, kind: 'table', detail: s.table || 'subquery', boost: 12 });
  }
  if (sources.length === 0 && word.length >= 2) {
    for (const t of d.tables) offers.push(...t.columns.map(c => column(c, 4, t.name)));
  }
  offers.push(...d.functions.map(call));
  offers.push(...d.keywords.map((k): Offer => ({ label: matchCase(k, word), kind: 'keyword', boost: 2 })));
  offers.push(...tables(sql, d).map(o => ({ ...o, boost: 1 })));
  return distinct(offers);
}

const call = (f: Callable): Offer => ({
  label: f.name,
  kind: 'function',
  detail: f.signatures[0] ?? '',
  ...(f.doc && { doc: f.doc }),
  signatures: f.signatures,
  write: f.signatures.every(s => s.startsWith('()')) && f.signatures.length > 0 ? `${f.name}()` : `${f.name}(|)`,
  boost: 3,
});

/** One offer of a label and place: the same column of many tables is one line. */
function distinct(offers: Offer[]): Offer[] {
  const seen = new Map<string, Offer>();
  for (const o of offers) {
    const key = `${o.kind}:${o.label}`;
    const known = seen.get(key);
    if (!known) seen.set(key, o);
    else if (known.kind === 'column' && known.detail !== o.detail)
      known.detail = `${known.detail?.split(' · ')[0]} · several tables`;
  }
  return [...seen.values()];
}

const matchCase = (keyword: string, word: string): string =>
  word !== '' && word === word.toLowerCase() ? keyword.toLowerCase() : keyword.toUpperCase();

/** What the name at a place is: the word under the pointer, with what stands before it. */
export function explain(sql: string, pos: number, d: Dictionary): { from: number; to: number; offer: Offer } | undefined {
  const t = scan(sql).find(t => pos >= t.from && pos <= t.to && (t.kind === 'word' || t.kind === 'quoted'));
  if (!t) return undefined;
  const name = nameOf(t).toLowerCase();
  const called = /^\s*\(/.test(sql.slice(t.to));
  const member = /\.\s*$/.test(sql.slice(0, t.from));
  const offers = complete(sql, t.from, d, true)?.offers ?? [];
  const all = member || called ? offers : [...offers, ...d.tables.map(x => table(x, 0))];
  const order = called ? ['function'] : ['column', 'table', 'function'];
  for (const kind of order) {
    const offer = all.find(o => o.kind === kind && o.label.toLowerCase() === name && (o.doc || o.detail));
    if (offer) return { from: t.from, to: t.to, offer };
  }
  return undefined;
}
