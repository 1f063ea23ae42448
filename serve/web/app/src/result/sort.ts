/** The order of rows by a column. */
import { family } from '../sql/types';
import type { Row, Value } from './format';

/** The places of rows in ascending or descending order of a column; equal ones stay as they were, null is last. */
export function order(rows: readonly Row[], column: number, type: string, descending: boolean): number[] {
  const compare = family(type) === 'number' ? numbers : texts;
  const sign = descending ? -1 : 1;
  return rows
    .map((_, i) => i)
    .sort((i, j) => {
      const a = rows[i]?.[column] ?? null;
      const b = rows[j]?.[column] ?? null;
      if (a === null || b === null) return a === b ? i - j : a === null ? 1 : -1;
      return sign * compare(a, b) || i - j;
    });
}

/** Numbers may be texts: those that a number cannot hold exactly. NaN is above all. */
function numbers(a: Value, b: Value): number {
  const [x, y] = [Number(a), Number(b)];
  if (Number.isNaN(x) || Number.isNaN(y)) return Number(Number.isNaN(x)) - Number(Number.isNaN(y));
  if (x !== y) return x - y;
  const exact = /^-?\d+$/;
  if (typeof a === 'string' && typeof b === 'string' && exact.test(a) && exact.test(b))
    return BigInt(a) < BigInt(b) ? -1 : Number(a !== b);
  return 0;
}

function texts(a: Value, b: Value): number {
  const [x, y] = [typeof a === 'object' ? JSON.stringify(a) : String(a), typeof b === 'object' ? JSON.stringify(b) : String(b)];
  return x < y ? -1 : Number(x > y);
}
