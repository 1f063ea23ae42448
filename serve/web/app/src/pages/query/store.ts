import { batch, computed, effect, signal } from '@preact/signals';
import { errorText, isAbort, type Problem } from '../../api/errors';
import { type Dialect, dictionary, format, type Query, type Question, rowsOf } from '../../api/queries';
import type { Saved } from '../../api/saved';
import type { Chart } from '../../chart/chart';
import { Pages } from '../../result/pages';
import type { Dictionary } from '../../sql/complete';
import type { Fault, SqlEditor } from '../../sql/editor/setup';
import { faultOf, forApi, initial, type Parameter, parametersOf, type Values } from '../../sql/parameters';
import { offsetOf, type Statement, tokenAt, toRun } from '../../sql/statements';
import { toast } from '../../ui/Toast';
import { keepDraft } from './drafts';
import { Planner } from './planner';
import { asProblem, follow, problemOf, type Run, running, stop } from './run';

// Store is the state of the query page.
export class Store {
  readonly text = signal('');
  readonly dialect = signal<Dialect>('presto');
  readonly declared = signal<Parameter[]>([]);
  readonly values = signal<Values>({});
  readonly saved = signal<Saved | undefined>(undefined);
  readonly chart = signal<Chart | undefined>(undefined); // undefined: chosen from the result
  readonly drawn = signal<Chart | undefined>(undefined); // what is seen of the result, if it is a chart
  readonly run = signal<Run | undefined>(undefined);
  readonly pages = signal<Pages | undefined>(undefined); // rows of the result
  readonly loaded = signal(0); // counts pages of rows that came
  readonly planner = new Planner(this);
  readonly words = signal<Dictionary>({ tables: [], functions: [], keywords: [] });
  readonly readOnly = signal(false); // a run of somebody else is shown
  readonly view = signal<'table' | 'chart'>('table'); // of the result
  readonly shown = signal<{ id: string; sql: string } | undefined>(undefined); // the query that was opened, as long as its text stays
  readonly wish = signal(false); // the text is to be run as soon as the editor is there

  readonly parameters = computed(() => parametersOf(this.text.value, this.declared.value));
  readonly running = computed(() => running(this.run.value));
  readonly changed = computed(() => {
    const s = this.saved.value;
    return s ? s.sql !== this.text.value : this.text.value.trim() !== '';
  });

  editor: SqlEditor | undefined;
  private following = new AbortController();

  // begin loads the words to complete; it gives the end of all that the page asks for.
  begin(): () => void {
    const abort = new AbortController();
    dictionary(abort.signal).then(
      d => {
        this.words.value = { tables: d.tables ?? [], functions: d.functions ?? [], keywords: d.keywords ?? [] };
      },
      () => {}, // without completion everything else works
    );
    return () => {
      abort.abort();
      this.end();
    };
  }

  // keep has the browser keep the text as it changes; it gives the end of that.
  keep = (): (() => void) =>
    effect(() => {
      if (!this.readOnly.value) {
        keepDraft({
          text: this.text.value,
          dialect: this.dialect.value,
          values: this.values.value,
          declared: this.declared.value,
          chart: this.chart.value,
          saved: this.saved.value?.id,
          run: this.run.value?.query?.id,
        });
      }
    });

  // end leaves everything that is being asked for. A query that runs goes on, and is in the history.
  end(): void {
    this.following.abort();
    this.planner.end();
    this.pages.value?.close();
  }

  // setText has the editor show another text.
  setText(text: string): void {
    this.text.value = text;
    if (this.editor) {
      this.editor.text = text;
    }
  }

  // valueOf is the value of a parameter, as typed or else as it begins.
  valueOf = (p: Parameter): string => this.values.value[p.name] ?? initial(p);

  question(s: Statement): Question {
    const sql = this.text.value.slice(s.from, s.to);
    const given = parametersOf(sql, this.declared.value).map(p => [p.name, forApi(p, this.valueOf(p))]);
    const saved = this.saved.value;
    // What a saved query says of its parameters holds for its changed text, too, where the text alone does not say it.
    const suggested = parametersOf(sql);
    const declared = this.declared.value.some(d => suggested.some(p => p.name === d.name && p.kind !== d.kind));
    return {
      sql,
      dialect: this.dialect.value,
      ...(given.length > 0 && { parameters: Object.fromEntries(given) }),
      ...(saved && (declared || !this.changed.value) && { saved: saved.id }),
    };
  }

