import uPlot from 'uplot';
import { numberTicks, timeTicks, xText } from './axis';
import { type Chart, colorOf, dashOf } from './chart';
import { type Data, type Line, stack } from './data';

export interface Drawn {
  resize: (width: number, height: number) => void;
  /** The picture with title and legend. */
  png: (title: string) => Promise<Blob>;
  destroy: () => void;
}

/** Where the pointer is: a place on the x axis, and pixels within the host. */
export interface Pointed {
  index: number;
  left: number;
  top: number;
}

/** Draws a chart; shown says which of the lines. Colours are the custom properties of the host. */
export function draw(
  host: HTMLElement,
  chart: Chart,
  data: Data,
  shown: readonly boolean[],
  size: { width: number; height: number },
  pointed: (p: Pointed | undefined) => void,
): Drawn {
  const style = getComputedStyle(host);
  const color = (name: string) => style.getPropertyValue(name).trim() || '#888';
  const lines = data.lines.map((l, i) => ({ ...l, i })).filter((_, i) => shown[i]);
  const bars = chart.kind === 'bar' || chart.kind === 'histogram';
  const stacked = (chart.stacked ?? false) && (bars || chart.kind === 'area') && lines.length > 1;
  const tops = stacked ? stack(lines) : lines.map(l => l.values);
  const label = { stroke: color('--ink-2'), font: `12px ${color('--font')}`, ticks: { show: false } };
  const named = (text: string) => text && { label: text, labelSize: 20, labelGap: 2, labelFont: `12px ${color('--font')}` };
  const grid = { stroke: color('--line'), width: 1 };
  const order = lines.map((_, i) => (stacked ? lines.length - 1 - i : i)); // the tallest of a stack is drawn first
  const options: uPlot.Options = {
    ...size,
    class: 'plot',
    tzDate: t => uPlot.tzDate(new Date(t * 1000), 'Etc/UTC'),
    legend: { show: false },
    padding: [12, 24, null, null],
    cursor: { y: false, points: { show: chart.kind !== 'histogram' && !bars }, drag: { x: data.scale !== 'category', y: false } },
    scales: { x: xScale(data, bars), y: yScale(chart, tops, bars || chart.kind === 'area') },
    axes: [
      {
        ...label,
        ...named(data.scale === 'time' ? '' : (chart.x ?? chart.y?.[0] ?? '')),
        grid: { show: false },
        ...xAxis(data, size.width),
      },
      {
        ...label,
        ...named(data.lines.length === 1 ? (data.lines[0]?.label ?? '') : ''),
        grid,
        size: 58,
        values: (_, ticks) => numberTicks(ticks),
      },
    ],
    series: [{}, ...order.map(n => series(chart, data, lines, n, tops, stacked, color))],
    hooks: {
      setCursor: [
        u => {
          const index = u.cursor.idx;
          const over = u.over.getBoundingClientRect();
          const box = host.getBoundingClientRect();
          const { left = -1, top = 0 } = u.cursor;
          pointed(
            index === null || index === undefined || left < 0
              ? undefined
              : { index, left: left + over.left - box.left, top: top + over.top - box.top },
          );
        },
      ],
    },
  };
  const u = new uPlot(options, [data.x, ...order.map(n => tops[n] ?? [])] as uPlot.AlignedData, host);
  return {
    resize: (width, height) => u.setSize({ width, height }),
    png: title =>
      picture(
        u,
        title,
        lines.map(l => ({ label: l.label, color: color(colorOf(l.i)) })),
        color,
      ),
    destroy: () => u.destroy(),
  };
}

function series(
  chart: Chart,
  data: Data,
  lines: (Line & { i: number })[],
  n: number,
  tops: (number | null)[][],
  stacked: boolean,
  color: (name: string) => string,
): uPlot.Series {
  const line = lines[n] as Line & { i: number };
  const stroke = color(colorOf(line.i));
  const common: uPlot.Series = { label: line.label, stroke, width: 2, dash: dashOf(line.i), spanGaps: false };
  const few = data.x.length <= 60;
  switch (chart.kind) {
    case 'bar':
    case 'histogram':
      return {
        ...common,
        width: 0,
        fill: stroke,
        points: { show: false },
        paths: barPaths(chart, lines.length, n, stacked ? tops[n - 1] : undefined, stacked),
      };
    case 'scatter':
      return { ...common, paths: () => null, points: { show: true, size: 6, width: 1, fill: `${stroke}80` } };
    case 'area':
      return { ...common, fill: stacked ? stroke : `${stroke}40`, points: { show: few && !stacked, size: 5 } };
    default:
      return { ...common, points: { show: few, size: 5, fill: stroke } };
  }
}

