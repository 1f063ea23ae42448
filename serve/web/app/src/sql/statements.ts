/** Statements of a text, and places in it. Offsets count UTF-16 units as editors do; lines and columns count characters from 1. */
import { is, scan } from './scan';

export interface Statement {
  /** The offset of the first token, comments included, and of the end without blanks and semicolon. */
  from: number;
  to: number;
  /** The offset behind its semicolon, or its end. */
  end: number;
}

/** The statements of a text; those with only comments are left out. */
export function statements(sql: string): Statement[] {
  const all: Statement[] = [];
  let from = -1;
  let to = 0;
  let filled = false;
  for (const t of scan(sql)) {
    if (is(t, ';')) {
      if (filled) all.push({ from, to, end: t.to });
      from = -1;
      filled = false;
      continue;
    }
    if (from < 0) from = t.from;
    to = t.to;
    filled ||= t.kind !== 'comment';
  }
  if (filled) all.push({ from, to, end: to });
  return all;
}

/** The statement that the cursor is in; between two it is the one before on the same line, else the one after. */
export function statementAt(sql: string, pos: number): Statement | undefined {
  const all = statements(sql);
  const inside = all.find(s => pos >= s.from && pos <= s.end);
  if (inside) return inside;
  const before = all.filter(s => s.end < pos).at(-1);
  const after = all.find(s => s.from > pos);
  if (before && !sql.slice(before.end, pos).includes('\n')) return before;
  if (before && after) return after;
  return before ?? after;
}

/** What to run: the selection if it has more than blanks, else the statement at the cursor. */
export function toRun(sql: string, from: number, to: number): Statement | undefined {
  const text = sql.slice(from, to);
  if (text.trim() === '') return statementAt(sql, to);
  const lead = text.length - text.trimStart().length;
  const whole = text.trim().replace(/;\s*$/, '');
  return { from: from + lead, to: from + lead + whole.length, end: to };
}

/** The offset of a line and column. A place behind the end of its line is that end. */
export function offsetOf(sql: string, line: number, column: number): number {
  let at = 0;
  for (let n = 1; n < line; n++) {
    const end = sql.indexOf('\n', at);
    if (end < 0) return sql.length;
    at = end + 1;
  }
  for (let n = 1; n < column && at < sql.length && sql.charAt(at) !== '\n'; n++) {
    at += String.fromCodePoint(sql.codePointAt(at) ?? 0).length;
  }
  return at;
}

/** The token at an offset, which is what an error there is about; at the end of the text it is the last one. */
export function tokenAt(sql: string, at: number): { from: number; to: number } {
  const tokens = scan(sql);
  const found = tokens.find(t => at >= t.from && at < t.to) ?? tokens.find(t => t.from >= at) ?? tokens.at(-1);
  return found ? { from: found.from, to: found.to } : { from: 0, to: sql.length };
}
