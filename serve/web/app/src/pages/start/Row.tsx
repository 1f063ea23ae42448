import { Play } from 'lucide';
import { useState } from 'preact/hooks';
import { useLoad } from '../../api/hooks';
import { ended, query, rowsOf, submit } from '../../api/queries';
import { RowsTable } from '../../result/RowsTable';
import { ErrorBox, LinkButton, Panel, Skeleton } from '../../ui';
import type { StartPing } from './start';

const shown = 40; // columns; the query has all

// Row reads the row of a ping as a query of the person, and again if it is not there yet.
export function Row({ ping }: { ping: StartPing }) {
  const [there, setThere] = useState(false);
  const { data, error, reload } = useLoad(
    async signal => {
      const first = await submit({ sql: ping.sql ?? '', dialect: 'presto' }, 20, signal);
      const q = ended(first) ? first : await query(first.id, 30, signal);
      if (q.error) {
        throw new Error(q.error.message);
      }
      const { rows } = await rowsOf(q.id)(0, 1, signal);
      setThere(rows.length > 0);
      return { id: q.id, columns: q.columns ?? [], rows };
    },
    [ping.sql],
    there ? undefined : 10,
  );
  const some = data && data.rows.length > 0;
  return (
    <Panel
      title={`The row in ${ping.table}`}
      flush
      actions={
        some && (
          <LinkButton small icon={Play} href={`/query/${data.id}`}>
            Open in the editor
          </LinkButton>
        )
      }
      foot={some && data.columns.length > shown && `The first ${shown} of ${data.columns.length} columns.`}
    >
      <ErrorBox error={error} retry={reload} />
      {some ? (
        <RowsTable label={`The row in ${ping.table}`} columns={data.columns.slice(0, shown)} rows={data.rows} />
      ) : (
        !error && (
          <div class="panel-body">
            <Skeleton lines={2} />
          </div>
        )
      )}
    </Panel>
  );
}
