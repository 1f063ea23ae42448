import { useMemo } from 'preact/hooks';
import type { Column, Row } from '../result/format';
import { percent } from '../ui/formats';
import { value } from './axis';
import { type Chart, has } from './chart';
import { Figure } from './Figure';
import { cohorts, heat, type Matrix, matrix } from './matrix';

// MatrixView shows cohorts, a pivot table or a heatmap as a table with coloured cells.
export function MatrixView({ chart, columns, rows }: { chart: Chart; columns: Column[]; rows: Row[] }) {
  const m = useMemo(() => matrix(chart, columns, rows), [chart, columns, rows]);
  const [down, across] = chart.kind === 'heatmap' ? [chart.series, chart.x] : [chart.x, chart.series];
  const names = { cohort: 'Cohorts', pivot: 'Pivot table', heatmap: 'Heatmap' } as const;
  const what = `${names[chart.kind as keyof typeof names]} of ${chart.y?.[0] ?? 'nothing'} by ${down ?? 'nothing'}${across ? ` and ${across}` : ''}`;
  if (m.rows.length === 0 || m.cells.every(line => line.every(n => n === null))) {
    return <p class="chart-empty">Nothing to draw: choose columns that have numbers.</p>;
  }
  return (
    <Figure chart={chart} what={what} notes={m.notes}>
      <table class={`chart-matrix chart-${chart.kind}`}>
        <caption class="sr-only">{what}</caption>
        {chart.kind === 'cohort' && has(chart, 'share') ? (
          <Shares m={m} head={down ?? ''} size={chart.y?.[0] ?? ''} />
        ) : (
          <Values m={m} head={down ?? ''} totals={chart.kind === 'pivot'} log={has(chart, 'log')} />
        )}
      </table>
    </Figure>
  );
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
function Shares({ m, head, size }: { m: Matrix; head: string; size: string }) {
  const c = cohorts(m);
  return (
    <>
      <Head m={m} head={head} more={size} />
      <tbody>
        {m.rows.map((label, r) => (
          <tr key={label}>
            <th scope="row">{label}</th>
            <td class="num">{value(c.sizes[r])}</td>
            {c.shares[r]?.map((n, i) => (
              <Cell key={i} heat={n === null ? null : Math.min(1, n)} title={`${value(m.cells[r]?.[i])} of ${value(c.sizes[r])}`}>
                {n === null ? '' : percent(n)}
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

function Values({ m, head, totals, log }: { m: Matrix; head: string; totals: boolean; log: boolean }) {
  const heats = heat(m.cells, log);
  return (
    <>
      <Head m={m} head={head} last={totals ? 'Total' : undefined} />
      <tbody>
        {m.rows.map((label, r) => (
          <tr key={label}>
            <th scope="row">{label}</th>
            {m.cells[r]?.map((n, i) => (
              <Cell key={i} heat={totals ? null : (heats[r]?.[i] ?? null)}>
                {n === null ? '' : value(n)}
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

function Cell({ heat, title, children }: { heat: number | null; title?: string; children: string }) {
  return (
    <td
      class={`num${heat === null ? '' : ' chart-heat'}`}
      style={heat === null ? undefined : { '--heat': heat.toFixed(3) }}
      title={children === '' ? undefined : title}
    >
      {children}
    </td>
  );
}
