import './chart.css';
import 'uplot/dist/uPlot.min.css';
import './rows.css';
import { useEffect, useId, useMemo, useRef, useState } from 'preact/hooks';
import { dark } from '../app/theme';
import type { Column, Row } from '../result/format';
import { compact, percent, number as written } from '../ui/formats';
import { late } from '../ui/late';
import { describe, value, xText } from './axis';
import { Bars } from './BarsView';
import { type Chart, colorOf, has } from './chart';
import { valuesOf } from './columns';
import { type Data, prepare, stackTotals } from './data';
import { FunnelView } from './FunnelView';
import { Legend, useShown } from './Legend';
import { MarkList, useMarks } from './MarkList';
import { MatrixView } from './MatrixView';
import { Numbers } from './Numbers';
import { pickable, pickOf, type Shown } from './pick';
import { type Drawn, draw, type Pointed } from './plot';

const World = late(() => import('./WorldView'));

// ChartView draws rows. It calls onPicture with what makes a picture of it, and onPick with the values that a click chooses.
export default function ChartView({
  chart,
  columns,
  rows,
  onPicture,
  onPick,
}: Shown & { onPicture?: (picture: (() => Promise<Blob>) | undefined) => void }) {
  switch (chart.kind) {
    case 'number':
      return <BigNumbers chart={chart} columns={columns} rows={rows} />;
    case 'cohort':
    case 'pivot':
    case 'heatmap':
      return <MatrixView chart={chart} columns={columns} rows={rows} onPick={onPick} />;
    case 'funnel':
      return <FunnelView chart={chart} columns={columns} rows={rows} onPick={onPick} />;
    case 'map':
      return <World chart={chart} columns={columns} rows={rows} onPick={onPick} />;
    case 'bar':
      if (chart.horizontal) {
        return <Bars chart={chart} columns={columns} rows={rows} onPick={onPick} />;
      }
  }
  return <Plot chart={chart} columns={columns} rows={rows} onPicture={onPicture} onPick={pickable(chart) ? onPick : undefined} />;
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

function Plot({ chart, columns, rows, onPicture, onPick }: Parameters<typeof ChartView>[0]) {
  const host = useRef<HTMLDivElement>(null);
  const drawn = useRef<Drawn>(undefined);
  const pressed = useRef(0);
  const id = useId();
  const [pointed, setPointed] = useState<Pointed>();
  const prepared = useMemo(() => prepare(chart, columns, rows), [chart, columns, rows]);
  const { marks, lost } = useMarks(chart, prepared);
  const marked = marks.map(m => `${m.at} ${m.text}`).join();
  // biome-ignore lint/correctness/useExhaustiveDependencies: marked stands for the marks
  const data = useMemo(() => ({ ...prepared, marks }), [prepared, marked]);
  const { shown, toggle } = useShown(data);
  const visible = shown.join();
  const theme = dark.value;
  // biome-ignore lint/correctness/useExhaustiveDependencies: visible stands for shown; the theme changes the colours
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
  }, [chart, data, visible, theme]);
  if (data.x.length === 0) {
    return <p class="chart-empty">Nothing to draw: choose columns that have numbers.</p>;
  }
  return (
    <figure class="chart" aria-describedby={`${id}-text`}>
      {chart.title && <figcaption class="chart-title">{chart.title}</figcaption>}
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: the values are buttons in the table of numbers */}
      <div
        class={`chart-host${onPick ? ' chart-picks' : ''}`}
        ref={host}
        role="img"
        aria-label={chart.title || describe(chart, data)}
        onPointerDown={e => {
          pressed.current = e.clientX;
        }}
        onClick={e => {
          const dragged = Math.abs(e.clientX - pressed.current) > 3; // which zooms
          if (pointed && !dragged) {
            onPick?.(pickOf(chart, data, pointed.index, pointed.line));
          }
        }}
      >
        {pointed && <Tip chart={chart} data={data} shown={shown} at={pointed} />}
      </div>
      {chart.kind !== 'box' && <Legend data={data} shown={shown} onToggle={toggle} />}
      <p class="sr-only" id={`${id}-text`}>
        {describe(chart, data)}
      </p>
      <MarkList marks={marks} />
      {lost && <p class="chart-notes">Releases are not shown: they need clients_daily with its versions.</p>}
      {data.notes.length > 0 && <p class="chart-notes">{data.notes.join('; ')}.</p>}
      <Numbers chart={chart} data={data} onPick={onPick} />
    </figure>
  );
}

// Tip shows the values at the pointer.
function Tip({ chart, data, shown, at }: { chart: Chart; data: Data; shown: boolean[]; at: Pointed }) {
  const total = stackTotals(data.lines, shown)[at.index];
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
          <b>
            {value(l.v)}
            {has(chart, 'share') && total ? ` (${percent((l.v ?? 0) / total)})` : ''}
          </b>
        </div>
      ))}
      {chart.stacked && lines.length > 1 && (
        <div>
          <span>all</span>
          <b>{value(total)}</b>
        </div>
      )}
    </div>
  );
}
