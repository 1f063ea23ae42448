// Questions and their answers, as the query page asks them.
import type { Value } from '../result/format';
import type { Page } from '../result/pages';
import type { Dictionary } from '../sql/complete';
import { del, get, post, urlOf } from './client';
import type { components } from './schema';

type Schemas = components['schemas'];

export type Query = Schemas['Query'];
export type Question = Schemas['Asked'];
export type Reads = Schemas['Reads'];
export type Rounded = Schemas['Rounded'];
export type State = Query['state'];
export type Dialect = Query['dialect'];

export const ended = (q: Query): boolean => q.state !== 'queued' && q.state !== 'running';

// submit asks a question, and waits some seconds for the first rows of the answer.
export const submit = (q: Question & { whole?: boolean }, wait: number, signal?: AbortSignal): Promise<Query> =>
  post('/queries', { body: { ...q, wait, first: true }, signal });

// query is a query as it is when it has ended, or wait seconds are over, or its first rows are there.
export const query = (id: string, wait = 0, signal?: AbortSignal, first = false): Promise<Query> =>
  get('/queries/{id}', { path: { id }, query: { wait, first }, signal });

export const cancel = (id: string): Promise<unknown> => del('/queries/{id}', { path: { id } });

export const plan = (q: Question, signal?: AbortSignal): Promise<Schemas['Plan']> => post('/queries/plan', { body: q, signal });

// format lays SQL out for people.
export const format = (sql: string, dialect: Dialect): Promise<Schemas['Formatted']> =>
  post('/queries/format', { body: { sql, dialect } });

export const dictionary = (signal?: AbortSignal): Promise<Dictionary> => get('/completion', { signal });

// history is one's queries, or those of a saved one; "" is any state.
export const history = (
  o: { text?: string; state?: State | ''; saved?: string; cursor?: string; limit?: number },
  signal?: AbortSignal,
): Promise<Schemas['Listed']> =>
  get('/queries', { query: { ...o, state: o.state || undefined, cursor: o.cursor ? Number(o.cursor) : undefined }, signal });

// rowsOf fetches rows of a result.
export const rowsOf =
  (id: string) =>
  async (offset: number, limit: number, signal: AbortSignal): Promise<Page> => {
    const page = await get('/queries/{id}/rows', { path: { id }, query: { offset, limit }, signal });
    return { ...page, rows: page.rows as Value[][] };
  };

// formats lists the formats of downloads with their use.
export const formats = [
  { format: 'csv', name: 'CSV', what: 'values as they are' },
  { format: 'spreadsheet', name: 'Spreadsheet', what: 'CSV without formulas' },
  { format: 'ndjson', name: 'NDJSON', what: 'one object a line' },
  { format: 'json', name: 'JSON', what: 'one list' },
  { format: 'parquet', name: 'Parquet', what: 'types kept' },
  { format: 'arrow', name: 'Arrow', what: 'notebooks' },
] as const;

export const resultUrl = (id: string, format: string): string => urlOf('/queries/{id}/result', { id }, { format });
