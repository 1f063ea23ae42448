import { CircleAlert, FileSearch, Check as Good, ShieldAlert } from 'lucide';
import { type Problem, problemText } from '../../api/errors';
import type { Rounded } from '../../api/queries';
import { addCondition, replaceNumber, tableOf } from '../../sql/insert';
import { Button, Icon } from '../../ui';
import { plural } from '../../ui/formats';
import partStyle from './parts.module.css';
import type { Store } from './store';

// Planned shows what the statement at the cursor would read, or why it would not run.
export function Planned({ store }: { store: Store }) {
  const p = store.planner.planned.value;
  const said = p.state === 'refused' && store.runner.run.value?.problem?.message === p.problem.message; // below, as the run's error
  return (
    <div class={partStyle.planned} role="status" data-state={p.state}>
      {p.state === 'lacking' && (
        <>
          <Icon of={CircleAlert} size={14} /> Give {p.names.map(n => `{{${n}}}`).join(', ')} a value to run this.
        </>
      )}
      {p.state === 'known' && (
        <>
          <Icon of={p.reads.files > 0 ? FileSearch : Good} size={14} />
          <span>{p.reads.files > 0 ? `Will read ${p.reads.text}` : 'Will read no files'}</span>
          {p.notes.map(n => (
            <span key={n} class={partStyle.plannedGuard}>
              {n}
            </span>
          ))}
          <RoundedLiterals store={store} all={p.rounded} from={p.of.from} to={p.of.to} />
        </>
      )}
      {p.state === 'refused' && !said && <Refused store={store} problem={p.problem} from={p.of.from} to={p.of.to} />}
    </div>
  );
}

function Refused({ store, problem, from, to }: { store: Store; problem: Problem; from: number; to: number }) {
  const guard = (problem.add?.length ?? 0) > 0;
  return (
    <>
      <Icon of={guard ? ShieldAlert : CircleAlert} size={14} />
      <span class={guard ? partStyle.plannedGuard : partStyle.plannedBad}>
        {problem.line ? <Place store={store} problem={problem} from={from} /> : null}
        {problem.message ?? problemText(problem)}
        {problem.hint && !guard ? ` · ${problem.hint}` : ''}
      </span>
      <Correction store={store} problem={problem} from={from} />
      {guard && <Fixes store={store} problem={problem} from={from} to={to} />}
    </>
  );
}

// Place goes to where an error is.
export function Place({ store, problem, from }: { store: Store; problem: Problem; from: number }) {
  const fault = store.doc.fault(problem, from)[0];
  const lines = store.doc.text.value.slice(0, from).split('\n').length - 1;
  return (
    <button type="button" class={partStyle.place} onClick={() => fault && store.doc.editor?.select(fault.from, fault.to)}>
      line {lines + (problem.line ?? 1)}
    </button>
  );
}

// Correction writes the name that an error suggests.
export function Correction({ store, problem, from }: { store: Store; problem: Problem; from: number }) {
  const name = /^did you mean ("[^"]+"|[\w.]+)\?$/i.exec(problem.hint ?? '')?.[1];
  const fault = store.doc.fault(problem, from)[0];
  const wrong = fault ? store.doc.text.value.slice(fault.from, fault.to) : '';
  if (!name || !fault || !/^["\w]/.test(wrong) || store.doc.readOnly.value) {
    return null;
  }
  const write = () => {
    store.doc.editor?.replace(fault.from, fault.to, name);
    store.doc.editor?.focus();
    store.planner.consider(0);
  };
  return (
    <Button small onClick={write}>
      Write {name}
    </Button>
  );
}

// RoundedLiterals notes the literals that round a quotient: a press writes them as doubles.
export function RoundedLiterals({ store, all, from, to }: { store: Store; all: Rounded[]; from: number; to: number }) {
  const write = (r: Rounded) => {
    store.doc.editor?.replace(from, to, replaceNumber(store.doc.text.value.slice(from, to), r.literal, r.double));
    store.doc.editor?.focus();
    store.planner.consider(0);
  };
  return (
    <>
      {all.map(r => (
        <span key={r.literal} class={partStyle.fixes}>
          <span class={partStyle.plannedGuard}>
            With {r.literal} the quotient is rounded to {r.digits === 0 ? 'a whole number' : plural(r.digits, 'digit')}
          </span>
          {!store.doc.readOnly.value && (
            <Button small onClick={() => write(r)} title="Makes the quotient a double">
              Write {r.double}
            </Button>
          )}
        </span>
      ))}
    </>
  );
}

// Fixes are the conditions that a refusal offers: a press adds one to the query.
export function Fixes({ store, problem, from, to }: { store: Store; problem: Problem; from: number; to: number }) {
  const add = (condition: string) => {
    const sql = store.doc.text.value.slice(from, to);
    store.doc.editor?.replace(from, to, addCondition(sql, condition, tableOf(sql, condition, store.dictionary.value.tables)));
    store.doc.editor?.focus();
    store.planner.consider(0);
  };
  return (
    <span class={partStyle.fixes}>
      {problem.add?.map(o => (
        <Button key={o.sql} small onClick={() => add(o.sql)} title={o.sql}>
          Only {o.what}
        </Button>
      ))}
    </span>
  );
}
