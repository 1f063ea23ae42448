import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { send, setCsrf, until, urlOf, whenSignedOut } from './client';
import { ApiError, problemText } from './errors';

// A server of its own, which echoes requests.
const server = createServer((req, res) => {
  const answer = (status: number, type: string, body: string) => res.writeHead(status, { 'Content-Type': type }).end(body);
  switch (req.url) {
    case '/echo':
      return answer(200, 'application/json', JSON.stringify({ method: req.method, csrf: req.headers['x-csrf-token'] ?? null }));
    case '/problem':
      return answer(
        422,
        'application/problem+json',
        JSON.stringify({ detail: 'no', line: 2, errors: [{ message: 'want a day', location: 'body.day' }] }),
      );
    case '/broken':
      return answer(500, 'application/json', '{"detail"');
    case '/busy':
      busy++;
      return busy < 3 ? res.writeHead(429, { 'Retry-After': '0' }).end() : answer(200, 'application/json', '"served"');
    case '/unknown':
      return answer(401, 'application/problem+json', '{"detail":"sign in"}');
    default:
      return answer(502, 'text/html', '<h1>Bad gateway</h1>');
  }
});
let base = '';
let busy = 0;

beforeAll(async () => {
  await new Promise<void>(done => server.listen(0, '127.0.0.1', done));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => void server.close());

const problem = async (path: string) => {
  const e = await send('GET', base + path).catch((e: unknown) => e);
  expect(e).toBeInstanceOf(ApiError);
  return (e as ApiError).problem;
};

test('routes are filled, and empty values of a query left out', () => {
  expect(urlOf('/tables/{name}', { name: 'a/b c' })).toBe('/api/v1/tables/a%2Fb%20c');
  expect(urlOf('/saved', {}, { text: 'é&', tag: ['a', 'b'], cursor: undefined, limit: 0, person: '' })).toBe(
    '/api/v1/saved?text=%C3%A9%26&tag=a&tag=b&limit=0',
  );
});

test('requests that change something carry the token', async () => {
  setCsrf('t1');
  expect(await (await send('POST', `${base}/echo`, {})).json()).toEqual({ method: 'POST', csrf: 't1' });
  expect(await (await send('GET', `${base}/echo`)).json()).toEqual({ method: 'GET', csrf: null });
});

test('reading waits where there were too many requests, changing something does not', async () => {
  expect(await (await send('GET', `${base}/busy`)).json()).toBe('served');
  busy = 0;
  expect(await send('POST', `${base}/busy`).catch((e: unknown) => e)).toBeInstanceOf(ApiError);
  expect(busy).toBe(1);
});

test('whatever the server or a proxy answers becomes a problem', async () => {
  const p = await problem('/problem');
  expect(p).toMatchObject({ status: 422, line: 2 });
  expect(problemText(p)).toBe('no: body.day: want a day');
  expect(await problem('/broken')).toEqual({ status: 500, title: 'Internal Server Error' });
  expect(await problem('/gateway')).toEqual({ status: 502, title: 'Bad Gateway' });
});

test('a session that ended is noticed', async () => {
  let ended = 0;
  whenSignedOut(() => void ended++);
  await problem('/unknown');
  expect(ended).toBe(1);
});

test('until asks until it is done, and ends when it is aborted', async () => {
  const states = ['queued', 'running', 'done'];
  const seen: string[] = [];
  await until(
    async () => states.shift()!,
    s => s === 'done',
    s => void seen.push(s),
  );
  expect(seen).toEqual(['queued', 'running', 'done']);
  const abort = new AbortController();
  const endless = until(
    async () => 'running',
    () => false,
    () => abort.abort(),
    abort.signal,
  );
  await expect(endless).rejects.toThrow('abort');
});
