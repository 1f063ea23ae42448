import type { Column } from '../result/format';
import type { Page } from '../result/pages';
import type { Dictionary } from '../sql/complete';
import { send, urlOf } from './client';
import type { Problem } from './errors';

export type State = 'queued' | 'running' | 'done' | 'failed' | 'cancelled';
export type Dialect = 'presto' | 'duckdb';

/** What a query reads. */
export interface Reads {
  text: string;
  files: number;
  partitions: number;
  bytes: number;
}

export interface Query {
  id: string;
  state: State;
  sql: string;
  dialect: Dialect;
  parameters?: Record<string, unknown>;
  saved?: string;
  /** The id and the name of who asked. */
  person: string;
  name: string;
  asked: string;
  started?: string;
  ended?: string;
  /** When the result is removed. */
  expires?: string;
  /** Its place among the queries that wait; 1: it is next. */
  position?: number;
  /** percent is below 0 where it is not known. */
  progress?: { percent: number; bytes: number; rows: number };
  reads?: Reads;
  columns?: Column[];
  rows: number;
  bytes: number;
  /** What ended the result before its end. */
  cut?: 'rows' | 'bytes';
  /** What its author should know. */
  notes?: string[];
  error?: Omit<Problem, 'status'>;
  /** Nanoseconds of processor time. */
  cpu: number;
  /** Bytes of files that were read. */
  read: number;
}

export interface Question {
  sql: string;
  dialect: Dialect;
  parameters?: Record<string, unknown>;
  saved?: string;
}

export const ended = (q: Query): boolean => q.state !== 'queued' && q.state !== 'running';

const json = async <T>(
  method: string,
  route: string,
  o: { path?: object; query?: object; body?: unknown; signal?: AbortSignal } = {},
): Promise<T> => (await send(method, urlOf(route, o.path, o.query), o.body, o.signal)).json() as Promise<T>;

/** Asks a question, and waits a moment for the answer to short ones. */
export const submit = (q: Question, wait: number, signal?: AbortSignal) =>
  json<Query>('POST', '/queries', { body: { ...q, wait }, signal });
/** The query as it is when it has ended or wait seconds are over. */
export const query = (id: string, wait = 0, signal?: AbortSignal) =>
  json<Query>('GET', '/queries/{id}', { path: { id }, query: { wait }, signal });
export const cancel = async (id: string): Promise<void> => void (await send('DELETE', urlOf('/queries/{id}', { id })));
export const plan = (q: Question, signal?: AbortSignal) =>
  json<{ reads?: Reads; columns?: Column[] }>('POST', '/queries/plan', { body: q, signal });
export const format = (sql: string, dialect: Dialect) =>
  json<{ sql: string }>('POST', '/queries/format', { body: { sql, dialect } });
export const dictionary = (signal?: AbortSignal) => json<Dictionary>('GET', '/completion', { signal });

export async function history(
  o: { text?: string; state?: string; saved?: string; cursor?: string; limit?: number },
  signal?: AbortSignal,
) {
  return json<{ items: Query[] | null; next?: string }>('GET', '/queries', { query: o, signal });
}

/** Rows of a result. */
export const rowsOf = (id: string) => (offset: number, limit: number, signal: AbortSignal) =>
  json<Page>('GET', '/queries/{id}/rows', { path: { id }, query: { offset, limit }, signal });

/** Formats of downloads, with what they are for. */
export const formats = [
  { format: 'csv', name: 'CSV', what: 'spreadsheets' },
  { format: 'ndjson', name: 'NDJSON', what: 'one object a line' },
  { format: 'json', name: 'JSON', what: 'one list' },
  { format: 'parquet', name: 'Parquet', what: 'types kept' },
  { format: 'arrow', name: 'Arrow', what: 'notebooks' },
] as const;

export const resultUrl = (id: string, format: string): string => urlOf('/queries/{id}/result', { id }, { format });
