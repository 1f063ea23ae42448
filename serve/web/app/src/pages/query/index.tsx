import { effect } from '@preact/signals';
import { CopyPlus } from 'lucide';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { useRoute } from 'preact-iso';
import { ApiError } from '../../api/errors';
import type { Query as Asked } from '../../api/queries';
import type { Saved } from '../../api/saved';
import { forApi } from '../../sql/parameters';
import { ask, Button, Dialog, Empty, ErrorBox, LinkButton, Note, Skeleton, toast, useShortcut } from '../../ui';
import { late } from '../../ui/late';
import { begin, keepAddress, showRun, showSaved, write } from './begin';
import { otherDraft } from './drafts';
import { History } from './History';
import { useKept } from './kept';
import { Parameters } from './Parameters';
import { Planned } from './Planned';
import partStyle from './parts.module.css';
import style from './query.module.css';
import { Results } from './Results';
import { SaveDialog } from './SaveDialog';
import { Schema } from './Schema';
import { Splitter } from './Splitter';
import { Status } from './Status';
import { Store } from './store';
import { Toolbar } from './Toolbar';
import { Welcome } from './Welcome';

const Editor = late(() => import('./Editor'));

export default function Query() {
  const { id } = useRoute().params;
  const store = useMemo(() => new Store(), []);
  const [ready, setReady] = useState(false);
  const [error, setError] = useState<unknown>();
  useEffect(() => store.begin(), [store]);
  useEffect(() => {
    setError(undefined);
    begin(store, id).then(() => setReady(true), setError);
  }, [store, id]);
  useEffect(() => {
    if (ready) {
      const [address, draft] = [effect(() => keepAddress(store.doc)), store.saveDrafts()];
      return () => {
        address();
        draft();
      };
    }
  }, [store, ready]);
  if (error) {
    const missing = error instanceof ApiError && error.status === 404;
    return missing ? (
      <Empty title="There is no such query" action={<LinkButton href="/query">Write a new one</LinkButton>}>
        It may have been removed, or read tables that you may not read.
      </Empty>
    ) : (
      <div class="page">
        <ErrorBox error={error} retry={() => location.reload()} />
      </div>
    );
  }
  return ready ? <Workbench store={store} /> : <Skeleton />;
}

function Workbench({ store }: { store: Store }) {
  const wide = matchMedia('(min-width: 56.01rem)').matches;
  const [schema, setSchema] = useKept('schema shown', true);
  const [drawer, setDrawer] = useState(false);
  const [dialog, setDialog] = useState<'save' | 'history' | undefined>();
  const close = () => setDialog(undefined);
  const fresh = async () => {
    if (
      store.doc.text.value.trim() === '' ||
      !store.doc.changed.value ||
      (await ask({ title: 'Begin a new query?', text: 'The text is not saved. Your runs stay in the history.', action: 'Begin' }))
    ) {
      write(store.doc, { text: '', dialect: store.doc.dialect.value, values: {}, at: 0 });
      store.clear();
      store.doc.editor?.focus();
    }
  };
  const on = {
    schema: () => (wide ? setSchema(!schema) : setDrawer(true)),
    format: () => void store.doc.format(),
    save: () => setDialog('save'),
    history: () => setDialog('history'),
    fresh: () => void fresh(),
  };
  useShortcut('Mod+S', 'Save', on.save, { inText: true });
  useShortcut('Mod+Enter', 'Run the selection, or the statement at the cursor', () => void store.start(), { inText: true });
  useShortcut('Shift+Alt+F', 'Format', undefined);
  useShortcut('Ctrl+Space', 'Complete', undefined);
  useShortcut('Ctrl+.', 'Cancel the query (also Escape)', undefined);
  useShortcut('Escape Tab', 'Leave the editor', undefined);
  useShortcut('e', 'To the editor', () => store.doc.editor?.focus());
  useShortcut('h', 'History', on.history);
  const insert = (name: string) => {
    setDrawer(false);
    store.doc.editor?.insert(name);
  };
  const copy = () => {
    store.doc.readOnly.value = false;
    store.doc.editor?.focus();
  };
  const open = (q: Asked) => {
    close();
    showRun(store, q);
  };
  const saved = (s: Saved) => {
    close();
    store.doc.saved.value = s;
    store.doc.declared.value = s.parameters ?? [];
    toast('Saved');
  };
  return (
    <div class={`page-full ${style.query}`}>
      <Toolbar store={store} schema={wide && schema} on={on} />
      <div class={style.queryBody}>
        {wide && schema && (
          <aside class={style.querySide} aria-label="Tables">
            <Schema tables={store.dictionary.value.tables} onName={insert} />
          </aside>
        )}
        <div class={style.queryMain}>
          {store.doc.readOnly.value && (
            <Note
              action={
                <Button small icon={CopyPlus} onClick={copy}>
                  Edit a copy
                </Button>
              }
            >
              {store.runner.run.value?.query?.name ?? 'Somebody else'} asked this.
            </Note>
          )}
          <Parameters store={store} />
          <Splitter>
            <Editor store={store} />
          </Splitter>
          <Planned store={store} />
          <Answer store={store} />
        </div>
      </div>
      {drawer && (
        <Dialog title="Tables" drawer onClose={() => setDrawer(false)}>
          <Schema tables={store.dictionary.value.tables} onName={insert} />
        </Dialog>
      )}
      {dialog === 'history' && <History onOpen={open} onClose={close} />}
      {dialog === 'save' && (
        <SaveDialog
          doc={{
            sql: store.doc.text.value,
            dialect: store.doc.dialect.value,
            chart: store.doc.chart.value ?? store.runner.drawn.value,
            ...(store.doc.charts.value.length > 0 && { charts: store.doc.charts.value }),
          }}
          saved={store.doc.saved.value}
          parameters={store.doc.parameters.value.map(p => ({ ...p, default: forApi(p, store.doc.valueOf(p)) }))}
          run={ranText(store)}
          onSaved={saved}
          onClose={close}
        />
      )}
    </div>
  );
}

// ranText returns the run that is shown if the whole text was run.
function ranText(store: Store): string | undefined {
  const q = store.runner.run.value?.query;
  return q?.state === 'done' && q.sql === store.doc.text.value ? q.id : undefined;
}

// Answer is below the editor: how far the query is, and its result.
function Answer({ store }: { store: Store }) {
  const run = store.runner.run.value;
  const pages = store.runner.pages.value;
  const other = useMemo(() => otherDraft(), []);
  if (!run) {
    const example = (s: Saved) => {
      showSaved(store, s);
      void store.startAll();
    };
    return (
      <div class={style.answer}>
        <Welcome
          onExample={example}
          other={store.doc.text.value.trim() === '' ? other?.text : undefined}
          onOther={() => other && write(store.doc, other)}
        />
      </div>
    );
  }
  const begun = !run.problem && run.query?.state !== 'cancelled' && pages && run.query;
  return (
    <div class={style.answer}>
      <div class={partStyle.answerStatus} aria-live="polite">
        <Status store={store} run={run} />
      </div>
      {begun && (
        <Results
          query={begun}
          pages={pages}
          turn={store.runner.loaded.value}
          chart={store.doc.chart.value}
          onChart={c => {
            store.doc.chart.value = c;
          }}
          onDrawn={c => {
            store.runner.drawn.value = c;
          }}
          charts={store.doc.charts.value}
          onCharts={c => {
            store.doc.charts.value = c;
          }}
          parameters={store.doc.parameters.value}
          onValues={store.runWith}
          view={store.runner.view.value}
          onView={v => {
            store.runner.view.value = v;
          }}
        />
      )}
    </div>
  );
}
