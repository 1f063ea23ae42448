import './chart.css';
import 'uplot/dist/uPlot.min.css';
import { useEffect, useId, useMemo, useRef, useState } from 'preact/hooks';
import { dark } from '../app/theme';
import type { Column, Row } from '../result/format';
import { compact, number as written } from '../ui/formats';
import { describe, value, xText } from './axis';
import { type Chart, colorOf } from './chart';
import { valuesOf } from './columns';
import { type Data, prepare, stackTotals } from './data';
import { type Drawn, draw, type Pointed } from './plot';

// ChartView draws rows. It calls onPicture with what makes a picture of it.
export default function ChartView({
  chart,
  columns,
  rows,
  onPicture,
}: {
  chart: Chart;
  columns: Column[];
  rows: Row[];
  onPicture?: (picture: (() => Promise<Blob>) | undefined) => void;
}) {
  if (chart.kind === 'number') {
    return <BigNumbers chart={chart} columns={columns} rows={rows} />;
  }
  return <Plot chart={chart} columns={columns} rows={rows} onPicture={onPicture} />;
}

function BigNumbers({ chart, columns, rows }: { chart: Chart; columns: Column[]; rows: Row[] }) {
  return (
    <dl class="big-numbers">
      {(chart.y ?? []).map(name => {
        const n = valuesOf(name, columns, rows)[0];
        return (
          <div key={name} class="big-number">
            <dt>{chart.title && chart.y?.length === 1 ? chart.title : name}</dt>
            <dd title={n === undefined ? undefined : value(n)}>
              {n === undefined ? '–' : Math.abs(n) < 1e7 ? written(n) : compact(n)}
            </dd>
          </div>
        );
      })}
    </dl>
  );
}

function Plot({ chart, columns, rows, onPicture }: Parameters<typeof ChartView>[0]) {
  const host = useRef<HTMLDivElement>(null);
  const drawn = useRef<Drawn>(undefined);
  const id = useId();
  const [hidden, setHidden] = useState<ReadonlySet<string>>(new Set());
  const [pointed, setPointed] = useState<Pointed>();
  const data = useMemo(() => prepare(chart, columns, rows), [chart, columns, rows]);
  const shown = data.lines.map(l => !hidden.has(l.label));
  const theme = dark.value;
  // biome-ignore lint/correctness/useExhaustiveDependencies: shown follows from hidden; the theme changes the colours
  useEffect(() => {
    const box = host.current;
    if (!box || data.x.length === 0) {
      return;
    }
    const size = () => ({ width: Math.max(200, box.clientWidth), height: Math.max(160, box.clientHeight) });
    const d = draw(box, chart, data, shown, size(), setPointed);
    drawn.current = d;
    onPicture?.(() => d.png(chart.title ?? ''));
    const watch = new ResizeObserver(() => d.resize(size().width, size().height));
    watch.observe(box);
    return () => {
      watch.disconnect();
      d.destroy();
      onPicture?.(undefined);
    };
  }, [chart, data, hidden, theme]);
  const toggle = (label: string) =>
    setHidden(h => {
      const next = new Set(h);
      next.delete(label) || next.add(label);
      return next.size === data.lines.length ? new Set() : next;
    });
  if (data.x.length === 0) {
    return <p class="chart-empty">Nothing to draw: choose columns that have numbers.</p>;
  }
  return (
    <figure class="chart" aria-describedby={`${id}-text`}>
      {chart.title && <figcaption class="chart-title">{chart.title}</figcaption>}
      <div class="chart-host" ref={host} role="img" aria-label={chart.title || describe(chart, data)}>
        {pointed && <Tip data={data} shown={shown} at={pointed} stacked={chart.stacked ?? false} />}
      </div>
      {data.lines.length > 1 && (
        <div class="chart-legend" role="group" aria-label="Series">
          {data.lines.map((l, i) => (
            <button key={l.label} type="button" aria-pressed={shown[i]} onClick={() => toggle(l.label)}>
              <i style={{ background: `var(${colorOf(i)})` }} />
              {l.label}
            </button>
          ))}
        </div>
      )}
      <p class="sr-only" id={`${id}-text`}>
        {describe(chart, data)}
      </p>
      {data.notes.length > 0 && <p class="chart-notes">{data.notes.join('; ')}.</p>}
      <Numbers chart={chart} data={data} />
    </figure>
  );
}

// Tip shows the values at the pointer.
function Tip({ data, shown, at, stacked }: { data: Data; shown: boolean[]; at: Pointed; stacked: boolean }) {
  const lines = data.lines.map((l, i) => ({ ...l, i, v: l.values[at.index] })).filter((l, i) => shown[i] && l.v !== null);
  const right = at.left > window.innerWidth / 2;
  if (lines.length === 0) {
    return null;
  }
  return (
    <div
      class="chart-tip"
      role="presentation"
      style={{
        transform: `translate(${at.left + (right ? -12 : 12)}px, ${Math.max(0, at.top - 20)}px)${right ? ' translateX(-100%)' : ''}`,
      }}
    >
      <strong>{xText(data, at.index)}</strong>
      {lines.map(l => (
        <div key={l.label}>
          <i style={{ background: `var(${colorOf(l.i)})` }} />
          <span class="cut">{l.label}</span>
          <b>{value(l.v)}</b>
        </div>
      ))}
      {stacked && lines.length > 1 && (
        <div>
          <span>all</span>
          <b>{value(stackTotals(data.lines, shown)[at.index])}</b>
        </div>
      )}
    </div>
  );
}

const mostNumbers = 100;

// Numbers shows the chart's values as a table.
function Numbers({ chart, data }: { chart: Chart; data: Data }) {
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
                <th scope="row">{xText(data, i)}</th>
                {data.lines.map(l => (
                  <td key={l.label} class="num">
                    {value(l.values[i])}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  );
}
