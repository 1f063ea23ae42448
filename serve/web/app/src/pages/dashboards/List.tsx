import { LayoutDashboard, Plus, Star, Upload } from 'lucide';
import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { create, type Listed, list, setFavourite, tags } from '../../api/dashboards';
import { errorText } from '../../api/errors';
import { useAction } from '../../api/hooks';
import { Badge, Button, Dialog, Empty, ErrorBox, IconButton, PageHead, TextField, Time, toast, useShortcut } from '../../ui';
import { plural } from '../../ui/formats';
import { late } from '../../ui/late';
import { Found, FoundItem } from '../found/Found';
import { useFound } from '../found/useFound';
import style from './list.module.css';

const ImportDialog = late(() => import('./ImportDialog'));

const tabs = [
  { id: 'all', label: 'All' },
  { id: 'favourites', label: 'Favourites' },
  { id: 'mine', label: 'Mine' },
];
const ids = tabs.map(t => t.id);

// DashboardList finds dashboards by words, tags, favourites and owner.
export function DashboardList() {
  const [owner, setOwner] = useState<{ id: string; name: string }>();
  const [adding, setAdding] = useState(false);
  const [importing, setImporting] = useState(false);
  const found = useFound({
    path: '/dashboards',
    tabs: ids,
    list: ({ of, ...f }, signal) =>
      list(
        { ...f, person: owner?.id ?? (of === 'mine' ? 'me' : undefined), favourite: of === 'favourites' || undefined },
        signal,
      ),
    tags,
    also: owner?.id,
  });
  useShortcut('n', 'New dashboard', () => setAdding(true));
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
      <Found
        state={found}
        label="Which dashboards"
        tabs={tabs}
        hint="Find in titles, tags, descriptions and texts"
        choice={
          owner && (
            <Button small aria-pressed onClick={() => setOwner(undefined)}>
              by {owner.name} ×
            </Button>
          )
        }
        nothing={<Nothing of={found.of} found={found.text !== '' || found.tag !== '' || owner !== undefined} />}
      >
        {d => <DashboardItem key={d.id} dashboard={d} onTag={found.setTag} onOwner={setOwner} />}
      </Found>
      {importing && <ImportDialog onClose={() => setImporting(false)} onDone={found.first.reload} />}
      {adding && <NewDialog onClose={() => setAdding(false)} />}
    </div>
  );
}

const nothing: Record<string, string> = {
  all: 'No dashboards yet',
  favourites: 'You have no favourites yet',
  mine: 'You have made no dashboard yet',
};

const Nothing = ({ of, found }: { of: string; found: boolean }) => (
  <Empty icon={LayoutDashboard} title={found ? 'Nothing fits' : (nothing[of] ?? '')}>
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
    <FoundItem
      title={d.title}
      href={`/dashboards/${d.id}`}
      description={d.description}
      tags={d.tags}
      onTag={onTag}
      before={
        <IconButton
          small
          label={favourite ? `${d.title}: no favourite any more` : `Make ${d.title} a favourite`}
          icon={Star}
          class={favourite ? style.starred : ''}
          aria-pressed={favourite}
          onClick={star}
        />
      }
    >
      <span>{plural(d.widgets, 'widget')}</span>
      {d.builtin ? (
        <Badge tone="accent">example</Badge>
      ) : (
        <button type="button" class={style.owner} onClick={() => onOwner(d.person)} title={`Dashboards by ${d.person.name}`}>
          {d.person.name || 'somebody who left'}
        </button>
      )}
      {d.updated && <Time at={d.updated} />}
    </FoundItem>
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
