import uPlot from 'uplot';
import { numberTicks, percentTicks, timeTicks, xText } from './axis';
import { type Chart, has } from './chart';
import type { Data } from './data';
import { stepOf } from './paths';

export function xScale(data: Data, bars: boolean): uPlot.Scale {
  if (!bars) {
    return { time: data.scale === 'time', ...(data.scale === 'category' && { range: [-0.3, data.x.length - 0.7] }) };
  }
  const [first = 0, last = 0] = [data.x[0], data.x.at(-1)];
  const step = stepOf(data.x);
  const histogram = data.lines[0]?.label === 'rows' && data.scale === 'number';
  return { time: data.scale === 'time', range: histogram ? [first, last + step] : [first - step / 2, last + step / 2] };
}

/** The scale of values. Bars and areas stand on zero. A logarithmic scale has no zero. */
export function yScale(chart: Chart, values: readonly (number | null)[][], fromZero: boolean): uPlot.Scale {
  if (has(chart, 'share')) return { range: [0, 1] };
  const all = values.flat().filter(v => v !== null);
  if (has(chart, 'goal')) all.push(chart.goal as number);
  if (has(chart, 'log') && all.some(v => v > 0)) {
    const low = all.reduce((least, v) => (v > 0 && v < least ? v : least), Number.POSITIVE_INFINITY);
    return {
      distr: 3,
      range: (_, __, max) => [10 ** Math.floor(Math.log10(low)), 10 ** Math.ceil(Math.log10(Math.max(max, low * 10)))],
    };
  }
  const goal = has(chart, 'goal') ? (chart.goal as number) : undefined;
  return {
    range: (_, from, to) => {
      const [min, max] = [Math.min(from, goal ?? from), Math.max(to, goal ?? to)];
      const low = fromZero || (min >= 0 && min < max / 2) ? Math.min(0, min) : min;
      const [a, b] = uPlot.rangeNum(low, Math.max(max, low === max ? low + 1 : max), 0.05, true);
      return [low === 0 ? 0 : a, fromZero && max <= 0 ? 0 : b];
    },
  };
}

const whole = Array.from({ length: 15 }, (_, power) => [1, 2, 5].map(n => n * 10 ** power)).flat();

/** An axis of values. Whole numbers have no ticks between them. */
export function yAxis(chart: Chart, values: readonly (number | null)[][]): Partial<uPlot.Axis> {
  if (has(chart, 'share')) return { values: (_, ticks) => percentTicks(ticks) };
  return {
    values: (_, ticks) => numberTicks(ticks),
    ...(values.every(l => l.every(v => v === null || Number.isInteger(v))) && !has(chart, 'log') && { incrs: whole }),
  };
}

const day = 86_400;
const dayIncrements = [1, 2, 3, 4, 5, 7, 14, 30, 60, 90, 120, 180, 365, 730, 1825, 3650].map(n => n * day);

export function xAxis(data: Data, measure: (text: string) => number): Partial<uPlot.Axis> {
  if (data.scale === 'time') {
    const days = data.x.every(x => x % day === 0); // then no tick is between them
    return {
      values: (_, ticks, __, ___, step) => timeTicks(ticks, step),
      space: 56,
      size: 44,
      ...(days && { incrs: dayIncrements }),
    };
  }
  if (data.scale === 'number') {
    return { values: (_, ticks) => numberTicks(ticks), ...(data.x.every(Number.isInteger) && { incrs: whole }) };
  }
  const labels = data.labels.map(l => (l.length > longestLabel ? `${l.slice(0, longestLabel - 1)}…` : l));
  const longest = Math.max(0, ...labels.map(measure));
  const turned = (u: uPlot) => longest > roomOf(data, u.width) - 6;
  return {
    splits: u => {
      const every = Math.max(1, Math.ceil(18 / roomOf(data, u.width)));
      return data.x.filter((_, i) => i % every === 0);
    },
    values: (_, ticks) => ticks.map(t => labels[t] ?? xText(data, t)),
    rotate: u => (turned(u) ? 45 : 0),
    size: u => (turned(u) ? Math.ceil(Math.SQRT1_2 * (longest + 14)) + 12 : 34),
  };
}

const longestLabel = 24;

/** The pixels of a category in a chart of some width. */
const roomOf = (data: Data, width: number): number => (width - 80) / Math.max(1, data.x.length);

/** What the turned labels of categories need left of the first bar, beside an axis of values of some width. */
export function roomLeft(data: Data, width: number, measure: (text: string) => number, axis: number): number {
  if (data.scale !== 'category') return 0;
  const room = roomOf(data, width);
  const labels = data.labels.map(l => measure(l.slice(0, longestLabel)));
  if (Math.max(0, ...labels) <= room - 6) return 0;
  return Math.max(0, ...labels.map((l, i) => Math.SQRT1_2 * l + 8 - axis - room * (i + 0.5)));
}
