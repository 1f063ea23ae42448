/** Texts of axes, tooltips and descriptions. Times are UTC. */
import { grouped } from '../result/format';
import { compact, percent, number as written } from '../ui/formats';
import { type Chart, has, kindOf } from './chart';
import type { Data } from './data';

const pad = (n: number): string => String(n).padStart(2, '0');
const months = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ');

/** A time with what is not zero: 2018-03-01, or with hours and seconds. */
export function time(s: number): string {
  const d = new Date(s * 1000);
  const day = d.toISOString().slice(0, 10);
  if (s % 86_400 === 0) return day;
  return `${day} ${pad(d.getUTCHours())}:${pad(d.getUTCMinutes())}${s % 60 === 0 ? '' : `:${pad(d.getUTCSeconds())}`}`;
}

/** Ticks of a time axis: the year and month are said where they change. */
export function timeTicks(ticks: readonly number[], step: number): string[] {
  let last = '';
  return ticks.map(t => {
    const d = new Date(t * 1000);
    const [year, month] = [String(d.getUTCFullYear()), months[d.getUTCMonth()] as string];
    if (step >= 365 * 86_400) return year;
    const context = step >= 28 * 86_400 ? year : step >= 86_400 ? `${month} ${year}` : `${d.getUTCDate()} ${month}`;
    const own =
      step >= 28 * 86_400
        ? month
        : step >= 86_400
          ? String(d.getUTCDate())
          : `${pad(d.getUTCHours())}:${pad(d.getUTCMinutes())}${step < 60 ? `:${pad(d.getUTCSeconds())}` : ''}`;
    const text = context === last ? own : `${own}\n${context}`;
    last = context;
    return text;
  });
}

/** Ticks of a number axis. */
export const numberTicks = (ticks: readonly (number | null)[]): string[] => ticks.map(n => (n === null ? '' : compact(n)));

/** Ticks of an axis of shares. */
export const percentTicks = (ticks: readonly (number | null)[]): string[] => ticks.map(n => (n === null ? '' : percent(n, 0)));

/** The x of a point, in words. */
export function xText(data: Data, i: number): string {
  const x = data.x[i];
  if (x === undefined) return '';
  if (data.scale === 'category') return data.labels[x] ?? '';
  return data.scale === 'time' ? time(x) : grouped(String(x));
}

/** A number in full, or a dash. */
export const value = (n: number | null | undefined): string => (n === null || n === undefined ? '–' : written(n));

/** A chart in a sentence or two, for those who do not see it. */
export function describe(chart: Chart, data: Data): string {
  const name = kindOf(chart)?.name ?? chart.kind;
  const what = chart.kind === 'histogram' ? `of ${chart.y?.[0]}` : `of ${(chart.y ?? []).join(', ')} by ${chart.x}`;
  const parts = [`${name} chart ${what}${chart.series ? ` and ${chart.series}` : ''}`];
  if (data.x.length > 0) parts.push(`${data.x.length} values from ${xText(data, 0)} to ${xText(data, data.x.length - 1)}`);
  if (data.lines.length > 1) parts.push(`${data.lines.length} series: ${data.lines.map(l => l.label).join(', ')}`);
  const points = data.lines.flatMap(l => l.values.map((n, i) => ({ n, i, of: l.label })));
  const best = points.reduce<(typeof points)[number] | undefined>(
    (b, p) => (p.n !== null && p.n > (b?.n ?? -Infinity) ? p : b),
    undefined,
  );
  if (best) parts.push(`highest: ${value(best.n)} at ${xText(data, best.i)}${data.lines.length > 1 ? ` (${best.of})` : ''}`);
  if (has(chart, 'goal')) parts.push(`goal: ${value(chart.goal)}`);
  return `${parts.join('. ')}.`;
}
