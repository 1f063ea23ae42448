import { expect, test } from 'vitest';
import { absolute, addDays, bytes, compact, day, dayOf, duration, number, percent, plural, relative, weekday } from './formats';

test.each([
  [0, '0 B'],
  [999, '999 B'],
  [1000, '1.0 kB'],
  [9994, '10.0 kB'],
  [12_345, '12.3 kB'],
  [999_400, '999 kB'],
  [999_600, '1.0 MB'],
  [1.5e15, '1.5 PB'],
])('bytes(%d) is %s', (n, want) => expect(bytes(n)).toBe(want));

test.each([
  [0.0000021, '2 µs'],
  [0.25, '250 ms'],
  [1.25, '1.3 s'],
  [59, '59 s'],
  [61, '1 min 1 s'],
  [3660, '1 h 1 min'],
  [90_000, '1 d 1 h'],
])('duration(%d) is %s', (n, want) => expect(duration(n)).toBe(want));

test('numbers', () => {
  expect(number(1_234_567)).toBe('1,234,567');
  expect(number(0.12345)).toBe('0.123');
  expect(compact(1_234_567)).toBe('1.2m');
  expect(percent(0.0312)).toBe('3.1%');
  expect(plural(1, 'row')).toBe('1 row');
  expect(plural(2, 'query', 'queries')).toBe('2 queries');
});

test('days', () => {
  expect(day('20180301')).toBe('2018-03-01');
  expect(day('soon')).toBe('soon');
  expect(addDays('20180228', 1)).toBe('20180301');
  expect(addDays('20180101', -1)).toBe('20171231');
  expect(dayOf(new Date('2018-03-01T23:59:59Z'))).toBe('20180301');
  expect(weekday('20180301')).toBe('Thu');
});

test('times', () => {
  const now = new Date('2018-03-01T12:00:00Z');
  const at = (s: number) => relative(new Date(now.getTime() + s * 1000), now);
  expect([at(-2), at(-30), at(-90), at(-7200), at(-172_800), at(90)]).toEqual([
    'now',
    '30 s ago',
    '1 min ago',
    '2 h ago',
    '2 d ago',
    'in 1 min',
  ]);
  expect(absolute(now)).toBe('2018-03-01 12:00:00 UTC');
});
