import type { Binding, DashboardParameter, Widget } from '../../api/dashboards';
import { forApi, fromApi, initial, type Parameter } from '../../sql/parameters';

// Source says where a parameter of a widget's query gets its value: from a shared parameter, which may be new; as a fixed value; or as
// the query declares it.
export type Source = { from: 'shared'; name: string } | { from: 'fixed'; value: string } | { from: 'query' };

// sourceOf reads the source of a stored widget; a new widget shares its parameters by their names.
export function sourceOf(p: Parameter, w: Widget | undefined, shared: readonly DashboardParameter[]): Source {
  const b = w?.parameters?.[p.name];
  if (b?.parameter !== undefined) {
    return { from: 'shared', name: b.parameter };
  }
  if (b) {
    return { from: 'fixed', value: fromApi(b.value) };
  }
  return !w || shared.some(s => s.name === p.name) ? { from: 'shared', name: p.name } : { from: 'query' };
}

// bindingsOf returns what a widget stores, and the shared parameters that its sources need.
export function bindingsOf(
  parameters: readonly Parameter[],
  sources: Record<string, Source>,
): { parameters?: Record<string, Binding>; shared: DashboardParameter[] } {
  const bound: Record<string, Binding> = {};
  const shared: DashboardParameter[] = [];
  for (const p of parameters) {
    const s = sources[p.name] ?? { from: 'query' };
    if (s.from === 'fixed') {
      bound[p.name] = { value: forApi(p, s.value) };
    } else if (s.from === 'shared') {
      shared.push({ ...p, name: s.name, default: p.default ?? forApi(p, initial(p)) });
      if (s.name !== p.name) {
        bound[p.name] = { parameter: s.name };
      }
    }
  }
  return { ...(Object.keys(bound).length > 0 && { parameters: bound }), shared };
}
