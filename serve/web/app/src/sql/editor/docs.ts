import {
  autocompletion,
  type Completion,
  type CompletionContext,
  type CompletionResult,
  pickedCompletion,
} from '@codemirror/autocomplete';
import { EditorSelection, type Extension } from '@codemirror/state';
import { type EditorView, hoverTooltip } from '@codemirror/view';
import { complete, type Dictionary, explain, type Offer } from '../complete';
import { statementAt } from '../statements';

/** Completion and docs under the pointer, from the dictionary as it is at that moment. */
export function docs(dictionary: () => Dictionary): Extension {
  return [
    autocompletion({
      override: [c => offers(c, dictionary())],
      icons: true,
      maxRenderedOptions: 200,
      optionClass: c => `offer-${c.type}`,
      tooltipClass: () => 'cm-offers',
    }),
    hoverTooltip((view, pos) => {
      const s = statementAt(view.state.doc.toString(), pos);
      const found = s && explain(view.state.sliceDoc(s.from, s.end), pos - s.from, dictionary());
      if (!s || !found) {
        return null;
      }
      const dom = panel(found.offer);
      dom.classList.add('cm-doc');
      return { pos: s.from + found.from, end: s.from + found.to, above: true, create: () => ({ dom }) };
    }),
  ];
}

function offers(c: CompletionContext, d: Dictionary): CompletionResult | null {
  const text = c.state.doc.toString();
  const s = statementAt(text, c.pos);
  const from = s && c.pos >= s.from && c.pos <= s.end ? s.from : c.pos;
  const found = complete(text.slice(from, s && from === s.from ? s.end : c.pos), c.pos - from, d, c.explicit);
  const word = c.state.sliceDoc(from + (found?.from ?? 0), c.pos).toLowerCase();
  const offers = found?.offers.filter(o => o.label.toLowerCase().includes(word[0] ?? '')) ?? [];
  const written =
    offers.some(o => o.label.toLowerCase() === word) &&
    !offers.some(o => o.label.length > word.length && o.label.toLowerCase().startsWith(word));
  if (!found || offers.length === 0 || (written && !c.explicit)) {
    return null;
  }
  const names = new Set(offers.map(o => o.label.toLowerCase()));
  const still = (text: string) => /^[\p{L}_][\p{L}\p{N}_$]*$/u.test(text) && !names.has(text.toLowerCase());
  return { from: from + found.from, options: offers.map(option), validFor: still };
}

const option = (o: Offer): Completion => ({
  label: o.label,
  detail: o.detail,
  type: o.kind,
  boost: o.boost,
  info: o.doc || o.signatures ? () => panel(o) : undefined,
  apply: o.write === undefined ? undefined : (view, picked, from, to) => write(view, picked, from, to, o.write ?? o.label),
});

/** Writes a completion; the cursor goes where | is. A bracket that is there already is not written again. */
function write(view: EditorView, picked: Completion, from: number, to: number, text: string): void {
  const open = view.state.sliceDoc(to, to + 1) === '(';
  const insert = open ? text.replace(/\(.*\)$/, '') : text.replace('|', '');
  const cursor = from + (open || !text.includes('|') ? insert.length : text.indexOf('|'));
  view.dispatch({
    changes: { from, to, insert },
    selection: EditorSelection.cursor(cursor),
    annotations: pickedCompletion.of(picked),
    userEvent: 'input.complete',
  });
}

/** What is known of a name. */
function panel(o: Offer): HTMLElement {
  const box = document.createElement('div');
  const line = (tag: string, name: string, text: string) => {
    const e = box.appendChild(document.createElement(tag));
    e.className = name;
    e.textContent = text;
  };
  line('div', 'cm-doc-name', o.label);
  const lines = o.signatures?.map(s => o.label + s) ?? (o.detail ? [o.detail] : []);
  for (const text of lines.slice(0, 6)) {
    line('div', 'cm-doc-type', text);
  }
  if (lines.length > 6) {
    line('div', 'cm-doc-type', `and ${lines.length - 6} more forms`);
  }
  if (o.doc) {
    line('p', 'cm-doc-text', o.doc);
  }
  return box;
}
