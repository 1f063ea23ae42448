import { computed, signal } from '@preact/signals';
import { errorText, type Problem } from '../../api/errors';
import { type Dialect, format, type Question } from '../../api/queries';
import type { Saved } from '../../api/saved';
import type { Chart } from '../../chart/chart';
import type { Fault, SqlEditor } from '../../sql/editor/setup';
import { faultOf, forApi, initial, type Parameter, parametersOf, type Values } from '../../sql/parameters';
import { offsetOf, type Statement, tokenAt } from '../../sql/statements';
import { toast } from '../../ui/Toast';

// QueryDocument is the query in the editor: its text with parameters and chart, and the saved query or the run that it shows.
export class QueryDocument {
  readonly text = signal('');
  readonly dialect = signal<Dialect>('presto');
  readonly declared = signal<Parameter[]>([]); // by the saved query
  readonly values = signal<Values>({}); // of parameters, as typed
  readonly chart = signal<Chart | undefined>(undefined); // undefined: chosen from the result
  readonly charts = signal<Chart[]>([]); // further ones
  readonly saved = signal<Saved | undefined>(undefined);
  readonly shown = signal<{ id: string; sql: string } | undefined>(undefined); // the run in the address while its text is unchanged
  readonly readOnly = signal(false); // the run belongs to somebody else

  readonly parameters = computed(() => parametersOf(this.text.value, this.declared.value));
  readonly changed = computed(() => {
    const s = this.saved.value;
    return s ? s.sql !== this.text.value : this.text.value.trim() !== '';
  });

  editor: SqlEditor | undefined; // undefined until its code is loaded

  // setText replaces the text, in the editor too.
  setText(text: string): void {
    this.text.value = text;
    if (this.editor) {
      this.editor.text = text;
    }
  }

  // valueOf returns the value of a parameter: as typed, else its initial value.
  valueOf = (p: Parameter): string => this.values.value[p.name] ?? initial(p);

  // question returns the API's request for a statement, with the values of its parameters.
  question(s: Statement): Question {
    const sql = this.text.value.slice(s.from, s.to);
    const given = parametersOf(sql, this.declared.value).map(p => [p.name, forApi(p, this.valueOf(p))]);
    const saved = this.saved.value;
    // A changed text keeps the declarations of its saved query if they differ from the kinds that the text suggests.
    const suggested = parametersOf(sql);
    const declared = this.declared.value.some(d => suggested.some(p => p.name === d.name && p.kind !== d.kind));
    return {
      sql,
      dialect: this.dialect.value,
      ...(given.length > 0 && { parameters: Object.fromEntries(given) }),
      ...(saved && (declared || !this.changed.value) && { saved: saved.id }),
    };
  }

  // lacking returns the names of a statement's parameters without a valid value.
  lacking(s: Statement): string[] {
    const sql = this.text.value.slice(s.from, s.to);
    return parametersOf(sql, this.declared.value).flatMap(p => (faultOf(p, this.valueOf(p)) === '' ? [] : [p.name]));
  }

  // fault returns the place of a problem in the editor. from is the offset of the statement.
  fault(p: Problem, from: number): Fault[] {
    if (!p.line) {
      return [];
    }
    const text = this.text.value.slice(from);
    const at = tokenAt(text, offsetOf(text, p.line, p.column ?? 1));
    return [{ from: from + at.from, to: from + at.to, message: p.message ?? p.detail ?? 'error', hint: p.hint }];
  }

  // format formats the selection, or the whole text.
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
