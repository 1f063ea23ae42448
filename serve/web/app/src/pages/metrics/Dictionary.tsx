import { Search as SearchIcon, SearchX } from 'lucide';
import { useEffect, useRef, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { get } from '../../api/client';
import { useAction, useLoad } from '../../api/hooks';
import { Badge, Button, Empty, ErrorBox, Icon, Loaded, PageHead, Panel, Search, Select, useShortcut } from '../../ui';
import { number, percent, plural, day as written } from '../../ui/formats';
import { address, type Entry, type Place } from './metric';
import style from './metrics.module.css';

interface Wanted {
  text?: string;
  application?: string;
  table?: string;
  ping?: string;
  type?: string;
}

const shownAtOnce = 50;

// Dictionary lists the metrics of all definitions. The address has what was searched for.
export function Dictionary() {
  const { query, route } = useLocation();
  const wanted: Wanted = {
    text: query.text,
    application: query.application,
    table: query.table,
    ping: query.ping,
    type: query.type,
  };
  const [text, setText] = useState(wanted.text ?? '');
  const box = useRef<HTMLDivElement>(null);
  useShortcut('/', 'Search', () => box.current?.querySelector('input')?.focus(), { group: 'Metrics' });
  const go = (to: Wanted) => {
    const q = new URLSearchParams();
    for (const [k, v] of Object.entries({ ...wanted, text: text.trim(), ...to })) {
      if (v) {
        q.set(k, v);
      }
    }
    const next = q.toString();
    route(`/metrics${next ? `?${next}` : ''}`, true);
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: the text alone waits for the next key
  useEffect(() => {
    if (text.trim() === (wanted.text ?? '')) {
      return;
    }
    const timer = setTimeout(() => go({}), 150);
    return () => clearTimeout(timer);
  }, [text]);
  const found = useLoad(
    signal => get('/metrics', { query: { ...wanted, limit: shownAtOnce }, signal }),
    [JSON.stringify(wanted)],
  );
  const last = useRef(found.data);
  last.current = found.data ?? last.current;
  const choices = last.current; // the filters stay while the next list is loaded
  return (
    <div class="page">
      <PageHead title="Metrics">What each metric and probe is, which pings have it, and the column with its values.</PageHead>
      <div class={style.filters}>
        <div ref={box} class={style.search}>
          <Search label="Search metrics" value={text} onValue={setText}>
            <Icon of={SearchIcon} />
          </Search>
        </div>
        <Filter
          label="Application"
          all={choices?.applications}
          value={wanted.application}
          onValue={application => go({ application })}
        />
        <Filter label="Ping" all={choices?.pings} value={wanted.ping} onValue={ping => go({ ping })} />
        <Filter label="Type" all={choices?.types} value={wanted.type} onValue={type => go({ type })} />
      </div>
      {wanted.table && (
        <p class="row">
          Of the table <a href={`/catalog/${wanted.table}`}>{wanted.table}</a>
          <Button small onClick={() => go({ table: '' })}>
            Of all tables
          </Button>
        </p>
      )}
      <Loaded of={found} lines={10}>
        {data =>
          data.total === 0 ? (
            <Nothing searched={Object.values(wanted).some(Boolean)} />
          ) : (
            <List key={JSON.stringify(wanted)} first={data.items} total={data.total} wanted={wanted} />
          )
        }
      </Loaded>
    </div>
  );
}

const Nothing = ({ searched }: { searched: boolean }) =>
  searched ? (
    <Empty icon={SearchX} title="No metric has these words">
      Names, types, descriptions, pings and columns were searched, in the tables that you may read.
    </Empty>
  ) : (
    <Empty title="No metrics">
      None of the tables that you may read has metrics. Glean definitions are in the folder of the setting glean.definitions.
    </Empty>
  );

function Filter({ label, all, value, onValue }: { label: string; all?: string[]; value?: string; onValue: (v: string) => void }) {
  const known = all ?? [];
  const choices = value && !known.includes(value) ? [value, ...known] : known;
  return (
    <Select
      label={label}
      value={value ?? ''}
      onValue={onValue}
      choices={[{ value: '', label: 'All' }, ...choices.map(c => ({ value: c, label: c }))]}
    />
  );
}

function List({ first, total, wanted }: { first: Entry[]; total: number; wanted: Wanted }) {
  const [more, setMore] = useState<Entry[]>([]);
  const all = [...first, ...more];
  const load = useAction(async () => {
    const next = await get('/metrics', { query: { ...wanted, limit: shownAtOnce, offset: all.length } });
    setMore(m => [...m, ...next.items]);
  });
  return (
    <Panel title={<span aria-live="polite">{plural(total, 'metric')}</span>} flush>
      <ul class={style.list}>
        {all.map(e => (
          <Line key={`${e.application} ${e.name} ${e.type}`} e={e} />
        ))}
      </ul>
      {all.length < total && (
        <div class="panel-foot row">
          <Button small busy={load.busy} onClick={() => load.run()}>
            Show {number(Math.min(shownAtOnce, total - all.length))} more
          </Button>
          <span class="muted small">
            {number(all.length)} of {number(total)} are shown.
          </span>
          <ErrorBox error={load.error} />
        </div>
      )}
    </Panel>
  );
}

function Line({ e }: { e: Entry }) {
  const place = e.places[0]!;
  return (
    <li>
      <div class={style.lineHead}>
        <a href={address(place)}>
          <code>{e.name}</code>
        </a>
        <span class={style.type}>{e.type}</span>
        <Expiry expires={e.expires} />
      </div>
      {e.description && <p class={style.description}>{e.description}</p>}
      <p class={style.facts}>
        <span>{e.application}</span>
        <span>{pingsText(e.pings)}</span>
        {e.extra && <span>{plural(e.extra.length, 'extra key')}</span>}
        <code>
          {place.table}.{place.column}
        </code>
        {e.columns > 1 && <span>and {plural(e.columns - 1, 'other column')}</span>}
        <Known p={place} />
      </p>
    </li>
  );
}

const pingsText = (pings: string[]): string =>
  pings.length === 0
    ? 'no ping'
    : `${pings.length === 1 ? 'ping' : 'pings'} ${pings.slice(0, 4).join(', ')}${pings.length > 4 ? ` and ${pings.length - 4} more` : ''}`;

// Known is the share of rows with a value.
export function Known({ p }: { p: Place }) {
  if (!p.reads) {
    return <Badge>not granted</Badge>;
  }
  if (p.known === undefined) {
    return null;
  }
  return (
    <span title={`of the rows of ${written(p.day ?? '')}`}>
      {percent(p.known, p.known > 0 && p.known < 0.1 ? 2 : 0)} with a value
    </span>
  );
}

// Expiry marks metrics that clients of today do not send.
export const Expiry = ({ expires }: { expires?: string }) =>
  expires && expires !== 'never' ? <Badge tone="warn">{expires === 'expired' ? 'expired' : `expires ${expires}`}</Badge> : null;
