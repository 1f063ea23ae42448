import { family } from '../sql/types';
import { type Column, cell, type Row } from './format';

const letter = 8; // px, of the monospaced text of cells: 0.6 of 13 px, and a whole number where fonts are hinted
const padding = 18; // 8 px on both sides, and rounding
const [least, most] = [56, 340];

/** A width for each column, from its name and its first values. */
export function widths(columns: readonly Column[], rows: readonly Row[]): number[] {
  return columns.map((c, i) => {
    const values = rows.slice(0, 60).map(r => cell(r[i], c.type, true).length);
    const room = family(c.type) === 'number' ? 3 : 0; // later numbers are often longer
    const longest = Math.max(c.name.length + 2, Math.min(c.type.length, 14), 4, ...values.map(n => n + room));
    return Math.round(Math.min(most, Math.max(least, longest * letter + padding)));
  });
}

/** The width that shows the values of a column in full, within bounds. */
export function fitted(column: Column, index: number, rows: readonly Row[]): number {
  const longest = Math.max(column.name.length + 2, ...rows.map(r => cell(r[index], column.type, true).length));
  return Math.round(Math.min(1000, Math.max(least, longest * letter + padding)));
}

export const resized = (width: number, by: number): number => Math.min(1200, Math.max(40, width + by));
