import { useState } from 'preact/hooks';
import { get } from '../../api/client';
import { useLoad } from '../../api/hooks';
import type { components } from '../../api/schema';
import { Badge, Button, Dialog, Empty, Loaded, Note, Panel, Table } from '../../ui';
import { bytes, day, number } from '../../ui/formats';
import style from './jobs.module.css';
import { type Detail, StateBadge, took } from './Runs';

type Unit = components['schemas']['RunUnit'];

// Units are the partitions of a run; each has its tasks behind a button.
export function Units({ run }: { run: Detail }) {
  const [shown, setShown] = useState<Unit>();
  const units = run.units ?? [];
  if (units.length === 0) {
    return (
      <Empty title="No partitions">
        {run.state === 'queued'
          ? 'It has not begun.'
          : 'Everything requested was current, or could not be made: the log has the reasons.'}
      </Empty>
    );
  }
  return (
    <div class="stack">
      <Panel flush>
        <Table
          caption="Partitions of the run"
          rows={units}
          rowKey={u => `${u.table} ${u.day}`}
          columns={[
            {
              id: 'table',
              head: 'Table',
              header: true,
              cell: u => <a href={`/catalog/${u.table}?tab=partitions`}>{u.table}</a>,
              sort: u => u.table,
            },
            { id: 'day', head: 'Day', cell: u => <span class={style.nowrap}>{day(u.day)}</span>, sort: u => u.day },
            { id: 'state', head: 'State', cell: u => <StateBadge state={u.state} />, sort: u => u.state },
            {
              id: 'tasks',
              head: 'Tasks',
              num: true,
              cell: u => (
                <Button
                  small
                  kind="quiet"
                  aria-label={`${u.tasks} tasks of ${u.table}, ${day(u.day)}`}
                  onClick={() => setShown(u)}
                >
                  {u.tasks}
                </Button>
              ),
            },
            { id: 'in', head: 'Rows in', num: true, cell: u => number(u.rowsIn), sort: u => u.rowsIn },
            { id: 'out', head: 'Rows out', num: true, cell: u => number(u.rowsOut), sort: u => u.rowsOut },
            { id: 'bytes', head: 'Size', num: true, cell: u => bytes(u.bytes), sort: u => u.bytes },
            { id: 'took', head: 'Took', num: true, cell: u => took(u) },
            { id: 'notes', head: 'Notes', cell: u => <Notes u={u} /> },
          ]}
        />
      </Panel>
      {run.more ? <p class="muted">{number(run.more)} more partitions are not listed.</p> : null}
      {units
        .filter(u => u.error)
        .map(u => (
          <Note key={`${u.table} ${u.day}`} tone="bad" title={`${u.table}, ${day(u.day)}`}>
            <span class={style.runError}>{u.error}</span>
          </Note>
        ))}
      {shown && <Tasks id={run.id} u={shown} onClose={() => setShown(undefined)} />}
    </div>
  );
}

const Notes = ({ u }: { u: Unit }) => (
  <span class="row small">
    {u.rejected > 0 && <Badge tone="warn">{number(u.rejected)} pings without a row</Badge>}
    {u.leftOut && <span class="muted">too long, left out: {u.leftOut}</span>}
    {(u.inputs ?? []).map(i => (
      <span key={i.name} class="muted" title={i.generation}>
        from {i.name}
      </span>
    ))}
  </span>
);

function Tasks({ id, u, onClose }: { id: string; u: Unit; onClose: () => void }) {
  const { data, error } = useLoad(
    signal => get('/jobs/runs/{id}/tasks', { path: { id }, query: { table: u.table, day: u.day }, signal }),
    [id, u.table, u.day],
    u.ended ? undefined : 1,
  );
  return (
    <Dialog title={`Tasks of ${u.table}, ${day(u.day)}`} wide onClose={onClose}>
      <Loaded of={{ data, error }}>
        {({ items }) =>
          !items?.length ? (
            <p class="muted">An earlier run had done them all.</p>
          ) : (
            <Table
              caption="Tasks"
              rows={items}
              rowKey={t => `${t.samples} ${t.started}`}
              columns={[
                { id: 'samples', head: 'Samples', header: true, cell: t => t.samples },
                { id: 'state', head: 'State', cell: t => <StateBadge state={t.state} /> },
                { id: 'in', head: 'Rows in', num: true, cell: t => number(t.rowsIn) },
                { id: 'out', head: 'Rows out', num: true, cell: t => number(t.rowsOut) },
                { id: 'bytes', head: 'Size', num: true, cell: t => bytes(t.bytes) },
                { id: 'took', head: 'Took', num: true, cell: t => took(t) },
                { id: 'error', head: 'Error', cell: t => <span class={`${style.runError} small`}>{t.error}</span> },
              ]}
            />
          )
        }
      </Loaded>
    </Dialog>
  );
}
