/** Other charts that the shape of a result suggests. Nothing is drawn by it: a person chooses. */
import { type Column, plain, type Row } from '../result/format';
import type { Chart } from './chart';
import { number, type Shape, seconds, shapes } from './columns';

const mostSteps = 12;
const mostSides = 60; // rows or columns of a pivot table

/** The charts of countries, cohorts, funnels and pivot tables for which all rows have the form; rows are the first of the result. */
export function suggest(columns: readonly Column[], rows: readonly Row[]): Chart[] {
  const all = shapes(columns, rows);
  const numbers = all.filter(s => s.role === 'number' && s.distinct > 0);
  const value = numbers.at(-1);
  if (rows.length < 2 || !value) return [];
  const values = (s: Shape) => rows.map(r => r[columns.findIndex(c => c.name === s.name)] ?? null);
  const others = all.filter(s => s.role !== 'none' && s.name !== value.name && s.distinct > 0);
  const [a, b] = others;
  if (!a || others.length > 2) return [];
  if (!b) {
    const y = [value.name];
    if (isCountry(a, values(a))) return [{ kind: 'map', x: a.name, y }];
    return isFunnel(a, rows.length, values(value)) ? [{ kind: 'funnel', x: a.name, y }] : [];
  }
  const pairs = new Set(rows.map(r => JSON.stringify([a, b].map(s => r[columns.findIndex(c => c.name === s.name)]))));
  if (pairs.size < rows.length || a.distinct < 2 || b.distinct < 2) return [];
  if (isCohort(a, b, values(a), values(b))) return [{ kind: 'cohort', x: a.name, series: b.name, y: [value.name], share: true }];
  const cells = a.distinct * b.distinct;
  const sides = a.role === 'text' && b.role === 'text' && Math.max(a.distinct, b.distinct) <= mostSides;
  return sides && rows.length * 2 >= cells ? [{ kind: 'pivot', x: a.name, series: b.name, y: [value.name] }] : [];
}

const isCountry = (s: Shape, values: Row): boolean =>
  /countr|geo/i.test(s.name) && values.every(v => v === null || /^([A-Z]{2}|\?\?)$/.test(plain(v)));

/** Steps that are called so, each with less than the one before. */
function isFunnel(s: Shape, rows: number, values: Row): boolean {
  const counts = values.map(v => number(v));
  const falls = counts.every((n, i) => n !== null && n >= 0 && (i === 0 || n <= (counts[i - 1] ?? 0)));
  return (
    /step|stage|funnel/i.test(s.name) &&
    s.role === 'text' &&
    s.distinct === rows &&
    rows <= mostSteps &&
    falls &&
    counts[0] !== counts.at(-1)
  );
}

/** Days of cohorts, and for each the days since then, or numbers of periods that begin with 0 or 1. */
function isCohort(cohort: Shape, period: Shape, from: Row, to: Row): boolean {
  if (cohort.role !== 'time' || !/cohort|first|since|joined|install|created/i.test(cohort.name)) return false;
  if (period.role === 'time') return from.every((v, i) => (seconds(v) ?? Number.POSITIVE_INFINITY) <= (seconds(to[i]) ?? 0));
  const periods = to.map(v => number(v) ?? -1);
  return period.role === 'number' && period.whole && Math.min(...periods) >= 0 && Math.min(...periods) <= 1;
}
