/** What a click on a chart chose: columns of the result with their values. */
import { type Column, plain, type Row, type Value } from '../result/format';
import { family } from '../sql/types';
import type { Chart } from './chart';
import { seconds } from './columns';
import type { Data } from './data';

export type Pick = Record<string, Value>;

/** What a chart shows. */
export interface Shown {
  chart: Chart;
  columns: Column[];
  rows: Row[];
  /** A click on a value, or a press in the chart's table. */
  onPick?: (p: Pick) => void;
}

/** A place of a chart's x axis, on one of its lines if it is known. */
export function pickOf(chart: Chart, data: Data, i: number, line?: number): Pick {
  const pick: Pick = {};
  if (chart.x && data.of) pick[chart.x] = data.of[i] ?? null;
  const of = line === undefined ? undefined : data.lines[line]?.of;
  if (chart.series && of !== undefined) pick[chart.series] = of;
  return pick;
}

/** Whether the values of a chart stand for values of the result. */
export const pickable = (chart: Chart): boolean => chart.kind !== 'histogram' && chart.kind !== 'number';

export const pickText = (pick: Pick): string =>
  Object.entries(pick)
    .map(([name, v]) => `${name}: ${v === null ? 'null' : plain(v)}`)
    .join(', ');

/** SQL for the rows of a query that have the chosen values. */
export function filtered(sql: string, pick: Pick, columns: readonly Column[]): string {
  const conditions = Object.entries(pick).map(([name, v]) => {
    const column = `"${name.replaceAll('"', '""')}"`;
    return v === null ? `${column} IS NULL` : `${column} = ${literal(v, columns.find(c => c.name === name)?.type ?? 'varchar')}`;
  });
  return `SELECT *\nFROM (\n${sql.trim().replace(/;\s*$/, '')}\n) AS q\nWHERE ${conditions.join('\n  AND ')}`;
}

function literal(v: Value, type: string): string {
  const text = plain(v);
  if ((family(type) === 'number' && /^-?\d+(\.\d+)?(e[+-]?\d+)?$/i.test(text)) || typeof v === 'boolean') return text;
  const quoted = `'${text.replaceAll("'", "''")}'`;
  return family(type) === 'time' ? `CAST(${quoted} AS ${type})` : quoted;
}

/** The address of a saved query with the chosen values for its parameters; ranges of days get a chosen day. */
export function drillTo(saved: { id: string; parameters?: readonly { name: string; kind: string }[] }, pick: Pick): string {
  const q = new URLSearchParams();
  const days = Object.values(pick)
    .map(dayOf)
    .find(d => d !== undefined);
  for (const p of saved.parameters ?? []) {
    const v = pick[p.name];
    if (p.kind === 'days' || (p.kind === 'day' && v === undefined)) {
      if (days) q.set(`p.${p.name}`, p.kind === 'days' ? `${days}..${days}` : days);
    } else if (v !== undefined && v !== null) q.set(`p.${p.name}`, p.kind === 'day' ? (dayOf(v) ?? plain(v)) : plain(v));
  }
  const text = q.toString();
  return `/saved/${encodeURIComponent(saved.id)}${text ? `?${text}` : ''}`;
}

/** The day of a value, as 2018-03-01. */
export function chosenDay(v: Value): string | undefined {
  const s = seconds(v);
  return s === undefined ? undefined : new Date(s * 1000).toISOString().slice(0, 10);
}

/** The day of a value as parameters have it, 20180301. */
const dayOf = (v: Value): string | undefined => chosenDay(v)?.replaceAll('-', '');
