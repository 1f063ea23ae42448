import type { components } from '../../api/schema';
import { addDays, bytes, compact, dayDate, number, percent } from '../../ui/formats';

export type Overview = components['schemas']['TableOverview'];
export type Series = components['schemas']['TableSeries'];
export type TableDay = components['schemas']['TableDay'];
export type Changes = components['schemas']['TableChanges'];
export type Finding = components['schemas']['Finding'];
export type ColumnItem = components['schemas']['ColumnInDays'];
export type ColumnSeries = components['schemas']['ColumnSeries'];
export type Check = components['schemas']['Check'];

export type Level = 'grave' | 'medium' | 'small';

// level says how odd a finding is, as the counts of the API do.
export const level = (score: number): Level => (score >= 60 ? 'grave' : score >= 30 ? 'medium' : 'small');

export const levels: Record<Level, string> = { grave: 'grave', medium: 'medium', small: 'small' };

// every lists all days from the first to the last of some, those between that are missing, too.
export function every(days: readonly string[]): string[] {
  const first = days[0];
  const last = days.at(-1);
  if (!first || !last || days.length > 4000) {
    return [...days];
  }
  const all = [first];
  while (all.at(-1)! < last && all.length < 4000) {
    all.push(addDays(all.at(-1)!, 1));
  }
  return all;
}

// byDay puts values at their days, null where there is none.
export function byDay<T extends { day: string }>(
  all: readonly string[],
  days: readonly T[],
  value: (d: T) => number | null | undefined,
): (number | null)[] {
  const known = new Map(days.map(d => [d.day, value(d) ?? null]));
  return all.map(d => known.get(d) ?? null);
}

export const seconds = (days: readonly string[]): number[] => days.map(d => dayDate(d).getTime() / 1000);

// change is by which share a number differs from another.
export function change(now: number | null | undefined, before: number | null | undefined): number | undefined {
  return now === null || now === undefined || !before ? undefined : now / before - 1;
}

export const signed = (share: number): string =>
  Math.abs(share) < 0.0005 ? '±0 %' : `${share > 0 ? '+' : '−'}${percent(Math.abs(share), Math.abs(share) < 0.1 ? 1 : 0)}`;

// write writes a number of a measure.
export function write(measure: string, n: number | null | undefined): string {
  if (n === null || n === undefined) {
    return '–';
  }
  switch (measure) {
    case 'rows':
    case 'clients':
      return number(Math.round(n));
    case 'bytes':
      return bytes(n);
    case 'typical':
      return compact(Number(n.toPrecision(4)));
  }
  return percent(n, n > 0 && n < 0.1 ? 2 : 1);
}

export const heads: Record<string, string> = {
  rows: 'Rows',
  clients: 'Clients',
  bytes: 'Bytes a row',
  known: 'Not null',
  empty: 'Empty',
  repeated: 'Repeated',
  typical: 'Median',
  having: 'Share',
};
