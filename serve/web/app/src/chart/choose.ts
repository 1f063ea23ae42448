/** Chooses the chart that shows a result best. */
import type { Column, Row } from '../result/format';
import type { Chart } from './chart';
import { type Shape, shapes } from './columns';

const mostBars = 60;
const mostLines = 16;

/** The chart for a result, of which rows are the first; a table where no chart says more. */
export function choose(columns: readonly Column[], rows: readonly Row[]): Chart {
  const all = shapes(columns, rows);
  const of = (role: Shape['role']) => all.filter(s => s.role === role && s.distinct > 0);
  const [times, numbers, texts] = [of('time'), of('number'), of('text')];
  if (rows.length === 0 || numbers.length === 0) return { kind: 'table' };
  if (rows.length === 1)
    return times.length + texts.length <= 1 && numbers.length <= 4 ? { kind: 'number', y: names(numbers) } : { kind: 'table' };
  const time = times.find(s => s.distinct > 1);
  if (time) return overTime(time, numbers, texts, rows.length);
  if (texts.length > 0) return byText(texts, numbers, rows.length);
  return ofNumbers(numbers, rows.length);
}

const names = (list: Shape[]): string[] => list.map(s => s.name);

/** Series by a text column if days repeat; the line of each number if they do not. */
function overTime(time: Shape, numbers: Shape[], texts: Shape[], rows: number): Chart {
  if (time.distinct === rows || rows > 2000) return { kind: 'line', x: time.name, y: names(numbers).slice(0, 5) };
  const by = texts.find(s => s.distinct > 1 && s.distinct <= mostLines && s.distinct * time.distinct >= rows);
  if (by) return { kind: 'line', x: time.name, y: names(numbers.slice(0, 1)), series: by.name };
  return { kind: texts.length > 0 ? 'line' : 'scatter', x: time.name, y: names(numbers.slice(0, 1)) };
}

function byText(texts: Shape[], numbers: Shape[], rows: number): Chart {
  const [first, second] = [...texts].sort((a, b) => b.distinct - a.distinct) as [Shape, Shape | undefined];
  const [scale, measured] = numbers;
  if (
    first.distinct < rows &&
    !second &&
    scale &&
    measured &&
    scale.whole &&
    scale.distinct > 2 &&
    first.distinct <= mostLines &&
    first.distinct * scale.distinct >= rows
  ) {
    return { kind: 'line', x: scale.name, y: [measured.name], series: first.name }; // such as clients by pings a day, for each channel
  }
  if (first.distinct > mostBars)
    return first.distinct === rows ? { kind: 'bar', x: first.name, y: names(numbers.slice(0, 1)) } : { kind: 'table' };
  if (
    second &&
    first.distinct < rows &&
    second.distinct > 1 &&
    second.distinct <= mostLines &&
    first.distinct * second.distinct >= rows
  ) {
    return { kind: 'bar', x: first.name, y: names(numbers.slice(0, 1)), series: second.name, stacked: true };
  }
  return { kind: 'bar', x: first.name, y: names(numbers).slice(0, texts.length > 1 ? 1 : 3) };
}

function ofNumbers(numbers: Shape[], rows: number): Chart {
  const [x, ...rest] = numbers as [Shape, ...Shape[]];
  if (rest.length === 0) return rows >= 10 ? { kind: 'histogram', y: [x.name] } : { kind: 'table' };
  if (x.rising && x.whole) return { kind: 'line', x: x.name, y: names(rest).slice(0, 5) };
  return { kind: 'scatter', x: x.name, y: names(rest.slice(0, 1)) };
}

/** Whether a result has the columns of a chart. */
export function fits(chart: Chart, columns: readonly Column[]): boolean {
  const has = (name: string | undefined) => name === undefined || columns.some(c => c.name === name);
  return has(chart.x) && has(chart.series) && (chart.y ?? []).every(has);
}
