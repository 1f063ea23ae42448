import { percent } from '../ui/formats';
import { value, xText } from './axis';
import { type Chart, has } from './chart';
import { type Data, stackTotals } from './data';
import { Picked } from './Picked';
import { type Pick, pickOf } from './pick';

const mostNumbers = 100;

// Numbers shows a chart's values as a table.
export function Numbers({ chart, data, onPick }: { chart: Chart; data: Data; onPick?: (p: Pick) => void }) {
  const totals = has(chart, 'share')
    ? stackTotals(
        data.lines,
        data.lines.map(() => true),
      )
    : undefined;
  const cell = (n: number | null | undefined, i: number) =>
    `${value(n)}${totals?.[i] && n !== null && n !== undefined ? ` (${percent(n / totals[i])})` : ''}`;
  return (
    <details class="chart-numbers">
      <summary>The numbers of the chart</summary>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must reach it */}
      <div class="table-box" tabIndex={0} role="region" aria-label="Numbers of the chart">
        <table class="table">
          <thead>
            <tr>
              <th scope="col">{chart.x ?? chart.y?.[0]}</th>
              {data.lines.map(l => (
                <th key={l.label} scope="col" class="num">
                  {l.label}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {data.x.slice(0, mostNumbers).map((_, i) => (
              <tr key={i}>
                <th scope="row">
                  <Picked onPick={onPick} pick={() => pickOf(chart, data, i)}>
                    {xText(data, i)}
                  </Picked>
                </th>
                {data.lines.map((l, n) => (
                  <td key={l.label} class="num">
                    <Picked onPick={onPick} pick={() => pickOf(chart, data, i, n)}>
                      {cell(l.values[i], i)}
                    </Picked>
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {data.x.length > mostNumbers && (
        <p>
          The first {mostNumbers} of {data.x.length}.
        </p>
      )}
    </details>
  );
}
