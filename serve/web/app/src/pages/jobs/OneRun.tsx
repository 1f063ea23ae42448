import { ListChecks, ScrollText, Square, Table2 } from 'lucide';
import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { del, get } from '../../api/client';
import { ApiError } from '../../api/errors';
import { useAction, useLoad } from '../../api/hooks';
import { may } from '../../app/session';
import { ask, Button, Empty, ErrorBox, Loaded, Note, PageHead, Panel, type Tab, Tabs, Time } from '../../ui';
import { bytes, number, plural } from '../../ui/formats';
import style from './jobs.module.css';
import { Log } from './Log';
import { type Detail, days, StateBadge, took } from './Runs';
import { Units } from './Units';

const load = (id: string, signal?: AbortSignal) => get('/jobs/runs/{id}', { path: { id }, signal });

type TabName = 'units' | 'checks' | 'log';

export function OneRun({ id }: { id: string }) {
  const [going, setGoing] = useState(true);
  const { query, route } = useLocation();
  const detail = useLoad(
    async signal => {
      const run = await load(id, signal);
      setGoing(run.state === 'running' || run.state === 'queued');
      return run;
    },
    [id],
    going ? 1 : undefined,
  );
  const end = useAction(async () => {
    if (
      await ask({
        title: 'End this run?',
        text: 'What it has published stays. Given again, it goes on where it was.',
        action: 'End it',
        danger: true,
      })
    ) {
      await del('/jobs/runs/{id}', { path: { id } });
      detail.reload();
    }
  });
  const r = detail.data;
  if (!r) {
    const gone = detail.error instanceof ApiError && detail.error.status === 404;
    return (
      <div class="page">
        <PageHead title={`Run ${id}`} />
        {gone ? (
          <Empty title="There is no such run" action={<a href="/jobs">All runs</a>}>
            Old runs are forgotten after a while, and those that wait when the server ends.
          </Empty>
        ) : (
          <Loaded of={detail} lines={8} />
        )}
      </div>
    );
  }
  const tabs: Tab<TabName>[] = [
    { id: 'units', label: 'Partitions', icon: Table2, count: r.counts.begun },
    { id: 'checks', label: 'Checks', icon: ListChecks },
    { id: 'log', label: 'Log', icon: ScrollText },
  ];
  const tab = tabs.find(t => t.id === query.tab)?.id ?? 'units';
  return (
    <div class="page">
      <PageHead
        title={
          <span class="row">
            Run {r.number ?? r.id} <StateBadge state={r.state} />
          </span>
        }
        actions={
          r.here &&
          may('operate') && (
            <Button kind="danger" icon={Square} busy={end.busy} onClick={() => end.run()}>
              End it
            </Button>
          )
        }
      >
        {(r.tables ?? []).join(', ') || 'Everything was current.'}
      </PageHead>
      <ErrorBox error={end.error} />
      {r.waits && <Note tone="accent">It waits for {r.waits}.</Note>}
      {r.error && (
        <Note tone="bad" title="It failed">
          <span class={style.runError}>{r.error}</span>
        </Note>
      )}
      {r.progress && <Progress r={r} />}
      <Panel>
        <dl class="facts">
          <dt>Days</dt>
          <dd>{days(r)}</dd>
          <dt>Began</dt>
          <dd>
            {r.started ? <Time at={r.started} full /> : r.asked ? 'not yet' : '–'}
            {r.by && `, asked for by ${r.by}`}
          </dd>
          <dt>Took</dt>
          <dd>{took(r)}</dd>
          <dt>Published</dt>
          <dd>
            {plural(r.counts.published, 'partition')}, {number(r.rows)} rows, {bytes(r.bytes)}
            {r.counts.failed > 0 && <span class={style.failed}>, {number(r.counts.failed)} failed</span>}
          </dd>
          <dt>Made</dt>
          <dd>{r.force ? 'everything, also what was current' : 'what was not current'}</dd>
          {r.pid ? (
            <>
              <dt>Process</dt>
              <dd>
                {r.pid} on {r.host}, version {r.code || 'unknown'}
              </dd>
            </>
          ) : null}
        </dl>
      </Panel>
      <Tabs label="Of the run" tabs={tabs} value={tab} onValue={t => route(`/jobs/${id}?tab=${t}`, true)}>
        {tab === 'units' && <Units run={r} />}
        {tab === 'checks' && <Log id={id} going={going} checks />}
        {tab === 'log' && <Log id={id} going={going} />}
      </Tabs>
    </div>
  );
}

function Progress({ r }: { r: Detail }) {
  const p = r.progress!;
  const known = p.units ? p.unitsEnded / p.units : p.tasks ? p.tasksEnded / p.tasks : undefined;
  return (
    <div class={style.runProgress} aria-live="polite">
      <progress max={1} value={known} aria-label="Progress of the run" />
      <span class="small">
        {p.units ? `${number(p.unitsEnded)} of ${plural(p.units, 'partition')}, ` : ''}
        {number(p.tasksEnded)} of {plural(p.tasks, 'task')}
        {p.now?.length ? `; now ${p.now.slice(0, 3).join(', ')}` : ''}
      </span>
    </div>
  );
}
