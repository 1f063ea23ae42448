import { expect, test } from 'vitest';
import { accessTo, faults, type Grant, rowsText, withAccess, withRows } from './grants';

const some: Grant[] = [{ table: '*' }, { table: 'secret', columns: ['a'] }];

test('the access to a table is read and changed', () => {
  expect(['*', 'secret', 'other'].map(t => accessTo(some, t))).toEqual(['all', 'some', 'none']);
  expect(withAccess(some, 'secret', 'none')).toEqual([{ table: '*' }]);
  expect(withAccess(some, 'secret', 'all')).toEqual([{ table: '*' }, { table: 'secret' }]);
  expect(withAccess(some, 'secret', 'some', ['a', 'b'])).toEqual([{ table: '*' }, { table: 'secret', columns: ['a', 'b'] }]);
  expect(withAccess(some, 'other', 'some')).toEqual([...some, { table: 'other', columns: [] }]);
});

test('conditions on rows are read and changed, and stay when the access changes', () => {
  const limited = withRows(some, 'secret', ' country = DE|AT , channel=a=b');
  const rows = [
    { column: 'country', values: ['DE', 'AT'] },
    { column: 'channel', values: ['a=b'] },
  ];
  expect(limited).toEqual([{ table: '*' }, { table: 'secret', columns: ['a'], rows }]);
  expect(rowsText(limited, 'secret')).toBe('country=DE|AT, channel=a=b');
  expect(withAccess(limited, 'secret', 'all')).toEqual([{ table: '*' }, { table: 'secret', rows }]);
  expect(withRows(limited, 'secret', '')).toEqual(some);
  expect(faults(withRows(some, 'secret', 'country'))).toHaveLength(1);
});

test('no columns are a fault, not all columns', () => {
  expect(faults(some)).toEqual([]);
  expect(faults([{ table: 'secret', columns: [] }])).toHaveLength(1);
});
