import { CalendarClock, GitFork, LayoutDashboard, Pencil, Play, SquareTerminal, Trash2 } from 'lucide';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { ApiError } from '../../api/errors';
import { useAction, useLoad } from '../../api/hooks';
import { history, type Query } from '../../api/queries';
import { fork, one, remove, type Saved } from '../../api/saved';
import { fits } from '../../chart/choose';
import { ask, Badge, Button, Copy, Empty, ErrorBox, LinkButton, Loaded, PageHead, Panel, Time } from '../../ui';
import { late } from '../../ui/late';
import { addressValues, lastingValues, showSaved, valuesOf } from '../query/begin';
import { Parameters } from '../query/Parameters';
import { Planned } from '../query/Planned';
import { Results } from '../query/Results';
import { Status } from '../query/Status';
import { Store } from '../query/store';
import { Runs } from './Runs';
import { ScheduleDialog } from './ScheduleDialog';
import style from './saved.module.css';

const AddToDashboard = late(() => import('../dashboards/AddToDashboard'));

// SavedQuery shows a saved query: it runs when it is opened, with its chart.
export function SavedQuery({ id }: { id: string }) {
  const found = useLoad(signal => one(id, signal), [id]);
  if (found.error instanceof ApiError && found.error.status === 404) {
    return (
      <Empty title="There is no such query" action={<LinkButton href="/saved">Saved queries</LinkButton>}>
        It may have been removed, or name tables that you may not read.
      </Empty>
    );
  }
  if (!found.data) {
    return <Loaded of={found} />;
  }
  return <View saved={found.data} reload={found.reload} />;
}

function View({ saved, reload }: { saved: Saved; reload: () => void }) {
  const { route } = useLocation();
  const store = useMemo(() => {
    const s = new Store();
    showSaved(s, saved);
    s.doc.values.value = addressValues();
    return s;
  }, [saved]);
  const [dialog, setDialog] = useState<'schedule' | 'dashboard'>();
  const close = () => setDialog(undefined);
  useEffect(() => {
    store.planner.consider(0);
    showLast(store, saved.id);
    return () => store.end();
  }, [store, saved.id]);
  const copy = useAction(async () => route(`/saved/${(await fork(saved.id)).id}`));
  const drop = useAction(async () => {
    if (await ask({ title: `Delete "${saved.title}"?`, text: 'Its schedule ends, too.', action: 'Delete', danger: true })) {
      await remove(saved.id);
      route('/saved');
    }
  });
  return (
    <div class={`page ${style.page}`}>
      <PageHead
        title={saved.title}
        actions={
          <>
            <Button kind="primary" icon={Play} busy={store.runner.running.value} onClick={() => void store.startAll()}>
              Run
            </Button>
            <LinkButton icon={saved.mine ? Pencil : SquareTerminal} href={`/query?saved=${saved.id}`}>
              {saved.mine ? 'Edit' : 'Open in the editor'}
            </LinkButton>
            <Button icon={GitFork} busy={copy.busy} onClick={() => copy.run()}>
              Fork
            </Button>
            <Button icon={LayoutDashboard} onClick={() => setDialog('dashboard')}>
              Add to dashboard
            </Button>
            {saved.mine && (
              <>
                <Button icon={CalendarClock} onClick={() => setDialog('schedule')}>
                  Schedule
                </Button>
                <Button kind="danger" icon={Trash2} busy={drop.busy} onClick={() => drop.run()}>
                  Delete
                </Button>
              </>
            )}
          </>
        }
      >
        {saved.description}
      </PageHead>
      <ErrorBox error={copy.error ?? drop.error} />
      <div class="row">
        {saved.builtin ? (
          <Badge tone="accent">example</Badge>
        ) : (
          <span class="muted">by {saved.person.name || 'somebody who left'}</span>
        )}
        {saved.updated && (
          <span class="muted">
            changed <Time at={saved.updated} />
          </span>
        )}
        {saved.tags?.map(t => (
          <a key={t} class={style.tag} href={`/saved?tag=${encodeURIComponent(t)}`}>
            {t}
          </a>
        ))}
      </div>
      <Panel flush>
        <Parameters store={store} />
        <Planned store={store} />
        <Outcome store={store} saved={saved} />
      </Panel>
      <Panel title="SQL" actions={<Copy text={saved.sql} label="Copy the SQL" />}>
        <pre class="code">{saved.sql}</pre>
        <p class="muted small">
          As a table of another query: <code>{tableOf(saved)}</code>{' '}
          <Copy text={tableOf(saved)} label="Copy its name as a table" />
        </p>
      </Panel>
      <Runs saved={saved} turn={store.runner.run.value?.query?.state ?? ''} />
      {dialog === 'schedule' && <ScheduleDialog saved={saved} onClose={close} onChanged={reload} />}
      {dialog === 'dashboard' && <AddToDashboard saved={saved} onClose={close} />}
    </div>
  );
}

// tableOf returns the name by which another query reads a saved query.
const tableOf = (s: Saved): string => (/^\w+$/.test(s.id) ? `query_${s.id}` : `"query_${s.id}"`);

// showLast shows the newest result that is kept, so that the page begins with its chart.
function showLast(store: Store, saved: string): void {
  history({ saved, state: 'done', limit: 1 }).then(
    page => {
      const last = page.items[0];
      if (
        last?.expires &&
        Date.parse(last.expires) > Date.now() &&
        !store.runner.run.value &&
        Object.keys(store.doc.values.value).length === 0
      ) {
        store.doc.values.value = lastingValues(last, store.doc.parameters.value);
        void store.runner.show(last.id);
      }
    },
    () => {}, // then it is run by hand
  );
}

// Given names the values that a result was made with: days in the fields above move on.
function Given({ query }: { query: Query }) {
  const given = Object.entries(valuesOf(query));
  return given.length > 0 ? (
    <p class="muted small">Result for {given.map(([name, value]) => `${name}: ${value}`).join(', ')}</p>
  ) : null;
}

function Outcome({ store, saved }: { store: Store; saved: Saved }) {
  const [run, pages] = [store.runner.run.value, store.runner.pages.value];
  const query = run?.query;
  if (!run) {
    return (
      <Empty icon={Play} title="Not run yet" action={<Button onClick={() => void store.startAll()}>Run it</Button>}>
        {saved.parameters?.length ? 'Choose the values above, then run it.' : 'Its result and chart will be here.'}
      </Empty>
    );
  }
  const lost = query?.columns && saved.chart && !fits(saved.chart, query.columns);
  return (
    <div class={style.outcome}>
      <Status store={store} run={run} />
      {query && <Given query={query} />}
      {lost && <p class="muted small">The result lacks columns of the saved chart; another one was chosen.</p>}
      {query?.state === 'done' && pages && (
        <Results
          query={query}
          pages={pages}
          turn={store.runner.loaded.value}
          chart={store.doc.chart.value}
          charts={store.doc.charts.value}
          parameters={store.doc.parameters.value}
          onValues={store.runWith}
          view={store.runner.view.value}
          onView={v => {
            store.runner.view.value = v;
          }}
        />
      )}
    </div>
  );
}
