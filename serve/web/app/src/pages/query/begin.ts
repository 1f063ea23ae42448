import { batch } from '@preact/signals';
import { type Query, query } from '../../api/queries';
import { one, type Saved } from '../../api/saved';
import { person } from '../../app/session';
import { fromApi, type Values } from '../../sql/parameters';
import { type Draft, ownDraft } from './drafts';
import { takeOpened } from './open';
import type { Store } from './store';

// begin fills the page from its address: a run (/query/ID), a saved query (?saved=ID), SQL (?sql=…), else what another page
// opened, else the draft of this tab. p.NAME=… are values of parameters.
export async function begin(store: Store, run: string | undefined): Promise<void> {
  const address = new URLSearchParams(location.search);
  const [saved, sql] = [address.get('saved'), address.get('sql')];
  const opened = takeOpened();
  const draft = ownDraft();
  if (run) {
    showRun(store, await query(run));
  } else if (saved && draft?.saved !== saved) {
    showSaved(store, await one(saved));
  } else if (opened ?? sql !== null) {
    const dialect = opened?.dialect ?? (address.get('dialect') === 'duckdb' ? 'duckdb' : 'presto');
    write(store, { text: opened?.sql ?? sql ?? '', dialect, values: {}, at: 0 });
    if (opened?.run) {
      store.wish.value = true;
    }
  } else if (draft) {
    write(store, draft);
    await Promise.all([
      draft.saved &&
        one(draft.saved).then(
          s => (store.saved.value = s),
          () => undefined,
        ),
      draft.run &&
        query(draft.run).then(
          q => store.show(q.id),
          () => undefined,
        ),
    ]);
  }
  store.values.value = { ...store.values.value, ...addressValues() };
}

// addressValues are the values of parameters that the address of the page gives.
export const addressValues = (): Values =>
  Object.fromEntries(
    [...new URLSearchParams(location.search)].flatMap(([k, v]) => (k.startsWith('p.') ? [[k.slice(2), v]] : [])),
  );

// write has the editor show something else.
export function write(store: Store, d: Draft): void {
  batch(() => {
    store.readOnly.value = false;
    store.shown.value = undefined;
    store.saved.value = undefined;
    store.dialect.value = d.dialect;
    store.declared.value = d.declared ?? [];
    store.values.value = d.values ?? {};
    store.chart.value = d.chart;
    store.setText(d.text);
  });
}

export function showSaved(store: Store, s: Saved): void {
  write(store, { text: s.sql, dialect: s.dialect ?? 'presto', values: {}, declared: s.parameters ?? [], chart: s.chart, at: 0 });
  store.saved.value = s;
  store.view.value = s.chart && s.chart.kind !== 'table' ? 'chart' : 'table';
}

// valuesOf are the values with which a query was asked.
export const valuesOf = (q: Query): Values =>
  Object.fromEntries(Object.entries(q.parameters ?? {}).map(([k, v]) => [k, fromApi(v)]));

// showRun shows a query that was asked, with its result. Those of others are not to be changed but copied.
export function showRun(store: Store, q: Query): void {
  write(store, { text: q.sql, dialect: q.dialect, values: valuesOf(q), at: 0 });
  store.readOnly.value = q.person !== person.value?.id;
  store.shown.value = { id: q.id, sql: q.sql };
  void store.show(q.id);
}

// keepAddress has the address of the page name what its text depends on, so that it can be shared and loaded again.
export function keepAddress(store: Store): void {
  if (store.readOnly.value) {
    return;
  }
  const { shown } = store;
  const q = new URLSearchParams();
  if (store.saved.value) {
    q.set('saved', store.saved.value.id);
  }
  for (const p of store.parameters.value) {
    const value = store.values.value[p.name];
    if (value !== undefined) {
      q.set(`p.${p.name}`, value);
    }
  }
  const text = q.toString();
  const same = shown.value?.sql === store.text.value && shown.value;
  const url = same ? `/query/${same.id}` : `/query${text ? `?${text}` : ''}`;
  if (url !== location.pathname + location.search) {
    history.replaceState(history.state, '', url);
  }
}
