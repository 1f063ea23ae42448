import type uPlot from 'uplot';
import type { Chart } from './chart';

/** The distance of two bars: the smallest of neighbours. */
export function stepOf(xs: ArrayLike<number>): number {
  let least = Number.POSITIVE_INFINITY;
  for (let i = 1; i < xs.length; i++) {
    least = Math.min(least, (xs[i] as number) - (xs[i - 1] as number));
  }
  return least > 0 && Number.isFinite(least) ? least : 1;
}

/** Bars beside each other, or on top of the values below. */
export function barPaths(
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
    const step = stepOf(xs);
    const wide = chart.kind === 'histogram' ? step : 0.76 * step;
    const width = stacked ? wide : wide / count;
    const scale = u.series[series]?.scale ?? 'y';
    const zero = u.scales[scale]?.distr === 3 ? (u.scales[scale].min ?? 1) : 0;
    for (let i = first; i <= last; i++) {
      const y = ys[i];
      const x = xs[i];
      if (y === null || y === undefined || x === undefined) {
        continue;
      }
      const from = chart.kind === 'histogram' ? x : x - wide / 2 + (stacked ? 0 : n * width);
      const left = u.valToPos(from, 'x', true);
      const right = u.valToPos(from + width, 'x', true);
      const top = u.valToPos(y, scale, true);
      const base = u.valToPos(below?.[i] ?? zero, scale, true);
      const gap = right - left > 4 ? 1 : 0;
      path.rect(left, Math.min(top, base), Math.max(1, right - left - gap), Math.max(1, Math.abs(base - top)));
    }
    return { fill: path, stroke: null };
  };
}

/** Boxes of percentiles: the outermost of values are whiskers, the next ones the box, the middle one a line. */
export function drawBoxes(u: uPlot, values: readonly (readonly (number | null)[])[], stroke: string, fill: string): void {
  const xs = u.data[0];
  const width = 0.6 * Math.abs(u.valToPos(stepOf(xs), 'x', true) - u.valToPos(0, 'x', true));
  const c = u.ctx;
  c.save();
  c.beginPath();
  c.rect(u.bbox.left, u.bbox.top, u.bbox.width, u.bbox.height);
  c.clip();
  c.lineWidth = Math.max(1, devicePixelRatio);
  c.strokeStyle = stroke;
  c.fillStyle = fill;
  for (let i = 0; i < xs.length; i++) {
    const found = values.map(v => v[i] ?? null).filter(v => v !== null);
    if (found.length < 2) {
      continue;
    }
    const x = Math.round(u.valToPos(xs[i] as number, 'x', true));
    const half = Math.max(3, Math.min(width, 60 * devicePixelRatio) / 2);
    const at = found.map(v => Math.round(u.valToPos(v, 'y', true)));
    const inner = at.length > 3 ? at.slice(1, -1) : at;
    const [low, high] = [inner[0] as number, inner.at(-1) as number];
    c.beginPath();
    c.moveTo(x, at[0] as number);
    c.lineTo(x, low);
    c.moveTo(x, high);
    c.lineTo(x, at.at(-1) as number);
    for (const end of at.length > 3 ? [at[0] as number, at.at(-1) as number] : []) {
      c.moveTo(x - half / 2, end);
      c.lineTo(x + half / 2, end);
    }
    c.rect(x - half, high, 2 * half, low - high);
    c.fill();
    for (const middle of inner.slice(1, -1)) {
      c.moveTo(x - half, middle);
      c.lineTo(x + half, middle);
    }
    c.stroke();
  }
  c.restore();
}
