import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { isAbort } from './errors';

// Load is the state of a useLoad.
export interface Load<T> {
  data: T | undefined; // kept while it is loaded again
  error: unknown;
  loading: boolean;
  reload: () => void;
  set: (data: T) => void;
}

// useLoad loads something when the page is shown and whenever deps change; every (seconds) loads it again while the page is seen, unless the
// last answer is still awaited: a server that needs longer than that would never get to answer.
export function useLoad<T>(load: (signal: AbortSignal) => Promise<T>, deps: readonly unknown[], every?: number): Load<T> {
  const [state, setState] = useState<{ data?: T; error?: unknown; loading: boolean }>({ loading: true });
  const [turn, setTurn] = useState(0);
  const latest = useRef(load);
  latest.current = load;
  const key = useRef<readonly unknown[]>(deps);
  const awaited = useRef(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the caller says when to load again
  useEffect(() => {
    const abort = new AbortController();
    const other = key.current.some((d, i) => d !== deps[i]);
    key.current = deps;
    setState(s => ({ data: other ? undefined : s.data, loading: true }));
    awaited.current = true;
    latest
      .current(abort.signal)
      .then(
        data => !abort.signal.aborted && setState({ data, loading: false }),
        error => !abort.signal.aborted && !isAbort(error) && setState(s => ({ data: s.data, error, loading: false })),
      )
      .finally(() => {
        awaited.current &&= abort.signal.aborted; // then it is the next one that is awaited
      });
    return () => abort.abort();
  }, [...deps, turn]);
  useEffect(() => {
    if (!every) {
      return;
    }
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible' && !awaited.current) {
        setTurn(n => n + 1);
      }
    }, every * 1000);
    return () => clearInterval(timer);
  }, [every]);
  const reload = useCallback(() => setTurn(n => n + 1), []);
  const set = useCallback((data: T) => setState({ data, loading: false }), []);
  return { data: state.data, error: state.error, loading: state.loading, reload, set };
}

// useAction runs something that a person asked for, once at a time.
export function useAction<A extends unknown[]>(
  act: (...args: A) => Promise<void>,
): { run: (...args: A) => Promise<void>; busy: boolean; error: unknown; clear: () => void } {
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  const running = useRef(false);
  const run = async (...args: A) => {
    if (running.current) {
      return;
    }
    running.current = true;
    setBusy(true);
    setError(undefined);
    try {
      await act(...args);
    } catch (e) {
      if (!isAbort(e)) {
        setError(e);
      }
    } finally {
      running.current = false;
      setBusy(false);
    }
  };
  return { run, busy, error, clear: () => setError(undefined) };
}