  lacking(s: Statement): string[] {
    const sql = this.text.value.slice(s.from, s.to);
    return parametersOf(sql, this.declared.value).flatMap(p => (faultOf(p, this.valueOf(p)) === '' ? [] : [p.name]));
  }

  // start runs the selection or the statement at the cursor.
  start = async (): Promise<void> => {
    const { from, to } = this.editor?.selection ?? { from: 0, to: 0 };
    const s = toRun(this.text.value, from, to);
    if (!s || this.readOnly.value) {
      return;
    }
    const lacking = this.lacking(s);
    if (lacking.length > 0) {
      this.planner.planned.value = { state: 'lacking', names: lacking };
      document.getElementById(`parameter-${lacking[0]}`)?.focus();
      return;
    }
    this.stop();
    await this.follow(this.question(s), s.from, this.text.value.slice(s.from, s.to));
  };

  // startAll runs the first statement, whatever is selected.
  startAll = (): Promise<void> => {
    this.editor?.select(0);
    return this.start();
  };

  // clear leaves no result.
  clear(): void {
    this.stop();
    this.following.abort();
    this.pages.value?.close();
    batch(() => {
      this.run.value = undefined;
      this.pages.value = undefined;
      this.planner.planned.value = { state: 'none' };
    });
  }

  // whole asks the query that is shown again, for all its rows.
  whole = (): void => {
    const { query: q, from = 0 } = this.run.value ?? {};
    if (q) {
      const { sql, dialect, parameters, saved } = q;
      void this.follow({ sql, dialect, parameters, saved, whole: true }, from, sql);
    }
  };

  // show follows a query that was asked before.
  show = (id: string): Promise<void> => this.follow(id, 0);

  private async follow(ask: (Question & { whole?: boolean }) | string, from: number, sql?: string): Promise<void> {
    this.following.abort();
    this.following = new AbortController();
    const { signal } = this.following;
    batch(() => {
      this.run.value = { from, sql, begun: performance.now() };
      this.pages.value?.close();
      this.pages.value = undefined;
      this.editor?.faults([]);
    });
    const begun = performance.now();
    try {
      await follow(ask, q => this.seen(q, from, begun), signal);
    } catch (e) {
      if (!signal.aborted && !isAbort(e)) {
        this.failed(asProblem(e), from, begun);
      }
    }
  }

  private seen(q: Query, from: number, begun: number): void {
    const problem = problemOf(q);
    if (problem) {
      this.failed(problem, from, begun, q);
      return;
    }
    batch(() => {
      this.run.value = { ...this.run.value, query: q, from, begun };
      if (q.state === 'done') {
        this.pages.value = new Pages(rowsOf(q.id), q.rows ?? 0, e => this.came(e));
        this.pages.value.look(0, 1);
      }
    });
  }

  private came(error?: unknown): void {
    if (error) {
      const r = this.run.value;
      this.run.value = r && { ...r, problem: asProblem(error) };
    }
    this.loaded.value++;
  }

  private failed(problem: Problem, from: number, begun: number, query?: Query): void {
    this.run.value = { query, problem, from, begun, sql: this.run.value?.sql ?? query?.sql };
    this.editor?.faults(this.fault(problem, from));
  }

  // fault is where in the editor a problem is.
  fault(p: Problem, from: number): Fault[] {
    if (!p.line) {
      return [];
    }
    const text = this.text.value.slice(from);
    const at = tokenAt(text, offsetOf(text, p.line, p.column ?? 1));
    return [{ from: from + at.from, to: from + at.to, message: p.message ?? p.detail ?? 'error', hint: p.hint }];
  }

  // stop cancels what runs, and says whether anything did.
  stop = (): boolean => {
    const r = this.run.value;
    if (!r || !running(r)) {
      return false;
    }
    this.run.value = { ...r, cancelling: true };
    if (r.query) {
      stop(r.query.id).catch(e => this.came(e));
    } else {
      this.following.abort();
      this.run.value = undefined;
    }
    return true;
  };

  consider = (pause?: number): void => this.planner.consider(pause);

  // format writes the selection or the whole text with the usual lines and blanks.
  format = async (): Promise<void> => {
    const { from, to } = this.editor?.selection ?? { from: 0, to: 0 };
    const s = from === to ? { from: 0, to: this.text.value.length } : { from, to };
    try {
      const { sql } = await format(this.text.value.slice(s.from, s.to), this.dialect.value);
      this.editor?.replace(s.from, s.to, from === to ? sql : sql.trimEnd());
    } catch (e) {
      toast(`It cannot be formatted: ${errorText(e)}`, { bad: true });
    }
  };
}
