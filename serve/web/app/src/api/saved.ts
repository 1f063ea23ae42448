// Saved queries and their schedules.
import { del, get, post, put } from './client';
import type { components } from './schema';

type Schemas = components['schemas'];

export type Saved = Schemas['Saved'];
export type SavedDoc = Schemas['NewSaved'];
export type Schedule = Schemas['Schedule'];
export type Scheduled = Schemas['Scheduled'];
export type ScheduleRun = Schemas['ScheduleRun'];
export type Condition = Schemas['Condition'];
export type Target = Schemas['Target'];
export type Is = NonNullable<Condition['is']>;

export interface Filter {
  text?: string;
  tag?: string;
  person?: string; // an id, or me
  table?: string;
  limit?: number;
  cursor?: string;
}

export const mostListed = 500; // of a page: examples come last

export const list = (f: Filter, signal?: AbortSignal) => get('/saved', { query: f, signal });
export const tags = (signal?: AbortSignal) => get('/saved/tags', { signal });
export const one = (id: string, signal?: AbortSignal): Promise<Saved> => get('/saved/{id}', { path: { id }, signal });
// create saves a query. run is a query with its text, whose result becomes its first.
export const create = (doc: SavedDoc, run?: string): Promise<Saved> => post('/saved', { body: { ...doc, run } });
export const fork = (id: string): Promise<Saved> => post('/saved/{id}/fork', { path: { id } });
export const remove = (id: string): Promise<unknown> => del('/saved/{id}', { path: { id } });

// update changes a query. Who has not seen its present revision gets status 412.
export const update = (id: string, revision: number, doc: SavedDoc): Promise<Saved> =>
  put('/saved/{id}', { path: { id }, body: { ...doc, revision } });

export const targetKinds = async (signal?: AbortSignal) => {
  const { kinds, rows } = await get('/saved/targets', { signal });
  return { kinds: kinds.filter(k => k === 'mail' || k === 'webhook'), rows };
};
export const setSchedule = (id: string, s: Schedule): Promise<Scheduled> =>
  put('/saved/{id}/schedule', { path: { id }, body: s });
export const removeSchedule = (id: string): Promise<unknown> => del('/saved/{id}/schedule', { path: { id } });
export const runs = (id: string, signal?: AbortSignal) => get('/saved/{id}/runs', { path: { id }, signal });
