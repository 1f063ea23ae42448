import { pause, until } from '../../api/client';
import { ApiError, isAbort, type Problem } from '../../api/errors';
import { cancel, ended, type Query, type Question, query, submit } from '../../api/queries';

// Run is a question from when it is asked until its answer is there.
export interface Run {
  query?: Query; // as the server last said; missing until it has taken the question
  problem?: Problem; // why there is no result
  from: number; // where its text begins in the editor
  sql?: string; // its text
  begun: number; // ms, of performance.now
  cancelling?: boolean;
  file?: string; // the format of the file that gets the result, in place of the page
}

export const running = (r: Run | undefined): boolean => r !== undefined && !r.problem && !(r.query && ended(r.query));

// problemOf returns the problem of a failed query.
export function problemOf(q: Query): Problem | undefined {
  if (q.state === 'failed') {
    return { status: 422, detail: 'The query failed.', ...q.error };
  }
  return undefined;
}

export const asProblem = (e: unknown): Problem =>
  e instanceof ApiError ? e.problem : { status: 0, detail: `The server cannot be reached: ${String(e)}` };

// follow asks the question, or looks at the query that it became, until that has ended.
export async function follow(
  ask: (Question & { whole?: boolean }) | string,
  seen: (q: Query) => void,
  signal: AbortSignal,
): Promise<void> {
  const first = typeof ask === 'string' ? await query(ask, 0, signal) : await submit(ask, 0.5, signal);
  seen(first);
  if (!ended(first)) {
    let ready = first.progress?.ready;
    const watch = (q: Query) => {
      ready = q.progress?.ready;
      seen(q);
    };
    await until(() => patient(first.id, signal, !ready), ended, watch, signal);
  }
}

const tries = 6;

// patient asks for a query, some times if the network fails: the query runs on.
async function patient(id: string, signal: AbortSignal, first: boolean): Promise<Query> {
  for (let n = 1; ; n++) {
    try {
      return await query(id, 1, signal, first);
    } catch (e) {
      if (n === tries || signal.aborted || (e instanceof ApiError && e.status < 502)) {
        throw e;
      }
      await pause(250 * 2 ** n, signal);
    }
  }
}

// stop cancels a query; one that has ended meanwhile stays as it is.
export async function stop(id: string): Promise<void> {
  try {
    await cancel(id);
  } catch (e) {
    if (!isAbort(e) && !(e instanceof ApiError && e.status === 404)) {
      throw e;
    }
  }
}
