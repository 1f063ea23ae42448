// Dashboards and the results of their widgets.
import { del, get, post, put, urlOf } from './client';
import type { components } from './schema';

type Schemas = components['schemas'];

export type Dashboard = Schemas['Dashboard'];
export type DashboardDoc = Schemas['Doc'];
export type DashboardParameter = Schemas['SharedParameter'];
export type Listed = Schemas['DashboardListed'];
export type Revision = Schemas['DashboardRevision'];
export type Widget = Schemas['Widget'];
export type WidgetKind = Widget['kind'];
export type Binding = Schemas['WidgetValue'];

export type Item = Schemas['WidgetResult'];
export type Imported = Schemas['Report'];
export type Results = Schemas['DashboardResults'];

export interface Filter {
  text?: string;
  tag?: string;
  person?: string; // an id, or me
  favourite?: boolean;
  query?: string;
  cursor?: string;
}

export const list = (f: Filter, signal?: AbortSignal) => get('/dashboards', { query: f, signal });
export const tags = (signal?: AbortSignal) => get('/dashboards/tags', { signal });
export const one = (id: string, signal?: AbortSignal): Promise<Dashboard> => get('/dashboards/{id}', { path: { id }, signal });
export const create = (body: DashboardDoc): Promise<Dashboard> => post('/dashboards', { body });
export const fork = (id: string): Promise<Dashboard> => post('/dashboards/{id}/fork', { path: { id } });
export const remove = (id: string): Promise<unknown> => del('/dashboards/{id}', { path: { id } });

// update changes a dashboard. A revision that is no longer the present one gets status 412.
export const update = (id: string, revision: number, doc: DashboardDoc): Promise<Dashboard> =>
  put('/dashboards/{id}', { path: { id }, body: { ...doc, revision } });

export const revisions = (id: string, signal?: AbortSignal) => get('/dashboards/{id}/revisions', { path: { id }, signal });
// restore stores an earlier revision again. present is the revision that it replaces.
export const restore = (id: string, present: number, revision: number): Promise<Dashboard> =>
  post('/dashboards/{id}/restore', { path: { id }, body: { revision }, headers: { 'If-Match': `"${present}"` } });
export const setFavourite = (id: string, on: boolean): Promise<unknown> =>
  on ? put('/dashboards/{id}/favourite', { path: { id } }) : del('/dashboards/{id}/favourite', { path: { id } });

// results returns the results of the widgets. maxAge, in seconds, and refresh run what is older again.
export const results = (id: string, body: Schemas['ResultsInBody'], signal?: AbortSignal): Promise<Results> =>
  post('/dashboards/{id}/results', { path: { id }, body, signal });

export const exportUrl = (id: string): string => urlOf('/dashboards/{id}/export', { id });

// importFiles saves dashboards and queries of files. Without overwrite, what is stored otherwise is a conflict.
export const importFiles = (files: { path: string; text: string }[], overwrite: boolean): Promise<Imported> =>
  post('/dashboards/import', { body: { files, overwrite } });

// docOf returns what a person can change of a dashboard.
export const docOf = ({ title, description, tags, parameters, refresh, widgets }: DashboardDoc): DashboardDoc => ({
  title,
  ...(description && { description }),
  ...(tags?.length && { tags }),
  ...(parameters?.length && { parameters }),
  ...(refresh && { refresh }),
  widgets,
});
