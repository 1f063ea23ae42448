// Results of metric queries as series and rows.
import type { Column, Row, Value } from '../../result/format';

export interface Result {
  columns: Column[];
  rows: Row[];
  keys: string[];
  measures: string[];
}

// Shown is a part of a result: the rows of one value of each key but the first, of which each value is a series.
export interface Shown {
  rows: Row[];
  series?: string;
}

const plainText = (v: Value | undefined): string => (v === null || v === undefined ? '' : String(v));

export const at = (r: Result, row: Row, column: string): Value | undefined => row[r.columns.findIndex(c => c.name === column)];

// valuesOf lists the values of a key, those with most pings or events first.
export function valuesOf(r: Result, key: string): string[] {
  const count = r.columns.some(c => c.name === 'events') ? 'events' : 'pings';
  const sums = new Map<string, number>();
  for (const row of r.rows) {
    const v = plainText(at(r, row, key));
    sums.set(v, (sums.get(v) ?? 0) + Number(at(r, row, count) ?? 0));
  }
  return [...sums].sort((a, b) => b[1] - a[1] || a[0].localeCompare(b[0], 'en')).map(([v]) => v);
}

// shown selects the rows for a chart. chosen has a value for each key but the first; the most frequent one is usual.
export function shown(r: Result, chosen: Record<string, string>): Shown {
  const [series, ...others] = r.keys;
  const rows = r.rows.filter(row =>
    others.every(key => plainText(at(r, row, key)) === (chosen[key] ?? valuesOf(r, key)[0] ?? '')),
  );
  return { rows, series };
}

// isFew says whether a row is of few clients.
export const isFew = (r: Result, row: Row): boolean => at(r, row, 'few') === true;

// marked names the series whose rows are all of few clients.
export function marked(r: Result, s: Shown): Row[] {
  const i = r.columns.findIndex(c => c.name === s.series);
  if (i < 0) {
    return s.rows;
  }
  const few = new Map<string, boolean>();
  for (const row of s.rows) {
    const v = plainText(row[i]);
    few.set(v, (few.get(v) ?? true) && isFew(r, row));
  }
  return s.rows.map(row => {
    const v = plainText(row[i]);
    return few.get(v) ? row.with(i, `${v} (few)`) : row;
  });
}
