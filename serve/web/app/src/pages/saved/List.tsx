import { Bookmark, ChartColumn, Clock, Search as SearchIcon, SquareTerminal } from 'lucide';
import { useEffect, useState } from 'preact/hooks';
import { useLoad } from '../../api/hooks';
import { list, mostListed, type Saved, tags } from '../../api/saved';
import { Badge, Button, Empty, Icon, LinkButton, Loaded, PageHead, Search, Tabs, Time } from '../../ui';
import style from './saved.module.css';

type Of = 'all' | 'mine' | 'examples';
const tabs: { id: Of; label: string }[] = [
  { id: 'all', label: 'All' },
  { id: 'mine', label: 'Mine' },
  { id: 'examples', label: 'Examples' },
];

// SavedList finds saved queries by words and tags.
export function SavedList() {
  const address = new URLSearchParams(location.search);
  const [of, setOf] = useState<Of>(tabs.find(t => t.id === address.get('of'))?.id ?? 'all');
  const [text, setText] = useState(address.get('text') ?? '');
  const [tag, setTag] = useState(address.get('tag') ?? '');
  const [more, setMore] = useState<Saved[]>([]);
  const [cursor, setCursor] = useState<string>();
  const filter = { text, tag, person: of === 'mine' ? 'me' : undefined, limit: of === 'examples' ? mostListed : undefined };
  const known = useLoad(async signal => (await tags(signal)).items ?? [], []);
  const first = useLoad(
    async signal => {
      const page = await list(filter, signal);
      setMore([]);
      setCursor(page.next);
      return page.items ?? [];
    },
    [text, tag, of],
  );
  useEffect(() => {
    const q = new URLSearchParams(Object.entries({ of: of === 'all' ? '' : of, text, tag }).filter(([, v]) => v !== ''));
    history.replaceState(history.state, '', `/saved${q.size > 0 ? `?${q}` : ''}`);
  }, [of, text, tag]);
  const next = async () => {
    const page = await list({ ...filter, cursor });
    setMore([...more, ...(page.items ?? [])]);
    setCursor(page.next);
  };
  const all = [...(first.data ?? []), ...more].filter(s => of !== 'examples' || s.builtin);
  return (
    <div class="page">
      <PageHead
        title="Saved queries"
        actions={
          <LinkButton kind="primary" icon={SquareTerminal} href="/query">
            Write a query
          </LinkButton>
        }
      >
        Queries with their charts, parameters and schedules. You see those whose tables you may read.
      </PageHead>
      <Tabs label="Which queries" tabs={tabs} value={of} onValue={v => setOf(v as Of)} />
      <div class="row">
        <Search label="Find in titles, tags, descriptions and SQL" value={text} onValue={setText}>
          <Icon of={SearchIcon} />
        </Search>
        <div class="row" role="group" aria-label="Tags">
          {known.data?.slice(0, 16).map(t => (
            <Button
              key={t.name}
              small
              kind="quiet"
              aria-pressed={tag === t.name}
              onClick={() => setTag(tag === t.name ? '' : t.name)}
            >
              {t.name} <span class="muted">{t.count}</span>
            </Button>
          ))}
        </div>
      </div>
      <Loaded of={first}>{() => all.length === 0 && <Nothing of={of} found={text !== '' || tag !== ''} />}</Loaded>
      <ul class={style.list}>
        {all.map(s => (
          <SavedItem key={s.id} saved={s} onTag={setTag} />
        ))}
      </ul>
      {cursor && <Button onClick={next}>More</Button>}
    </div>
  );
}

const Nothing = ({ of, found }: { of: Of; found: boolean }) => (
  <Empty icon={Bookmark} title={found ? 'Nothing fits' : of === 'mine' ? 'You have saved no query yet' : 'No saved queries'}>
    {found
      ? 'Try fewer or other words.'
      : 'Save a query on the Query page, or fork an example: others see it if they may read its tables.'}
  </Empty>
);

function SavedItem({ saved: s, onTag }: { saved: Saved; onTag: (tag: string) => void }) {
  return (
    <li class={style.item}>
      <div class={style.main}>
        <a class={style.title} href={`/saved/${s.id}`}>
          {s.title}
        </a>
        {s.description && <p class={style.text}>{s.description}</p>}
        <div class="row">
          {s.tags?.map(t => (
            <button key={t} type="button" class={style.tag} onClick={() => onTag(t)}>
              {t}
            </button>
          ))}
        </div>
      </div>
      <div class={style.facts}>
        {s.chart && s.chart.kind !== 'table' && <Icon of={ChartColumn} size={14} label={`with a ${s.chart.kind} chart`} />}
        {s.schedule && <Icon of={Clock} size={14} label="scheduled" />}
        {s.builtin ? <Badge tone="accent">example</Badge> : <span>{s.person.name}</span>}
        {s.updated && <Time at={s.updated} />}
      </div>
    </li>
  );
}
