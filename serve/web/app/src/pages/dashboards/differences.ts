import type { DashboardDoc, DashboardParameter, Widget } from '../../api/dashboards';
import { rhythm } from './state';

// Difference is a part of a dashboard as it was and as it is. A part that was added or removed has one of the two.
export interface Difference {
  what: string;
  before?: string;
  after?: string;
}

type Name = (w: Widget) => string;

// differences lists what changed from one revision to another. name and query return what the page calls a widget and a saved query.
export function differences(before: DashboardDoc, after: DashboardDoc, name: Name, query: (id: string) => string): Difference[] {
  return [
    ...differ('Title', before.title, after.title),
    ...differ('Description', before.description, after.description),
    ...differ('Tags', before.tags?.join(', '), after.tags?.join(', ')),
    ...differ('Refreshed', rhythm(before.refresh), rhythm(after.refresh)),
    ...parameters(before.parameters ?? [], after.parameters ?? []),
    ...widgets(before.widgets, after.widgets, name, query),
  ];
}

const differ = (what: string, before: string | undefined, after: string | undefined): Difference[] =>
  (before ?? '') === (after ?? '') ? [] : [{ what, before, after }];

function parameters(before: readonly DashboardParameter[], after: readonly DashboardParameter[]): Difference[] {
  const names = [...new Set([...before, ...after].map(p => p.name))];
  const text = (p: DashboardParameter | undefined) => p && written({ ...p, name: undefined });
  return names.flatMap(n => differ(`Parameter ${n}`, text(before.find(p => p.name === n)), text(after.find(p => p.name === n))));
}

function widgets(before: readonly Widget[], after: readonly Widget[], name: Name, query: (id: string) => string): Difference[] {
  const contents = (w: Widget) => contentsOf(w, w.query && query(w.query));
  return [...new Set([...before, ...after].map(w => w.id))].flatMap(id => {
    const [a, b] = [before.find(w => w.id === id), after.find(w => w.id === id)];
    const what = name((b ?? a)!);
    if (!a || !b) {
      return [{ what, before: a && contents(a), after: b && contents(b) }];
    }
    return [
      ...differ(what, contents(a), contents(b)),
      ...differ(`${what}: title`, a.title, b.title),
      ...differ(`${what}: place`, place(a), place(b)),
    ];
  });
}

const contentsOf = (w: Widget, query: string | undefined): string =>
  w.refused
    ? 'not for you'
    : w.kind === 'text'
      ? (w.text ?? '')
      : written({ shown: w.kind, query, chart: w.chart, ...w.parameters });

const place = (w: Widget): string => `column ${w.x + 1}, row ${w.y + 1}, ${w.w} wide, ${w.h} high`;

// written lists the members of an object that have a value.
const written = (o: object): string =>
  Object.entries(o)
    .filter(([, v]) => v !== undefined)
    .map(([k, v]) => `${k}: ${typeof v === 'string' ? v : JSON.stringify(v)}`)
    .join('\n');
