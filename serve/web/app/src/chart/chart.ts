/** What a chart is: which columns of a result it shows, and how. It is saved with the query. */

export type ChartKind = 'line' | 'bar' | 'area' | 'scatter' | 'histogram' | 'number' | 'table';

export interface Chart {
  kind: ChartKind;
  x?: string;
  y?: string[];
  /** A column whose values are series of their own. */
  series?: string;
  stacked?: boolean;
  log?: boolean;
  title?: string;
}

/** The kinds with what they are called, and what they need. */
export const kinds: { kind: ChartKind; name: string; x: boolean; series: boolean; stacks: boolean; many: boolean }[] = [
  { kind: 'line', name: 'Line', x: true, series: true, stacks: false, many: true },
  { kind: 'bar', name: 'Bar', x: true, series: true, stacks: true, many: true },
  { kind: 'area', name: 'Area', x: true, series: true, stacks: true, many: true },
  { kind: 'scatter', name: 'Scatter', x: true, series: true, stacks: false, many: true },
  { kind: 'histogram', name: 'Histogram', x: false, series: false, stacks: false, many: false },
  { kind: 'number', name: 'Big number', x: false, series: false, stacks: false, many: true },
];

export const mostSeries = 16;

/** The name of a series' colour, and its dashes: the colours repeat with dashes. */
export const colorOf = (i: number): string => `--series-${(i % 8) + 1}`;
export const dashOf = (i: number): number[] => (i < 8 ? [] : [6, 4]);
