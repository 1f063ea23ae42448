import { expect, test } from 'vitest';
import { bindingsOf, sourceOf } from './bindings';

const day = { name: 'day', kind: 'day' as const, default: 'newest' };
const limit = { name: 'limit', kind: 'number' as const };
const widget = { id: 'a', kind: 'chart' as const, x: 0, y: 0, w: 1, h: 1 };

test('sources of stored and new widgets', () => {
  expect(sourceOf(day, undefined, [])).toEqual({ from: 'shared', name: 'day' });
  expect(sourceOf(day, widget, [])).toEqual({ from: 'query' });
  expect(sourceOf(day, widget, [day])).toEqual({ from: 'shared', name: 'day' });
  expect(sourceOf(day, { ...widget, parameters: { day: { parameter: 'since' } } }, [])).toEqual({
    from: 'shared',
    name: 'since',
  });
  expect(sourceOf(limit, { ...widget, parameters: { limit: { value: 5 } } }, [limit])).toEqual({ from: 'fixed', value: '5' });
});

test('bindings and the shared parameters that they need', () => {
  expect(bindingsOf([day, limit], { day: { from: 'shared', name: 'since' }, limit: { from: 'fixed', value: '5' } })).toEqual({
    parameters: { day: { parameter: 'since' }, limit: { value: 5 } },
    shared: [{ ...day, name: 'since' }],
  });
  expect(bindingsOf([day], { day: { from: 'shared', name: 'day' } })).toEqual({ shared: [day] });
  expect(bindingsOf([day], {})).toEqual({ shared: [] });
});
