import { expect, test } from 'vitest';
import { path } from './Spark';

test('missing values are gaps, and a value between gaps is a dot', () => {
  expect(path({ values: [0, 1, null, 1], top: 1, width: 30, height: 10 })).toBe('M0 10L10 0M30 0h0.01');
  expect(path({ values: [], top: 1, width: 30, height: 10 })).toBe('');
});
