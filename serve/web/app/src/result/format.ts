/** Values of results, amounts and times as text. Nothing depends on the language of the browser. */
import { family } from '../sql/types';

export type Value = null | boolean | number | string | Value[] | { [name: string]: Value };
export type Row = Value[];
export interface Column {
  name: string;
  type: string;
}

/** Digits in groups of three, 1,234,567.25, or as they are. Texts that are no number stay. */
export function grouped(text: string, on = true): string {
  const m = /^(-?)(\d{5,})((?:\.\d+)?)$/.exec(text);
  return on && m ? `${m[1]}${m[2]?.replace(/\B(?=(\d{3})+$)/g, ',')}${m[3]}` : text;
}

/** A value as one line of text; nested ones are JSON. Null is "". */
export function plain(v: Value | undefined): string {
  if (v === null || v === undefined) return '';
  return typeof v === 'object' ? JSON.stringify(v) : String(v);
}

const longest = 300;

/** A value as a cell shows it: cut, on one line, numbers grouped if wanted. */
export function cell(v: Value | undefined, type: string, groups: boolean): string {
  const text = plain(v);
  if (family(type) === 'number') return grouped(text, groups);
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
