import type { components } from '../../api/schema';

export type Entry = components['schemas']['MetricEntry'];
export type Place = components['schemas']['MetricPlace'];
export type Metric = components['schemas']['OneMetric'];

// Choice is what is asked of a metric.
export interface Choice {
  from: string;
  to: string;
  by: string;
  per: 'ping' | 'client';
  extra: string;
}

// address is where a metric is shown by the values of one of its columns.
export const address = (p: Pick<Place, 'table' | 'column'>): string =>
  `/metrics/${encodeURIComponent(p.table)}/${encodeURIComponent(p.column)}`;
