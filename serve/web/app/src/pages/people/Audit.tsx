import { ScrollText } from 'lucide';
import { useEffect, useState } from 'preact/hooks';
import { get } from '../../api/client';
import { useAction, useLoad } from '../../api/hooks';
import type { components } from '../../api/schema';
import { Badge, Button, Empty, ErrorBox, Panel, Select, Skeleton, Table, TextField, Time } from '../../ui';
import { day } from '../../ui/formats';
import style from './people.module.css';

type Entry = components['schemas']['Entry'];

const events = [
  { value: '', label: 'Everything' },
  { value: 'query', label: 'Queries of restricted tables' },
  { value: 'sign-in', label: 'Signing in' },
  { value: 'sign-out', label: 'Signing out' },
  { value: 'change', label: 'Changes of accounts' },
];

// Audit shows who did what, newest first.
export function Audit() {
  const [person, setPerson] = useState('');
  const [table, setTable] = useState('');
  const [event, setEvent] = useState('');
  const [from, setFrom] = useState('');
  const [to, setTo] = useState('');
  const filter = {
    person: person.trim(),
    table,
    event,
    from: from && `${from}T00:00:00Z`,
    to: to && new Date(Date.parse(`${to}T00:00:00Z`) + 86_400_000).toISOString(),
  };
  const load = useLoad(signal => get('/audit', { query: { ...filter, limit: 100 }, signal }), Object.values(filter));
  const tables = useLoad(signal => get('/tables', { signal }), []);
  const [more, setMore] = useState<{ items: Entry[]; next?: number }>({ items: [] });
  useEffect(() => setMore({ items: [], next: load.data?.next }), [load.data]);
  const older = useAction(async () => {
    const page = await get('/audit', { query: { ...filter, limit: 100, cursor: more.next } });
    setMore(m => ({ items: [...m.items, ...(page.items ?? [])], next: page.next }));
  });
  const rows = [...(load.data?.items ?? []), ...more.items];
  const names = (tables.data?.items ?? []).filter(t => t.restricted).map(t => t.name);
  return (
    <div class={`stack ${style.peopleList}`}>
      <div class="form-row">
        <Select label="What" value={event} onValue={setEvent} choices={events} />
        <TextField label="Who" value={person} onValue={setPerson} placeholder="name" />
        <Select label="Table read" value={table} onValue={setTable} choices={[{ value: '', label: 'Any' }, ...names]} />
        <TextField label="From" type="date" value={from} onValue={setFrom} />
        <TextField label="To" type="date" value={to} onValue={setTo} />
      </div>
      <ErrorBox error={load.error ?? older.error} retry={load.reload} />
      <Panel
        flush
        foot={
          more.next !== undefined && (
            <Button small busy={older.busy} onClick={() => void older.run()}>
              Older
            </Button>
          )
        }
      >
        {!load.data && !load.error && <Skeleton />}
        {load.data && rows.length === 0 && (
          <Empty icon={ScrollText} title="Nothing like that">
            The audit records signing in, changes of accounts, and queries of restricted tables.
          </Empty>
        )}
        {rows.length > 0 && (
          <Table
            caption="Audit"
            rows={rows}
            rowKey={e => String(e.id)}
            columns={[
              { id: 'at', head: 'When', cell: e => <Time at={e.at} /> },
              {
                id: 'who',
                head: 'Who',
                cell: e =>
                  e.person ? <a href={`/people/${e.person}`}>{e.name}</a> : e.name || <span class="muted">unknown</span>,
              },
              {
                id: 'event',
                head: 'What',
                cell: e => <Badge tone={e.event === 'query' ? 'accent' : undefined}>{e.event}</Badge>,
              },
              {
                id: 'outcome',
                head: 'Outcome',
                cell: e => <Badge tone={e.outcome === 'done' ? 'good' : 'warn'}>{e.outcome}</Badge>,
              },
              { id: 'about', head: 'Of what', cell: e => <About entry={e} /> },
              { id: 'from', head: 'From', cell: e => <span class="mono small">{e.address}</span> },
            ]}
          />
        )}
      </Panel>
    </div>
  );
}

function About({ entry }: { entry: Entry }) {
  return (
    <div class={style.auditAbout}>
      {entry.reads?.map(r => (
        <div key={r.table}>
          <code>{r.table}</code> <span class="muted small">{days(r.days ?? [])}</span>
        </div>
      ))}
      {entry.event === 'query' && entry.about ? <a href={`/query/${entry.about}`}>the query</a> : entry.about}
      {entry.sql && (
        <details>
          <summary class="small">SQL</summary>
          <pre class="code">{entry.sql}</pre>
        </details>
      )}
    </div>
  );
}

// days names partitions: the first and the last of many.
export const days = (all: string[]): string =>
  all.length < 4 ? all.map(day).join(', ') : `${day(all[0]!)} … ${day(all.at(-1)!)}, ${all.length} days`;
