// What the tests of dashboards share: queries, and a dashboard in every state.
import type { Page } from 'playwright-core';
import { api } from './index';

export const queries = {
  days: {
    title: 'Clients by day and channel',
    sql: 'SELECT submission_date_obj AS day, normalized_channel AS channel, count(*) AS clients FROM clients_daily WHERE submission_date_obj BETWEEN {{days.from}} AND {{days.to}} GROUP BY 1, 2 ORDER BY 1, 2',
    chart: { kind: 'line', x: 'day', y: ['clients'], series: 'channel' },
    parameters: [{ name: 'days', kind: 'days', default: 'newest 7 days' }],
  },
  systems: {
    title: 'Operating systems of a channel',
    sql: 'SELECT os, count(*) AS clients FROM clients_daily WHERE normalized_channel = {{channel}} AND submission_date_obj BETWEEN {{days.from}} AND {{days.to}} GROUP BY 1 ORDER BY 2 DESC',
    chart: { kind: 'bar', x: 'os', y: ['clients'] },
    parameters: [
      { name: 'channel', kind: 'text', default: 'release' },
      { name: 'days', kind: 'days', default: 'newest 7 days' },
    ],
  },
  active: {
    title: 'Clients of a channel',
    sql: 'SELECT count(DISTINCT client_id) AS clients FROM clients_daily WHERE normalized_channel = {{channel}}',
    chart: { kind: 'number', y: ['clients'] },
    parameters: [{ name: 'channel', kind: 'text', default: 'release' }],
  },
  locales: {
    title: 'Locales of a channel',
    sql: 'SELECT locale, count(*) AS clients FROM clients_daily WHERE normalized_channel = {{channel}} GROUP BY 1 ORDER BY 2 DESC, 1',
    parameters: [{ name: 'channel', kind: 'text', default: 'release' }],
  },
  pings: {
    title: 'Pings by day',
    sql: 'SELECT submission_date AS day, count(*) AS pings FROM main_summary GROUP BY 1 ORDER BY 1',
    chart: { kind: 'bar', x: 'day', y: ['pings'] },
  },
  channels: { title: 'Channels', sql: 'SELECT DISTINCT normalized_channel AS channel FROM clients_daily ORDER BY 1' },
};

export type Saved = { id: string; title: string };

// save stores the queries under titles that begin with a word, so that tests do not find those of others.
export async function save(word: string): Promise<Record<keyof typeof queries, Saved>> {
  const all = await Promise.all(
    Object.entries(queries).map(async ([name, q]) => [
      name,
      await api<Saved>('POST', '/saved', { ...q, title: `${word} ${q.title}` }),
    ]),
  );
  return Object.fromEntries(all);
}

export const shown = (page: Page, name: string | RegExp) => page.getByRole('article', { name });

const at = (id: string, x: number, y: number, w: number, h: number, more: object) => ({ id, x, y, w, h, ...more });

// everyState makes a dashboard whose widgets are in all states: the page gets answers that say so in place of the server's.
export async function everyState(page: Page, word: string): Promise<string> {
  const saved = await save(word);
  const chart = (title: string) => ({ kind: 'chart', query: saved.days.id, title });
  const { id } = await api<{ id: string }>('POST', '/dashboards', {
    title: `${word} states`,
    description: 'A widget in each state.',
    tags: ['states'],
    refresh: 300,
    parameters: [
      { name: 'days', kind: 'days', default: 'newest 7 days' },
      { name: 'channel', kind: 'text', default: 'release', options: saved.channels.id },
    ],
    widgets: [
      at('number', 0, 0, 3, 3, { kind: 'number', query: saved.active.id }),
      at('text', 3, 0, 9, 3, { kind: 'text', text: '# Usage\n\nClients of **all** channels, see [saved queries](/saved).' }),
      at('done', 0, 3, 6, 7, chart('Clients')),
      at('table', 6, 3, 6, 7, { kind: 'table', query: saved.locales.id }),
      at('empty', 0, 10, 3, 3, chart('Nothing')),
      at('failed', 3, 10, 3, 3, chart('Broken')),
      at('running', 6, 10, 3, 3, chart('Slow')),
      at('refused', 9, 10, 3, 3, chart('Secret')),
      at('stale', 0, 13, 6, 6, chart('Old')),
      at('again', 6, 13, 6, 6, chart('Again')),
    ],
  });
  const done = (await api<{ items: Answer[] }>('POST', `/dashboards/${id}/results`, {})).items;
  for (const i of done) {
    await api('GET', `/queries/${i.query}?wait=20`);
  }
  const { items, parameters } = await api<{ items: Answer[]; parameters: object }>('POST', `/dashboards/${id}/results`, {});
  const changes: Record<string, object> = {
    empty: { rows: 0 },
    failed: {
      state: 'failed',
      result: undefined,
      error: { kind: 'limit', message: 'the query would read 40 days of main_summary: at most 28', hint: 'Choose fewer days.' },
    },
    running: { state: 'running', result: undefined, progress: { percent: 34 } },
    refused: { state: 'refused', result: undefined },
    stale: { state: 'failed', finished: '2018-03-04T12:00:00Z', error: { message: 'out of memory' } },
    again: { state: 'running' },
  };
  await page.route('**/results', r =>
    r.fulfill({ json: { parameters, items: items.map(i => ({ ...i, ...changes[i.widget ?? ''] })) } }),
  );
  await page.route('**/queries/*?wait=2', async r => {
    await new Promise(ready => setTimeout(ready, 1000));
    await r.fulfill({ json: { id: 'slow', state: 'running' } }).catch(() => {}); // the page may be closed
  });
  return id;
}

interface Answer {
  widget?: string;
  query?: string;
}
