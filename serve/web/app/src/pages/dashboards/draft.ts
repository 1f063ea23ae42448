import { useState } from 'preact/hooks';
import type { DashboardDoc, DashboardParameter, Widget, WidgetKind } from '../../api/dashboards';
import { free, ordered } from './layout';

const sizes: Record<WidgetKind, { w: number; h: number }> = {
  chart: { w: 6, h: 7 },
  table: { w: 6, h: 7 },
  number: { w: 3, h: 3 },
  text: { w: 12, h: 2 },
};

export type NewWidget = Omit<Widget, 'id' | 'x' | 'y' | 'w' | 'h'>;

// add puts a widget into the first free place.
export function add(doc: DashboardDoc, w: NewWidget, parameters: readonly DashboardParameter[] = []): DashboardDoc {
  const { w: width, h: height } = sizes[w.kind];
  const placed = { ...w, id: newId(doc.widgets, w.kind), ...free(doc.widgets, width, height) };
  return { ...share(doc, parameters), widgets: [...doc.widgets, placed] };
}

function newId(widgets: readonly Widget[], kind: WidgetKind): string {
  for (let n = 1; ; n++) {
    const id = `${kind}-${n}`;
    if (!widgets.some(w => w.id === id)) {
      return id;
    }
  }
}

export const change = (doc: DashboardDoc, w: Widget, parameters: readonly DashboardParameter[] = []): DashboardDoc => ({
  ...share(doc, parameters),
  widgets: doc.widgets.map(o => (o.id === w.id ? w : o)),
});

export const without = (doc: DashboardDoc, id: string): DashboardDoc => ({
  ...doc,
  widgets: doc.widgets.filter(w => w.id !== id),
});

// share adds parameters that the dashboard lacks.
function share(doc: DashboardDoc, parameters: readonly DashboardParameter[]): DashboardDoc {
  const have = doc.parameters ?? [];
  const lacking = parameters.filter(p => !have.some(h => h.name === p.name));
  return lacking.length > 0 ? { ...doc, parameters: [...have, ...lacking] } : doc;
}

// setParameters replaces the shared parameters; widgets that took one that is gone take the query's own value.
export const setParameters = (doc: DashboardDoc, parameters: DashboardParameter[]): DashboardDoc => ({
  ...doc,
  parameters,
  widgets: doc.widgets.map(w => {
    const kept = Object.entries(w.parameters ?? {}).filter(
      ([, b]) => b.parameter === undefined || parameters.some(p => p.name === b.parameter),
    );
    const { parameters: _, ...rest } = w;
    return kept.length > 0 ? { ...rest, parameters: Object.fromEntries(kept) } : rest;
  }),
});

// toStore returns a draft with its widgets in the order in which they are read.
export const toStore = (doc: DashboardDoc): DashboardDoc => ({ ...doc, widgets: ordered(doc.widgets) });

// Draft is a document that is edited, with the documents before it.
export interface Draft {
  doc: DashboardDoc;
  changed: boolean;
  // set replaces the document. Changes with the same mark, such as the steps of one move, are undone at once.
  set: (doc: DashboardDoc, mark?: string) => void;
  undo: (() => void) | undefined;
}

const mostUndone = 100;

export function useDraft(first: DashboardDoc): Draft {
  const [{ doc, past }, setState] = useState<{ doc: DashboardDoc; past: DashboardDoc[]; mark?: string }>({
    doc: first,
    past: [],
  });
  return {
    doc,
    changed: past.length > 0,
    set: (next, as) =>
      setState(s => ({ doc: next, past: as && as === s.mark ? s.past : [...s.past.slice(1 - mostUndone), s.doc], mark: as })),
    undo: past.length > 0 ? () => setState({ doc: past.at(-1)!, past: past.slice(0, -1) }) : undefined,
  };
}
