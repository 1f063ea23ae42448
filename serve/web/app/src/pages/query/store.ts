import { effect, signal } from '@preact/signals';
import { dictionary } from '../../api/queries';
import type { Dictionary } from '../../sql/complete';
import type { Values } from '../../sql/parameters';
import { toRun } from '../../sql/statements';
import { QueryDocument } from './document';
import { keepDraft } from './drafts';
import { Planner } from './planner';
import { Runner } from './runner';

// Store is the state of the query page: the document, the plan of its current statement, and its run.
export class Store {
  readonly doc = new QueryDocument();
  readonly planner = new Planner(this.doc);
  readonly runner = new Runner(this.doc);
  readonly dictionary = signal<Dictionary>({ tables: [], functions: [], keywords: [] }); // for completion
  readonly runWhenReady = signal(false); // run the text as soon as the editor is loaded

  // begin loads the dictionary. The function that it returns ends all requests of the page.
  begin(): () => void {
    const abort = new AbortController();
    dictionary(abort.signal).then(
      d => {
        this.dictionary.value = { tables: d.tables ?? [], functions: d.functions ?? [], keywords: d.keywords ?? [] };
      },
      () => {}, // without completion everything else works
    );
    return () => {
      abort.abort();
      this.end();
    };
  }

  // end aborts the requests. A running query continues and stays in the history.
  end(): void {
    this.runner.end();
    this.planner.end();
  }

  // saveDrafts writes the document to the browser's storage whenever it changes, until the function that it returns is called.
  saveDrafts(): () => void {
    const { doc, runner } = this;
    return effect(() => {
      if (!doc.readOnly.value) {
        keepDraft({
          text: doc.text.value,
          dialect: doc.dialect.value,
          values: doc.values.value,
          declared: doc.declared.value,
          chart: doc.chart.value,
          charts: doc.charts.value,
          saved: doc.saved.value?.id,
          run: runner.run.value?.query?.id,
        });
      }
    });
  }

  // start runs the selection, or the statement at the cursor; to a file if a format is given.
  start = async (file?: string): Promise<void> => {
    const { doc, planner, runner } = this;
    const { from, to } = doc.editor?.selection ?? { from: 0, to: 0 };
    const s = toRun(doc.text.value, from, to);
    if (!s || doc.readOnly.value) {
      return;
    }
    const lacking = doc.lacking(s);
    if (lacking.length > 0) {
      planner.planned.value = { state: 'lacking', names: lacking };
      document.getElementById(`parameter-${lacking[0]}`)?.focus();
      return;
    }
    runner.stop();
    await runner.submit(doc.question(s), s.from, file);
  };

  // startAll runs the first statement, whatever is selected.
  startAll = (): Promise<void> => {
    this.doc.editor?.select(0);
    return this.start();
  };

  // runWith runs the first statement with other values of some parameters.
  runWith = (values: Values): void => {
    this.doc.values.value = { ...this.doc.values.value, ...values };
    void this.startAll();
  };

  // clear cancels the running query and removes its result and plan.
  clear(): void {
    this.runner.clear();
    this.planner.planned.value = { state: 'none' };
  }
}
