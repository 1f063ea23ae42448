import { useState } from 'preact/hooks';
import { get } from '../../api/client';
import { useLoad } from '../../api/hooks';
import type { components } from '../../api/schema';
import { Badge, Empty, Loaded, Panel, Spark, Table, Time } from '../../ui';
import { bytes, compact, day, number, plural } from '../../ui/formats';

type Partition = components['schemas']['TablePartition'];

const page = 100;

// Partitions are the published days, newest first. Without the right to read the table there are no numbers of rows.
export function Partitions({ name, reads }: { name: string; reads: boolean }) {
  const [most, setMost] = useState(page);
  const partitions = useLoad(
    signal => get('/tables/{name}/partitions', { path: { name }, query: { limit: most }, signal }),
    [name, most],
    30,
  );
  if (!partitions.data) {
    return <Loaded of={partitions} />;
  }
  const items = partitions.data.items ?? [];
  if (items.length === 0) {
    return <Empty title="Nothing is published yet">The calendar of the jobs says why.</Empty>;
  }
  return (
    <div class="stack">
      {reads && (
        <Panel title="Rows a day">
          <Spark
            kind="bars"
            width={900}
            height={56}
            values={items.map(p => p.rows).reverse()}
            label={`Rows of ${plural(items.length, 'day')}, from ${compact(Math.min(...items.map(p => p.rows)))} to ${compact(Math.max(...items.map(p => p.rows)))} a day`}
          />
        </Panel>
      )}
      <Panel flush>
        <Table
          caption="Published days"
          rows={items}
          rowKey={p => p.day}
          columns={[
            { id: 'day', head: 'Day', header: true, cell: p => day(p.day), sort: p => p.day },
            { id: 'rows', head: 'Rows', num: true, cell: p => (reads ? number(p.rows) : '–'), sort: p => p.rows },
            { id: 'bytes', head: 'Size', num: true, cell: p => (reads ? bytes(p.bytes) : '–'), sort: p => p.bytes },
            { id: 'files', head: 'Files', num: true, cell: p => (reads ? number(p.files) : '–'), sort: p => p.files },
            { id: 'published', head: 'Published', cell: p => (p.published ? <Time at={p.published} /> : '–') },
            { id: 'run', head: 'Run', cell: p => (p.run ? <a href={`/jobs/${p.run}`}>{p.run}</a> : '–') },
            { id: 'code', head: 'Made by', cell: p => <span class="small">{p.code ?? '–'}</span> },
            { id: 'generation', head: 'Generation', cell: p => <code class="small">{p.generation?.slice(0, 10)}</code> },
            { id: 'notes', head: 'Notes', cell: p => <Notes p={p} /> },
          ]}
        />
      </Panel>
      {partitions.data.next && (
        <button type="button" class="button" onClick={() => setMost(n => n + 5 * page)}>
          Show older days
        </button>
      )}
    </div>
  );
}

const Notes = ({ p }: { p: Partition }) => (
  <span class="row">
    {p.growing && <Badge tone="accent">growing</Badge>}
    {p.older && <Badge>older columns</Badge>}
    {p.rewritten && <Badge>rows removed</Badge>}
    {p.damaged && <Badge tone="bad">damaged</Badge>}
    {p.skippedChecks?.map(c => (
      <Badge key={c} tone="warn">
        {c} skipped
      </Badge>
    ))}
  </span>
);
