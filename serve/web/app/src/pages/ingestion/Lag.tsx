import { get } from '../../api/client';
import { useLoad } from '../../api/hooks';
import { Badge, Empty, Loaded, Note, Panel, Spark, Table, Time } from '../../ui';
import { bytes, duration, number, plural } from '../../ui/formats';
import style from './ingestion.module.css';

const late = 3600; // seconds from which on a lag is shown as one to look into

// Lag is how far each edge is decoded, and what waits in the spool.
export function Lag({ from, to }: { from: string; to: string }) {
  const lag = useLoad(signal => get('/ingestion/lag', { query: { from, to }, signal }), [from, to], 15);
  if (!lag.data) {
    return <Loaded of={lag} />;
  }
  const edges = lag.data.edges ?? [];
  const b = lag.data.backlog;
  return (
    <div class="stack">
      {(lag.data.troubles ?? []).map(t => (
        <Note key={t} tone="bad" title="Decoding tries in vain">
          {t}
        </Note>
      ))}
      {edges.length === 0 && !b && <Empty title="No edge has written here">What was loaded from files has no lag.</Empty>}
      {edges.length > 0 && (
        <Panel title="Edges" flush>
          <Table
            caption="How far each edge is decoded"
            rows={edges}
            rowKey={e => e.edge}
            columns={[
              { id: 'edge', head: 'Edge', header: true, cell: e => e.edge },
              { id: 'to', head: 'Decoded up to', cell: e => <Time at={e.watermark} /> },
              {
                id: 'lag',
                head: 'Lag',
                num: true,
                cell: e => <Badge tone={e.lag > late ? 'warn' : 'good'}>{duration(e.lag)}</Badge>,
                sort: e => e.lag,
              },
              {
                id: 'over',
                head: 'Over time',
                cell: e => (
                  <Spark
                    values={e.values ?? []}
                    width={240}
                    high={Math.max(1, ...(e.values ?? []))}
                    label={`Lag of ${e.edge} over time, at most ${duration(Math.max(0, ...(e.values ?? [])))}`}
                  />
                ),
              },
            ]}
          />
        </Panel>
      )}
      {b && (
        <Panel title="Spool">
          <dl class="facts">
            <dt>Waiting</dt>
            <dd>
              {plural(b.records, 'submission')} in {plural(b.segments, 'segment')}, {bytes(b.bytes)}
            </dd>
            <dt>Oldest</dt>
            <dd>{b.oldest ? <Time at={b.oldest} /> : 'none'}</dd>
            <dt>Damaged</dt>
            <dd class={b.damaged > 0 ? style.failed : undefined}>{number(b.damaged)}</dd>
            <dt>Over time</dt>
            <dd>
              <Spark
                values={b.values ?? []}
                width={240}
                high={Math.max(1, ...(b.values ?? []))}
                label={`Submissions that waited, at most ${number(Math.max(0, ...(b.values ?? [])))}`}
              />
            </dd>
          </dl>
        </Panel>
      )}
    </div>
  );
}
