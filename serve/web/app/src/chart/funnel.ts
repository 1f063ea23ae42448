/** The steps of a funnel. */
import { type Column, plain, type Row, type Value } from '../result/format';
import type { Chart } from './chart';
import { number } from './columns';

export interface Step {
  label: string;
  /** The value of the result that the step stands for; none if a column is the step. */
  of?: Value;
  value: number;
  /** Shares of the first step and of the step before; null where that is zero. */
  ofFirst: number | null;
  ofBefore: number | null;
}

/** The steps of a funnel: the rows in their order, or the columns of a result of one row. */
export function steps(chart: Chart, columns: readonly Column[], rows: readonly Row[]): Step[] {
  const index = (name: string | undefined) => columns.findIndex(c => c.name === name);
  const ys = (chart.y ?? []).filter(n => index(n) >= 0);
  const [x, y] = [index(chart.x), index(ys[0])];
  const values =
    rows.length === 1 && ys.length > 1
      ? ys.map(name => ({ label: name, value: number(rows[0]?.[index(name)]) ?? 0 }))
      : y < 0
        ? []
        : rows.map((r, i) => ({
            label: x < 0 ? `${i + 1}` : plain(r[x]) || 'null',
            of: x < 0 ? undefined : r[x],
            value: number(r[y]) ?? 0,
          }));
  const share = (n: number, of: number | undefined) => (of ? n / of : null);
  return values.map((s, i) => ({
    ...s,
    ofFirst: share(s.value, values[0]?.value),
    ofBefore: i === 0 ? null : share(s.value, values[i - 1]?.value),
  }));
}
