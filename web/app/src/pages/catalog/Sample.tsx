import { Play } from 'lucide';
import { useLoad } from '../../api/hooks';
import { rowsOf, submit } from '../../api/queries';
import { plain, type Row } from '../../result/format';
import { Button, Empty, ErrorBox, LinkButton, Note, Panel, Spinner } from '../../ui';
import { day } from '../../ui/formats';
import { openQuery } from '../query/open';
import type { TableInfo } from './OneTable';

const rows = 20;
const mostColumns = 40; // of a table with many hundred; the others are a query away

// asked are the samples that were asked for in this tab, by what they are of: each is one query of the person's own.
const asked = new Map<string, Promise<Sampled>>();

interface Sampled {
  columns: { name: string; type: string }[];
  rows: Row[];
}

// Sample has some rows of the newest day, read as any query of the person is.
export function Sample({ t }: { t: TableInfo }) {
  const columns = (t.schema ?? []).slice(0, mostColumns).map(c => c.name);
  const sql = sampleSQL(t, columns);
  const key = `${sql} ${t.fresh.published ?? ''}`;
  const { data, error, loading, reload } = useLoad(() => {
    const known = asked.get(key) ?? run(sql);
    asked.set(key, known);
    known.catch(() => asked.delete(key));
    return known;
  }, [key]);
  if (!t.fresh.newest) {
    return <Empty title="Nothing is published yet" />;
  }
  return (
    <div class="stack">
      <div class="row">
        <span class="muted small grow">
          {rows} rows of {day(t.fresh.complete ?? t.fresh.newest)}
          {(t.schema?.length ?? 0) > mostColumns && `, the first ${mostColumns} of ${t.schema?.length} columns`}
        </span>
        <span onClickCapture={() => openQuery({ sql, run: true })}>
          <LinkButton small icon={Play} href="/query">
            Open as a query
          </LinkButton>
        </span>
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
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must reach it */}
          <div class="table-box sample" tabIndex={0} role="region" aria-label="Sample rows">
            <table class="table">
              <thead>
                <tr>
                  {data.columns.map(c => (
                    <th key={c.name} scope="col">
                      {c.name}
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody>
                {data.rows.map((row, i) => (
                  <tr key={i}>
                    {row.map((v, j) => (
                      <td key={data.columns[j]!.name}>
                        {v === null ? <span class="muted">null</span> : <span class="sample-cell">{plain(v)}</span>}
                      </td>
                    ))}
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        </Panel>
      )}
      {error ? <Button onClick={reload}>Try again</Button> : null}
    </div>
  );
}

async function run(sql: string): Promise<Sampled> {
  const q = await submit({ sql, dialect: 'duckdb' }, 60);
  if (q.error) {
    throw new Error(q.error.message);
  }
  if (q.state !== 'done') {
    throw new Error('It takes long: open it as a query');
  }
  const page = await rowsOf(q.id)(0, rows, new AbortController().signal);
  return { columns: q.columns ?? [], rows: page.rows };
}

const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`;

function sampleSQL(t: TableInfo, columns: string[]): string {
  const key = t.partitionKeys?.[0];
  const newest = t.fresh.complete ?? t.fresh.newest ?? '';
  const value = key === 'submission_date' ? day(newest) : newest;
  return `SELECT ${columns.map(quoted).join(', ')}\nFROM ${t.name}\nWHERE ${key} = '${value}'\nLIMIT ${rows}`;
}
