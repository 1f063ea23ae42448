import { line } from './series';

// Spark is a small line of values over days; the last one has a dot. low and high are the ends of its scale, else those of the values.
export function Spark({
  values,
  label,
  width = 140,
  height = 28,
  low,
  high,
  tone,
}: {
  values: readonly (number | null)[];
  label: string;
  width?: number;
  height?: number;
  low?: number;
  high?: number;
  tone?: string;
}) {
  const known = values.filter(v => v !== null);
  const from = low ?? Math.min(0, ...known);
  const to = high ?? Math.max(from + 1e-9, ...known);
  const path = line(values, width, height, from, to);
  const at = values.findLastIndex(v => v !== null);
  const step = values.length > 1 ? width / (values.length - 1) : 0;
  return (
    <svg
      class={`spark${tone ? ` spark-${tone}` : ''}`}
      viewBox={`-3 -3 ${width + 6} ${height + 6}`}
      width={width + 6}
      height={height + 6}
      role="img"
      aria-label={label}
    >
      <path class="spark-base" d={`M0 ${height}H${width}`} />
      <path class="spark-line" d={path} />
      {at >= 0 && <circle cx={at * step} cy={height - (((values[at] ?? 0) - from) / (to - from || 1)) * height} r="2.2" />}
    </svg>
  );
}
