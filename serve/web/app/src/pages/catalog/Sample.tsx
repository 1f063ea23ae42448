import { Play } from 'lucide';
import { get } from '../../api/client';
import { useLoad } from '../../api/hooks';
import { rowsOf } from '../../api/queries';
import { RowsTable } from '../../result/RowsTable';
import { Button, Empty, ErrorBox, LinkButton, Note, Panel, Spinner } from '../../ui';
import { day, plural } from '../../ui/formats';
import type { TableInfo } from './table';

// Sample has some rows of the newest day, read as any query of the person is.
export function Sample({ t }: { t: TableInfo }) {
  const { data, error, loading, reload } = useLoad(signal => load(t.name, signal), [t.name]);
  if (!t.fresh.newest) {
    return <Empty title="Nothing is published yet" />;
  }
  return (
    <div class="stack">
      <div class="row">
        <span class="muted small grow">
          {data && `${plural(data.rows.length, 'row')} of ${day(data.day)}`}
          {data &&
            data.columns.length < (t.schema?.length ?? 0) &&
            `, the first ${data.columns.length} of ${t.schema?.length} columns`}
        </span>
        {data && (
          <LinkButton small icon={Play} href={`/query/${data.id}`}>
            Open as a query
          </LinkButton>
        )}
      </div>
      {loading && !data && (
        <p class="row">
          <Spinner label="Reading some rows" /> Reading some rows
        </p>
      )}
      {error ? <ErrorBox error={error} retry={reload} /> : null}
      {data && data.rows.length === 0 && <Note>That day has no rows.</Note>}
      {data && data.rows.length > 0 && (
        <Panel flush>
          <RowsTable label="Sample rows" columns={data.columns} rows={data.rows} />
        </Panel>
      )}
      {error ? <Button onClick={reload}>Try again</Button> : null}
    </div>
  );
}

// load has the server ask for the rows as a query of the person, once an hour, and reads them.
async function load(name: string, signal: AbortSignal) {
  const { query: q, day } = await get('/tables/{name}/sample', { path: { name }, signal });
  if (q.error) {
    throw new Error(q.error.message);
  }
  if (q.state !== 'done') {
    throw new Error(`It takes long: it goes on as a query, which the history has.`);
  }
  const page = await rowsOf(q.id)(0, 100, signal);
  return { id: q.id, day, columns: q.columns ?? [], rows: page.rows };
}