/** Bars beside each other, or on top of the values below. */
function barPaths(
  chart: Chart,
  count: number,
  n: number,
  below: (number | null)[] | undefined,
  stacked: boolean,
): uPlot.Series.PathBuilder {
  return (u, series, first, last) => {
    const xs = u.data[0];
    const ys = u.data[series] ?? [];
    const path = new Path2D();
    const step = (xs[1] ?? (xs[0] ?? 0) + 1) - (xs[0] ?? 0);
    const wide = chart.kind === 'histogram' ? step : 0.76 * step;
    const width = stacked ? wide : wide / count;
    const zero = u.scales.y?.distr === 3 ? (u.scales.y.min ?? 1) : 0;
    for (let i = first; i <= last; i++) {
      const y = ys[i];
      const x = xs[i];
      if (y === null || y === undefined || x === undefined) {
        continue;
      }
      const from = chart.kind === 'histogram' ? x : x - wide / 2 + (stacked ? 0 : n * width);
      const left = u.valToPos(from, 'x', true);
      const right = u.valToPos(from + width, 'x', true);
      const top = u.valToPos(y, 'y', true);
      const base = u.valToPos(below?.[i] ?? zero, 'y', true);
      const gap = right - left > 4 ? 1 : 0;
      path.rect(left, Math.min(top, base), Math.max(1, right - left - gap), Math.max(1, Math.abs(base - top)));
    }
    return { fill: path, stroke: null };
  };
}

function xScale(data: Data, bars: boolean): uPlot.Scale {
  if (!bars) {
    return { time: data.scale === 'time', ...(data.scale === 'category' && { range: [-0.3, data.x.length - 0.7] }) };
  }
  const [first = 0, last = 0] = [data.x[0], data.x.at(-1)];
  const step = data.x.length > 1 ? (data.x[1] as number) - first : 1;
  const histogram = data.lines[0]?.label === 'rows' && data.scale === 'number';
  return { time: data.scale === 'time', range: histogram ? [first, last + step] : [first - step / 2, last + step / 2] };
}

/** Bars and areas stand on zero. A logarithmic scale has no zero. */
function yScale(chart: Chart, tops: (number | null)[][], fromZero: boolean): uPlot.Scale {
  const all = tops.flat().filter(v => v !== null);
  if (chart.log && all.some(v => v > 0)) {
    const low = Math.min(...all.filter(v => v > 0).slice(0, 100_000));
    return {
      distr: 3,
      range: (_, __, max) => [10 ** Math.floor(Math.log10(low)), 10 ** Math.ceil(Math.log10(Math.max(max, low * 10)))],
    };
  }
  return {
    range: (_, min, max) => {
      const low = fromZero || (min >= 0 && min < max / 2) ? Math.min(0, min) : min;
      const [a, b] = uPlot.rangeNum(low, Math.max(max, low === max ? low + 1 : max), 0.05, true);
      return [low === 0 ? 0 : a, fromZero && max <= 0 ? 0 : b];
    },
  };
}

const day = 86_400;
const dayIncrements = [1, 2, 3, 4, 5, 7, 14, 30, 60, 90, 120, 180, 365, 730, 1825, 3650].map(n => n * day);

function xAxis(data: Data, width: number): Partial<uPlot.Axis> {
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
    return { values: (_, ticks) => numberTicks(ticks) };
  }
  const room = (width - 80) / Math.max(1, data.x.length);
  const longest = Math.max(0, ...data.labels.map(l => l.length));
  const turned = longest * 7 > room;
  const every = Math.max(1, Math.ceil(18 / room));
  const cut = (l: string) => (l.length > 16 ? `${l.slice(0, 15)}…` : l);
  return {
    splits: () => data.x.filter((_, i) => i % every === 0),
    values: (_, ticks) => ticks.map(t => cut(xText(data, t))),
    rotate: turned ? -45 : 0,
    size: turned ? Math.min(110, 24 + 5 * Math.min(16, longest)) : 34,
  };
}

async function picture(
  u: uPlot,
  title: string,
  legend: { label: string; color: string }[],
  color: (name: string) => string,
): Promise<Blob> {
  const from = u.ctx.canvas;
  const scale = from.width / Math.max(1, u.width);
  const [head, foot] = [title ? 36 * scale : 0, legend.length > 1 ? 30 * scale : 0];
  const to = document.createElement('canvas');
  to.width = from.width;
  to.height = from.height + head + foot;
  const c = to.getContext('2d') as CanvasRenderingContext2D;
  c.fillStyle = color('--surface');
  c.fillRect(0, 0, to.width, to.height);
  c.drawImage(from, 0, head);
  c.textBaseline = 'middle';
  c.fillStyle = color('--ink');
  c.font = `600 ${15 * scale}px ${color('--font')}`;
  c.fillText(title, 12 * scale, head / 2);
  c.font = `${12 * scale}px ${color('--font')}`;
  let x = 12 * scale;
  for (const l of foot ? legend : []) {
    c.fillStyle = l.color;
    c.fillRect(x, to.height - foot / 2 - 5 * scale, 10 * scale, 10 * scale);
    c.fillStyle = color('--ink');
    c.fillText(l.label, x + 15 * scale, to.height - foot / 2);
    x += c.measureText(l.label).width + 32 * scale;
  }
  return new Promise((resolve, reject) =>
    to.toBlob(b => (b ? resolve(b) : reject(new Error('the browser made no picture'))), 'image/png'),
  );
}
