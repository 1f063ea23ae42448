import { ChevronLeft, ChevronRight } from 'lucide';
import { useLocation } from 'preact-iso';
import { get } from '../../api/client';
import { useLoad } from '../../api/hooks';
import { Empty, ErrorBox, IconButton, LinkButton, Loaded, Note, PageHead, Panel, Select, Skeleton, useShortcut } from '../../ui';
import { bytes, compact, plural, weekday, day as written } from '../../ui/formats';
import { CheckList } from './CheckList';
import { Columns } from './Columns';
import { Findings, QueryLink, Scale } from './Findings';
import findingStyle from './findings.module.css';
import { OneColumn } from './OneColumn';
import { Plot } from './Plot';
import style from './quality.module.css';
import { byDay, every, type Series } from './series';

// OneTable is a table: its days, and of one of them what is odd, the checks and the columns.
export function OneTable({ table }: { table: string }) {
  const series = useLoad(signal => get('/quality/{table}', { path: { table }, signal }), [table], 120);
  const { query, route } = useLocation();
  const days = series.data?.days ?? [];
  const chosen = query.day ?? series.data?.newest ?? days.at(-1)?.day;
  const go = (to: { day?: string; column?: string }) => {
    const q = new URLSearchParams();
    const next = { day: query.day, column: query.column, ...to };
    for (const [k, v] of Object.entries(next)) {
      if (v) {
        q.set(k, v);
      }
    }
    const text = q.toString();
    route(`/quality/${table}${text ? `?${text}` : ''}`);
  };
  const all = every(days.map(d => d.day));
  const move = (by: number) => {
    const to = all[all.indexOf(chosen ?? '') + by];
    if (to) {
      go({ day: to });
    }
  };
  useShortcut('[', 'The day before', () => move(-1));
  useShortcut(']', 'The day after', () => move(1));
  return (
    <div class="page">
      <PageHead
        title={table}
        actions={
          <>
            <LinkButton href="/quality">All tables</LinkButton>
            <LinkButton href={`/catalog/${table}`}>Catalog</LinkButton>
          </>
        }
      >
        {series.data?.doc}
      </PageHead>
      <Loaded of={series} lines={8}>
        {data =>
          !chosen || days.length === 0 ? (
            <Empty title="No profiles yet">
              {data.waiting > 0 ? `${plural(data.waiting, 'day')} wait for it.` : 'Nothing of this table is published yet.'}
            </Empty>
          ) : (
            <>
              <Charts data={data} all={all} chosen={chosen} onDay={d => go({ day: d })} />
              <DayChoice data={data} all={all} chosen={chosen} onDay={d => go({ day: d })} onMove={move} />
              {query.column ? (
                <OneColumn
                  table={table}
                  column={query.column}
                  day={chosen}
                  onBack={() => go({ column: '' })}
                  onDay={d => go({ day: d })}
                />
              ) : (
                <>
                  <Day table={table} day={chosen} onColumn={c => go({ column: c })} />
                  <Columns table={table} day={chosen} onColumn={c => go({ column: c })} />
                </>
              )}
            </>
          )
        }
      </Loaded>
    </div>
  );
}

function DayChoice({
  data,
  all,
  chosen,
  onDay,
  onMove,
}: {
  data: Series;
  all: string[];
  chosen: string;
  onDay: (day: string) => void;
  onMove: (by: number) => void;
}) {
  return (
    <div class={`row ${style.day}`}>
      <IconButton label="The day before" icon={ChevronLeft} onClick={() => onMove(-1)} disabled={all[0] === chosen} />
      <Select
        label="Day"
        hideLabel
        value={chosen}
        onValue={onDay}
        choices={[...new Set([...all, chosen])].reverse().map(d => ({ value: d, label: `${written(d)} ${weekday(d)}` }))}
      />
      <IconButton label="The day after" icon={ChevronRight} onClick={() => onMove(1)} disabled={all.at(-1) === chosen} />
      {data.sql && <QueryLink sql={data.sql} label="rows by day" />}
      {data.waiting > 0 && <span class="muted small">{plural(data.waiting, 'day')} without a profile yet</span>}
    </div>
  );
}

function Charts({ data, all, chosen, onDay }: { data: Series; all: string[]; chosen: string; onDay: (day: string) => void }) {
  const days = data.days ?? [];
  const common = { days: all, chosen, onDay };
  const num = (n: number | null | undefined) => (n === null || n === undefined ? '–' : compact(n));
  return (
    <div class={style.charts}>
      <Plot {...common} title="Rows" lines={[{ label: 'rows', values: byDay(all, days, d => d.rows) }]} write={num} />
      {days.some(d => d.clients !== undefined) && (
        <Plot {...common} title="Clients" lines={[{ label: 'clients', values: byDay(all, days, d => d.clients) }]} write={num} />
      )}
      <Plot
        {...common}
        title="Bytes"
        lines={[{ label: 'bytes', values: byDay(all, days, d => d.bytes) }]}
        write={n => (n === null || n === undefined ? '–' : bytes(n))}
      />
    </div>
  );
}

function Day({ table, day, onColumn }: { table: string; day: string; onColumn: (name: string) => void }) {
  const { data, error, reload } = useLoad(
    signal => get('/quality/{table}/changes', { path: { table }, query: { day }, signal }),
    [table, day],
  );
  const weeks = data?.weeks ?? [];
  const against = [
    data?.yesterday && 'the day before',
    weeks.length > 0 && `${plural(weeks.length, 'same weekday')} of the last weeks`,
  ]
    .filter(Boolean)
    .join(' and ');
  return (
    <>
      <ErrorBox error={error} retry={reload} />
      <Panel
        title={`What is odd about ${written(day)}`}
        flush
        actions={
          <>
            <span class="muted small">{against && `against ${against}`}</span>
            {(data?.findings ?? []).length > 0 && <Scale />}
          </>
        }
      >
        {!data && !error && <Skeleton lines={3} />}
        {data && !data.profile && (data.findings ?? []).length === 0 && (
          <p class={findingStyle.quiet}>This day has no profile.</p>
        )}
        {data?.profile?.growing && (
          <p class={findingStyle.quiet}>Rows of this day still arrive: it is compared when it is complete.</p>
        )}
        {data?.profile && !data.profile.growing && !against && (
          <p class={findingStyle.quiet}>There is no day yet to compare this one with.</p>
        )}
        {data && (against || (data.findings ?? []).length > 0) && <Findings all={data.findings ?? []} onColumn={onColumn} />}
      </Panel>
      {data?.profile && data.profile.read < data.profile.rows && (
        <Note>
          Of this day a part of the rows was read, those of the first samples: {compact(data.profile.read)} of{' '}
          {compact(data.profile.rows)}.
        </Note>
      )}
      {data && <CheckList checks={data.checks ?? []} />}
    </>
  );
}
