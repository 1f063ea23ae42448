import { useMemo } from 'preact/hooks';
import { percent } from '../ui/formats';
import { value } from './axis';
import { Figure } from './Figure';
import { steps } from './funnel';
import { Picked } from './Picked';
import type { Shown } from './pick';

// FunnelView shows how many are left after each step.
export function FunnelView({ chart, columns, rows, onPick }: Shown) {
  const all = useMemo(() => steps(chart, columns, rows), [chart, columns, rows]);
  const most = Math.max(...all.map(s => s.value));
  const what = `Funnel of ${(chart.y ?? []).join(', ')}${chart.x ? ` by ${chart.x}` : ''}`;
  if (all.length === 0 || !(most > 0)) {
    return <p class="chart-empty">Nothing to draw: choose a column with numbers above zero.</p>;
  }
  const share = (n: number | null) => (n === null ? '' : percent(n));
  return (
    <Figure chart={chart} what={what} notes={[]}>
      <table class="chart-rows chart-funnel">
        <caption class="sr-only">{what}</caption>
        <thead>
          <tr>
            <th scope="col">{chart.x ?? 'step'}</th>
            <th scope="col" class="num">
              {chart.y?.length === 1 ? chart.y[0] : 'value'}
            </th>
            <th scope="col" class="chart-track" aria-label="Bar" />
            <th scope="col" class="num">
              of the first
            </th>
            <th scope="col" class="num">
              of the step before
            </th>
          </tr>
        </thead>
        <tbody>
          {all.map((s, i) => (
            <tr key={i}>
              <th scope="row">
                {chart.x && s.of !== undefined ? (
                  <Picked onPick={onPick} pick={() => ({ [chart.x ?? '']: s.of ?? null })}>
                    {s.label}
                  </Picked>
                ) : (
                  s.label
                )}
              </th>
              <td class="num">{value(s.value)}</td>
              <td class="chart-track" aria-hidden="true">
                <span class="chart-bar" style={{ width: `${Math.max(0, (100 * s.value) / most)}%` }} />
              </td>
              <td class="num">{share(s.ofFirst)}</td>
              <td class="num">{share(s.ofBefore)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Figure>
  );
}
