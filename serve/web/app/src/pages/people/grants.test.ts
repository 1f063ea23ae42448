import { expect, test } from 'vitest';
import { accessTo, faults, type Grant, withAccess } from './grants';

const some: Grant[] = [{ table: '*' }, { table: 'secret', columns: ['a'] }];

test('the access to a table is read and changed', () => {
  expect(['*', 'secret', 'other'].map(t => accessTo(some, t))).toEqual(['all', 'some', 'none']);
  expect(withAccess(some, 'secret', 'none')).toEqual([{ table: '*' }]);
  expect(withAccess(some, 'secret', 'all')).toEqual([{ table: '*' }, { table: 'secret' }]);
  expect(withAccess(some, 'secret', 'some', ['a', 'b'])).toEqual([{ table: '*' }, { table: 'secret', columns: ['a', 'b'] }]);
  expect(withAccess(some, 'other', 'some')).toEqual([...some, { table: 'other', columns: [] }]);
});

test('no columns are a fault, not all columns', () => {
  expect(faults(some)).toEqual([]);
  expect(faults([{ table: 'secret', columns: [] }])).toHaveLength(1);
});
