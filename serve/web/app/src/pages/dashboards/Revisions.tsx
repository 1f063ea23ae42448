import { RotateCcw } from 'lucide';
import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { type Dashboard, one, type Revision, restore, revisions, type Widget } from '../../api/dashboards';
import { ApiError } from '../../api/errors';
import { useAction, useLoad } from '../../api/hooks';
import { ask, Badge, Button, ErrorBox, LinkButton, Loaded, PageHead, Panel, Select, Time, toast } from '../../ui';
import { type Difference, differences } from './differences';
import { columns } from './layout';
import { Missing } from './One';
import style from './revisions.module.css';
import { titleOf, useQueries } from './useBoard';

// Revisions lists the revisions of a dashboard, compares two, and restores one.
export default function Revisions({ id }: { id: string }) {
  const found = useLoad(async signal => ({ now: await one(id, signal), all: (await revisions(id, signal)).items }), [id]);
  if (found.error instanceof ApiError && found.error.status === 404) {
    return <Missing />;
  }
  return <div class="page">{found.data ? <Compared {...found.data} /> : <Loaded of={found} />}</div>;
}

function Compared({ now, all }: { now: Dashboard; all: Revision[] }) {
  const { route } = useLocation();
  const [left, setLeft] = useState(all[1]?.revision ?? all[0]?.revision ?? 0);
  const [right, setRight] = useState(all[0]?.revision ?? 0);
  const [a, b] = [all.find(r => r.revision === left), all.find(r => r.revision === right)];
  const queries = useQueries(all.flatMap(r => r.widgets));
  const back = useAction(async () => {
    if (
      a &&
      (await ask({ title: `Restore revision ${left}?`, text: 'The present one stays among the revisions.', action: 'Restore' }))
    ) {
      await restore(now.id, now.revision, left);
      toast(`Restored revision ${left}`);
      route(`/dashboards/${now.id}`);
    }
  });
  const choices = all.map(r => ({
    value: String(r.revision),
    label: `${r.revision}${r.revision === now.revision ? ', the present one' : ''} · ${r.person.name || 'somebody'}`,
  }));
  const may = now.mine && a && left !== now.revision;
  return (
    <>
      <PageHead
        title={`Revisions of ${now.title}`}
        actions={<LinkButton href={`/dashboards/${now.id}`}>To the dashboard</LinkButton>}
      />
      <ErrorBox error={back.error} />
      {all.length < 2 ? (
        <p class="muted">It has one revision only: it was not changed since it was made.</p>
      ) : (
        <Panel
          title="Compare"
          actions={
            may && (
              <Button icon={RotateCcw} busy={back.busy} onClick={() => void back.run()}>
                Restore revision {left}
              </Button>
            )
          }
        >
          <div class={style.sides}>
            <Side label="Revision" of={a} choices={choices} onRevision={setLeft} />
            <Side label="Compared with" of={b} choices={choices} onRevision={setRight} />
          </div>
          {a && b && (
            <Differences
              list={differences(
                a,
                b,
                w => titleOf(w, queries),
                id => queries.get(id)?.title ?? id,
              )}
            />
          )}
        </Panel>
      )}
    </>
  );
}

function Side({
  label,
  of,
  choices,
  onRevision,
}: {
  label: string;
  of: Revision | undefined;
  choices: { value: string; label: string }[];
  onRevision: (n: number) => void;
}) {
  return (
    <div class={style.side}>
      <Select label={label} value={String(of?.revision ?? '')} onValue={v => onRevision(Number(v))} choices={choices} />
      {of && (
        <>
          <span class="muted small">
            <Time at={of.at} full />
          </span>
          <Plan widgets={of.widgets} />
        </>
      )}
    </div>
  );
}

// Plan draws the places of widgets.
function Plan({ widgets }: { widgets: readonly Widget[] }) {
  const rows = Math.max(4, ...widgets.map(w => w.y + w.h));
  return (
    <svg class={style.plan} viewBox={`0 0 ${columns * 10} ${rows * 4}`} aria-hidden="true">
      {widgets.map(w => (
        <rect key={w.id} x={w.x * 10 + 0.5} y={w.y * 4 + 0.5} width={w.w * 10 - 1} height={w.h * 4 - 1} rx="1" />
      ))}
    </svg>
  );
}

const kindOf = (d: Difference) => (d.before === undefined ? 'added' : d.after === undefined ? 'removed' : 'changed');
const tones = { added: 'good', removed: 'bad', changed: 'warn' } as const;

const Differences = ({ list }: { list: Difference[] }) =>
  list.length === 0 ? (
    <p class="muted">They are the same.</p>
  ) : (
    <ul class={style.differences} aria-label="Differences">
      {list.map(d => (
        <li key={d.what}>
          <div class="row">
            <strong>{d.what}</strong>
            <Badge tone={tones[kindOf(d)]}>{kindOf(d)}</Badge>
          </div>
          <div class={style.sides}>
            <pre class={style.before}>{d.before ?? ''}</pre>
            <pre class={style.after}>{d.after ?? ''}</pre>
          </div>
        </li>
      ))}
    </ul>
  );
