import { Square } from 'lucide';
import { useEffect, useState } from 'preact/hooks';
import { problemText } from '../../api/errors';
import { type Query, resultUrl } from '../../api/queries';
import { Badge, Button, Copy, Note, Spinner, Time } from '../../ui';
import { bytes, duration, plural } from '../../ui/formats';
import { Correction, Fixes, Place } from './Planned';
import partStyle from './parts.module.css';
import type { Run } from './run';
import type { Store } from './store';

// Status says how far a query is, and when it is done what it took.
export function Status({ store, run }: { store: Store; run: Run }) {
  const q = run.query;
  if (run.problem) {
    return <Failed store={store} run={run} />;
  }
  if (q?.state === 'cancelled') {
    return <Note tone="warn">The query was cancelled{q.ended && q.started ? ` after ${took(q)}` : ''}.</Note>;
  }
  return store.runner.running.value ? (
    <Progress store={store} run={run} />
  ) : q ? (
    <>
      <Facts query={q} onWhole={store.runner.whole} />
      {run.file && <InFile query={q} format={run.file} onShow={() => void store.runner.show(q.id)} />}
    </>
  ) : null;
}

function Progress({ store, run }: { store: Store; run: Run }) {
  const elapsed = useElapsed(run.begun);
  const q = run.query;
  const percent = q?.progress?.percent;
  const known = q?.state === 'running' && percent !== undefined && percent > 0;
  return (
    <div class={partStyle.progressBox}>
      <div class="row">
        <Spinner label="The query runs" />
        <strong>{run.cancelling ? 'Cancelling' : !q ? 'Asking' : q.state === 'queued' ? 'Waiting' : 'Running'}</strong>
        <span class="muted">
          {q?.state === 'queued' &&
            (q.position ? `${plural(q.position, 'query', 'queries')} before this one · ` : 'for a free place · ')}
          {q?.state === 'running' && q.progress && `${detail(q)} · `}
          {duration(elapsed)}
        </span>
        <Button small icon={Square} disabled={run.cancelling} onClick={store.runner.stop}>
          Cancel
        </Button>
      </div>
      <progress max={100} value={known ? percent : undefined} aria-label="How far the query is" />
    </div>
  );
}

function detail(q: Query): string {
  const p = q.progress;
  const parts = [
    p && p.percent > 0 ? `${Math.floor(p.percent)} %` : '',
    p?.bytes ? `${bytes(p.bytes)} read` : '',
    p?.rows ? plural(p.rows, 'row') : '',
  ];
  return parts.filter(Boolean).join(', ') || 'starting';
}

// useElapsed is the seconds since a moment, several times a second.
function useElapsed(since: number): number {
  const [now, setNow] = useState(performance.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(performance.now()), 200);
    return () => clearInterval(timer);
  }, []);
  return Math.max(0, Math.round((now - since) / 100) / 10);
}

const seconds = (q: Query): number => (q.started && q.ended ? (Date.parse(q.ended) - Date.parse(q.started)) / 1000 : 0);
const took = (q: Query): string => duration(seconds(q));

// Facts shows the costs of a finished query. onWhole asks again for all rows of a result that was cut.
function Facts({ query: q, onWhole }: { query: Query; onWhole: () => void }) {
  return (
    <div class={partStyle.factsLine}>
      <strong>{plural(q.rows, 'row')}</strong>
      {q.cut && (
        <span title={`The result was cut: it has as many ${q.cut} as a result may have.`}>
          <Badge tone="warn">not all rows</Badge>
        </span>
      )}
      {q.cut && !q.whole && (
        <Button small onClick={onWhole}>
          Get all rows
        </Button>
      )}
      <span>{took(q)}</span>
      {q.ended && Date.now() - Date.parse(q.ended) > 60_000 && <Time at={q.ended} />}
      {q.reads && q.reads.files > 0 && (
        <span title={q.reads.text}>
          {plural(q.reads.files, 'file')}, {bytes(q.read || q.reads.bytes)}
        </span>
      )}
      {q.cpu > 0 && <span>{duration(q.cpu / 1e9)} of CPU</span>}
      {q.notes?.map(n => (
        <span key={n} class={partStyle.factsNote}>
          {n}
        </span>
      ))}
    </div>
  );
}

// InFile is below a run whose rows are in a file.
function InFile({ query: q, format, onShow }: { query: Query; format: string; onShow: () => void }) {
  return (
    <Note
      action={
        <Button small onClick={onShow}>
          Show the rows here
        </Button>
      }
    >
      {q.cut ? `The file has the first ${plural(q.rows, 'row')}. ` : 'The file has all rows. '}
      <a href={resultUrl(q.id, format)} download target="_self">
        Download it again
      </a>
      {q.expires && (
        <>
          , until <Time at={q.expires} />
        </>
      )}
    </Note>
  );
}

function Failed({ store, run }: { store: Store; run: Run }) {
  const p = run.problem ?? { status: 0 };
  const fixable = (p.add?.length ?? 0) > 0;
  const to = run.from + (run.sql ?? '').length;
  return (
    <Note
      tone="bad"
      title={fixable ? 'The query was not run' : p.status === 0 ? 'No answer' : 'The query failed'}
      action={<Copy text={problemText(p)} label="Copy the error" />}
    >
      {p.line ? <Place store={store} problem={p} from={run.from} /> : null}
      <span class={partStyle.problemText}>{p.message ?? problemText(p)}</span>
      {p.hint && !fixable && <div>{p.hint}</div>}
      <Correction store={store} problem={p} from={run.from} />
      {fixable && !store.doc.readOnly.value && <Fixes store={store} problem={p} from={run.from} to={to} />}
    </Note>
  );
}
