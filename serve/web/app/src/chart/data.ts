/** The numbers that a chart draws: rows of a result as x values and series over them. */
import type { Annotation } from '../api/annotations';
import { type Column, plain, type Row, type Value } from '../result/format';
import { type Chart, has, mostSeries } from './chart';
import { number, seconds, shapes, valuesOf } from './columns';

export interface Line {
  label: string;
  values: (number | null)[];
  /** It has the axis on the right. */
  right?: boolean;
  /** The value of the series column that it stands for. */
  of?: Value;
}

/** A day that a time axis marks: a text that somebody wrote, or a release that is found in the data. */
export interface Mark {
  at: number; // seconds
  text: string;
  /** The annotation that it is; a release has none. */
  note?: Annotation;
}

export interface Data {
  /** What x counts: seconds, numbers, or places in labels. */
  scale: 'time' | 'number' | 'category';
  x: number[];
  labels: string[];
  /** The value of the result at each x. */
  of?: Value[];
  lines: Line[];
  /** Marks of days on a time axis. */
  marks?: Mark[];
  /** What the chart leaves out or adds up, for the reader. */
  notes: string[];
}

const mostCategories = 60;

/** The data of a line, bar, area or scatter chart, or of a histogram. */
export function prepare(chart: Chart, columns: readonly Column[], rows: readonly Row[]): Data {
  if (chart.kind === 'histogram') return histogram(valuesOf(chart.y?.[0], columns, rows));
  const index = (name: string | undefined) => columns.findIndex(c => c.name === name);
  const x = index(chart.x);
  const ys = (chart.y ?? []).map(index).filter(i => i >= 0);
  const series = index(chart.series);
  const data: Data = { scale: scaleOf(chart, columns, rows), x: [], labels: [], lines: [], notes: [] };
  const right = new Set(has(chart, 'right') ? chart.right : []);
  const points = read(data, rows, x, ys, series, columns, right);
  chart.kind === 'scatter' ? scatter(data, points) : pivot(data, points);
  if (data.scale === 'category') cut(data);
  return data;
}

function scaleOf(chart: Chart, columns: readonly Column[], rows: readonly Row[]): Data['scale'] {
  const role = shapes(columns, rows).find(s => s.name === chart.x)?.role;
  if (role === 'time' && !chart.horizontal) return 'time';
  return role === 'number' && chart.kind !== 'bar' && chart.kind !== 'box' ? 'number' : 'category';
}

interface Point {
  x: number;
  line: string;
  right: boolean;
  y: number | null;
  of: Value;
  seriesOf: Value | undefined;
}

function read(
  data: Data,
  rows: readonly Row[],
  x: number,
  ys: number[],
  series: number,
  columns: readonly Column[],
  right: ReadonlySet<string>,
): Point[] {
  const places = new Map<string, number>();
  const points: Point[] = [];
  let lost = 0;
  for (const row of rows) {
    let at: number | null | undefined;
    if (data.scale === 'category') {
      const label = x < 0 ? '' : row[x] === null ? 'null' : plain(row[x]);
      at = places.get(label) ?? places.set(label, data.labels.push(label) - 1).get(label);
    } else at = data.scale === 'time' ? seconds(row[x]) : number(row[x]);
    if (at === null || at === undefined) {
      lost++;
      continue;
    }
    for (const y of ys) {
      const name = columns[y]?.name ?? '';
      const of = series < 0 ? name : row[series] === null ? 'null' : plain(row[series]);
      points.push({
        x: at,
        line: series >= 0 && ys.length > 1 ? `${of} · ${name}` : of,
        right: right.has(name),
        y: number(row[y]),
        of: row[x] ?? null,
        seriesOf: series < 0 ? undefined : (row[series] ?? null),
      });
    }
  }
  if (lost > 0) data.notes.push(`${lost} rows without a place on the x axis are left out`);
  return points;
}

/** One value for each x of each line. What falls on the same place is added up. */
function pivot(data: Data, points: Point[]): void {
  data.x = [...new Set(points.map(p => p.x))].sort((a, b) => a - b);
  const of = new Map(points.map(p => [p.x, p.of]));
  data.of = data.x.map(x => of.get(x) ?? null);
  const place = new Map(data.x.map((x, i) => [x, i]));
  const lines = new Map<string, Line>();
  let added = 0;
  for (const p of points) {
    const line =
      lines.get(p.line) ??
      lineOf(
        p,
        data.x.map(() => null),
      );
    lines.set(p.line, line);
    const i = place.get(p.x) as number;
    const known = line.values[i] ?? null;
    if (known !== null && p.y !== null) added++;
    line.values[i] = p.y === null ? known : (known ?? 0) + p.y;
  }
  if (added > 0) data.notes.push('rows with the same x are added up');
  data.lines = largest([...lines.values()], data.notes);
}

