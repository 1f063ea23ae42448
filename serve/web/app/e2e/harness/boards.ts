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
