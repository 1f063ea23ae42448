/**
 * Tokens of SQL that is being written: text of any kind, complete or not. It knows no grammar. They equal the server’s
 * lexer for a draft of unknown dialect: both pass the cases of sql/lexer/testdata/tokens.json.
 */

export type Kind = 'word' | 'quoted' | 'text' | 'number' | 'comment' | 'parameter' | 'mark';

export interface Token {
  kind: Kind;
  from: number;
  to: number;
  /** Its end has not been written yet: a text without the closing quote. */
  open: boolean;
  text: string;
}

const blank = /[ \t\r\n\f\v\u00a0\u2000-\u200b\u202f\u205f\u2060\u3000\ufeff]/;
const letter = /[A-Za-z_]/;
const digit = /[0-9]/;
const parameter = /^\{\{[A-Za-z0-9_. \t\r\f\v]*\}\}/;
const number = /^(?:[0-9._]+[eE][+-]?[0-9][0-9_]*|0[xXbBoO][0-9_a-fA-F]+|[0-9][0-9._]*)/;
const dollarTag = /^\$(?![0-9])[A-Za-z0-9_\u0080-\uffff]*\$/;
const symbols = ['<=>', '->>', ...'<> != <= >= || -> => :: // == && ** << >> := !~ ~~'.split(' ')];
const longestParameter = 200;

/** The tokens of sql, without the blanks between them. */
export function scan(sql: string): Token[] {
  const all: Token[] = [];
  for (let at = 0; at < sql.length; ) {
    if (blank.test(sql.charAt(at))) {
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
  const c = sql.charAt(at);
  if (sql.startsWith('--', at)) return line(sql, at);
  if (sql.startsWith('/*', at)) return until(sql, 'comment', at + 2, '*/');
  if (c === "'") return quoted(sql, 'text', at + 1, "'", false);
  if (c === '"') return quoted(sql, 'quoted', at + 1, '"', false);
  const place = c === '{' ? parameter.exec(sql.slice(at, at + longestParameter)) : null;
  if (place) return ['parameter', at + place[0].length, false];
  if (/^e'/i.test(sql.slice(at, at + 2))) return escaped(sql, at);
  if (c === '$') {
    const tag = dollarTag.exec(sql.slice(at));
    if (tag) return until(sql, 'text', at + tag[0].length, tag[0]);
    const end = span(sql, at + 1, c => digit.test(c));
    if (end > at + 1) return ['number', end, false];
  }
  if (letter.test(c) || c > '\x7f') return ['word', span(sql, at, c => /[\w$]/.test(c) || (c > '\x7f' && !blank.test(c))), false];
  if (digit.test(c)) return ['number', at + (number.exec(sql.slice(at))?.[0].length ?? 1), false];
  return ['mark', at + symbol(sql, at), false];
}

/** How long the operator is; none has the start of a comment in it. */
function symbol(sql: string, at: number): number {
  const found = sql.startsWith('/*', at + 1) ? undefined : symbols.find(s => sql.startsWith(s, at));
  return found?.length ?? String.fromCodePoint(sql.codePointAt(at) ?? 0).length;
}

function span(sql: string, from: number, part: (c: string) => boolean): number {
  let at = from;
  while (at < sql.length && part(sql.charAt(at))) at++;
  return at;
}

function line(sql: string, at: number): Found {
  const end = sql.slice(at).search(/[\r\n]/);
  return ['comment', end < 0 ? sql.length : at + end, end < 0];
}

function until(sql: string, kind: Kind, from: number, end: string): Found {
  const n = sql.indexOf(end, from);
  return n < 0 ? [kind, sql.length, true] : [kind, n + end.length, false];
}

/** After a line break an E'…' continues in another text, with the same escapes. */
function escaped(sql: string, at: number): Found {
  let found = quoted(sql, 'text', at + 2, "'", true);
  while (!found[2]) {
    const more = /^[ \t\f\v]*[\r\n][ \t\r\n\f\v]*'/.exec(sql.slice(found[1]));
    if (!more) break;
    found = quoted(sql, 'text', found[1] + more[0].length, "'", true);
  }
  return found;
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
