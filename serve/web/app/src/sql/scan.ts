/** Tokens of SQL that is being written: text of any kind, complete or not. It knows no grammar. */

export type Kind = 'word' | 'quoted' | 'text' | 'number' | 'comment' | 'parameter' | 'mark';

export interface Token {
  kind: Kind;
  from: number;
  to: number;
  /** Its end has not been written yet: a text without the closing quote. */
  open: boolean;
  text: string;
}

const space = /\s/;
const letter = /[\p{L}_]/u;
const part = /[\p{L}\p{Nd}_$]/u;
const digit = /[0-9]/;

/** The tokens of sql, without the blanks between them. */
export function scan(sql: string): Token[] {
  const all: Token[] = [];
  for (let at = 0; at < sql.length; ) {
    if (space.test(sql.charAt(at))) {
      at++;
      continue;
    }
    const [kind, to, open] = next(sql, at);
    all.push({ kind, from: at, to, open, text: sql.slice(at, to) });
    at = to;
  }
  return all;
}

type Found = [kind: Kind, to: number, open: boolean];

function next(sql: string, at: number): Found {
  const c = charAt(sql, at);
  if (sql.startsWith('--', at)) return line(sql, at);
  if (sql.startsWith('/*', at)) return until(sql, 'comment', at + 2, '*/');
  if (sql.startsWith('{{', at)) return parameter(sql, at);
  if (c === "'") return quoted(sql, 'text', at + 1, "'", false);
  if (/^e'/i.test(sql.slice(at, at + 2))) return quoted(sql, 'text', at + 2, "'", true);
  if (c === '"') return quoted(sql, 'quoted', at + 1, '"', false);
  const tag = c === '$' ? /^\$[\p{L}_]*\$/u.exec(sql.slice(at, at + 64)) : null;
  if (tag) return until(sql, 'text', at + tag[0].length, tag[0]);
  if (letter.test(c)) return ['word', span(sql, at, part), false];
  if (digit.test(c)) return ['number', span(sql, at, /[\p{L}\p{Nd}_.]/u), false];
  return ['mark', at + c.length, false];
}

function charAt(sql: string, at: number): string {
  return String.fromCodePoint(sql.codePointAt(at) ?? 0);
}

function span(sql: string, from: number, of: RegExp): number {
  let at = from;
  while (at < sql.length && of.test(charAt(sql, at))) at += charAt(sql, at).length;
  return at;
}

function line(sql: string, at: number): Found {
  const end = sql.indexOf('\n', at);
  return ['comment', end < 0 ? sql.length : end, end < 0];
}

/** A parameter ends on its line; {{ without an end is two marks, so that the rest is still read. */
function parameter(sql: string, at: number): Found {
  const m = /^\{\{[^{}\n]*\}\}/.exec(sql.slice(at, at + 200));
  return m ? ['parameter', at + m[0].length, false] : ['mark', at + 1, false];
}

function until(sql: string, kind: Kind, from: number, end: string): Found {
  const n = sql.indexOf(end, from);
  return n < 0 ? [kind, sql.length, true] : [kind, n + end.length, false];
}

function quoted(sql: string, kind: Kind, from: number, quote: string, escapes: boolean): Found {
  for (let at = from; at < sql.length; at++) {
    if (escapes && sql.charAt(at) === '\\') at++;
    else if (sql.charAt(at) !== quote) continue;
    else if (sql.charAt(at + 1) === quote) at++;
    else return [kind, at + 1, false];
  }
  return [kind, sql.length, true];
}

/** Whether a token is this keyword or mark. */
export function is(t: Token | undefined, ...texts: string[]): boolean {
  if (!t || (t.kind !== 'word' && t.kind !== 'mark')) return false;
  const text = t.text.toLowerCase();
  return texts.includes(text);
}

/** The name that a token writes: lower case without quotes, as written inside of quotes. */
export function nameOf(t: Token): string {
  return t.kind === 'quoted' ? t.text.slice(1, t.open ? undefined : -1).replaceAll('""', '"') : t.text.toLowerCase();
}
