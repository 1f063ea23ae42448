import { ApiError, problemOf } from './errors';
import type { paths } from './schema';

export const prefix = '/api/v1';

type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';
type Routes = { [P in keyof paths as P extends `/api/v1${infer R}` ? R : never]: paths[P] };
type With<M extends Method> = { [P in keyof Routes]: Routes[P] extends { [K in M]: object } ? P : never }[keyof Routes];
type Op<P extends keyof Routes, M extends Method> = M extends keyof Routes[P] ? Routes[P][M] : never;
type Content<R> = R extends { content: { 'application/json': infer B } }
  ? B
  : R extends { content?: never }
    ? undefined
    : unknown;
type Success<O> = O extends { responses: infer R }
  ? { [S in keyof R]: S extends 200 | 201 | 202 | 204 ? Content<R[S]> : never }[keyof R]
  : never;
type Body<O> = O extends { requestBody: { content: { 'application/json': infer B } } } ? B : undefined;
type Part<O, K extends string> = O extends { parameters: infer Q }
  ? K extends keyof Q
    ? NonNullable<Q[K]>
    : undefined
  : undefined;

// Options of a request; path and query are typed by the operation.
export type Options<O> = {
  signal?: AbortSignal;
  query?: Part<O, 'query'>;
  headers?: Record<string, string>;
} & (Part<O, 'path'> extends undefined ? { path?: undefined } : { path: Part<O, 'path'> }) &
  (Body<O> extends undefined ? { body?: undefined } : { body: Body<O> });

type Args<O> = object extends Options<O> ? [options?: Options<O>] : [options: Options<O>];

let csrf = '';
let onSignedOut: () => void = () => {};

// setCsrf sets the token that requests which change something carry; the session has it.
export function setCsrf(token: string): void {
  csrf = token;
}

// whenSignedOut sets the callback for sessions that the server no longer knows.
export function whenSignedOut(f: () => void): void {
  onSignedOut = f;
}

// urlOf fills a route such as /tables/{name}. Empty values of the query are left out, lists are repeated.
export function urlOf(route: string, path: object = {}, query: object = {}): string {
  const values = path as Record<string, unknown>;
  const where = route.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(values[name])));
  const q = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    for (const v of Array.isArray(value) ? value : [value]) {
      if (v !== undefined && v !== null && v !== '') {
        q.append(name, String(v));
      }
    }
  }
  const text = q.toString();
  return prefix + where + (text ? `?${text}` : '');
}

// send makes a request with the session's cookie, and throws an ApiError unless it succeeds.
export async function send(
  method: string,
  url: string,
  body?: unknown,
  signal?: AbortSignal,
  more?: Record<string, string>,
): Promise<Response> {
  const headers: Record<string, string> = { Accept: 'application/json, application/problem+json', ...more };
  if (method !== 'GET') {
    headers['X-CSRF-Token'] = csrf;
  }
  if (body !== undefined) {
    headers['Content-Type'] = 'application/json';
  }
  const ask = () =>
    fetch(url, {
      method,
      headers,
      body: body === undefined ? undefined : JSON.stringify(body),
      signal,
      credentials: 'same-origin',
    });
  let r = await ask();
  for (let tries = 0; r.status === 429 && method === 'GET' && tries < 5; tries++) {
    await pause(1000 * Number(r.headers.get('Retry-After') ?? 1), signal); // many windows opened at once
    r = await ask();
  }
  if (!r.ok) {
    if (r.status === 401 && !url.startsWith(`${prefix}/session`)) {
      onSignedOut();
    }
    throw new ApiError(await problemOf(r));
  }
  return r;
}

async function request(
  method: Method,
  route: string,
  o: { path?: object; query?: object; body?: unknown; signal?: AbortSignal; headers?: Record<string, string> } = {},
): Promise<unknown> {
  const r = await send(method.toUpperCase(), urlOf(route, o.path, o.query), o.body, o.signal, o.headers);
  return r.status === 204 ? undefined : r.json();
}

// The operations, typed by the OpenAPI document: await get('/tables/{name}', { path: { name } }).
export const get = <P extends With<'get'>>(route: P, ...[o]: Args<Op<P, 'get'>>) =>
  request('get', route, o as object) as Promise<Success<Op<P, 'get'>>>;
export const post = <P extends With<'post'>>(route: P, ...[o]: Args<Op<P, 'post'>>) =>
  request('post', route, o as object) as Promise<Success<Op<P, 'post'>>>;
export const put = <P extends With<'put'>>(route: P, ...[o]: Args<Op<P, 'put'>>) =>
  request('put', route, o as object) as Promise<Success<Op<P, 'put'>>>;
export const patch = <P extends With<'patch'>>(route: P, ...[o]: Args<Op<P, 'patch'>>) =>
  request('patch', route, o as object) as Promise<Success<Op<P, 'patch'>>>;
export const del = <P extends With<'delete'>>(route: P, ...[o]: Args<Op<P, 'delete'>>) =>
  request('delete', route, o as object) as Promise<Success<Op<P, 'delete'>>>;

// until asks again, each time for as long as the server waits (?wait=), until what it says is done.
export async function until<T>(
  ask: (signal?: AbortSignal) => Promise<T>,
  done: (v: T) => boolean,
  seen: (v: T) => void,
  signal?: AbortSignal,
): Promise<T> {
  for (;;) {
    const started = performance.now();
    const v = await ask(signal);
    signal?.throwIfAborted();
    seen(v);
    if (done(v)) {
      return v;
    }
    if (performance.now() - started < 200) {
      await pause(300, signal); // a server that does not wait is not asked without end
    }
  }
}

export function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms);
    signal?.addEventListener('abort', () => {
      clearTimeout(timer);
      reject(signal.reason);
    });
  });
}
