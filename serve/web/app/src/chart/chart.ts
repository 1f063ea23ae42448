/** What a chart is: which columns of a result it shows, and how. It is saved with the query. */

export type ChartKind =
  | 'line'
  | 'bar'
  | 'area'
  | 'scatter'
  | 'histogram'
  | 'box'
  | 'cohort'
  | 'pivot'
  | 'heatmap'
  | 'funnel'
  | 'map'
  | 'number'
  | 'table';

export interface Chart {
  kind: ChartKind;
  x?: string;
  y?: string[];
  /** A column whose values are series of their own; of a matrix, its other side. */
  series?: string;
  stacked?: boolean;
  /** Shares of the whole: of a stack, or of a cohort's first period. */
  share?: boolean;
  horizontal?: boolean;
  /** Those of y that have the axis on the right. */
  right?: string[];
  /** A line across the chart. */
  goal?: number;
  /** The saved query that a click on a value opens. */
  drill?: string;
  /** The days of releases are marked on a time axis. */
  releases?: boolean;
  log?: boolean;
  title?: string;
}

type Option = 'stacked' | 'share' | 'horizontal' | 'right' | 'goal' | 'releases' | 'log';

export interface Kind {
  kind: ChartKind;
  name: string;
  /** What the form calls x and series; a kind without them has none. */
  x?: string;
  series?: string;
  /** Several columns of values. */
  many?: boolean;
  options: readonly Option[];
}

const axes = { x: 'Along the axis', series: 'A series for each', many: true };

/** The kinds with what they are called, and what they need. */
export const kinds: readonly Kind[] = [
  { kind: 'line', name: 'Line', ...axes, options: ['right', 'goal', 'releases', 'log'] },
  { kind: 'bar', name: 'Bar', ...axes, options: ['horizontal', 'stacked', 'share', 'right', 'goal', 'releases', 'log'] },
  { kind: 'area', name: 'Area', ...axes, options: ['stacked', 'share', 'right', 'goal', 'releases', 'log'] },
  { kind: 'scatter', name: 'Scatter', ...axes, options: ['goal', 'log'] },
  { kind: 'histogram', name: 'Histogram', options: ['log'] },
  { kind: 'box', name: 'Boxes of percentiles', x: 'Along the axis', many: true, options: ['goal', 'releases', 'log'] },
  { kind: 'cohort', name: 'Cohorts', x: 'Cohort', series: 'Period', options: ['share'] },
  { kind: 'pivot', name: 'Pivot table', x: 'Rows', series: 'Columns', options: [] },
  { kind: 'heatmap', name: 'Heatmap', x: 'Columns', series: 'Rows', options: ['log'] },
  { kind: 'funnel', name: 'Funnel', x: 'Step', many: true, options: [] },
  { kind: 'map', name: 'Map of countries', x: 'Country', options: ['log'] },
  { kind: 'number', name: 'Big number', many: true, options: [] },
];

export const kindOf = (chart: Chart): Kind | undefined => kinds.find(k => k.kind === chart.kind);

/** Whether a chart has an option of its kind. Options that exclude each other or need another one count as absent. */
export function has(chart: Chart, option: Option): boolean {
  if (!kindOf(chart)?.options.includes(option)) return false;
  const right = (name: string) => chart.right?.includes(name) ?? false;
  switch (option) {
    case 'share':
      return chart.share === true && (chart.kind === 'cohort' || chart.stacked === true);
    case 'right':
      return !chart.horizontal && !chart.stacked && (chart.y ?? []).some(right) && !(chart.y ?? []).every(right);
    case 'goal':
      return chart.goal !== undefined && Number.isFinite(chart.goal) && !(chart.stacked && chart.share);
    case 'log':
      return chart.log === true && !(chart.stacked && chart.share) && !chart.horizontal;
    default:
      return chart[option] === true;
  }
}

export const mostSeries = 16;

/** The name of a series' colour, and its dashes: the colours repeat with dashes. */
export const colorOf = (i: number): string => `--series-${(i % 8) + 1}`;
export const dashOf = (i: number): number[] => (i < 8 ? [] : [6, 4]);
