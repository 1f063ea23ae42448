// Texts about days, which charts show.
import { del, get, post } from './client';
import type { components } from './schema';

export type Annotation = components['schemas']['Annotation'];

// Days are as 2018-03-01.
export const annotations = async (from: string, to: string, signal?: AbortSignal): Promise<Annotation[]> =>
  (await get('/annotations', { query: { from, to }, signal })).items ?? [];
export const annotate = (day: string, text: string): Promise<Annotation> => post('/annotations', { body: { day, text } });
export const removeAnnotation = (id: string): Promise<unknown> => del('/annotations/{id}', { path: { id } });
