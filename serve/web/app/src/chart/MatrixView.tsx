import type { ComponentChildren } from 'preact';
import { useMemo } from 'preact/hooks';
import { percent } from '../ui/formats';
import { value } from './axis';
import { has } from './chart';
import { Figure } from './Figure';
import { cohorts, heat, type Matrix, matrix } from './matrix';
import { Picked } from './Picked';
import type { Pick, Shown } from './pick';

// MatrixView shows cohorts, a pivot table or a heatmap as a table with coloured cells.
export function MatrixView({ chart, columns, rows, onPick }: Shown) {
  const m = useMemo(() => matrix(chart, columns, rows), [chart, columns, rows]);
  const [down, across] = chart.kind === 'heatmap' ? [chart.series, chart.x] : [chart.x, chart.series];
  const names = { cohort: 'Cohorts', pivot: 'Pivot table', heatmap: 'Heatmap' } as const;
  const what = `${names[chart.kind as keyof typeof names]} of ${chart.y?.[0] ?? 'nothing'} by ${down ?? 'nothing'}${across ? ` and ${across}` : ''}`;
  const pick = (r: number, c?: number): Pick => ({
    ...(down && { [down]: m.rowValues[r] ?? null }),
    ...(across && c !== undefined && m.columnValues[c] !== undefined && { [across]: m.columnValues[c] }),
  });
  if (m.rows.length === 0 || m.cells.every(line => line.every(n => n === null))) {
    return <p class="chart-empty">Nothing to draw: choose columns that have numbers.</p>;
  }
  return (
    <Figure chart={chart} what={what} notes={m.notes}>
      <table class={`chart-matrix chart-${chart.kind}`}>
        <caption class="sr-only">{what}</caption>
        {chart.kind === 'cohort' && has(chart, 'share') ? (
          <Shares m={m} head={down ?? ''} size={chart.y?.[0] ?? ''} pick={pick} onPick={onPick} />
        ) : (
          <Values m={m} head={down ?? ''} totals={chart.kind === 'pivot'} log={has(chart, 'log')} pick={pick} onPick={onPick} />
        )}
      </table>
    </Figure>
  );
}

interface Picks {
  pick: (row: number, column?: number) => Pick;
  onPick?: (p: Pick) => void;
}

function Head({ m, head, more, last }: { m: Matrix; head: string; more?: string; last?: string }) {
  return (
    <thead>
      <tr>
        <th scope="col">{head}</th>
        {more !== undefined && (
          <th scope="col" class="num">
            {more}
          </th>
        )}
        {m.columns.map(c => (
          <th key={c} scope="col" class="num">
            {c}
          </th>
        ))}
        {last !== undefined && (
          <th scope="col" class="num chart-total">
            {last}
          </th>
        )}
      </tr>
    </thead>
  );
}

// Shares shows how much of each cohort is left in each period, with the mean of the cohorts below.
function Shares({ m, head, size, pick, onPick }: { m: Matrix; head: string; size: string } & Picks) {
  const c = cohorts(m);
  return (
    <>
      <Head m={m} head={head} more={size} />
      <tbody>
        {m.rows.map((label, r) => (
          <tr key={label}>
            <th scope="row">
              <Picked onPick={onPick} pick={() => pick(r)}>
                {label}
              </Picked>
            </th>
            <td class="num">{value(c.sizes[r])}</td>
            {c.shares[r]?.map((n, i) => (
              <Cell
                key={i}
                heat={n === null ? null : Math.min(1, n)}
                title={n === null ? undefined : `${value(m.cells[r]?.[i])} of ${value(c.sizes[r])}`}
              >
                <Picked onPick={onPick} pick={() => pick(r, i)}>
                  {n === null ? '' : percent(n)}
                </Picked>
              </Cell>
            ))}
          </tr>
        ))}
      </tbody>
      <tfoot>
        <tr>
          <th scope="row">all</th>
          <td class="num">{value(m.columnTotals[0])}</td>
          {c.means.map((n, i) => (
            <td key={i} class="num">
              {n === null ? '' : percent(n)}
            </td>
          ))}
        </tr>
      </tfoot>
    </>
  );
}

function Values({ m, head, totals, log, pick, onPick }: { m: Matrix; head: string; totals: boolean; log: boolean } & Picks) {
  const heats = heat(m.cells, log);
  return (
    <>
      <Head m={m} head={head} last={totals ? 'Total' : undefined} />
      <tbody>
        {m.rows.map((label, r) => (
          <tr key={label}>
            <th scope="row">
              <Picked onPick={onPick} pick={() => pick(r)}>
                {label}
              </Picked>
            </th>
            {m.cells[r]?.map((n, i) => (
              <Cell key={i} heat={totals ? null : (heats[r]?.[i] ?? null)}>
                <Picked onPick={onPick} pick={() => pick(r, i)}>
                  {n === null ? '' : value(n)}
                </Picked>
              </Cell>
            ))}
            {totals && <td class="num chart-total">{value(m.rowTotals[r])}</td>}
          </tr>
        ))}
      </tbody>
      {totals && (
        <tfoot>
          <tr>
            <th scope="row">Total</th>
            {m.columnTotals.map((n, i) => (
              <td key={i} class="num">
                {value(n)}
              </td>
            ))}
            <td class="num chart-total">{value(m.total)}</td>
          </tr>
        </tfoot>
      )}
    </>
  );
}

function Cell({ heat, title, children }: { heat: number | null; title?: string; children: ComponentChildren }) {
  return (
    <td
      class={`num${heat === null ? '' : ' chart-heat'}`}
      style={heat === null ? undefined : { '--heat': heat.toFixed(3) }}
      title={title}
    >
      {children}
    </td>
  );
}
