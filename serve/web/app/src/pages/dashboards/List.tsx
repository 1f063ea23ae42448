import { LayoutDashboard, Plus, Search as SearchIcon, Star, Upload } from 'lucide';
import { useEffect, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { create, type Listed, list, setFavourite, tags } from '../../api/dashboards';
import { errorText } from '../../api/errors';
import { useAction, useLoad } from '../../api/hooks';
import {
  Badge,
  Button,
  Dialog,
  Empty,
  ErrorBox,
  Icon,
  IconButton,
  Loaded,
  PageHead,
  Search,
  Tabs,
  TextField,
  Time,
  toast,
  useShortcut,
} from '../../ui';
import { plural } from '../../ui/formats';
import { late } from '../../ui/late';
import style from './list.module.css';

const ImportDialog = late(() => import('./ImportDialog'));

type Of = 'all' | 'favourites' | 'mine';
const tabs: { id: Of; label: string }[] = [
  { id: 'all', label: 'All' },
  { id: 'favourites', label: 'Favourites' },
  { id: 'mine', label: 'Mine' },
];

// DashboardList finds dashboards by words, tags, favourites and owner.
export function DashboardList() {
  const address = new URLSearchParams(location.search);
  const [of, setOf] = useState<Of>(tabs.find(t => t.id === address.get('of'))?.id ?? 'all');
  const [text, setText] = useState(address.get('text') ?? '');
  const [tag, setTag] = useState(address.get('tag') ?? '');
  const [owner, setOwner] = useState<{ id: string; name: string }>();
  const [more, setMore] = useState<Listed[]>([]);
  const [cursor, setCursor] = useState<string>();
  const [adding, setAdding] = useState(false);
  const [importing, setImporting] = useState(false);
  const filter = {
    text,
    tag,
    person: owner?.id ?? (of === 'mine' ? 'me' : undefined),
    favourite: of === 'favourites' || undefined,
  };
  const known = useLoad(async signal => (await tags(signal)).items ?? [], []);
  const first = useLoad(
    async signal => {
      const page = await list(filter, signal);
      setMore([]);
      setCursor(page.next);
      return page.items ?? [];
    },
    [text, tag, of, owner?.id],
  );
  useEffect(() => {
    const q = new URLSearchParams(Object.entries({ of: of === 'all' ? '' : of, text, tag }).filter(([, v]) => v !== ''));
    history.replaceState(history.state, '', `/dashboards${q.size > 0 ? `?${q}` : ''}`);
  }, [of, text, tag]);
  const next = useAction(async () => {
    const page = await list({ ...filter, cursor });
    setMore([...more, ...(page.items ?? [])]);
    setCursor(page.next);
  });
  useShortcut('n', 'New dashboard', () => setAdding(true));
  const all = [...(first.data ?? []), ...more];
  return (
    <div class="page">
      <PageHead
        title="Dashboards"
        actions={
          <>
            <Button icon={Upload} onClick={() => setImporting(true)}>
              Import
            </Button>
            <Button kind="primary" icon={Plus} onClick={() => setAdding(true)}>
              New dashboard
            </Button>
          </>
        }
      >
        Charts, tables and numbers of saved queries on one page, with shared parameters.
      </PageHead>
      <Tabs label="Which dashboards" tabs={tabs} value={of} onValue={v => setOf(v as Of)} />
      <div class="row">
        <Search label="Find in titles, tags, descriptions and texts" value={text} onValue={setText}>
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
        {owner && (
          <Button small aria-pressed onClick={() => setOwner(undefined)}>
            by {owner.name} ×
          </Button>
        )}
      </div>
      <Loaded of={first}>
        {() => all.length === 0 && <Nothing of={of} found={text !== '' || tag !== '' || owner !== undefined} />}
      </Loaded>
      <ErrorBox error={next.error} />
      <ul class={style.list}>
        {all.map(d => (
          <DashboardItem key={d.id} dashboard={d} onTag={setTag} onOwner={setOwner} />
        ))}
      </ul>
      {cursor && (
        <Button busy={next.busy} onClick={() => void next.run()}>
          More
        </Button>
      )}
      {importing && <ImportDialog onClose={() => setImporting(false)} onDone={first.reload} />}
      {adding && <NewDialog onClose={() => setAdding(false)} />}
    </div>
  );
}

const nothing: Record<Of, string> = {
  all: 'No dashboards yet',
  favourites: 'You have no favourites yet',
  mine: 'You have made no dashboard yet',
};

const Nothing = ({ of, found }: { of: Of; found: boolean }) => (
  <Empty icon={LayoutDashboard} title={found ? 'Nothing fits' : nothing[of]}>
    {found
      ? 'Try fewer or other words.'
      : of === 'favourites'
        ? 'Press the star of a dashboard to find it here.'
        : 'Make one: each person sees the widgets whose tables they may read.'}
  </Empty>
);

function DashboardItem({
  dashboard: d,
  onTag,
  onOwner,
}: {
  dashboard: Listed;
  onTag: (tag: string) => void;
  onOwner: (p: Listed['person']) => void;
}) {
  const [favourite, setFavoured] = useState(d.favourite);
  const star = () =>
    setFavourite(d.id, !favourite).then(
      () => setFavoured(!favourite),
      e => toast(errorText(e), { bad: true }),
    );
  return (
    <li class={style.item}>
      <IconButton
        small
        label={favourite ? `${d.title}: no favourite any more` : `Make ${d.title} a favourite`}
        icon={Star}
        class={favourite ? style.starred : ''}
        aria-pressed={favourite}
        onClick={star}
      />
      <div class={style.main}>
        <a class={style.title} href={`/dashboards/${d.id}`}>
          {d.title}
        </a>
        {d.description && <p class={style.text}>{d.description}</p>}
        {d.tags && d.tags.length > 0 && (
          <div class="row">
            {d.tags.map(t => (
              <button key={t} type="button" class={style.tag} onClick={() => onTag(t)}>
                {t}
              </button>
            ))}
          </div>
        )}
      </div>
      <div class={style.facts}>
        <span>{plural(d.widgets, 'widget')}</span>
        {d.builtin ? (
          <Badge tone="accent">example</Badge>
        ) : (
          <button type="button" class={style.owner} onClick={() => onOwner(d.person)} title={`Dashboards by ${d.person.name}`}>
            {d.person.name || 'somebody who left'}
          </button>
        )}
        {d.updated && <Time at={d.updated} />}
      </div>
    </li>
  );
}

// NewDialog makes an empty dashboard, and opens it to be filled.
function NewDialog({ onClose }: { onClose: () => void }) {
  const { route } = useLocation();
  const [title, setTitle] = useState('');
  const make = useAction(async () => route(`/dashboards/${(await create({ title: title.trim(), widgets: [] })).id}?edit`));
  const lacking = title.trim() === '';
  return (
    <Dialog
      title="New dashboard"
      onClose={onClose}
      foot={
        <Button kind="primary" disabled={lacking} busy={make.busy} onClick={() => void make.run()}>
          Make it
        </Button>
      }
    >
      <form
        class="form"
        onSubmit={e => {
          e.preventDefault();
          if (!lacking) {
            void make.run();
          }
        }}
      >
        <ErrorBox error={make.error} />
        <TextField label="Title" value={title} onValue={setTitle} maxLength={200} required autofocus />
      </form>
    </Dialog>
  );
}
