import { useLoad } from '../../api/hooks';
import { history, type Query } from '../../api/queries';
import { runs, type Saved, type ScheduleRun } from '../../api/saved';
import { person } from '../../app/session';
import { Badge, ErrorBox, Note, Panel, Table, Time } from '../../ui';
import { duration, number } from '../../ui/formats';
import { sentence } from './schedule';

// Runs lists the last runs of a saved query: those of its schedule for who owns it, and those that people asked.
export function Runs({ saved, turn }: { saved: Saved; turn: string }) {
  const asked = useLoad(async signal => (await history({ saved: saved.id, limit: 10 }, signal)).items ?? [], [saved.id, turn]);
  const own = saved.schedule !== undefined && saved.person.id === person.value?.id;
  return (
    <>
      {saved.schedule && (
        <Panel title="Schedule">
          {saved.schedule.paused && (
            <Note tone="warn" title="Paused">
              {saved.schedule.paused}
            </Note>
          )}
          <p>
            {sentence(saved.schedule)}
            {saved.schedule.next && (
              <>
                {' Next: '}
                <Time at={saved.schedule.next} full />.
              </>
            )}
          </p>
          {own && <ScheduleRuns id={saved.id} />}
        </Panel>
      )}
      <Panel title="Last runs" flush>
        <ErrorBox error={asked.error} retry={asked.reload} />
        {asked.data &&
          (asked.data.length > 0 ? <RunTable rows={asked.data} /> : <p class="panel-body muted">Nobody has run it yet.</p>)}
      </Panel>
    </>
  );
}

const took = (q: Query) => (q.started && q.ended ? (Date.parse(q.ended) - Date.parse(q.started)) / 1000 : -1);

const RunTable = ({ rows }: { rows: Query[] }) => (
  <Table
    caption="Last runs"
    rows={rows}
    rowKey={q => q.id}
    columns={[
      { id: 'when', head: 'When', cell: q => <Time at={q.asked} />, sort: q => q.asked, header: true },
      { id: 'who', head: 'Who', cell: q => q.name },
      {
        id: 'state',
        head: 'State',
        cell: q => <Badge tone={q.state === 'done' ? 'good' : q.state === 'failed' ? 'bad' : undefined}>{q.state}</Badge>,
      },
      { id: 'rows', head: 'Rows', cell: q => number(q.rows), num: true, sort: q => q.rows },
      { id: 'took', head: 'Took', cell: q => (took(q) < 0 ? '' : duration(took(q))), num: true, sort: took },
      { id: 'result', head: 'Result', cell: q => <a href={`/query/${q.id}`}>open</a> },
    ]}
  />
);

function ScheduleRuns({ id }: { id: string }) {
  const list = useLoad(async signal => (await runs(id, signal)).items ?? [], [id]);
  if (!list.data) {
    return <ErrorBox error={list.error} retry={list.reload} />;
  }
  if (list.data.length === 0) {
    return <p class="muted">It has not run yet.</p>;
  }
  return (
    <Table
      caption="Last runs of the schedule"
      rows={list.data}
      rowKey={r => r.started}
      columns={[
        { id: 'when', head: 'When', cell: r => <Time at={r.started} />, header: true },
        { id: 'state', head: 'State', cell: r => <Badge tone={r.state === 'done' ? 'good' : 'bad'}>{r.state}</Badge> },
        { id: 'rows', head: 'Rows', cell: r => number(r.rows), num: true },
        { id: 'value', head: 'Value', cell: r => (r.value === undefined || r.value === null ? '' : number(r.value)), num: true },
        { id: 'notified', head: 'Notified', cell: notified },
        { id: 'result', head: 'Result', cell: r => (r.query ? <a href={`/query/${r.query}`}>open</a> : r.error) },
      ]}
    />
  );
}

function notified(r: ScheduleRun): string {
  if (r.notified.length === 0) {
    return r.notBecause ?? (r.holds ? 'nobody' : 'nobody: the condition did not hold');
  }
  const to = r.notified.map(n => `${n.to}${n.error ? ` (failed: ${n.error})` : ''}`).join(', ');
  return r.attached ? `${to}; attached: ${r.attached}` : to;
}
