import { signal } from '@preact/signals';
import { isAbort, type Problem } from '../../api/errors';
import { plan, type Reads, type Rounded } from '../../api/queries';
import { type Statement, statementAt } from '../../sql/statements';
import type { QueryDocument } from './document';
import { asProblem } from './run';

// Planned is the plan of the statement at the cursor: the files that it would read, or the reason why it would not run.
export type Planned =
  | { state: 'none' | 'asking' }
  | { state: 'known'; reads: Reads; notes: string[]; rounded: Rounded[]; of: Statement }
  | { state: 'refused'; problem: Problem; of: Statement }
  | { state: 'lacking'; names: string[] };

// Planner requests the plan of the statement at the cursor when typing pauses.
export class Planner {
  readonly planned = signal<Planned>({ state: 'none' });
  private asking = new AbortController();
  private timer = 0;
  private considered = ''; // the question of the last plan

  constructor(private readonly doc: QueryDocument) {}

  // consider requests a plan after a pause (ms) without another call.
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
    const { doc } = this;
    const text = doc.text.value;
    const s = statementAt(text, doc.editor?.selection.to ?? 0);
    if (!s || doc.readOnly.value) {
      this.planned.value = { state: 'none' };
      return;
    }
    const names = doc.lacking(s);
    if (names.length > 0) {
      this.planned.value = { state: 'lacking', names };
      return;
    }
    const question = doc.question(s);
    const key = JSON.stringify([s.from, question]);
    if (key === this.considered) {
      return; // the cursor moved within the statement
    }
    this.asking = new AbortController();
    const { signal } = this.asking;
    try {
      const { reads, notes, rounded } = await plan(question, signal);
      if (!signal.aborted) {
        this.considered = key;
        this.planned.value = { state: 'known', reads, notes, rounded, of: s };
        doc.editor?.faults([]);
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
    this.doc.editor?.faults(this.doc.fault(problem, of.from));
  }
}
