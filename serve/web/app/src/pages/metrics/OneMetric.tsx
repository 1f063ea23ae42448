import { BookOpen } from 'lucide';
import { get } from '../../api/client';
import { useLoad } from '../../api/hooks';
import { Copy, LinkButton, Loaded, Note, PageHead, Panel } from '../../ui';
import { Asked } from './Asked';
import { Expiry, Known } from './Dictionary';
import { address, type Metric } from './metric';
import style from './metrics.module.css';

// OneMetric is a metric: what its definition says, the columns with its values, and these over days.
export function OneMetric({ table, column }: { table: string; column: string }) {
  const metric = useLoad(signal => get('/metrics/{table}/{column}', { path: { table, column }, signal }), [table, column]);
  const m = metric.data;
  return (
    <div class="page">
      <PageHead
        title={<span class={style.title}>{m?.name ?? column}</span>}
        actions={
          <>
            <LinkButton href="/metrics">All metrics</LinkButton>
            <LinkButton href={`/catalog/${table}`} icon={BookOpen}>
              Table
            </LinkButton>
          </>
        }
      >
        {m?.description}
      </PageHead>
      <Loaded of={metric} lines={8}>
        {m => (
          <>
            {m.place.reads ? (
              <Asked m={m} />
            ) : (
              <Note>You may not read this column. Who administers this installation can grant you {m.place.table}.</Note>
            )}
            <Panel title="Definition">
              <Definition m={m} />
            </Panel>
          </>
        )}
      </Loaded>
    </div>
  );
}

function Definition({ m }: { m: Metric }) {
  return (
    <dl class="facts">
      <dt>Type</dt>
      <dd>
        {m.type} <Expiry expires={m.expires} />
      </dd>
      <dt>Application</dt>
      <dd>{m.application}</dd>
      <dt>Pings</dt>
      <dd>{m.pings.join(', ') || 'none'}</dd>
      <dt>Expires</dt>
      <dd>{m.expires || 'not known'}</dd>
      {m.extra && m.extra.length > 0 && (
        <>
          <dt>Extra keys</dt>
          <dd>
            <ul class={style.plain}>
              {m.extra.map(e => (
                <li key={e.name}>
                  <code>{e.name}</code> <span class="muted">{e.type}</span>
                </li>
              ))}
            </ul>
          </dd>
        </>
      )}
      <dt>{m.places.length > 1 ? 'Columns' : 'Column'}</dt>
      <dd>
        <ul class={style.plain}>
          {m.places.map(p => (
            <li key={`${p.table} ${p.column}`} class={style.place}>
              {p.table === m.place.table && p.column === m.place.column ? (
                <code>
                  {p.table}.{p.column}
                </code>
              ) : (
                <a href={address(p)}>
                  <code>
                    {p.table}.{p.column}
                  </code>
                </a>
              )}
              <Copy text={p.column} label={`Copy ${p.column}`} />
              <span class="muted small">
                {p.type.length > 60 ? `${p.type.slice(0, p.type.search(/[<(]/))}<…>` : p.type} <Known p={p} />
              </span>
            </li>
          ))}
        </ul>
      </dd>
    </dl>
  );
}
