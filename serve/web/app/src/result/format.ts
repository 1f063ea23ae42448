/** Values of results, amounts and times as text. Nothing depends on the language of the browser. */
import { family } from '../sql/types';

export type Value = null | boolean | number | string | Value[] | { [name: string]: Value };
export type Row = Value[];
export interface Column {
  name: string;
  type: string;
}

/** Digits in groups of three, 1,234,567.25, or as they are. Texts that are no number stay, and fewer than the least digits. */
export function grouped(text: string, on = true, least = 5): string {
  const m = /^(-?)(\d{4,})((?:\.\d+)?)$/.exec(text);
  return on && m && (m[2]?.length ?? 0) >= least ? `${m[1]}${m[2]?.replace(/\B(?=(\d{3})+$)/g, ',')}${m[3]}` : text;
}

/** A value as one line of text; nested ones are JSON. Null is "". */
export function plain(v: Value | undefined): string {
  if (v === null || v === undefined) return '';
  return typeof v === 'object' ? JSON.stringify(v) : String(v);
}

const longest = 300;

/** True if a value is grouped, so that the column groups its values of four digits, too. Years alone stay as they are. */
export const groupsColumn = (v: Value | undefined, type: string): boolean =>
  family(type) === 'number' && /^-?\d{5,}(\.\d+)?$/.test(plain(v));

/** A value as a cell shows it: cut, on one line, numbers of at least the given number of digits grouped if wanted. */
export function cell(v: Value | undefined, type: string, groups: boolean, least = 5): string {
  const text = plain(v);
  if (family(type) === 'number') return grouped(text, groups, least);
  const line = text.length > longest ? `${text.slice(0, longest)}…` : text;
  return line.replace(/\s*\n\s*/g, ' ⏎ ');
}

/** A value in full: JSON over several lines, also where a text holds it. */
export function full(v: Value | undefined): string {
  if (typeof v === 'string' && /^\s*[[{]/.test(v)) {
    try {
      return JSON.stringify(JSON.parse(v), null, 2);
    } catch {
      return v;
    }
  }
  return typeof v === 'object' && v !== null ? JSON.stringify(v, null, 2) : plain(v);
}
