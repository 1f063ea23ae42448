import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { pause } from '../../api/client';
import { type Item, type Results, results } from '../../api/dashboards';
import { isAbort } from '../../api/errors';
import { ended, query, rowsOf } from '../../api/queries';
import type { Column, Row } from '../../result/format';
import { Pages } from '../../result/pages';

// Live holds the results of a dashboard's widgets, newest first known.
export interface Live {
  widgets: ReadonlyMap<string, Item>;
  options: ReadonlyMap<string, Item>; // results that fill drop-downs, by parameter
  used?: Record<string, unknown>; // values of the parameters, with days as dates
  busy: boolean;
  outdated: boolean; // the results are of the values before
  error: unknown; // of the last request
  refresh: () => void;
}

const pending = (i: Item): boolean => i.state === 'running' || i.state === 'waiting';

// next waits until a run has ended, or some seconds. The server answers several widgets at once after it.
async function next(items: readonly Item[], signal: AbortSignal): Promise<void> {
  const id = items.find(i => i.state === 'running' && i.query)?.query;
  if (!id) {
    return pause(1000, signal);
  }
  const q = await query(id, 2, signal);
  if (!ended(q)) {
    await pause(100, signal);
  }
}

type Ask = { refresh?: boolean; maxAge?: number };

// useResults asks for the results of a dashboard: when values change, every some seconds while the page is seen, and by refresh.
// values undefined: some are missing, so nothing is asked.
export function useResults(id: string, revision: number, values: Record<string, unknown> | undefined, every: number): Live {
  const [got, setGot] = useState<{ results: Results; key: string }>();
  const [state, setState] = useState<{ busy: boolean; error?: unknown }>({ busy: true });
  const [turn, setTurn] = useState<{ n: number; ask: Ask }>({ n: 0, ask: {} });
  const key = values && JSON.stringify(values);
  const asked = useRef('');
  const busy = useRef(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: key has the values
  useEffect(() => {
    if (!key) {
      return;
    }
    const abort = new AbortController();
    const { signal } = abort;
    const body = { parameters: values };
    const again = asked.current === `${id} ${revision} ${key}`;
    const changed = asked.current.startsWith(`${id} `) && !again;
    asked.current = `${id} ${revision} ${key}`;
    busy.current = true;
    setState(s => ({ ...s, busy: true }));
    const run = async () => {
      if (changed) {
        await pause(300, signal); // somebody types
      }
      let r = await results(id, { ...body, ...(again ? turn.ask : {}) }, signal);
      setGot({ results: r, key });
      while (r.items.some(pending)) {
        await next(r.items, signal);
        r = await results(id, body, signal);
        setGot({ results: r, key });
      }
      setState({ busy: false });
    };
    run()
      .catch(error => !isAbort(error) && setState({ busy: false, error }))
      .finally(() => {
        busy.current &&= signal.aborted;
      });
    return () => abort.abort();
  }, [id, revision, key, turn]);
  const again = useCallback((ask: Ask) => setTurn(t => ({ n: t.n + 1, ask })), []);
  useEffect(() => {
    if (!every) {
      return;
    }
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible' && !busy.current) {
        again({ maxAge: every });
      }
    }, every * 1000);
    return () => clearInterval(timer);
  }, [every, again]);
  const items = got?.results.items ?? [];
  return {
    widgets: new Map(items.flatMap(i => (i.widget ? [[i.widget, i] as const] : []))),
    options: new Map(items.flatMap(i => (i.parameter ? [[i.parameter, i] as const] : []))),
    used: got?.results.parameters,
    busy: state.busy,
    outdated: got !== undefined && got.key !== key,
    error: state.error,
    refresh: () => again({ refresh: true }),
  };
}

const mostRows = 20_000; // that a chart draws

export interface Read {
  id: string; // of the result
  columns: Column[];
  pages: Pages;
  rows: Row[]; // the first ones
  total: number;
}

// useRows reads the first rows of a result. The rows of the result before it stay until they are there.
export function useRows(item: Item, most = mostRows): { read?: Read; error: unknown; turn: number } {
  const { result: id, rows: total = 0 } = item;
  const [read, setRead] = useState<Read>();
  const [error, setError] = useState<unknown>();
  const [turn, setTurn] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a result keeps its columns
  useEffect(() => {
    if (!id) {
      return;
    }
    let current = true;
    const pages = new Pages(rowsOf(id), total, () => current && setTurn(n => n + 1));
    pages.load(0, Math.min(total, most)).then(
      rows => {
        if (current) {
          setRead({ id, columns: item.columns ?? [], pages, rows, total });
          setError(undefined);
        }
      },
      e => current && !isAbort(e) && setError(e),
    );
    return () => {
      current = false;
      pages.close();
    };
  }, [id, total, most]);
  return { read: id ? read : undefined, error, turn };
}
