import { useState } from 'preact/hooks';
import { get } from '../../api/client';
import { useLoad } from '../../api/hooks';
import type { components } from '../../api/schema';
import { Badge, Button, Empty, Loaded, Panel, Select, Table, Time } from '../../ui';
import { compact, day, duration, number } from '../../ui/formats';
import style from './jobs.module.css';
import { lookOf, runStates } from './states';

export type Run = components['schemas']['Run'];
export type Detail = components['schemas']['RunDetail'];

const page = 30;

export const StateBadge = ({ state }: { state: string }) => {
  const look = lookOf(runStates, state);
  return (
    <Badge tone={look.tone} icon={look.icon}>
      {state}
    </Badge>
  );
};

// Runs are the history of runs, with those that wait or are under way on top.
export function Runs() {
  const [state, setState] = useState<'' | Run['state']>('');
  const [table, setTable] = useState('');
  const [most, setMost] = useState(page);
  const tables = useLoad(signal => get('/tables', { signal }), []);
  const runs = useLoad(signal => get('/jobs/runs', { query: { state, table, limit: most }, signal }), [state, table, most], 4);
  return (
    <Panel
      title="Runs"
      flush
      actions={
        <>
          <Select
            label="State"
            hideLabel
            value={state}
            onValue={s => setState(s)}
            choices={[
              { value: '', label: 'All states' },
              ...Object.keys(runStates).map(s => ({ value: s as Run['state'], label: s })),
            ]}
          />
          <Select
            label="Table"
            hideLabel
            value={table}
            onValue={setTable}
            choices={[{ value: '', label: 'All tables' }, ...(tables.data?.items ?? []).map(t => t.name)]}
          />
        </>
      }
    >
      <Loaded of={runs}>
        {({ items }) =>
          !items?.length ? (
            <Empty title="No runs">
              {state || table ? 'None is like that.' : 'The schedule begins one when a day is complete.'}
            </Empty>
          ) : (
            <Table
              caption="Runs"
              rows={items}
              rowKey={r => r.id}
              columns={[
                { id: 'run', head: 'Run', header: true, cell: r => <a href={`/jobs/${r.id}`}>{r.number ?? r.id}</a> },
                { id: 'state', head: 'State', cell: r => <StateBadge state={r.state} /> },
                { id: 'tables', head: 'Tables', cell: r => <Tables r={r} /> },
                { id: 'days', head: 'Days', cell: r => <span class={style.nowrap}>{days(r)}</span> },
                { id: 'made', head: 'Published', num: true, cell: r => <Made r={r} /> },
                { id: 'rows', head: 'Rows', num: true, cell: r => (r.rows ? compact(r.rows) : '–') },
                { id: 'took', head: 'Took', num: true, cell: r => took(r) },
                { id: 'began', head: 'Began', cell: r => <Began r={r} /> },
                { id: 'by', head: 'By', cell: r => <span class="small">{r.by ?? r.host ?? ''}</span> },
              ]}
            />
          )
        }
      </Loaded>
      {runs.data?.next ? (
        <div class="panel-foot">
          <Button small onClick={() => setMost(n => n + 2 * page)}>
            Show older runs
          </Button>
        </div>
      ) : null}
    </Panel>
  );
}

const Tables = ({ r }: { r: Run }) => {
  const all = r.tables ?? [];
  if (all.length === 0) {
    return <span class="muted">everything was current</span>;
  }
  return (
    <span class="small">
      {all.slice(0, 3).join(', ')}
      {all.length > 3 && <span class="muted"> and {all.length - 3} more</span>}
    </span>
  );
};

export const days = (r: Run): string => (!r.from ? '–' : r.from === r.to ? day(r.from) : `${day(r.from)} to ${day(r.to ?? '')}`);

const Made = ({ r }: { r: Run }) => (
  <>
    {number(r.counts.published)}
    {r.counts.failed > 0 && <span class={style.failed}> {number(r.counts.failed)} failed</span>}
  </>
);

const Began = ({ r }: { r: Run }) => {
  const at = r.started ?? r.asked;
  return at ? <Time at={at} /> : <>–</>;
};

// took is how long a run took, or takes already.
export function took(r: Pick<Run, 'started' | 'ended' | 'state'>): string {
  if (!r.started || (!r.ended && r.state !== 'running')) {
    return '–';
  }
  return duration(((r.ended ? Date.parse(r.ended) : Date.now()) - Date.parse(r.started)) / 1000);
}
