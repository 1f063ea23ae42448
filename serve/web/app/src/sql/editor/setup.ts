import {
  acceptCompletion,
  closeBrackets,
  closeBracketsKeymap,
  closeCompletion,
  completionKeymap,
  completionStatus,
} from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap, indentLess, indentMore } from '@codemirror/commands';
import { bracketMatching, indentUnit } from '@codemirror/language';
import { type Diagnostic, lintKeymap, setDiagnostics } from '@codemirror/lint';
import { highlightSelectionMatches, search, searchKeymap } from '@codemirror/search';
import { Compartment, EditorState, type Extension, Prec } from '@codemirror/state';
import {
  drawSelection,
  EditorView,
  highlightActiveLineGutter,
  highlightSpecialChars,
  keymap,
  lineNumbers,
  placeholder,
  rectangularSelection,
} from '@codemirror/view';
import type { Dictionary } from '../complete';
import { docs } from './docs';
import { type Dialect, language, wordsOf } from './language';
import { parameterMark, statementMark } from './marks';
import { theme } from './theme';

export interface Handlers {
  changed: (text: string) => void;
  moved: () => void;
  run: () => void;
  format: () => void;
  /** Says whether there was anything to cancel. */
  cancel: () => boolean;
}

/** An error at its place. */
export interface Fault {
  from: number;
  to: number;
  message: string;
  hint?: string;
}

/** The nonce with which the content security policy lets the editor write its styles into the page. */
const nonce = () => document.querySelector<HTMLMetaElement>('meta[property=csp-nonce]')?.nonce ?? '';

/** An editor of SQL. */
export class SqlEditor {
  readonly view: EditorView;
  private readonly language = new Compartment();
  private readonly writable = new Compartment();
  private dictionary: Dictionary = { tables: [], functions: [], keywords: [] };

  constructor(host: HTMLElement, text: string, on: Handlers, label: string, readOnly: boolean) {
    const state = EditorState.create({
      doc: text,
      extensions: [
        EditorView.cspNonce.of(nonce()),
        basics(label),
        Prec.highest(keys(on)),
        this.language.of([]),
        this.writable.of(lock(readOnly)),
        docs(() => this.dictionary),
        EditorView.updateListener.of(u => {
          if (u.docChanged) {
            on.changed(u.state.doc.toString());
          }
          if (u.docChanged || u.selectionSet) {
            on.moved();
          }
        }),
      ],
    });
    this.view = new EditorView({ state, parent: host });
  }

  get text(): string {
    return this.view.state.doc.toString();
  }

  /** Replaces the text, as one step that can be undone. */
  set text(text: string) {
    if (text === this.text) {
      return;
    }
    const cursor = Math.min(this.view.state.selection.main.head, text.length);
    this.view.dispatch({ changes: { from: 0, to: this.view.state.doc.length, insert: text }, selection: { anchor: cursor } });
  }

  get selection(): { from: number; to: number } {
    return this.view.state.selection.main;
  }

  replace(from: number, to: number, insert: string): void {
    this.view.dispatch({ changes: { from, to, insert }, userEvent: 'input' });
  }

  /** Writes at the cursor, with a blank before it where one is wanted. */
  insert(text: string): void {
    const { from, to } = this.selection;
    const blank = /[\w"]$/.test(this.view.state.sliceDoc(Math.max(0, from - 1), from)) ? ' ' : '';
    this.view.dispatch({
      changes: { from, to, insert: blank + text },
      selection: { anchor: from + blank.length + text.length },
      userEvent: 'input',
    });
    this.focus();
  }

  select(from: number, to = from): void {
    this.view.dispatch({ selection: { anchor: from, head: to }, effects: EditorView.scrollIntoView(from, { y: 'center' }) });
    this.focus();
  }

  focus(): void {
    this.view.focus();
  }

  words(dialect: Dialect, dictionary: Dictionary): void {
    this.dictionary = wordsOf(dialect, dictionary);
    this.view.dispatch({ effects: this.language.reconfigure(language(dialect, this.dictionary)) });
  }

  lock(readOnly: boolean): void {
    this.view.dispatch({ effects: this.writable.reconfigure(lock(readOnly)) });
  }

  faults(list: readonly Fault[]): void {
    const end = this.view.state.doc.length;
    const all = list.map(
      (f): Diagnostic => ({
        from: Math.min(f.from, end),
        to: Math.min(Math.max(f.to, f.from), end),
        severity: 'error',
        message: f.hint ? `${f.message}\n${f.hint}` : f.message,
      }),
    );
    this.view.dispatch(setDiagnostics(this.view.state, all));
  }

  destroy(): void {
    this.view.destroy();
  }
}

const lock = (readOnly: boolean): Extension => [EditorState.readOnly.of(readOnly), EditorView.editable.of(true)];

const basics = (label: string): Extension => [
  lineNumbers(),
  highlightActiveLineGutter(),
  highlightSpecialChars(),
  history(),
  drawSelection(),
  rectangularSelection(),
  EditorState.allowMultipleSelections.of(true),
  indentUnit.of('  '),
  EditorState.tabSize.of(2),
  bracketMatching(),
  closeBrackets(),
  highlightSelectionMatches(),
  search({ top: true }),
  EditorView.lineWrapping,
  EditorView.contentAttributes.of({
    'aria-label': label,
    'aria-description': 'Escape, then Tab leaves the editor',
    autocapitalize: 'off',
  }),
  placeholder('SELECT … — Ctrl-Space completes, Ctrl-Enter runs'),
  statementMark,
  parameterMark,
  theme,
  keymap.of([...closeBracketsKeymap, ...completionKeymap, ...searchKeymap, ...historyKeymap, ...lintKeymap, ...defaultKeymap]),
];

/** Tab indents; after Escape it leaves the editor, as CodeMirror has it for all its keys. */
const keys = (on: Handlers): Extension =>
  keymap.of([
    {
      key: 'Mod-Enter',
      run: view => {
        closeCompletion(view); // the list would lie over the result
        on.run();
        return true;
      },
      preventDefault: true,
    },
    { key: 'Shift-Alt-f', run: done(on.format), preventDefault: true },
    { key: 'Ctrl-.', run: on.cancel },
    { key: 'Escape', run: v => completionStatus(v.state) === null && on.cancel() },
    { key: 'Tab', run: v => acceptCompletion(v) || indentMore(v), shift: indentLess },
  ]);

const done = (f: () => void) => () => {
  f();
  return true;
};
