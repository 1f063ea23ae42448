import { useMemo } from 'preact/hooks';
import { percent } from '../ui/formats';
import { describe, value, xText } from './axis';
import { type Chart, colorOf, has } from './chart';
import { type Data, prepare, stackTotals } from './data';
import { Figure } from './Figure';
import { Legend, useShown } from './Legend';
import { Numbers } from './Numbers';
import { Picked } from './Picked';
import { pickOf, type Shown } from './pick';

// Bars shows horizontal bars, a row for each category.
export function Bars({ chart, columns, rows, onPick }: Shown) {
  const data = useMemo(() => prepare(chart, columns, rows), [chart, columns, rows]);
  const { shown, toggle } = useShown(data);
  if (data.x.length === 0) {
    return <p class="chart-empty">Nothing to draw: choose columns that have numbers.</p>;
  }
  const what = describe(chart, data);
  const place = scaleOf(chart, data, shown);
  const totals = stackTotals(data.lines, shown);
  const several = data.lines.length > 1;
  const summed = several && chart.stacked;
  return (
    <Figure chart={chart} what={what} notes={data.notes}>
      <Legend data={data} shown={shown} onToggle={toggle} />
      <table class="chart-rows">
        <caption class="sr-only">{what}</caption>
        <thead>
          <tr>
            <th scope="col">{chart.x ?? ''}</th>
            <th scope="col" class="chart-track" aria-label="Bar" />
            {(!several || summed) && (
              <th scope="col" class="num">
                {several ? 'all' : data.lines[0]?.label}
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {data.x.map((_, i) => (
            <tr key={i}>
              <th scope="row">
                <Picked onPick={onPick} pick={() => pickOf(chart, data, i)}>
                  {xText(data, i)}
                </Picked>
              </th>
              <td class="chart-track" aria-hidden="true">
                {place.goal !== undefined && <i class="chart-goal" style={{ left: `${place.goal}%` }} />}
                <Track data={data} shown={shown} stacked={chart.stacked ?? false} i={i} place={place} />
              </td>
              {(!several || summed) && <td class="num">{value(several ? totals[i] : data.lines[0]?.values[i])}</td>}
            </tr>
          ))}
        </tbody>
      </table>
      {place.goal !== undefined && <p class="chart-notes">The dashed line is the goal, {value(chart.goal)}.</p>}
      {several && <Numbers chart={chart} data={data} onPick={onPick} />}
    </Figure>
  );
}

interface Place {
  zero: number; // percent of the track
  goal?: number;
  width: (n: number, i: number) => number;
  share?: number[]; // totals of the rows that the bars are shares of
}

// scaleOf places values in a track. Bars of values below zero go to the left.
function scaleOf(chart: Chart, data: Data, shown: boolean[]): Place {
  const totals = stackTotals(data.lines, shown);
  if (has(chart, 'share')) {
    return { zero: 0, width: (n, i) => (totals[i] ? (100 * Math.max(0, n)) / (totals[i] as number) : 0), share: totals };
  }
  const goal = has(chart, 'goal') ? (chart.goal as number) : undefined;
  const all = [
    ...(chart.stacked ? totals : data.lines.filter((_, i) => shown[i]).flatMap(l => l.values.map(n => n ?? 0))),
    goal ?? 0,
  ];
  const [low, high] = [chart.stacked ? 0 : Math.min(0, ...all), Math.max(0, ...all)];
  const percentOf = (n: number) => (high > low ? (100 * n) / (high - low) : 0);
  const zero = percentOf(-low);
  return { zero, width: percentOf, ...(goal !== undefined && { goal: zero + percentOf(goal) }) };
}

function Track({ data, shown, stacked, i, place }: { data: Data; shown: boolean[]; stacked: boolean; i: number; place: Place }) {
  const lines = data.lines.map((l, n) => ({ label: l.label, n, v: l.values[i] ?? null })).filter(l => shown[l.n] && l.v !== null);
  const bar = (l: (typeof lines)[number]) => {
    const width = place.width(l.v as number, i);
    const share = place.share?.[i] ? ` (${percent((l.v as number) / (place.share[i] as number))})` : '';
    return (
      <span
        key={l.label}
        class="chart-bar"
        title={`${l.label}: ${value(l.v)}${share}`}
        style={{
          width: `${Math.abs(width)}%`,
          background: `var(${colorOf(l.n)})`,
          ...(!stacked && { marginLeft: `${place.zero + Math.min(0, width)}%` }),
        }}
      />
    );
  };
  return stacked ? <span class="chart-stack">{lines.filter(l => (l.v as number) > 0).map(bar)}</span> : lines.map(bar);
}
