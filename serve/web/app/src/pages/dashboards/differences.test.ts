import { expect, test } from 'vitest';
import type { DashboardDoc } from '../../api/dashboards';
import { differences } from './differences';

const chart = { id: 'a', kind: 'chart' as const, query: 'q', x: 0, y: 0, w: 6, h: 7 };
const text = { id: 'b', kind: 'text' as const, text: 'before', x: 6, y: 0, w: 6, h: 2 };
const doc: DashboardDoc = { title: 'T', widgets: [chart, text], parameters: [{ name: 'day', kind: 'day', default: 'newest' }] };
const query = (id: string) => `query ${id}`;
const name = (w: { id: string }) => `widget ${w.id}`;

test('nothing changed', () => expect(differences(doc, structuredClone(doc), name, query)).toEqual([]));

test('each part that changed is listed', () => {
  const after: DashboardDoc = {
    title: 'U',
    refresh: 60,
    tags: ['a'],
    parameters: [{ name: 'channel', kind: 'text' }],
    widgets: [
      { ...chart, x: 3, title: 'C', query: 'r' },
      { ...text, id: 'c' },
      { ...text, text: 'after' },
    ],
  };
  expect(differences(doc, after, name, query)).toEqual([
    { what: 'Title', before: 'T', after: 'U' },
    { what: 'Tags', before: undefined, after: 'a' },
    { what: 'Refreshed', before: 'by hand', after: 'every 1 min' },
    { what: 'Parameter day', before: 'kind: day\ndefault: newest', after: undefined },
    { what: 'Parameter channel', before: undefined, after: 'kind: text' },
    { what: 'widget a', before: 'shown: chart\nquery: query q', after: 'shown: chart\nquery: query r' },
    { what: 'widget a: title', before: undefined, after: 'C' },
    {
      what: 'widget a: place',
      before: 'column 1, row 1, 6 wide, 7 high',
      after: 'column 4, row 1, 6 wide, 7 high',
    },
    { what: 'widget b', before: 'before', after: 'after' },
    { what: 'widget c', before: undefined, after: 'before' },
  ]);
});
