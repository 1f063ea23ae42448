import { Lock, Radio, Search as SearchIcon, SearchX, Weight } from 'lucide';
import { useEffect, useRef, useState } from 'preact/hooks';
import { get } from '../../api/client';
import { useLoad } from '../../api/hooks';
import type { components } from '../../api/schema';
import { Badge, Empty, Icon, LinkButton, Loaded, PageHead, Panel, Search, Tooltip, useShortcut } from '../../ui';
import { bytes, compact, day, duration, number, plural } from '../../ui/formats';
import style from './catalog.module.css';

export type Summary = components['schemas']['TableSummary'];

export function TableList() {
  const [text, setText] = useState('');
  const box = useRef<HTMLDivElement>(null);
  useShortcut('/', 'Search', () => box.current?.querySelector('input')?.focus(), { group: 'Catalog' });
  return (
    <div class="page">
      <PageHead title="Catalog" actions={<LinkButton href="/metrics">Metrics</LinkButton>}>
        What the tables are, how fresh they are, and where each column comes from.
      </PageHead>
      <div ref={box}>
        <Search label="Search tables and columns" value={text} onValue={setText}>
          <Icon of={SearchIcon} />
        </Search>
      </div>
      {text.trim() ? <Found text={text.trim()} /> : <Tables />}
    </div>
  );
}

function Tables() {
  const tables = useLoad(signal => get('/tables', { signal }), [], 30);
  if (!tables.data) {
    return <Loaded of={tables} lines={8} />;
  }
  const { items } = tables.data;
  if (!items?.length) {
    return <Empty title="No tables">Nobody has granted you a table yet. Who administers this installation can.</Empty>;
  }
  return (
    <ul class={style.tableCards}>
      {items.map(t => (
        <Card key={t.name} t={t} />
      ))}
    </ul>
  );
}

function Card({ t }: { t: Summary }) {
  return (
    <li class={`panel ${style.tableCard}`}>
      <div class={style.tableCardHead}>
        <h2>
          <a href={`/catalog/${t.name}`}>{t.name}</a> <span class="muted small">{t.version}</span>
        </h2>
        <Kinds t={t} />
      </div>
      <p>{t.doc}</p>
      <p class="muted small">One row for each {t.grain}.</p>
      <dl class={style.tableFacts}>
        <div>
          <dt>Newest complete</dt>
          <dd>
            <Fresh t={t} />
          </dd>
        </div>
        <div>
          <dt>Days</dt>
          <dd>{number(t.published.days)}</dd>
        </div>
        <div>
          <dt>Rows</dt>
          <dd>{t.reads ? compact(t.published.rows) : '–'}</dd>
        </div>
        <div>
          <dt>Size</dt>
          <dd>{t.reads ? bytes(t.published.bytes) : '–'}</dd>
        </div>
        <div>
          <dt>Columns</dt>
          <dd>{number(t.columns)}</dd>
        </div>
      </dl>
    </li>
  );
}

export const Kinds = ({ t }: { t: Pick<Summary, 'direct' | 'large' | 'restricted' | 'reads' | 'rows'> }) => (
  <span class={`row ${style.kinds}`}>
    {t.direct && (
      <Badge tone="accent" icon={Radio}>
        live
      </Badge>
    )}
    {t.large && (
      <Badge icon={Weight} tone="warn">
        very large
      </Badge>
    )}
    {t.restricted && (
      <Badge icon={Lock} tone="bad">
        {t.reads ? 'restricted' : 'restricted, not granted'}
      </Badge>
    )}
    {t.rows && <Badge tone="warn">only {t.rows}</Badge>}
    {!t.reads && !t.restricted && <Badge icon={Lock}>not granted</Badge>}
  </span>
);

// Fresh is how new the newest rows are: a day for tables of complete days, a time for those whose rows come as pings arrive.
export function Fresh({ t }: { t: Summary }) {
  const { fresh } = t;
  if (!fresh.newest) {
    return <span class="muted">nothing yet</span>;
  }
  if (t.direct && fresh.since !== undefined && fresh.newest !== fresh.complete) {
    return (
      <Tooltip text={`The newest rows are of ${day(fresh.newest)}`}>
        <span>{duration(fresh.since)} ago</span>
      </Tooltip>
    );
  }
  if (!fresh.complete) {
    return <span class="muted">{day(fresh.newest)} is not over</span>;
  }
  return (
    <Tooltip text={fresh.age === undefined ? '' : `It ended ${duration(fresh.age)} ago`}>
      <span>{day(fresh.complete)}</span>
    </Tooltip>
  );
}

const MetricsLink = ({ text }: { text: string }) => (
  <a href={`/metrics?text=${encodeURIComponent(text)}`}>Search the metrics for these words</a>
);

function Found({ text }: { text: string }) {
  const [asked, setAsked] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setAsked(text), 150);
    return () => clearTimeout(timer);
  }, [text]);
  const { data, error } = useLoad(signal => get('/columns', { query: { text: asked, limit: 200 }, signal }), [asked]);
  const tables = useLoad(signal => get('/tables', { signal }), []);
  const named = (tables.data?.items ?? []).filter(t => `${t.name} ${t.doc}`.toLowerCase().includes(asked.toLowerCase()));
  if (!data) {
    return <Loaded of={{ data, error }} />;
  }
  const items = data.items ?? [];
  if (items.length === 0 && named.length === 0) {
    return (
      <Empty icon={SearchX} title="Nothing has these words">
        Names, docs and sources of columns were searched. <MetricsLink text={asked} />
      </Empty>
    );
  }
  return (
    <div class="stack" aria-live="polite">
      <p>
        <MetricsLink text={asked} />
      </p>
      {named.length > 0 && (
        <p class="row">
          <span class="muted">Tables:</span>
          {named.map(t => (
            <a key={t.name} href={`/catalog/${t.name}`}>
              {t.name}
            </a>
          ))}
        </p>
      )}
      <Panel title={plural(data.total, 'column')} flush>
        <ul class={style.found}>
          {items.map(c => (
            <li key={`${c.table}.${c.name}`}>
              <div class={style.foundName}>
                <a href={`/catalog/${c.table}?column=${encodeURIComponent(c.name)}`}>
                  <code>{c.name}</code>
                </a>
                <span class="muted small">{c.table}</span>
              </div>
              <div class="small">{c.doc}</div>
            </li>
          ))}
        </ul>
        {items.length < data.total && <p class="panel-foot muted small">The first {number(items.length)} are shown.</p>}
      </Panel>
    </div>
  );
}
