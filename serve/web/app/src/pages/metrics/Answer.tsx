import { get } from '../../api/client';
import { useLoad } from '../../api/hooks';
import { cancel, ended, query, rowsOf, submit } from '../../api/queries';
import { Empty, ErrorBox, Spinner } from '../../ui';
import type { Choice, Metric } from './metric';
import { Shown } from './Shown';
import type { Result } from './shown';

const mostRows = 10_000; // of a page of a result

// Answer asks, and asks again when the choice changes or the button is pressed again (turn).
export function Answer({ m, choice, turn, onSQL }: { m: Metric; choice: Choice; turn: number; onSQL: (sql: string) => void }) {
  const result = useLoad(signal => ask(m, choice, onSQL, signal), [JSON.stringify(choice), turn]);
  const r = result.data;
  return (
    <>
      {result.loading && (
        <p class="row">
          <Spinner label="Asking" /> The query runs.
        </p>
      )}
      <ErrorBox error={result.error} retry={result.reload} />
      {r?.rows.length === 0 && <Empty title="No values in these days">No ping of these days has the metric.</Empty>}
      {r && r.rows.length > 0 && <Shown key={JSON.stringify(choice)} m={m} r={r} cut={r.rows.length >= mostRows} />}
    </>
  );
}

// ask runs the query of a choice as any query of the person. A query that is no longer wanted is cancelled.
async function ask(m: Metric, choice: Choice, onSQL: (sql: string) => void, signal: AbortSignal): Promise<Result> {
  const asked = await get('/metrics/{table}/{column}/query', {
    path: { table: m.place.table, column: m.place.column },
    query: { ...choice, by: choice.by as 'channel' },
    signal,
  });
  onSQL(asked.sql);
  let q = await submit({ sql: asked.sql, dialect: 'presto' }, 0, signal);
  signal.addEventListener('abort', () => !ended(q) && cancel(q.id).catch(() => {}));
  while (!ended(q)) {
    q = await query(q.id, 20, signal);
  }
  if (q.error || q.state !== 'done') {
    throw new Error([q.error?.message ?? `The query was ${q.state}.`, q.error?.hint].filter(Boolean).join(' · '));
  }
  const page = await rowsOf(q.id)(0, mostRows, signal);
  return { columns: q.columns ?? [], rows: page.rows, keys: asked.keys, measures: asked.measures ?? [] };
}
