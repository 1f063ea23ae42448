import type { components } from '../../api/schema';
import type { Chart } from '../../chart/chart';
import type { Column, Row } from '../../result/format';

type Series = components['schemas']['IngestionSeries'];

export const spans = [
  { id: '1h', label: '1 h', hours: 1 },
  { id: '6h', label: '6 h', hours: 6 },
  { id: '24h', label: '24 h', hours: 24 },
  { id: '7d', label: '7 d', hours: 7 * 24 },
  { id: '30d', label: '30 d', hours: 30 * 24 },
] as const;

export const spanOf = (id: string | undefined) => spans.find(s => s.id === id) ?? spans[2];

// at is the start of a step as charts read times.
export const at = (from: string, step: number, i: number): string =>
  new Date(Date.parse(from) + i * step * 1000).toISOString().slice(0, 19).replace('T', ' ');

export const nameOf = (s: Pick<Series, 'outcome' | 'class'>): string =>
  s.outcome === 'ping' ? 'pings' : s.outcome === 'duplicate' ? 'duplicates' : `error: ${s.class}`;

const stepName = (step: number): string =>
  step % 86_400 === 0
    ? 'day'
    : step % 3600 === 0
      ? step === 3600
        ? 'hour'
        : `${step / 3600} hours`
      : step === 60
        ? 'minute'
        : `${step / 60} minutes`;

interface Charted {
  chart: Chart;
  columns: Column[];
  rows: Row[];
}

// charted makes of what arrived over time what a chart is drawn from. Series in which nothing arrived are left out.
export function charted(data: { from: string; step: number; series: Series[] | null }): Charted {
  const series = (data.series ?? []).filter(s => s.total > 0);
  const n = Math.max(0, ...(data.series ?? []).map(s => s.values?.length ?? 0));
  return {
    chart: {
      kind: 'area',
      x: 'time',
      y: series.map(nameOf),
      stacked: true,
      title: `Submissions by outcome, each ${stepName(data.step)}`,
    },
    columns: [{ name: 'time', type: 'timestamp' }, ...series.map(s => ({ name: nameOf(s), type: 'bigint' }))],
    rows: Array.from({ length: n }, (_, i) => [at(data.from, data.step, i), ...series.map(s => s.values?.[i] ?? 0)]),
  };
}
