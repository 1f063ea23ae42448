import './spark.css';

// Spark draws values over time, small: as a line, or as bars from zero. null and negative values are gaps. What it shows is also said in
// words, for those who do not see it.
export function Spark({
  values,
  label,
  kind = 'line',
  width = 120,
  height = 24,
}: {
  values: readonly (number | null)[];
  label: string;
  kind?: 'line' | 'bars';
  width?: number;
  height?: number;
}) {
  const known = values.filter(v => v !== null && v >= 0) as number[];
  if (known.length === 0) {
    return <span class="muted">–</span>;
  }
  const top = Math.max(...known, 1);
  const step = Math.min(width / Math.max(1, values.length), kind === 'bars' ? 24 : width);
  const y = (v: number) => height - 1 - (v / top) * (height - 2);
  return (
    <svg
      class="spark"
      viewBox={`0 0 ${width} ${height}`}
      width={width}
      height={height}
      preserveAspectRatio="none"
      role="img"
      aria-label={label}
    >
      {kind === 'bars'
        ? values.map((v, i) =>
            v === null || v <= 0 ? null : (
              <rect key={i} x={i * step} y={y(v)} width={Math.max(1, step - (step > 4 ? 1 : 0))} height={height - y(v)} />
            ),
          )
        : lines(values).map(l => (
            <polyline
              key={l.from}
              points={l.values.map((v, i) => `${((l.from + i + 0.5) * step).toFixed(1)},${y(v).toFixed(1)}`).join(' ')}
            />
          ))}
    </svg>
  );
}

// lines are the stretches of values without gaps.
export function lines(values: readonly (number | null)[]): { from: number; values: number[] }[] {
  const all: { from: number; values: number[] }[] = [];
  let open = false;
  values.forEach((v, i) => {
    if (v === null || v < 0) {
      open = false;
    } else if (open) {
      all.at(-1)!.values.push(v);
    } else {
      all.push({ from: i, values: [v] });
      open = true;
    }
  });
  return all;
}
