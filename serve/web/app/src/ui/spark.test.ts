import { expect, test } from 'vitest';
import { lines } from './spark';

test('what is not known is a gap', () => {
  expect(lines([1, 2, null, 3, -1, -1, 0])).toEqual([
    { from: 0, values: [1, 2] },
    { from: 3, values: [3] },
    { from: 6, values: [0] },
  ]);
  expect(lines([])).toEqual([]);
});
