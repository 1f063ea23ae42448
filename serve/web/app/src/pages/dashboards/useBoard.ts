import { useEffect, useState } from 'preact/hooks';
import type { Dashboard, Widget } from '../../api/dashboards';
import { isAbort } from '../../api/errors';
import { useLoad } from '../../api/hooks';
import { one, type Saved } from '../../api/saved';
import type { Values } from '../../sql/parameters';
import { addressValues } from '../query/begin';
import { type Live, useResults } from './useResults';
import { addressOf, asked } from './values';

// Seen is a dashboard with what is seen of it: values, results, and the queries of its widgets.
export interface Seen {
  dashboard: Dashboard;
  values: Values;
  setValues: (v: Values) => void;
  address: string; // the query of an address that carries the values
  live: Live;
  queries: Queries;
  complete: boolean; // every parameter has a valid value
}

// useBoard begins with the values of the page's address and keeps them there.
export function useBoard(dashboard: Dashboard): Seen {
  const [values, setValues] = useState<Values>(addressValues);
  const parameters = dashboard.parameters ?? [];
  const given = asked(parameters, values);
  const live = useResults(dashboard.id, dashboard.revision, given, dashboard.refresh ?? 0);
  const address = addressOf(parameters, values);
  useEffect(() => {
    history.replaceState(history.state, '', location.pathname + address);
  }, [address]);
  return {
    dashboard,
    values,
    setValues,
    address,
    live,
    queries: useQueries(dashboard.widgets),
    complete: given !== undefined,
  };
}

// Queries holds the saved queries of widgets by id; null are those that cannot be read.
export type Queries = ReadonlyMap<string, Saved | null>;

// useQueries loads the saved queries of widgets.
export function useQueries(widgets: readonly Widget[]): Queries {
  const ids = [...new Set(widgets.flatMap(w => (w.query ? [w.query] : [])))].sort();
  const [known, setKnown] = useState<Queries>(new Map());
  const lacking = ids.filter(id => !known.has(id));
  useLoad(
    async signal => {
      const found = await Promise.all(
        lacking.map(id =>
          one(id, signal).catch(e => {
            if (isAbort(e)) {
              throw e;
            }
            return null;
          }),
        ),
      );
      setKnown(k => new Map([...k, ...found.map((s, i) => [lacking[i]!, s] as const)]));
    },
    [lacking.join()],
  );
  return known;
}

// titleOf returns the title of a widget, else of its query.
export const titleOf = (w: Widget, queries: Queries): string =>
  w.title || (w.query && queries.get(w.query)?.title) || (w.refused ? 'Not for you' : w.kind === 'text' ? 'Text' : '…');
