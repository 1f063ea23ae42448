import { expect, test } from 'vitest';
import type { Item } from '../../api/dashboards';
import { failing, isStale, oldest, stateOf } from './state';

const done: Item = { state: 'done', query: 'q', result: 'q', rows: 3, finished: '2018-03-01T12:00:00Z' };
const at = (s: number) => Date.parse('2018-03-01T12:00:00Z') + s * 1000;

test.each([
  ['text', { kind: 'text' }, undefined, 'text'],
  ['refused by the dashboard', { kind: 'chart', refused: true }, undefined, 'refused'],
  ['refused by the result', { kind: 'chart' }, { state: 'refused' }, 'refused'],
  ['nothing yet', { kind: 'chart' }, undefined, 'loading'],
  ['first run', { kind: 'chart' }, { state: 'running', query: 'q' }, 'loading'],
  ['done', { kind: 'chart' }, done, 'shown'],
  ['no rows', { kind: 'table' }, { ...done, rows: 0 }, 'empty'],
  ['failed', { kind: 'table' }, { state: 'failed', query: 'q' }, 'failed'],
  ['failed with a result before', { kind: 'table' }, { ...done, state: 'failed' }, 'shown'],
  ['runs again', { kind: 'table' }, { ...done, state: 'running', query: 'r' }, 'shown'],
] as const)('%s', (_, widget, item, want) => expect(stateOf(widget, item)).toBe(want));

test('a result is stale after two missed refreshes, after a day, or after a failure', () => {
  expect([
    isStale(done, 60, at(180)),
    isStale(done, 60, at(181)),
    isStale(done, 0, at(181)),
    isStale(done, 0, at(86_401)),
  ]).toEqual([false, true, false, true]);
  expect(isStale({ ...done, state: 'failed' }, 60, at(1))).toBe(true);
  expect(isStale({ state: 'failed' }, 60, at(1))).toBe(false);
});

test('the oldest result and the failures', () => {
  const items: Item[] = [done, { ...done, finished: '2018-03-01T11:00:00Z' }, { state: 'failed' }, { state: 'running' }];
  expect([oldest(items), failing(items)]).toEqual(['2018-03-01T11:00:00Z', 1]);
});
