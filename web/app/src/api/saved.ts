import type { Chart } from '../chart/chart';
import type { Parameter } from '../sql/parameters';
import { send, urlOf } from './client';
import type { Dialect } from './queries';

// SavedDoc is what people write of a query.
export interface SavedDoc {
  title: string;
  description?: string;
  sql: string;
  dialect?: Dialect;
  tags?: string[];
  parameters?: Parameter[];
  chart?: Chart;
}

export interface Saved extends SavedDoc {
  id: string;
  builtin: boolean;
  mine: boolean; // it may be changed
  forkOf?: string;
  revision: number;
  updated?: string;
  person: { id: string; name: string };
  /** For who may see it. */
  schedule?: Scheduled;
}

const json = async <T>(
  method: string,
  route: string,
  o: { path?: object; query?: object; body?: unknown; signal?: AbortSignal } = {},
): Promise<T> => (await send(method, urlOf(route, o.path, o.query), o.body, o.signal)).json() as Promise<T>;

export interface Filter {
  text?: string;
  tag?: string;
  person?: string; // an id, or me
  table?: string;
  cursor?: string;
}

export const list = (f: Filter, signal?: AbortSignal) =>
  json<{ items: Saved[] | null; next?: string }>('GET', '/saved', { query: f, signal });
export const tags = (signal?: AbortSignal) =>
  json<{ items: { name: string; count: number }[] | null }>('GET', '/saved/tags', { signal });
export const one = (id: string, signal?: AbortSignal) => json<Saved>('GET', '/saved/{id}', { path: { id }, signal });
export const create = (doc: SavedDoc) => json<Saved>('POST', '/saved', { body: doc });
export const fork = (id: string) => json<Saved>('POST', '/saved/{id}/fork', { path: { id } });
export const remove = async (id: string): Promise<void> => void (await send('DELETE', urlOf('/saved/{id}', { id })));
/** Changes a query. Who has not seen its present revision gets status 412. */
export const update = (id: string, revision: number, doc: SavedDoc) =>
  json<Saved>('PUT', '/saved/{id}', { path: { id }, body: { ...doc, revision } });

export type Is = '>' | '>=' | '<' | '<=' | '=' | '!=';

/** What a schedule looks at after each run. */
export interface Condition {
  kind: 'rows' | 'value' | 'change' | 'error';
  column?: string;
  is?: Is;
  than?: number;
}

export interface Target {
  kind: 'webhook' | 'mail';
  to: string;
}

export interface Schedule {
  /** Cron text of five fields, or an interval such as 6h. */
  every: string;
  timezone?: string;
  parameters?: Record<string, unknown>;
  condition?: Condition;
  repeat?: boolean;
  notify?: Target[];
}

export interface Scheduled extends Schedule {
  next?: string;
  /** Why it runs no more. */
  paused?: string;
  failures: number;
  holds: boolean;
  /** That webhooks are signed with. */
  secret?: string;
}

export interface ScheduledRun {
  planned: string;
  started: string;
  ended: string;
  state: 'done' | 'failed';
  query?: string;
  rows: number;
  value?: number | null;
  error?: string;
  holds: boolean;
  notified: (Target & { event: string; error?: string })[];
  notBecause?: string;
}

export const targetKinds = (signal?: AbortSignal) => json<{ kinds: Target['kind'][] }>('GET', '/saved/targets', { signal });
export const schedule = (id: string, signal?: AbortSignal) =>
  json<Scheduled>('GET', '/saved/{id}/schedule', { path: { id }, signal });
export const setSchedule = (id: string, s: Schedule) => json<Scheduled>('PUT', '/saved/{id}/schedule', { path: { id }, body: s });
export const removeSchedule = async (id: string): Promise<void> =>
  void (await send('DELETE', urlOf('/saved/{id}/schedule', { id })));
export const runs = (id: string, signal?: AbortSignal) =>
  json<{ items: ScheduledRun[] }>('GET', '/saved/{id}/runs', { path: { id }, signal });
