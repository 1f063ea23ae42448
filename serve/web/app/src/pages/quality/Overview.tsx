import { CircleAlert, CircleCheck, TriangleAlert } from 'lucide';
import { get } from '../../api/client';
import { useLoad } from '../../api/hooks';
import { Badge, Empty, LinkButton, Loaded, PageHead, Spark } from '../../ui';
import { day, number, plural } from '../../ui/formats';
import { QueryLink, Scale, Score, tones } from './Findings';
import findingStyle from './findings.module.css';
import style from './quality.module.css';
import { byDay, change, every, type Finding, type Level, type Overview as Line, levels, signed, type TableDay } from './series';

// Overview is each table with its rows by day, and the oddest of all findings on top.
export function Overview() {
  const overview = useLoad(signal => get('/quality', { signal }), [], 120);
  const tables = overview.data?.items ?? [];
  const found = tables
    .flatMap(t => (t.findings ?? []).map(f => ({ table: t.table, day: t.day, f })))
    .sort((a, b) => b.f.score - a.f.score)
    .slice(0, 6);
  return (
    <div class="page">
      <PageHead title="Quality">
        How each table looks from day to day. A day is compared with the day before and the same weekdays of the last four weeks.
      </PageHead>
      <Loaded of={overview} lines={8}>
        {() =>
          tables.every(t => (t.days ?? []).length === 0) && (
            <Empty title="No profiles yet">
              They are made when days are published, newest first: by pingmill serve, or by pingmill quality all.
            </Empty>
          )
        }
      </Loaded>
      {found.length > 0 && <Oddest found={found} />}
      <ul class={style.tables}>
        {tables.map(t => (
          <TableLine key={t.table} t={t} />
        ))}
      </ul>
    </div>
  );
}

function Oddest({ found }: { found: { table: string; day?: string; f: Finding }[] }) {
  return (
    <section class="panel" aria-labelledby="oddest">
      <div class="panel-head">
        <h2 id="oddest">What is odd</h2>
        <Scale />
      </div>
      <ol class={findingStyle.findings}>
        {found.map(({ table, day: at, f }) => (
          <li key={`${table} ${f.rule} ${f.column} ${f.value}`} class={findingStyle.finding}>
            <Score score={f.score} />
            <p class={findingStyle.findingText}>
              <a href={at ? `/quality/${table}?day=${at}` : `/quality/${table}`}>{table}</a> {at && day(f.since ?? at)}: {f.text}
            </p>
            <div class={findingStyle.findingDo}>
              <QueryLink sql={f.sql} label={f.text} />
            </div>
          </li>
        ))}
      </ol>
    </section>
  );
}

function TableLine({ t }: { t: Line }) {
  const days = t.days ?? [];
  const all = every(days.map(d => d.day));
  const newest = days.findLast(d => d.day === t.newest);
  const top = t.findings?.[0];
  return (
    <li class={`${style.table} panel`}>
      <div class={style.tableName}>
        <h2>
          <a href={`/quality/${t.table}`}>{t.table}</a>
        </h2>
        <p class="muted small">{t.doc}</p>
      </div>
      <div class={style.tableSpark}>
        <Spark values={byDay(all, days, d => (d.growing ? null : d.rows))} label={sparkText(t, days)} width={226} height={42} />
      </div>
      {newest ? <Newest t={t} newest={newest} days={days} /> : <p class={`muted ${style.tableRows}`}>no complete day yet</p>}
      <div class={style.tableState}>
        <Checks day={newest} />
        <Counts t={t} />
      </div>
      {top && (
        <p class={style.tableTop}>
          <Score score={top.score} /> <span>{top.text}</span>
        </p>
      )}
      <LinkButton href={`/quality/${t.table}`} small aria-label={`Open ${t.table}`}>
        Open
      </LinkButton>
    </li>
  );
}

const sparkText = (t: Line, days: TableDay[]) =>
  days.length === 0
    ? `${t.table} has no days yet`
    : `Rows of ${t.table} a day, ${day(days[0]!.day)} to ${day(days.at(-1)!.day)}, last ${number(days.at(-1)!.rows)}`;

function Newest({ t, newest, days }: { t: Line; newest: TableDay; days: TableDay[] }) {
  const at = days.indexOf(newest);
  const before = change(newest.rows, days[at - 1]?.rows);
  return (
    <dl class={style.tableRows}>
      <div>
        <dt>{day(t.newest ?? '')}</dt>
        <dd>
          <b>{number(newest.rows)}</b> rows
        </dd>
      </div>
      {newest.clients !== undefined && (
        <div>
          <dt>clients</dt>
          <dd>{number(newest.clients)}</dd>
        </div>
      )}
      {before !== undefined && (
        <div>
          <dt>to the day before</dt>
          <dd>{signed(before)}</dd>
        </div>
      )}
    </dl>
  );
}

export function Checks({ day: d }: { day?: TableDay }) {
  if (!d) {
    return null;
  }
  const { failed, warned, passed, notRun } = d.checks;
  if (failed > 0) {
    return (
      <Badge tone="bad" icon={CircleAlert}>
        {plural(failed, 'check')} failed
      </Badge>
    );
  }
  if (warned > 0) {
    return (
      <Badge tone="warn" icon={TriangleAlert}>
        {plural(warned, 'warning')}
      </Badge>
    );
  }
  return passed + notRun > 0 ? (
    <Badge tone="good" icon={CircleCheck}>
      {plural(passed, 'check')} passed
    </Badge>
  ) : null;
}

function Counts({ t }: { t: Line }) {
  const { grave, medium, small } = t.counts;
  const all: [Level, number][] = [
    ['grave', grave],
    ['medium', medium],
    ['small', small],
  ];
  if (!t.newest || grave + medium + small === 0) {
    return t.newest ? <span class="muted small">nothing odd</span> : null;
  }
  return (
    <span class="row">
      {all
        .filter(([, n]) => n > 0)
        .map(([l, n]) => (
          <Badge key={l} tone={tones[l]}>
            {n} {levels[l]}
          </Badge>
        ))}
    </span>
  );
}
