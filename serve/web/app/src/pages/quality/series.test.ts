import { describe, expect, test } from 'vitest';
import { byDay, change, every, level, signed, write } from './series';

describe('days', () => {
  test('gaps between the first and the last day are there', () => {
    expect(every(['20180228', '20180302'])).toEqual(['20180228', '20180301', '20180302']);
    expect(every([])).toEqual([]);
    expect(byDay(['20180228', '20180301'], [{ day: '20180228', n: 4 }], d => d.n)).toEqual([4, null]);
  });
});

describe('numbers', () => {
  test('changes are by the earlier number, unless there is none', () => {
    expect(change(150, 100)).toBe(0.5);
    expect(change(150, 0)).toBeUndefined();
    expect(change(undefined, 5)).toBeUndefined();
    expect(signed(-0.25)).toBe('−25%');
    expect(signed(0.0001)).toBe('±0 %');
  });
  test('each measure is written in its unit', () => {
    expect(write('rows', 12_345.4)).toBe('12,345');
    expect(write('having', 0.0123)).toBe('1.23%');
    expect(write('bytes', 2048)).toBe('2.0 kB');
    expect(write('typical', undefined)).toBe('–');
  });
  test('scores have levels', () =>
    expect([100, 60, 59, 30, 29].map(level)).toEqual(['grave', 'grave', 'medium', 'medium', 'small']));
});