const lineOf = (p: Point, values: (number | null)[]): Line => ({
  label: p.line,
  values,
  ...(p.right && { right: true }),
  ...(p.seriesOf !== undefined && { of: p.seriesOf }),
});

/** All points, in the order of x, each in the column of its line. */
function scatter(data: Data, points: Point[]): void {
  const sorted = [...points].sort((a, b) => a.x - b.x);
  data.x = sorted.map(p => p.x);
  data.of = sorted.map(p => p.of);
  const first = new Map(sorted.toReversed().map(p => [p.line, p]));
  const lines = [...new Set(sorted.map(p => p.line))].map(label =>
    lineOf(
      first.get(label) as Point,
      sorted.map(p => (p.line === label ? p.y : null)),
    ),
  );
  data.lines = largest(lines, data.notes);
}

function largest(lines: Line[], notes: string[]): Line[] {
  if (lines.length <= mostSeries) return lines;
  notes.push(`the ${mostSeries} largest of ${lines.length} series are shown`);
  const sum = (l: Line) => l.values.reduce<number>((s, v) => s + Math.abs(v ?? 0), 0);
  const keep = new Set([...lines].sort((a, b) => sum(b) - sum(a)).slice(0, mostSeries));
  return lines.filter(l => keep.has(l));
}

function cut(data: Data): void {
  if (data.x.length <= mostCategories) return;
  data.notes.push(`the first ${mostCategories} of ${data.x.length} values are shown`);
  data.x.length = data.labels.length = mostCategories;
  data.of?.splice(mostCategories);
  for (const l of data.lines) l.values.length = mostCategories;
}

/** Counts of values in bins of equal, round width; x is the lower bound of each bin. */
export function histogram(values: number[]): Data {
  const data: Data = { scale: 'number', x: [], labels: [], lines: [], notes: [] };
  if (values.length === 0) return data;
  const sorted = Float64Array.from(values).sort();
  const at = (share: number) => sorted[Math.floor(share * (sorted.length - 1))] as number;
  const [low, high] = [at(0), at(1)];
  const width = binWidth(low, high, at(0.75) - at(0.25), values);
  const first = Math.floor(low / width);
  const counts = Array.from({ length: Math.floor(high / width) - first + 1 }, () => 0);
  for (const v of values) counts[Math.floor(v / width) - first] = (counts[Math.floor(v / width) - first] as number) + 1;
  data.x = counts.map((_, i) => Number(((first + i) * width).toPrecision(12)));
  data.lines = [{ label: 'rows', values: counts }];
  return data;
}

/** Freedman and Diaconis's width, rounded up to 1, 2 or 5 times a power of ten; at most 80 bins, and whole for integers. */
function binWidth(low: number, high: number, quartiles: number, values: number[]): number {
  if (high === low) return 1;
  const wish = Math.max((2 * quartiles) / Math.cbrt(values.length), (high - low) / 80) || (high - low) / 20;
  const power = 10 ** Math.floor(Math.log10(wish));
  const width = [1, 2, 5, 10].map(n => n * power).find(w => w >= wish * 0.999) ?? wish;
  return values.every(Number.isInteger) ? Math.max(1, width) : width;
}

/** Lines on top of each other: the upper edge of each. */
export function stack(lines: readonly Line[]): (number | null)[][] {
  const below: number[] = [];
  return lines.map(l =>
    l.values.map((v, i) => {
      below[i] = (below[i] ?? 0) + (v ?? 0);
      return v === null && below[i] === 0 ? null : below[i];
    }),
  );
}

/** Each value as a share of the sum of all lines at its place. */
export function shares(lines: readonly Line[]): Line[] {
  const all = stackTotals(
    lines,
    lines.map(() => true),
  );
  return lines.map(l => ({ ...l, values: l.values.map((v, i) => (v === null || !all[i] ? null : v / (all[i] as number))) }));
}

/** The sums of the lines that are shown. */
export const stackTotals = (lines: readonly Line[], shown: readonly boolean[]): number[] =>
  (lines[0]?.values ?? []).map((_, i) => lines.reduce((sum, l, n) => sum + (shown[n] ? (l.values[i] ?? 0) : 0), 0));
