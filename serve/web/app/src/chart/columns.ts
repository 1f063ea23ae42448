/** What a column of a result is for a chart, by its type and values. */
import type { Column, Row, Value } from '../result/format';
import { family } from '../sql/types';

export type Role = 'time' | 'number' | 'text' | 'none';

export interface Shape {
  name: string;
  role: Role;
  distinct: number;
  /** Each value is above the one before: a scale, not a measurement. */
  rising: boolean;
  whole: boolean;
}

const looked = 2000;

/** Looks at the first rows of each column. */
export function shapes(columns: readonly Column[], rows: readonly Row[]): Shape[] {
  const some = rows.slice(0, looked);
  return columns.map((c, i) => {
    const values = some.map(r => r[i] ?? null).filter(v => v !== null);
    const numbers = values.map(Number);
    return {
      name: c.name,
      role: role(c, values),
      distinct: new Set(values.map(v => (typeof v === 'object' ? JSON.stringify(v) : v))).size,
      rising: numbers.every((n, j) => j === 0 || n > (numbers[j - 1] as number)),
      whole: numbers.every(Number.isInteger),
    };
  });
}

function role(c: Column, values: Value[]): Role {
  const f = family(c.type);
  if (f === 'nested') return 'none';
  if (f === 'time') return 'time';
  const days = values.length > 0 && values.every(v => seconds(v) !== undefined);
  if (f === 'number') return days && /day|date/i.test(c.name) ? 'time' : 'number';
  return f === 'text' && days ? 'time' : 'text';
}

const dashed = /^(\d{4})-(\d\d)-(\d\d)(?:[ T](\d\d):(\d\d)(?::(\d\d(?:\.\d+)?))?(?: ?(?:UTC|Z|\+00(?::?00)?))?)?$/;
const compact = /^((?:19|20)\d\d)(\d\d)(\d\d)$/;

/** The time of a value in seconds since 1970: days as 20180301 or 2018-03-01, timestamps. Others are undefined. */
export function seconds(v: Value | undefined): number | undefined {
  const text = typeof v === 'number' ? String(v) : v;
  if (typeof text !== 'string') return undefined;
  const m = compact.exec(text) ?? dashed.exec(text);
  if (!m) {
    const other = /^\d{4}-\d\d-\d\d[ T]\d\d:\d\d.*[+-]\d\d/.test(text) ? Date.parse(text.replace(' ', 'T')) : Number.NaN;
    return Number.isNaN(other) ? undefined : other / 1000;
  }
  const [year, month, day, h = 0, min = 0, s = 0] = m.slice(1).map(n => (n === undefined ? 0 : Number(n)));
  const date = new Date(0);
  date.setUTCFullYear(year as number, (month as number) - 1, day); // Date.UTC takes a year below 100 for one of 1900
  date.setUTCHours(h, min);
  return date.getUTCMonth() === (month as number) - 1 ? date.getTime() / 1000 + s : undefined;
}

/** The number of a value. Texts may be numbers that are too long for a double; the nearest one is drawn. */
export function number(v: Value | undefined): number | null {
  if (typeof v === 'boolean') return Number(v);
  if (typeof v !== 'number' && (typeof v !== 'string' || v.trim() === '')) return null;
  const n = Number(v);
  return Number.isFinite(n) ? n : null;
}

/** The numbers of a column. */
export function valuesOf(name: string | undefined, columns: readonly Column[], rows: readonly Row[]): number[] {
  const i = columns.findIndex(c => c.name === name);
  return rows.map(r => number(r[i])).filter(n => n !== null);
}
