import { Copy, Download, Ellipsis, GitFork, History, Image, Link, Maximize, Pencil, Printer, Star, Trash2 } from 'lucide';
import { useRef, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { type Dashboard, exportUrl, fork, remove, setFavourite } from '../../api/dashboards';
import { useAction } from '../../api/hooks';
import {
  ask,
  Badge,
  Button,
  copyText,
  Empty,
  ErrorBox,
  IconButton,
  LinkButton,
  Menu,
  type MenuItem,
  PageHead,
  Time,
  toast,
  useShortcut,
} from '../../ui';
import { Board } from './Board';
import boardStyle from './board.module.css';
import { Freshness, LostContact } from './Freshness';
import { ordered } from './layout';
import { ParameterBar } from './ParameterBar';
import { pictureOf, printLight, saveBlob } from './picture';
import { failing } from './state';
import { useTab } from './tab';
import { useBoard } from './useBoard';
import style from './view.module.css';
import { WidgetView } from './Widget';

// View shows a dashboard with its widgets, to read.
export function View({ dashboard: d, onEdit }: { dashboard: Dashboard; onEdit: () => void }) {
  const { route } = useLocation();
  const seen = useBoard(d);
  const grid = useRef<HTMLDivElement>(null);
  const [favourite, setFavoured] = useState(d.favourite);
  useTab(d.title, failing(seen.live.widgets.values()));
  const copy = useAction(async () => route(`/dashboards/${(await fork(d.id)).id}`));
  const drop = useAction(async () => {
    if (await ask({ title: `Delete "${d.title}"?`, text: 'Its queries stay.', action: 'Delete', danger: true })) {
      await remove(d.id);
      route('/dashboards');
    }
  });
  const star = useAction(async () => {
    await setFavourite(d.id, !favourite);
    setFavoured(!favourite);
  });
  const picture = useAction(async () => saveBlob(await pictureOf(grid.current!, d.title), `${d.title}.png`));
  const wall = `/wall/${d.id}${seen.address}`;
  const link = () =>
    void copyText(`${location.origin}/dashboards/${d.id}${seen.address}`).then(() => toast('Copied the link with its values'));
  const full = () => {
    document.documentElement.requestFullscreen?.().catch(() => {}); // the page of the wall shows the same in a window
    route(wall);
  };
  useShortcut('e', 'Edit the dashboard', d.mine ? onEdit : undefined);
  useShortcut('r', 'Refresh', seen.live.refresh);
  useShortcut('f', 'Full screen', full);
  const items: MenuItem[] = [
    { label: 'Copy the link', icon: Link, onSelect: link },
    { label: 'Fork', icon: GitFork, onSelect: () => void copy.run() },
    { label: 'Revisions', icon: History, href: `/dashboards/${d.id}/revisions` },
    { label: 'Files (zip)', icon: Download, href: exportUrl(d.id), download: true },
    { label: 'Print', icon: Printer, onSelect: () => void printLight() },
    { label: 'Picture (PNG)', icon: Image, onSelect: () => void picture.run() },
    ...(d.mine
      ? (['line', { label: 'Delete', icon: Trash2, danger: true, onSelect: () => void drop.run() }] satisfies MenuItem[])
      : []),
  ];
  return (
    <div class={`page ${boardStyle.page}`}>
      <PageHead
        title={d.title}
        actions={
          <div class={style.controls}>
            <IconButton
              label={favourite ? 'No favourite any more' : 'Make it a favourite'}
              icon={Star}
              class={favourite ? style.starred : ''}
              aria-pressed={favourite}
              onClick={() => void star.run()}
            />
            {d.mine ? (
              <Button kind="primary" icon={Pencil} onClick={onEdit}>
                Edit
              </Button>
            ) : (
              <Button icon={Copy} busy={copy.busy} onClick={() => void copy.run()}>
                Fork
              </Button>
            )}
            <Button icon={Maximize} onClick={full}>
              Full screen
            </Button>
            <Menu end items={items} button={p => <IconButton kind={undefined} label="More" icon={Ellipsis} {...p} />} />
          </div>
        }
      >
        {d.description}
      </PageHead>
      <ErrorBox error={copy.error ?? drop.error ?? star.error ?? picture.error} />
      <div class={style.facts}>
        {d.builtin ? <Badge tone="accent">example</Badge> : <span class="muted">by {d.person.name || 'somebody who left'}</span>}
        {d.updated && (
          <span class="muted">
            changed <Time at={d.updated} />
          </span>
        )}
        {d.tags?.map(t => (
          <a key={t} class={style.tag} href={`/dashboards?tag=${encodeURIComponent(t)}`}>
            {t}
          </a>
        ))}
        <span class="grow" />
        {d.widgets.length > 0 && <Freshness seen={seen} />}
      </div>
      <LostContact seen={seen} />
      <ParameterBar parameters={d.parameters ?? []} values={seen.values} live={seen.live} onValues={seen.setValues} />
      {d.widgets.length === 0 ? (
        <Empty
          title="An empty dashboard"
          action={
            d.mine ? (
              <Button kind="primary" icon={Pencil} onClick={onEdit}>
                Add widgets
              </Button>
            ) : (
              <LinkButton href="/dashboards">All dashboards</LinkButton>
            )
          }
        >
          {d.mine ? 'Put charts, tables and numbers of saved queries here, and text between them.' : 'Nothing was put on it yet.'}
        </Empty>
      ) : (
        <Board widgets={ordered(d.widgets)} grid={grid} outdated={seen.live.outdated}>
          {w => <WidgetView widget={w} seen={seen} />}
        </Board>
      )}
    </div>
  );
}
