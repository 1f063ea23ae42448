import { batch } from '@preact/signals';
import { type Query, query } from '../../api/queries';
import { one, type Saved } from '../../api/saved';
import { person } from '../../app/session';
import type { Chart } from '../../chart/chart';
import { fromApi, type Parameter, type Values } from '../../sql/parameters';
import type { QueryDocument } from './document';
import { type Draft, ownDraft } from './drafts';
import { takeOpened } from './open';
import type { Store } from './store';

// begin fills the page from its address: a run (/query/ID), a saved query (?saved=ID) or SQL (?sql=…); else from the query that
// another page opened, else from the draft of this tab. p.NAME=… are values of parameters.
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
    write(store.doc, { text: opened?.sql ?? sql ?? '', dialect, values: {}, declared: opened?.declared, at: 0 });
    if (opened?.run) {
      store.runWhenReady.value = true;
    }
  } else if (draft) {
    write(store.doc, draft);
    store.runner.view.value = viewOf(draft.chart);
    await Promise.all([
      draft.saved &&
        one(draft.saved).then(
          s => (store.doc.saved.value = s),
          () => undefined,
        ),
      draft.run &&
        query(draft.run).then(
          q => store.runner.show(q.id),
          () => undefined,
        ),
    ]);
  }
  store.doc.values.value = { ...store.doc.values.value, ...addressValues() };
}

// addressValues returns the values of parameters in the page's address.
export const addressValues = (): Values =>
  Object.fromEntries(
    [...new URLSearchParams(location.search)].flatMap(([k, v]) => (k.startsWith('p.') ? [[k.slice(2), v]] : [])),
  );

// write replaces the document by a draft.
export function write(doc: QueryDocument, d: Draft): void {
  batch(() => {
    doc.readOnly.value = false;
    doc.shown.value = undefined;
    doc.saved.value = undefined;
    doc.dialect.value = d.dialect;
    doc.declared.value = d.declared ?? [];
    doc.values.value = d.values ?? {};
    doc.chart.value = d.chart;
    doc.charts.value = d.charts ?? [];
    doc.setText(d.text);
  });
}

export function showSaved(store: Store, s: Saved): void {
  write(store.doc, {
    text: s.sql,
    dialect: s.dialect ?? 'presto',
    values: {},
    declared: s.parameters ?? [],
    chart: s.chart,
    charts: s.charts,
    at: 0,
  });
  store.doc.saved.value = s;
  store.runner.view.value = viewOf(s.chart);
}

// valuesOf returns the values of a query's parameters.
export const valuesOf = (q: Query): Values =>
  Object.fromEntries(Object.entries(q.parameters ?? {}).map(([k, v]) => [k, fromApi(v)]));

// lastingValues returns the values of a query's parameters but for days, which move on after it ran.
export const lastingValues = (q: Query, parameters: Parameter[]): Values =>
  Object.fromEntries(
    Object.entries(valuesOf(q)).filter(([name]) => {
      const kind = parameters.find(p => p.name === name)?.kind;
      return kind !== 'day' && kind !== 'days';
    }),
  );

// showRun shows a submitted query with its result. Queries of other people are read-only; they can be copied.
export function showRun(store: Store, q: Query): void {
  write(store.doc, { text: q.sql, dialect: q.dialect, values: valuesOf(q), at: 0 });
  store.doc.readOnly.value = q.person !== person.value?.id;
  store.doc.shown.value = { id: q.id, sql: q.sql };
  if (q.saved) {
    one(q.saved).then(
      s => {
        if (s.sql === q.sql && viewOf(s.chart) === 'chart') {
          store.doc.chart.value = s.chart;
          store.doc.charts.value = s.charts ?? [];
          store.runner.view.value = 'chart';
        }
      },
      () => {}, // it is gone, or not for this person
    );
  }
  void store.runner.show(q.id);
}

// viewOf returns how results are shown at first.
const viewOf = (chart: Chart | undefined): 'chart' | 'table' => (chart && chart.kind !== 'table' ? 'chart' : 'table');

// keepAddress writes the run or the saved query and the values of parameters into the page's address, so that it can be shared and
// loaded again.
export function keepAddress(doc: QueryDocument): void {
  if (doc.readOnly.value) {
    return;
  }
  const q = new URLSearchParams();
  if (doc.saved.value) {
    q.set('saved', doc.saved.value.id);
  }
  for (const p of doc.parameters.value) {
    const value = doc.values.value[p.name];
    if (value !== undefined) {
      q.set(`p.${p.name}`, value);
    }
  }
  const text = q.toString();
  const same = doc.shown.value?.sql === doc.text.value && doc.shown.value;
  const url = same ? `/query/${same.id}` : `/query${text ? `?${text}` : ''}`;
  if (url !== location.pathname + location.search) {
    history.replaceState(history.state, '', url);
  }
}
