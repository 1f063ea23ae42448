/** The cells of a cohort table, a pivot table or a heatmap: two columns of a result against each other. */
import { type Column, plain, type Row, type Value } from '../result/format';
import { plural } from '../ui/formats';
import { time } from './axis';
import type { Chart } from './chart';
import { number, type Role, seconds, shapes } from './columns';

export interface Matrix {
  rows: string[];
  columns: string[];
  /** The values of the result that rows and columns stand for; none for periods that were computed. */
  rowValues: Value[];
  columnValues: (Value | undefined)[];
  /** One list for each row; null where the result has no value. */
  cells: (number | null)[][];
  rowTotals: number[];
  columnTotals: number[];
  total: number;
  /** What the matrix leaves out or adds up, for the reader. */
  notes: string[];
}

const mostRows = 200;
const mostColumns = 60;

/** The matrix of a chart. Times and numbers are sorted; texts keep the order of the result. */
export function matrix(chart: Chart, columns: readonly Column[], rows: readonly Row[]): Matrix {
  const roles = new Map(shapes(columns, rows).map(s => [s.name, s.role]));
  const place = (name: string | undefined) => ({
    index: columns.findIndex(c => c.name === name),
    role: roles.get(name ?? '') ?? 'text',
  });
  const [down, across] = chart.kind === 'heatmap' ? [chart.series, chart.x] : [chart.x, chart.series];
  const [row, column, value] = [place(down), place(across), place(chart.y?.[0])];
  const cohorts = chart.kind === 'cohort' && row.role === 'time' && column.role === 'time';
  const notes: string[] = [];
  const cells = new Map<string, Map<string, number | null>>();
  const keys = { rows: new Map<string, Key>(), columns: new Map<string, Key>() };
  let [added, early] = [0, 0];
  const step = cohorts ? periodOf(rows, row.index, column.index) : { seconds: 1, name: '' };
  for (const r of rows) {
    const [a, b] = [r[row.index] ?? null, column.index < 0 ? chart.y?.[0] : (r[column.index] ?? null)];
    const down = keyOf(a, row.role);
    const across = cohorts ? since(a, b, step) : keyOf(b, column.index < 0 ? 'text' : column.role);
    if (chart.kind === 'cohort' && across.order < 0) {
      early++;
      continue;
    }
    if (!keys.rows.has(down.label)) keys.rows.set(down.label, down);
    if (!keys.columns.has(across.label)) keys.columns.set(across.label, across);
    const line = cells.get(down.label) ?? new Map<string, number | null>();
    cells.set(down.label, line);
    const [known, n] = [line.get(across.label) ?? null, number(r[value.index])];
    if (known !== null && n !== null) added++;
    line.set(across.label, n === null ? known : (known ?? 0) + n);
  }
  if (added > 0) notes.push('rows of the same cell are added up');
  if (early > 0) notes.push(`${plural(early, 'row')} before the cohort began ${early === 1 ? 'is' : 'are'} left out`);
  const [rowKeys, columnKeys] = [ordered(keys.rows, row.role), ordered(keys.columns, cohorts ? 'number' : column.role)];
  return totals(cut(rowKeys, mostRows, 'rows', notes), cut(columnKeys, mostColumns, 'columns', notes), cells, notes);
}

interface Key {
  label: string;
  order: number;
  value?: Value;
}

function keyOf(value: Value | undefined, role: Role): Key {
  if (value === null || value === undefined) return { label: 'null', order: Number.POSITIVE_INFINITY, value: null };
  if (role === 'time') {
    const s = seconds(value);
    return s === undefined
      ? { label: plain(value), order: Number.POSITIVE_INFINITY, value }
      : { label: time(s), order: s, value };
  }
  return { label: plain(value), order: role === 'number' ? (number(value) ?? Number.POSITIVE_INFINITY) : 0, value };
}

/** The period of a cohort whose two columns are times: weeks if all rows are whole weeks apart, else days. */
function periodOf(rows: readonly Row[], from: number, to: number): { seconds: number; name: string } {
  const apart = rows.map(r => (seconds(r[to]) ?? 0) - (seconds(r[from]) ?? 0));
  return apart.every(s => s % (7 * 86_400) === 0) ? { seconds: 7 * 86_400, name: 'week' } : { seconds: 86_400, name: 'day' };
}

function since(from: Value | undefined, to: Value | undefined, step: { seconds: number; name: string }): Key {
  const [a, b] = [seconds(from), seconds(to)];
  if (a === undefined || b === undefined) return { label: 'null', order: Number.POSITIVE_INFINITY };
  const n = Math.floor((b - a) / step.seconds);
  return { label: `${step.name} ${n}`, order: n };
}

function ordered(keys: Map<string, Key>, role: Role): Key[] {
  const all = [...keys.values()];
  return role === 'text' ? all : all.sort((a, b) => (a.order === b.order ? 0 : a.order - b.order));
}

function cut(keys: Key[], most: number, what: string, notes: string[]): Key[] {
  if (keys.length > most) notes.push(`the first ${most} of ${keys.length} ${what} are shown`);
  return keys.slice(0, most);
}

function totals(rows: Key[], columns: Key[], values: Map<string, Map<string, number | null>>, notes: string[]): Matrix {
  const cells = rows.map(r => columns.map(c => values.get(r.label)?.get(c.label) ?? null));
  const sum = (all: (number | null)[]) => all.reduce<number>((s, n) => s + (n ?? 0), 0);
  const rowTotals = cells.map(sum);
  return {
    rows: rows.map(r => r.label),
    columns: columns.map(c => c.label),
    rowValues: rows.map(r => r.value ?? null),
    columnValues: columns.map(c => c.value),
    cells,
    rowTotals,
    columnTotals: columns.map((_, i) => sum(cells.map(line => line[i] ?? null))),
    total: sum(rowTotals),
    notes,
  };
}

/** A cohort table: the size of each cohort, what of it is left in each period, and the mean of all cohorts. */
export interface Cohorts {
  sizes: (number | null)[];
  shares: (number | null)[][];
  /** Of all cohorts that have the period, weighted by their sizes. */
  means: (number | null)[];
}

/** Reads a matrix as cohorts. The first column has the sizes. */
export function cohorts(m: Matrix): Cohorts {
  const sizes = m.cells.map(line => line[0] ?? null);
  const shares = m.cells.map((line, r) => line.map(n => (n === null || !sizes[r] ? null : n / (sizes[r] as number))));
  const means = m.columns.map((_, c) => {
    let [left, all] = [0, 0];
    m.cells.forEach((line, r) => {
      if (line[c] === null || line[c] === undefined || !sizes[r]) return;
      left += line[c] as number;
      all += sizes[r] as number;
    });
    return all > 0 ? left / all : null;
  });
  return { sizes, shares, means };
}

/** How strong the colour of each cell is, from 0 to 1; null cells have none. */
export function heat(cells: readonly (readonly (number | null)[])[], log = false): (number | null)[][] {
  const all = cells.flat().filter(n => n !== null);
  const least = Math.min(0, ...all);
  const most = Math.max(...all, least);
  const scale = (n: number) => (log ? Math.log1p(n - least) : n - least);
  return cells.map(line => line.map(n => (n === null ? null : most > least ? scale(n) / scale(most) : 0)));
}
