import { ChartColumn, Hash, Plus, Rows3, Settings2, SlidersHorizontal, Table2, TextInitial, Undo2 } from 'lucide';
import { useEffect, useRef, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { create, type Dashboard, docOf, one, update, type Widget, type WidgetKind } from '../../api/dashboards';
import { ApiError } from '../../api/errors';
import { useAction } from '../../api/hooks';
import { ask, Button, Dialog, Empty, ErrorBox, IconButton, Menu, useShortcut } from '../../ui';
import { type Arranging, helpId } from './Arrange';
import { Board } from './Board';
import boardStyle from './board.module.css';
import { DetailsDialog } from './DetailsDialog';
import { add, change, setParameters, toStore, useDraft, without } from './draft';
import { EditedWidget } from './EditedWidget';
import style from './editing.module.css';
import { compact } from './layout';
import { ParametersDialog } from './ParametersDialog';
import { titleOf, useBoard, useQueries } from './useBoard';
import { WidgetDialog } from './WidgetDialog';

const kinds: { kind: WidgetKind; label: string; icon: typeof Hash }[] = [
  { kind: 'chart', label: 'Chart', icon: ChartColumn },
  { kind: 'table', label: 'Table', icon: Table2 },
  { kind: 'number', label: 'Number', icon: Hash },
  { kind: 'text', label: 'Text', icon: TextInitial },
];

type Open = { dialog: 'widget'; kind: WidgetKind; widget?: Widget } | { dialog: 'parameters' } | { dialog: 'details' };

// Editing changes a dashboard: its widgets and their places, its parameters and its description. Nothing is stored before Save.
export default function Editing({ dashboard, onEnd }: { dashboard: Dashboard; onEnd: (changed?: Dashboard) => void }) {
  const { route } = useLocation();
  const seen = useBoard(dashboard);
  const draft = useDraft(docOf(dashboard));
  const { doc } = draft;
  const queries = useQueries(doc.widgets);
  const grid = useRef<HTMLDivElement>(null);
  const [said, setSaid] = useState('');
  const [open, setOpen] = useState<Open>();
  const [conflict, setConflict] = useState<Dashboard>();
  useUnsaved(draft.changed);
  const save = useAction(async (over?: number) => {
    try {
      onEnd(await update(dashboard.id, over ?? dashboard.revision, toStore(doc)));
    } catch (e) {
      if (!(e instanceof ApiError && e.status === 412)) {
        throw e;
      }
      setConflict(await one(dashboard.id));
    }
  });
  const saveCopy = useAction(async () => {
    const mine = doc.widgets.filter(w => !w.refused);
    const made = await create(toStore({ ...doc, title: `${doc.title}, my copy`, widgets: mine }));
    onEnd();
    route(`/dashboards/${made.id}`);
  });
  const cancel = async () => {
    if (!draft.changed || (await ask({ title: 'Discard the changes?', action: 'Discard', danger: true }))) {
      onEnd();
    }
  };
  const remove = (w: Widget) => {
    draft.set(without(doc, w.id));
    setSaid(`${titleOf(w, queries)} was removed.`);
    document.getElementById('add-widget')?.focus();
  };
  const arranging: Arranging = {
    widgets: doc.widgets,
    grid,
    onWidgets: (widgets, mark) => draft.set({ ...doc, widgets }, mark),
    onSay: setSaid,
  };
  const close = () => setOpen(undefined);
  useShortcut('Mod+s', 'Save the dashboard', () => void save.run(), { inText: true });
  useShortcut('Mod+z', 'Undo', draft.undo);
  return (
    <div class={`page ${boardStyle.page}`}>
      <div class={style.bar}>
        <h1 class="cut">{doc.title}</h1>
        <Menu
          items={kinds.map(k => ({ ...k, onSelect: () => setOpen({ dialog: 'widget', kind: k.kind }) }))}
          button={p => (
            <Button id="add-widget" icon={Plus} {...p}>
              Add
            </Button>
          )}
        />
        <Button icon={SlidersHorizontal} onClick={() => setOpen({ dialog: 'parameters' })}>
          Parameters
        </Button>
        <Button icon={Settings2} onClick={() => setOpen({ dialog: 'details' })}>
          Details
        </Button>
        <IconButton
          label="Close the gaps"
          icon={Rows3}
          onClick={() => {
            draft.set({ ...doc, widgets: compact(doc.widgets) });
            setSaid('The gaps are closed.');
          }}
        />
        <IconButton label="Undo" icon={Undo2} disabled={!draft.undo} onClick={draft.undo} />
        <Button onClick={() => void cancel()}>Cancel</Button>
        <Button kind="primary" busy={save.busy} onClick={() => void save.run()}>
          Save
        </Button>
      </div>
      <ErrorBox error={save.error ?? saveCopy.error} />
      <p class="sr-only" id={helpId}>
        Arrow keys move the widget, Shift with arrow keys changes its size, Delete removes it.
      </p>
      <p class="sr-only" role="status">
        {said}
      </p>
      {doc.widgets.length === 0 ? (
        <Empty icon={ChartColumn} title="No widgets yet">
          Add charts, tables and numbers of saved queries, and text. Drag them by their heads, or move them by the arrow keys.
        </Empty>
      ) : (
        <Board widgets={doc.widgets} grid={grid}>
          {w => (
            <EditedWidget
              widget={w}
              stored={dashboard.widgets.find(s => s.id === w.id)}
              seen={seen}
              queries={queries}
              by={arranging}
              onEdit={() => setOpen({ dialog: 'widget', kind: w.kind, widget: w })}
              onRemove={() => remove(w)}
            />
          )}
        </Board>
      )}
      {open?.dialog === 'widget' && (
        <WidgetDialog
          kind={open.kind}
          widget={open.widget}
          shared={doc.parameters ?? []}
          onClose={close}
          onDone={(w, parameters) => {
            draft.set(open.widget ? change(doc, { ...open.widget, ...w }, parameters) : add(doc, w, parameters));
            close();
          }}
        />
      )}
      {open?.dialog === 'parameters' && (
        <ParametersDialog
          parameters={doc.parameters ?? []}
          onClose={close}
          onDone={parameters => {
            draft.set(setParameters(doc, parameters));
            close();
          }}
        />
      )}
      {open?.dialog === 'details' && (
        <DetailsDialog
          doc={doc}
          onClose={close}
          onDone={details => {
            draft.set({ ...doc, ...details });
            close();
          }}
        />
      )}
      {conflict && (
        <Dialog
          title="It was changed meanwhile"
          onClose={() => setConflict(undefined)}
          foot={
            <>
              <Button busy={saveCopy.busy} onClick={() => void saveCopy.run()}>
                Save mine as another dashboard
              </Button>
              <Button kind="danger" busy={save.busy} onClick={() => void save.run(conflict.revision)}>
                Overwrite
              </Button>
            </>
          }
        >
          Somebody saved revision {conflict.revision} while you worked on yours. Overwriting replaces it; it stays among the
          revisions.
        </Dialog>
      )}
    </div>
  );
}

// useUnsaved has the browser ask before it closes a page with changes.
function useUnsaved(changed: boolean): void {
  useEffect(() => {
    if (!changed) {
      return;
    }
    const warn = (e: BeforeUnloadEvent) => e.preventDefault();
    window.addEventListener('beforeunload', warn);
    return () => window.removeEventListener('beforeunload', warn);
  }, [changed]);
}
