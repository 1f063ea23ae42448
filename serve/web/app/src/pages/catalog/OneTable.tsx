import { Activity, Braces, Columns3, Database, FlaskConical, HardDrive, Network, Play } from 'lucide';
import { useLocation } from 'preact-iso';
import { get } from '../../api/client';
import { useLoad } from '../../api/hooks';
import { Copy, LinkButton, Loaded, PageHead, Panel, type Tab, Tabs } from '../../ui';
import { bytes, day, duration, number } from '../../ui/formats';
import { openQuery } from '../query/open';
import { ColumnList } from './Columns';
import style from './catalog.module.css';
import { DDL } from './DDL';
import { Examples } from './Examples';
import { Graph } from './Graph';
import { Fresh, Kinds } from './List';
import { Partitions } from './Partitions';
import { Sample } from './Sample';
import { firstQuery, type TableInfo } from './table';

type TabName = 'columns' | 'partitions' | 'lineage' | 'examples' | 'sample' | 'ddl';

export function OneTable({ name }: { name: string }) {
  const table = useLoad(signal => get('/tables/{name}', { path: { name }, signal }), [name]);
  const { query, route } = useLocation();
  const t = table.data;
  if (!t) {
    return (
      <div class="page">
        <PageHead title={name} />
        <Loaded of={table} lines={10} />
        {table.error ? (
          <p>
            <a href="/catalog">All tables</a>
          </p>
        ) : null}
      </div>
    );
  }
  const tabs: Tab<TabName>[] = [
    { id: 'columns', label: 'Columns', icon: Columns3, count: t.schema?.length ?? 0 },
    { id: 'partitions', label: 'Partitions', icon: HardDrive, count: t.published.days },
    { id: 'lineage', label: 'Lineage', icon: Network },
    { id: 'examples', label: 'Queries', icon: FlaskConical },
    ...(t.reads ? [{ id: 'sample' as const, label: 'Sample', icon: Database }] : []),
    { id: 'ddl', label: 'Other engines', icon: Braces },
  ];
  const tab = tabs.find(o => o.id === query.tab)?.id ?? 'columns';
  return (
    <div class="page">
      <PageHead
        title={
          <>
            {t.name} <span class={`muted ${style.version}`}>{t.version}</span>
          </>
        }
        actions={
          t.reads && (
            <>
              {t.schema?.some(c => c.probe) && <LinkButton href={`/metrics?table=${name}`}>Metrics</LinkButton>}
              <LinkButton href={`/quality/${name}`} icon={Activity}>
                Quality
              </LinkButton>
              <span onClickCapture={() => openQuery({ sql: firstQuery(t) })}>
                <LinkButton href="/query" kind="primary" icon={Play}>
                  Ask it
                </LinkButton>
              </span>
            </>
          )
        }
      >
        {t.doc}
      </PageHead>
      <Kinds t={t} />
      <div class={style.columns2}>
        {(t.use || t.notes?.length) && (
          <Panel title="What it is for">
            <p>{t.use}</p>
            <ul>
              {(t.notes ?? []).map(n => (
                <li key={n}>{n}</li>
              ))}
            </ul>
          </Panel>
        )}
        <Panel title="At a glance">
          <Facts t={t} />
        </Panel>
      </div>
      <Tabs label="Of the table" tabs={tabs} value={tab} onValue={id => route(`/catalog/${name}?tab=${id}`, true)}>
        {tab === 'columns' && <ColumnList t={t} chosen={query.column} />}
        {tab === 'partitions' && <Partitions name={name} reads={t.reads} />}
        {tab === 'lineage' && <Graph lineage={t.lineage} here={t.name} />}
        {tab === 'examples' && <Examples t={t} />}
        {tab === 'sample' && <Sample t={t} />}
        {tab === 'ddl' && <DDL name={name} />}
      </Tabs>
    </div>
  );
}

function Facts({ t }: { t: TableInfo }) {
  const { fresh, published } = t;
  return (
    <dl class="facts">
      <dt>One row for each</dt>
      <dd>{t.grain}</dd>
      <dt>Refreshed</dt>
      <dd>{t.refresh}</dd>
      <dt>Newest complete</dt>
      <dd>
        <Fresh t={t} />
        {fresh.age !== undefined && fresh.complete && <span class="muted">, ended {duration(fresh.age)} ago</span>}
      </dd>
      <dt>Published</dt>
      <dd>
        {published.days === 0
          ? 'nothing yet'
          : `${t.reads ? `${number(published.rows)} rows of ` : ''}${number(published.days)} days, ${day(published.first ?? '')} to ${day(published.last ?? '')}${t.reads ? `; ${bytes(published.bytes)} in ${number(published.files)} files` : ''}`}
      </dd>
      <dt>Partitioned by</dt>
      <dd>
        <code>{(t.partitionKeys ?? []).join(', ')}</code>
      </dd>
      <dt>Location</dt>
      <dd class="secret">
        <code>{t.location}</code>
        <Copy text={t.location} label="Copy the location" />
      </dd>
      {(t.checks ?? []).length > 0 && (
        <>
          <dt>Always true</dt>
          <dd>
            <ul class={style.plain}>
              {(t.checks ?? []).map(c => (
                <li key={c.name}>{c.rule}</li>
              ))}
            </ul>
          </dd>
        </>
      )}
    </dl>
  );
}
