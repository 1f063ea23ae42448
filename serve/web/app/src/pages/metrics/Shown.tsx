import { useMemo, useState } from 'preact/hooks';
import type { Chart } from '../../chart/chart';
import { number as parsed } from '../../chart/columns';
import type { Row } from '../../result/format';
import { Badge, Note, Select, Table, type Column as TableColumn } from '../../ui';
import { compact } from '../../ui/formats';
import { late } from '../../ui/late';
import type { Metric } from './metric';
import style from './metrics.module.css';
import { at, isFew, marked, type Result, shown, valuesOf } from './shown';

const ChartView = late(() => import('../../chart/ChartView'));

const names: Record<string, string> = {
  pings: 'Pings',
  clients: 'Clients',
  events: 'Events',
  samples: 'Samples',
  total: 'Sum',
  mean: 'Mean',
  p25: '25 %',
  median: 'Median',
  p75: '75 %',
  p95: '95 %',
  rate: 'Rate',
  numerator: 'Numerator',
  denominator: 'Denominator',
  label: 'Label',
  value: 'Value',
};

const named = (column: string): string => names[column] ?? column.charAt(0).toUpperCase() + column.slice(1);

// Shown draws a measure of a result over days, and lists the numbers.
export function Shown({ m, r, cut }: { m: Metric; r: Result; cut: boolean }) {
  const [measure, setMeasure] = useState(r.measures[0] ?? 'pings');
  const [chosen, setChosen] = useState<Record<string, string>>({});
  const s = useMemo(() => shown(r, chosen), [r, chosen]);
  const rows = useMemo(() => marked(r, s), [r, s]);
  const chart = useMemo<Chart>(() => ({ kind: 'line', x: 'day', y: [measure], series: s.series }), [measure, s.series]);
  const few = s.rows.filter(row => isFew(r, row)).length;
  return (
    <>
      <div class={style.form}>
        <Select
          label="Draw"
          value={measure}
          onValue={setMeasure}
          choices={r.measures.map(c => ({ value: c, label: named(c) }))}
        />
        {r.keys.slice(1).map(key => (
          <Select
            key={key}
            label={named(key)}
            value={chosen[key] ?? valuesOf(r, key)[0] ?? ''}
            onValue={v => setChosen(c => ({ ...c, [key]: v }))}
            choices={valuesOf(r, key).map(v => ({ value: v, label: v || '(empty)' }))}
          />
        ))}
      </div>
      <ChartView chart={chart} columns={r.columns} rows={rows} />
      {few > 0 && (
        <Note tone="warn">
          {few} of {s.rows.length} groups have fewer than {m.few} {m.clients ? 'clients' : 'pings'}: they are marked, and their
          numbers say little.
        </Note>
      )}
      {cut && <Note tone="warn">The result is cut: ask for fewer days.</Note>}
      <Table
        caption={`${m.name} over days`}
        rows={s.rows.slice(0, mostLines).map((row, i) => ({ row, i }))}
        rowKey={l => String(l.i)}
        columns={columnsOf(r)}
      />
      {s.rows.length > mostLines && <p class="muted small">The first {mostLines} groups are listed.</p>}
    </>
  );
}

const mostLines = 300;

type Line = { row: Row; i: number };

function columnsOf(r: Result): TableColumn<Line>[] {
  return [
    ...r.columns
      .filter(c => c.name !== 'few')
      .map((c): TableColumn<Line> => {
        const key = c.name === 'day' || r.keys.includes(c.name);
        const n = (l: Line) => parsed(at(r, l.row, c.name)) ?? 0;
        const text = (l: Line) => String(at(r, l.row, c.name) ?? '');
        return {
          id: c.name,
          head: named(c.name),
          header: c.name === 'day',
          num: !key,
          sort: key ? text : n,
          cell: l => (at(r, l.row, c.name) === null ? '–' : key ? text(l) || '(empty)' : compact(Number(n(l).toPrecision(6)))),
        };
      }),
    { id: 'few', head: 'Note', cell: l => (isFew(r, l.row) ? <Badge tone="warn">few</Badge> : '') },
  ];
}
