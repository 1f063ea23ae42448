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
