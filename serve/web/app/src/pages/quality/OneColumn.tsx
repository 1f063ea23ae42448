import { ArrowLeft } from 'lucide';
import { get } from '../../api/client';
import { useLoad } from '../../api/hooks';
import { Badge, Button, type Column, Loaded, Panel, Spark, Table } from '../../ui';
import { compact, number, percent, day as written } from '../../ui/formats';
import { QueryLink } from './Findings';
import findingStyle from './findings.module.css';
import { Plot } from './Plot';
import style from './quality.module.css';
import { byDay, type ColumnSeries, every } from './series';

const drawn = 8;
const share = (n: number | null | undefined) => (n === null || n === undefined ? '–' : percent(n, n > 0 && n < 0.1 ? 2 : 1));

// OneColumn is a column over four weeks: nulls, values, numbers.
export function OneColumn({
  table,
  column,
  day,
  onBack,
  onDay,
}: {
  table: string;
  column: string;
  day: string;
  onBack: () => void;
  onDay: (day: string) => void;
}) {
  const series = useLoad(
    signal => get('/quality/{table}/columns/{column}', { path: { table, column }, query: { day }, signal }),
    [table, column, day],
  );
  return (
    <Panel
      title={column}
      actions={
        <>
          {series.data && <QueryLink sql={series.data.sql} label={column} />}
          <Button small icon={ArrowLeft} onClick={onBack}>
            All columns
          </Button>
        </>
      }
    >
      <Loaded of={series} lines={6}>
        {c => (
          <>
            <p class="muted">
              {c.doc} <code>{c.type}</code>
            </p>
            <Details c={c} chosen={day} onDay={onDay} />
          </>
        )}
      </Loaded>
    </Panel>
  );
}

function Details({ c, chosen, onDay }: { c: ColumnSeries; chosen: string; onDay: (day: string) => void }) {
  const days = c.days ?? [];
  const all = every(days.map(d => d.day));
  const values = c.values ?? [];
  const common = { days: all, chosen, onDay };
  const at = (rows: readonly number[] | null) =>
    byDay(
      all,
      days.map((d, i) => ({ day: d.day, n: d.read > 0 ? (rows?.[i] ?? 0) / d.read : null })),
      d => d.n,
    );
  const part = (n: (d: (typeof days)[number]) => number) => byDay(all, days, d => (d.read > 0 ? n(d) / d.read : null));
  const nulls = [{ label: 'null', values: part(d => d.nulls) }];
  if (c.kind === 'lists') {
    nulls.push({ label: 'empty', values: part(d => d.empty) });
  }
  return (
    <>
      <div class={style.charts}>
        <Plot {...common} title={c.kind === 'lists' ? 'Null and empty' : 'Null'} lines={nulls} kind="line" write={share} />
        {c.kind === 'document' && (
          <Plot {...common} title="Repeated" lines={[{ label: 'repeated', values: part(d => d.repeated) }]} write={share} />
        )}
        {values.length > 0 && (
          <Plot
            {...common}
            title={c.kind === 'lists' ? 'Share of rows that have it' : 'Share of rows'}
            kind={c.kind === 'lists' ? 'line' : 'area'}
            stacked={c.kind !== 'lists'}
            lines={values.slice(0, drawn).map(v => ({ label: v.value || '(empty)', values: at(v.rows) }))}
            write={share}
          />
        )}
        {days.some(d => d.numbers) && (
          <Plot
            {...common}
            title={c.kind === 'lists' ? 'Size: quarter, median, three quarters' : 'Quarter, median, three quarters'}
            kind="line"
            lines={[1, 2, 3].map(i => ({
              label: ['', '25 %', 'median', '75 %'][i]!,
              values: byDay(all, days, d => d.numbers?.q?.[i]),
            }))}
            write={n => (n === null || n === undefined ? '–' : compact(Number(n.toPrecision(4))))}
          />
        )}
      </div>
      <Facts c={c} chosen={chosen} />
      {values.length > 0 && <ValueTable c={c} at={at} chosen={chosen} />}
    </>
  );
}

function Facts({ c, chosen }: { c: ColumnSeries; chosen: string }) {
  const d = c.days?.findLast(d => d.day <= chosen);
  if (!d) {
    return null;
  }
  const n = d.numbers;
  const facts: [string, string][] = [
    ['Rows read', number(d.read)],
    ['Null', `${number(d.nulls)} (${share(d.read > 0 ? d.nulls / d.read : null)})`],
  ];
  if (d.distinct > 0) {
    facts.push(['Distinct', number(d.distinct)]);
  }
  if (d.other > 0) {
    facts.push(['Other values', `${number(d.other)} rows: rare ones are not listed`]);
  }
  if (n) {
    const of = c.kind === 'lists' ? 'Sizes' : 'Numbers';
    facts.push([of, `${compact(n.min)} to ${compact(n.max)}, mean ${compact(Number(n.mean.toPrecision(4)))}`]);
    facts.push(['5, 50, 95 %', [n.q?.[0], n.q?.[2], n.q?.[4]].map(q => compact(Number((q ?? 0).toPrecision(4)))).join(' · ')]);
  }
  return (
    <dl class="facts" aria-label={`${c.name} on ${written(d.day)}`}>
      {facts.map(([what, text]) => (
        <>
          <dt>{what}</dt>
          <dd>{text}</dd>
        </>
      ))}
    </dl>
  );
}

// rowsOf is 0 only where no value is left out: rare ones are not listed.
const rowsOf = (v: Value, index: number, other: number) => (v.rows?.[index] ? number(v.rows[index]!) : other > 0 ? 'few' : '0');

type Value = NonNullable<ColumnSeries['values']>[number];

function ValueTable({
  c,
  at,
  chosen,
}: {
  c: ColumnSeries;
  at: (rows: readonly number[] | null) => (number | null)[];
  chosen: string;
}) {
  const days = c.days ?? [];
  const index = days.findLastIndex(d => d.day <= chosen);
  const of = (v: Value, i: number) => {
    const read = days[i]?.read;
    return read ? (v.rows?.[i] ?? 0) / read : 0;
  };
  const columns: Column<Value>[] = [
    {
      id: 'value',
      head: 'Value',
      header: true,
      sort: v => v.value,
      cell: v => <span class={findingStyle.value}>{v.value || '(empty)'}</span>,
    },
    {
      id: 'rows',
      head: 'Rows',
      num: true,
      sort: v => v.rows?.[index] ?? 0,
      cell: v => rowsOf(v, index, days[index]?.other ?? 0),
    },
    { id: 'share', head: 'Share', num: true, sort: v => of(v, index), cell: v => share(of(v, index)) },
    { id: 'before', head: 'Day before', num: true, cell: v => (index > 0 ? share(of(v, index - 1)) : '–') },
    { id: 'week', head: 'Week before', num: true, cell: v => (index > 6 ? share(of(v, index - 7)) : '–') },
    {
      id: 'spark',
      head: 'Over time',
      cell: v => <Spark values={at(v.rows)} width={126} height={26} label={`${v.value} over time`} />,
    },
    { id: 'new', head: 'New', cell: v => (v.new ? <Badge tone="accent">{written(v.new)}</Badge> : '') },
  ];
  return (
    <Table
      caption={`Values of ${c.name}`}
      rows={c.values ?? []}
      rowKey={v => v.value}
      columns={columns}
      start={{ by: 'rows', down: true }}
    />
  );
}
