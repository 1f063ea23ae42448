import uPlot from 'uplot';
import { value } from './axis';
import { type Chart, colorOf, dashOf, has } from './chart';
import { type Data, type Line, shares, stack } from './data';
import { lettered } from './marks';
import { barPaths, drawBoxes } from './paths';
import { picture } from './picture';
import { roomLeft, xAxis, xScale, yAxis, yScale } from './scales';

export interface Drawn {
  resize: (width: number, height: number) => void;
  /** The picture with title and legend. */
  png: (title: string) => Promise<Blob>;
  destroy: () => void;
}

/** Where the pointer is: a place on the x axis, and pixels within the host. */
export interface Pointed {
  index: number;
  /** The number of the series under or nearest to the pointer. */
  line?: number;
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
  const bars = chart.kind === 'bar' || chart.kind === 'histogram' || chart.kind === 'box';
  const fromZero = (bars && chart.kind !== 'box') || chart.kind === 'area';
  const stacked = (chart.stacked ?? false) && fromZero && (lines.length > 1 || has(chart, 'share'));
  const tops = stacked ? stack(has(chart, 'share') ? shares(lines) : lines) : lines.map(l => l.values);
  const [left, right] = [false, true].map(r => tops.filter((_, i) => Boolean(lines[i]?.right) === r)) as [Tops, Tops];
  const font = `12px ${color('--font')}`;
  const measure = measured(font);
  const label = { stroke: color('--ink-2'), font, ticks: { show: false } };
  const named = (text: string) => text && { label: text, labelSize: 20, labelGap: 2, labelFont: font };
  const only = (r: boolean) => {
    const of = data.lines.filter(l => Boolean(l.right) === r);
    return of.length === 1 ? (of[0]?.label ?? '') : '';
  };
  const grid = { stroke: color('--line'), width: 1 };
  const order = lines.map((_, i) => (stacked ? lines.length - 1 - i : i)); // the tallest of a stack is drawn first
  const options: uPlot.Options = {
    ...size,
    class: 'plot',
    tzDate: t => uPlot.tzDate(new Date(t * 1000), 'Etc/UTC'),
    legend: { show: false },
    padding: [16, 24, null, u => roomLeft(data, u.width, measure, 58)],
    cursor: { y: false, points: { show: !bars }, drag: { x: data.scale !== 'category', y: false } },
    scales: {
      x: xScale(data, bars),
      y: yScale(chart, left, fromZero),
      ...(right.length > 0 && { right: yScale({ ...chart, goal: undefined }, right, fromZero) }),
    },
    axes: [
      {
        ...label,
        ...named(data.scale === 'time' ? '' : (chart.x ?? chart.y?.[0] ?? '')),
        grid: { show: false },
        ...xAxis(data, measure),
      },
      { ...label, ...named(only(false)), grid, size: 58, ...yAxis(chart, left) },
      ...(right.length > 0
        ? [{ ...label, ...named(only(true)), scale: 'right', side: 1, grid: { show: false }, size: 58, ...yAxis(chart, right) }]
        : []),
    ],
    series: [{}, ...order.map(n => series(chart, data, lines, n, tops, stacked, color))],
    hooks: {
      draw: [
        u => chart.kind === 'box' && drawBoxes(u, tops, color(colorOf(0)), `${color(colorOf(0))}55`),
        u => drawMarks(u, lettered(data.marks ?? []), color('--ink-2'), font),
        u => has(chart, 'goal') && drawGoal(u, chart.goal as number, color('--red'), font),
      ],
      setCursor: [
        u => {
          const index = u.cursor.idx;
          const over = u.over.getBoundingClientRect();
          const box = host.getBoundingClientRect();
          const { left = -1, top = 0 } = u.cursor;
          pointed(
            index === null || index === undefined || left < 0
              ? undefined
              : {
                  index,
                  line: lineAt(u, tops, lines, index, top, stacked),
                  left: left + over.left - box.left,
                  top: top + over.top - box.top,
                },
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

/** The series at a height: of a stack the one whose part is there, else the nearest. */
function lineAt(
  u: uPlot,
  tops: (number | null)[][],
  lines: (Line & { i: number })[],
  index: number,
  top: number,
  stacked: boolean,
): number | undefined {
  let [best, least] = [undefined as number | undefined, Number.POSITIVE_INFINITY];
  tops.forEach((values, n) => {
    const v = values[index];
    if (v === null || v === undefined) {
      return;
    }
    const below = top - u.valToPos(v, lines[n]?.right ? 'right' : 'y');
    const distance = stacked && below < 0 ? Number.POSITIVE_INFINITY : Math.abs(below);
    if (distance < least) {
      [best, least] = [lines[n]?.i, distance];
    }
  });
  return best;
}

type Tops = (number | null)[][];

/** Measures texts in a font. */
function measured(font: string): (text: string) => number {
  const c = document.createElement('canvas').getContext('2d') as CanvasRenderingContext2D;
  c.font = font;
  return text => c.measureText(text).width;
}

/** A line at the day of each mark, with its letter. */
function drawMarks(u: uPlot, marks: ReturnType<typeof lettered>, stroke: string, font: string): void {
  const { left, top, width, height } = u.bbox;
  const c = u.ctx;
  c.save();
  c.strokeStyle = c.fillStyle = stroke;
  c.lineWidth = devicePixelRatio;
  c.setLineDash([2 * devicePixelRatio, 3 * devicePixelRatio]);
  c.font = font.replace('12px', `600 ${11 * devicePixelRatio}px`);
  c.textAlign = 'center';
  c.textBaseline = 'bottom';
  for (const m of marks) {
    const x = Math.round(u.valToPos(m.at, 'x', true));
    if (x >= left && x <= left + width) {
      c.beginPath();
      c.moveTo(x, top);
      c.lineTo(x, top + height);
      c.stroke();
      c.fillText(m.letter, x, top - devicePixelRatio);
    }
  }
  c.restore();
}

/** A dashed line across the chart with its value. */
function drawGoal(u: uPlot, goal: number, stroke: string, font: string): void {
  const y = Math.round(u.valToPos(goal, 'y', true));
  const { left, top, width, height } = u.bbox;
  if (!(y >= top && y <= top + height)) {
    return;
  }
  const c = u.ctx;
  c.save();
  c.strokeStyle = c.fillStyle = stroke;
  c.lineWidth = 1.5 * devicePixelRatio;
  c.setLineDash([6 * devicePixelRatio, 4 * devicePixelRatio]);
  c.beginPath();
  c.moveTo(left, y);
  c.lineTo(left + width, y);
  c.stroke();
  c.font = font.replace('12px', `${12 * devicePixelRatio}px`);
  c.textAlign = 'right';
  c.textBaseline = y - top < 20 * devicePixelRatio ? 'top' : 'bottom';
  c.fillText(`goal ${value(goal)}`, left + width - 4, y + (c.textBaseline === 'top' ? 3 : -3));
  c.restore();
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
  const scale = line.right ? 'right' : 'y';
  const common: uPlot.Series = { label: line.label, scale, stroke, width: 2, dash: dashOf(line.i), spanGaps: false };
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
    case 'box':
      return { ...common, paths: () => null, points: { show: false } };
    case 'scatter':
      return { ...common, paths: () => null, points: { show: true, size: 6, width: 1, fill: `${stroke}80` } };
    case 'area':
      return { ...common, fill: stacked ? stroke : `${stroke}40`, points: { show: few && !stacked, size: 5 } };
    default:
      return { ...common, points: { show: few, size: 5, fill: stroke } };
  }
}
