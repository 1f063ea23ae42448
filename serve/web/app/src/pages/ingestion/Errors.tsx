import { useState } from 'preact/hooks';
import { get } from '../../api/client';
import { useLoad } from '../../api/hooks';
import { Badge, Empty, Loaded, Panel, Select, Table, Time } from '../../ui';
import { bytes, number } from '../../ui/formats';
import style from './ingestion.module.css';

const classes = [
  { value: '', label: 'All but duplicates' },
  { value: 'uri', label: 'uri: the path is of no known form' },
  { value: 'json', label: 'json: the body is not what it should be' },
  { value: 'record', label: 'record: it could not be read' },
  { value: 'internal', label: 'internal: anything else' },
  { value: 'duplicate', label: 'duplicate: it came before' },
];

// Errors are samples of what was rejected, and the reasons, without anything that says whose it was.
export function Errors() {
  const [of, setOf] = useState('');
  const errors = useLoad(signal => get('/ingestion/errors', { query: { class: of, limit: 100 }, signal }), [of]);
  return (
    <div class="stack">
      <div class={style.errorsClass}>
        <Select label="Class" value={of} onValue={setOf} choices={classes} />
      </div>
      <Loaded of={errors}>
        {data =>
          !data.items?.length ? (
            <Empty title="Nothing was rejected">At least nothing that is still in the archive.</Empty>
          ) : (
            <>
              <Panel title={`Reasons of the newest ${number(data.looked)}${data.more ? ', there are more' : ''}`} flush>
                <Table
                  caption="Reasons"
                  rows={data.reasons ?? []}
                  rowKey={r => `${r.class} ${r.message}`}
                  columns={[
                    { id: 'n', head: 'Times', num: true, cell: r => number(r.n), sort: r => r.n },
                    { id: 'class', head: 'Class', cell: r => <Badge>{r.class}</Badge>, sort: r => r.class },
                    {
                      id: 'message',
                      head: 'Reason',
                      header: true,
                      cell: r => <span class={style.reason}>{r.message || '–'}</span>,
                    },
                    { id: 'types', head: 'Types', cell: r => (r.types ?? []).join(', ') },
                    { id: 'last', head: 'Last', cell: r => (r.last ? <Time at={r.last} /> : '–') },
                  ]}
                  start={{ by: 'n', down: true }}
                />
              </Panel>
              <Panel title="Samples, newest first" flush>
                <Table
                  caption="Samples of rejected submissions"
                  rows={data.items.map((e, i) => ({ ...e, i }))}
                  rowKey={e => String(e.i)}
                  columns={[
                    { id: 'time', head: 'Arrived', cell: e => (e.time ? <Time at={e.time} full /> : 'unknown') },
                    { id: 'class', head: 'Class', cell: e => <Badge>{e.class}</Badge> },
                    { id: 'type', head: 'Type', cell: e => e.type || '–' },
                    { id: 'message', head: 'Reason', cell: e => <span class={style.reason}>{e.message || '–'}</span> },
                    { id: 'size', head: 'Size', num: true, cell: e => bytes(e.size) },
                  ]}
                />
              </Panel>
              <p class="muted small">
                Bodies, paths and ids are not shown here. <code>pingmill errors</code> on the server shows them to users with
                access to the archive.
              </p>
            </>
          )
        }
      </Loaded>
    </div>
  );
}
