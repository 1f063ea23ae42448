import { batch, computed, signal } from '@preact/signals';
import { isAbort, type Problem } from '../../api/errors';
import { type Query, type Question, resultUrl, rowsOf } from '../../api/queries';
import type { Chart } from '../../chart/chart';
import { Pages, pageOf } from '../../result/pages';
import type { QueryDocument } from './document';
import { asProblem, follow, problemOf, type Run, running, stop } from './run';

// Runner follows one run of the document at a time and holds its result.
export class Runner {
  readonly run = signal<Run | undefined>(undefined);
  readonly running = computed(() => running(this.run.value));
  readonly pages = signal<Pages | undefined>(undefined); // rows of the result
  readonly loaded = signal(0); // counts loaded pages of rows
  readonly view = signal<'table' | 'chart'>('table');
  readonly drawn = signal<Chart | undefined>(undefined); // the visible chart
  private following = new AbortController();

  constructor(private readonly doc: QueryDocument) {}

  // submit runs a question. from is the offset of its text in the editor. A run to a file has all rows, and the page shows none of them.
  submit = (question: Question & { whole?: boolean }, from: number, file?: string): Promise<void> =>
    this.follow(file ? { ...question, whole: true } : question, from, question.sql, file);

  // show follows a query that was submitted before.
  show = (id: string): Promise<void> => this.follow(id, 0);

  // whole runs the shown query again, without the limit of rows.
  whole = (): void => {
    const { query: q, from = 0 } = this.run.value ?? {};
    if (q) {
      const { sql, dialect, parameters, saved } = q;
      void this.submit({ sql, dialect, parameters, saved, whole: true }, from);
    }
  };

  // stop cancels the running query and reports whether there was one.
  stop = (): boolean => {
    const r = this.run.value;
    if (!r || !running(r)) {
      return false;
    }
    this.run.value = { ...r, cancelling: true };
    if (r.query) {
      stop(r.query.id).catch(e => this.received(e));
    } else {
      this.following.abort();
      this.run.value = undefined;
    }
    return true;
  };

  // clear cancels the running query and removes the result.
  clear(): void {
    this.stop();
    this.end();
    batch(() => {
      this.run.value = undefined;
      this.pages.value = undefined;
    });
  }

  // end aborts the requests. The query continues on the server and stays in the history.
  end(): void {
    this.following.abort();
    this.pages.value?.close();
  }

  private async follow(ask: (Question & { whole?: boolean }) | string, from: number, sql?: string, file?: string): Promise<void> {
    this.following.abort();
    this.following = new AbortController();
    const { signal } = this.following;
    const begun = performance.now();
    batch(() => {
      this.run.value = { from, sql, begun, file };
      this.pages.value?.close();
      this.pages.value = undefined;
      this.doc.editor?.faults([]);
    });
    try {
      await follow(ask, q => this.update(q, from, begun), signal);
    } catch (e) {
      if (!signal.aborted && !isAbort(e)) {
        this.failed(asProblem(e), from, begun);
      }
    }
  }

  private update(q: Query, from: number, begun: number): void {
    const problem = problemOf(q);
    if (problem) {
      this.failed(problem, from, begun, q);
      return;
    }
    if (this.run.value?.file && q.state === 'done') {
      save(resultUrl(q.id, this.run.value.file));
    }
    batch(() => {
      this.run.value = { ...this.run.value, query: q, from, begun };
      if (this.run.value.file) {
        return;
      }
      const rows = q.state === 'done' ? q.rows : q.progress?.ready;
      if (rows !== undefined && q.columns) {
        this.pages.value ??= new Pages(rowsOf(q.id), rows, e => this.received(e), pageOf(q.columns.length));
        this.pages.value.grow(rows, q.state === 'done');
        this.pages.value.look(0, 1);
      }
    });
  }

  private received(error?: unknown): void {
    if (error && !this.running.value) {
      // while it runs, another server may be asked, which has no first rows
      const r = this.run.value;
      this.run.value = r && { ...r, problem: asProblem(error) };
    }
    this.loaded.value++;
  }

  private failed(problem: Problem, from: number, begun: number, query?: Query): void {
    this.run.value = { query, problem, from, begun, sql: this.run.value?.sql ?? query?.sql };
    this.doc.editor?.faults(this.doc.fault(problem, from));
  }
}

// save has the browser download a file.
function save(url: string): void {
  const a = document.createElement('a');
  a.href = url;
  a.download = '';
  a.click();
}
