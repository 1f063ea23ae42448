import type { DashboardParameter, Item } from '../../api/dashboards';
import type { Pick } from '../../chart/pick';
import { plain } from '../../result/format';
import { faultOf, forApi, initial, type Parameter, type Values } from '../../sql/parameters';

export const shownValue = (p: DashboardParameter, values: Values): string => values[p.name] ?? initial(p);

// asked returns the values as the API takes them; undefined while one of them is missing or wrong.
export function asked(parameters: readonly DashboardParameter[], values: Values): Record<string, unknown> | undefined {
  const given = parameters.map(p => [p.name, shownValue(p, values)] as const);
  return parameters.some((p, i) => faultOf(p, given[i]![1]) !== '')
    ? undefined
    : Object.fromEntries(given.map(([name, v], i) => [name, forApi(parameters[i]!, v)]));
}

// addressOf returns the query of an address that carries the values which somebody chose.
export function addressOf(parameters: readonly DashboardParameter[], values: Values): string {
  const q = new URLSearchParams();
  for (const p of parameters) {
    const v = values[p.name];
    if (v !== undefined && v !== initial(p)) {
      q.set(`p.${p.name}`, v);
    }
  }
  return q.size > 0 ? `?${q}` : '';
}

// withOptions returns a parameter as the form shows it: with options it is a choice of the values that a query found.
export function withOptions(p: DashboardParameter, options: readonly string[] | undefined, value: string): Parameter {
  if (!p.options || !options || p.kind === 'list' || p.kind === 'day' || p.kind === 'days') {
    return p;
  }
  return { ...p, kind: 'choice', choices: options.includes(value) ? [...options] : [value, ...options] };
}

// toggled returns a list with a value added or removed, in the order of the options.
export function toggled(list: string, option: string, options: readonly string[]): string {
  const chosen = new Set(
    list
      .split(',')
      .map(v => v.trim())
      .filter(Boolean),
  );
  chosen.delete(option) || chosen.add(option);
  return [...options.filter(o => chosen.has(o)), ...[...chosen].filter(c => !options.includes(c))].join(', ');
}

export const optionItem = (items: ReadonlyMap<string, Item>, p: DashboardParameter): Item | undefined =>
  p.options ? items.get(p.name) : undefined;

// picked returns the values after a click on a chart: parameters with the name of a column that was chosen take its value.
export const picked = (parameters: readonly DashboardParameter[], values: Values, pick: Pick): Values => ({
  ...values,
  ...Object.fromEntries(
    parameters.flatMap(p => {
      const v = pick[p.name];
      const text = v === undefined || v === null ? '' : p.kind === 'day' ? plain(v).replaceAll('-', '').slice(0, 8) : plain(v);
      return text !== '' && faultOf(p, text) === '' ? [[p.name, text]] : [];
    }),
  ),
});
