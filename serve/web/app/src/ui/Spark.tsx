import style from './Spark.module.css';

// Spark draws numbers over time: a line with a dot at the last number, or bars. null and negative numbers are gaps. The scale begins at
// zero and ends at high, else at the largest number. The label states the same in words.
export function Spark({
  values,
  label,
  kind = 'line',
  width = 120,
  height = 24,
  high,
}: {
  values: readonly (number | null)[];
  label: string;
  kind?: 'line' | 'bars';
  width?: number;
  height?: number;
  high?: number;
}) {
  const shown = values.map(v => (v !== null && v >= 0 ? v : null));
  const last = shown.findLastIndex(v => v !== null);
  if (last < 0) {
    return <span class="muted">–</span>;
  }
  const top = high ?? Math.max(1e-9, ...shown.map(v => v ?? 0));
  return (
    <svg
      class={style[kind]}
      width={width}
      height={height}
      viewBox={`0 0 ${width} ${height}`}
      preserveAspectRatio={kind === 'bars' ? 'none' : undefined}
      role="img"
      aria-label={label}
    >
      {kind === 'line' ? (
        <Line values={shown} last={last} top={top} width={width - 2 * margin} height={height - 2 * margin} />
      ) : (
        <Bars values={shown} top={top} width={width} height={height} />
      )}
    </svg>
  );
}

interface Scale {
  values: readonly (number | null)[];
  top: number;
  width: number;
  height: number;
}

function Bars({ values, top, width, height }: Scale) {
  const step = Math.min(width / values.length, 24);
  const bar = step > 4 ? step - 1 : Math.max(1, step);
  const length = (v: number) => (v / top) * (height - 2) + 1;
  return values.map((v, i) => v && <rect key={i} x={i * step} y={height - length(v)} width={bar} height={length(v)} />);
}

function Line({ last, ...scale }: Scale & { last: number }) {
  const [x, y] = point(scale, last);
  return (
    <g transform={`translate(${margin} ${margin})`}>
      <path class={style.base} d={`M0 ${scale.height}H${scale.width}`} />
      <path class={style.stroke} d={path(scale)} />
      <circle cx={x} cy={y} r="2.2" />
    </g>
  );
}

const margin = 3; // px around a line, for its dot

function point({ values, top, width, height }: Scale, i: number): [number, number] {
  const step = values.length > 1 ? width / (values.length - 1) : 0;
  return [round(i * step), round(height - ((values[i] ?? 0) / top) * height)];
}

const round = (n: number) => Math.round(n * 10) / 10;

// path returns the SVG path through the values. A value between gaps is a dot.
export function path(scale: Scale): string {
  let text = '';
  let open = false;
  scale.values.forEach((v, i) => {
    if (v !== null) {
      const alone = !open && (scale.values[i + 1] ?? null) === null;
      text += `${open ? 'L' : 'M'}${point(scale, i).join(' ')}${alone ? 'h0.01' : ''}`;
    }
    open = v !== null;
  });
  return text;
}
