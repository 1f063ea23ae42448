import { Radio } from 'lucide';
import { get } from '../../api/client';
import { useLoad } from '../../api/hooks';
import { Badge, Panel, Spark } from '../../ui';
import { bytes, compact, number } from '../../ui/formats';
import style from './ingestion.module.css';

// Live shows the present work of the edge, if it runs in the process that serves the pages.
export function Live() {
  const { data } = useLoad(signal => get('/ingestion/live', { signal }), [], 5);
  const points = data?.points ?? [];
  const last = points.at(-1);
  if (!data?.here || !last) {
    return null;
  }
  const rate = (n: number) => `${n < 10 ? number(n, 1) : compact(Math.round(n))} a second`;
  const rows = [
    { name: 'Accepted', now: rate(last.accepted), values: points.map(p => p.accepted) },
    { name: 'Refused', now: rate(last.refused), values: points.map(p => p.refused) },
    { name: 'Failed', now: rate(last.failed), values: points.map(p => p.failed) },
    { name: 'Bodies', now: `${bytes(last.bytes)} a second`, values: points.map(p => p.bytes) },
  ];
  return (
    <Panel
      title={
        <span class="row">
          <Badge tone="accent" icon={Radio}>
            live
          </Badge>
          The last {Math.max(1, Math.round((points.length * data.every) / 60))} min of the edge
        </span>
      }
      actions={
        <span class="muted small">
          {number(data.connections)} connections, {bytes(data.inFlight)} in flight
        </span>
      }
    >
      <dl class={style.live}>
        {rows.map(r => (
          <div key={r.name}>
            <dt>{r.name}</dt>
            <dd>{r.now}</dd>
            <dd>
              <Spark
                values={r.values}
                width={220}
                height={32}
                high={Math.max(1, ...r.values)}
                label={`${r.name} over the last minutes, at most ${compact(Math.round(Math.max(0, ...r.values)))} a second`}
              />
            </dd>
          </div>
        ))}
      </dl>
    </Panel>
  );
}
