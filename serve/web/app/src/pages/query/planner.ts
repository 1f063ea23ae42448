import { signal } from '@preact/signals';
import { isAbort, type Problem } from '../../api/errors';
import { plan, type Reads } from '../../api/queries';
import { type Statement, statementAt } from '../../sql/statements';
import { asProblem } from './run';
import type { Store } from './store';

// Planned is what the statement at the cursor would read, or why it would not run.
export type Planned =
  | { state: 'none' | 'asking' }
  | { state: 'known'; reads: Reads; notes: string[]; of: Statement }
  | { state: 'refused'; problem: Problem; of: Statement }
  | { state: 'lacking'; names: string[] };

// Planner asks what the statement at the cursor would read, when typing has paused.
export class Planner {
  readonly planned = signal<Planned>({ state: 'none' });
  private asking = new AbortController();
  private timer = 0;
  private considered = ''; // what the last answer was for

  constructor(private readonly store: Store) {}

  consider(pause = 700): void {
    if (this.planned.value.state === 'lacking' || this.planned.value.state === 'none') {
      this.considered = '';
    }
    this.end();
    this.timer = window.setTimeout(() => void this.ask(), pause);
  }

  end(): void {
    clearTimeout(this.timer);
    this.asking.abort();
  }

  private async ask(): Promise<void> {
    const { store } = this;
    const text = store.text.value;
    const s = statementAt(text, store.editor?.selection.to ?? 0);
    if (!s || store.readOnly.value) {
      this.planned.value = { state: 'none' };
      return;
    }
    const names = store.lacking(s);
    if (names.length > 0) {
      this.planned.value = { state: 'lacking', names };
      return;
    }
    const question = store.question(s);
    const key = JSON.stringify([s.from, question]);
    if (key === this.considered) {
      return; // the cursor moved within the statement
    }
    this.asking = new AbortController();
    const { signal } = this.asking;
    try {
      const { reads, notes } = await plan(question, signal);
      if (!signal.aborted) {
        this.considered = key;
        this.planned.value = { state: 'known', reads, notes, of: s };
        store.editor?.faults([]);
      }
    } catch (e) {
      if (!signal.aborted && !isAbort(e)) {
        this.refused(asProblem(e), s, key);
      }
    }
  }

  private refused(problem: Problem, of: Statement, key: string): void {
    if (problem.status !== 422) {
      this.planned.value = { state: 'none' }; // the server is busy or away: running says so
      return;
    }
    this.considered = key;
    this.planned.value = { state: 'refused', problem, of };
    this.store.editor?.faults(this.store.fault(problem, of.from));
  }
}
