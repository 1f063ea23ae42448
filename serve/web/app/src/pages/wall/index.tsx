import { Minimize } from 'lucide';
import { useEffect } from 'preact/hooks';
import { useLocation, useRoute } from 'preact-iso';
import { type Dashboard, one } from '../../api/dashboards';
import { useLoad } from '../../api/hooks';
import { Empty, IconButton, LinkButton, Loaded, Time, useShortcut } from '../../ui';
import { Board } from '../dashboards/Board';
import { LostContact } from '../dashboards/Freshness';
import { ordered } from '../dashboards/layout';
import { failing, oldest } from '../dashboards/state';
import { useTab } from '../dashboards/tab';
import { useBoard } from '../dashboards/useBoard';
import { WidgetView } from '../dashboards/Widget';
import style from './wall.module.css';

const reloaded = 600; // seconds: a wall shows changes of the dashboard without a visit

// Wall shows a dashboard without controls, to be looked at from afar.
export default function Wall() {
  const id = useRoute().params.id ?? '';
  const found = useLoad(async signal => (id ? one(id, signal) : undefined), [id], reloaded);
  if (!found.data) {
    return (
      <main class="centre">
        <h1 class="sr-only">Wall</h1>
        {id ? (
          <Loaded of={found} />
        ) : (
          <Empty title="Which dashboard?" action={<LinkButton href="/dashboards">Choose one</LinkButton>}>
            Open one, and press Full screen.
          </Empty>
        )}
      </main>
    );
  }
  return <Shown key={found.data.revision} dashboard={found.data} />;
}

function Shown({ dashboard: d }: { dashboard: Dashboard }) {
  const { route } = useLocation();
  const seen = useBoard(d);
  const at = oldest(seen.live.widgets.values());
  useTab(d.title, failing(seen.live.widgets.values()));
  const leave = () => {
    if (document.fullscreenElement) {
      void document.exitFullscreen();
    }
    route(`/dashboards/${d.id}${seen.address}`);
  };
  useShortcut('Escape', 'Leave the full screen', leave);
  useEffect(() => {
    const left = () => !document.fullscreenElement && leave();
    document.addEventListener('fullscreenchange', left);
    return () => document.removeEventListener('fullscreenchange', left);
  });
  return (
    <main class={style.wall}>
      <header class={style.head}>
        <h1 class="cut">{d.title}</h1>
        {d.parameters?.map(p => (
          <span key={p.name} class="muted">
            {p.title || p.name}: {writtenValue(seen.live.used?.[p.name])}
          </span>
        ))}
        <span class="grow" />
        {at && (
          <span class="muted">
            <Time at={at} />
          </span>
        )}
        <span class={style.leave}>
          <IconButton label="Leave the full screen" icon={Minimize} onClick={leave} />
        </span>
      </header>
      <LostContact seen={seen} />
      <Board widgets={ordered(d.widgets)}>{w => <WidgetView widget={w} seen={seen} quiet />}</Board>
    </main>
  );
}

function writtenValue(v: unknown): string {
  if (v === undefined) {
    return '…';
  }
  if (v !== null && typeof v === 'object' && 'from' in v && 'to' in v) {
    return v.from === v.to ? String(v.from) : `${v.from} to ${v.to}`;
  }
  return Array.isArray(v) ? v.join(', ') : String(v);
}
