import { expect, test } from 'vitest';
import type { Row } from '../result/format';
import { describe, time, timeTicks } from './axis';
import type { Chart } from './chart';
import { choose, fits } from './choose';
import { number, seconds } from './columns';
import { histogram, prepare, stack } from './data';

const columns = (text: string) =>
  text.split(', ').map(c => ({ name: c.split(' ')[0] as string, type: c.split(' ')[1] as string }));
const days = ['20180301', '20180302', '20180303'];

/** The cases that choose is for: a name, the columns, rows, and the chart. */
const cases: [string, string, Row[], Chart][] = [
  ['one number', 'n bigint', [[42]], { kind: 'number', y: ['n'] }],
  ['no rows', 'n bigint', [], { kind: 'table' }],
  [
    'texts only',
    'a varchar, b varchar',
    [
      ['x', 'y'],
      ['z', 'y'],
    ],
    { kind: 'table' },
  ],
  ['days as text', 'day varchar, n bigint', days.map((d, i) => [d, i]), { kind: 'line', x: 'day', y: ['n'] }],
  [
    'a date and two numbers',
    'd date, a bigint, b double',
    [
      ['2018-03-01', 1, 2],
      ['2018-03-02', 2, 3],
    ],
    { kind: 'line', x: 'd', y: ['a', 'b'] },
  ],
  [
    'days by channel',
    'day varchar, channel varchar, n bigint',
    days.flatMap(d => [
      [d, 'beta', 1],
      [d, 'release', 2],
    ]),
    { kind: 'line', x: 'day', y: ['n'], series: 'channel' },
  ],
  [
    'numbers of days',
    'submission_day bigint, n bigint',
    [
      [20180301, 5],
      [20180302, 6],
    ],
    { kind: 'line', x: 'submission_day', y: ['n'] },
  ],
  [
    'a text and a number',
    'os varchar, n bigint',
    [
      ['Linux', 1],
      ['Windows', 2],
    ],
    { kind: 'bar', x: 'os', y: ['n'] },
  ],
  [
    'one day, by text',
    'day varchar, os varchar, n bigint',
    [
      ['20180301', 'Linux', 1],
      ['20180301', 'Windows', 2],
    ],
    { kind: 'bar', x: 'os', y: ['n'] },
  ],
  [
    'two texts',
    'engine varchar, source varchar, n bigint',
    [
      ['g', 'bar', 1],
      ['g', 'menu', 2],
      ['b', 'bar', 3],
      ['b', 'menu', 4],
      ['d', 'bar', 5],
    ],
    { kind: 'bar', x: 'engine', y: ['n'], series: 'source', stacked: true },
  ],
  [
    'a scale by channel',
    'channel varchar, pings bigint, clients bigint',
    [1, 2, 3].flatMap(p => [
      ['beta', p, 10 * p],
      ['release', p, 20],
    ]),
    { kind: 'line', x: 'pings', y: ['clients'], series: 'channel' },
  ],
  [
    'a scale',
    'since bigint, clients bigint',
    [
      [0, 10],
      [1, 9],
      [2, 9],
    ],
    { kind: 'line', x: 'since', y: ['clients'] },
  ],
  [
    'measurements',
    'a double, b double',
    [
      [2.5, 1],
      [1.5, 2],
      [3.5, 0],
    ],
    { kind: 'scatter', x: 'a', y: ['b'] },
  ],
  ['many of one number', 'n double', Array.from({ length: 20 }, (_, i) => [i / 3]), { kind: 'histogram', y: ['n'] }],
  [
    'nested values',
    'm map(varchar,bigint), n bigint',
    [
      [{ a: 1 }, 1],
      [{ b: 1 }, 2],
    ],
    { kind: 'table' },
  ],
  [
    'all null',
    'day varchar, n bigint',
    [
      [null, null],
      [null, null],
    ],
    { kind: 'table' },
  ],
];
test.each(cases)('chooses for %s', (_, of, rows, want) => {
  const got = choose(columns(of), rows);
  expect(got).toEqual(want);
  expect(fits(got, columns(of))).toBe(true);
});

test('times and numbers of values', () => {
  expect([
    seconds('20180301'),
    seconds('2018-03-01'),
    seconds('2018-03-01 00:00:01.500'),
    seconds('2018-03-01 00:00:00 UTC'),
  ]).toEqual([1519862400, 1519862400, 1519862401.5, 1519862400]);
  expect(seconds('2018-03-01 02:00:00+02:00')).toBe(1519862400);
  expect([seconds('1969-12-31T23:59:59.999999'), seconds('0001-01-01 00:00:00.000000')].map(s => Number(s?.toFixed(6)))).toEqual([
    -0.000001, -62135596800,
  ]);
  expect([seconds('20181301'), seconds('12345678'), seconds('beta'), seconds(null), seconds('20180230')]).toEqual(
    Array(5).fill(undefined),
  );
  expect([number('9007199254740993'), number('NaN'), number(''), number(null), number(true)]).toEqual([
    9007199254740992,
    null,
    null,
    null,
    1,
  ]);
});

test('series side by side, gaps are null, doubles are added up', () => {
  const data = prepare({ kind: 'line', x: 'day', y: ['n'], series: 'c' }, columns('day varchar, c varchar, n bigint'), [
    ['20180302', 'b', 2],
    ['20180301', 'a', 1],
    ['20180302', 'b', 3],
    [null, 'a', 9],
  ]);
  expect(data.x).toEqual([1519862400, 1519948800]);
  expect(data.lines).toEqual([
    { label: 'b', values: [null, 5], of: 'b' },
    { label: 'a', values: [1, null], of: 'a' },
  ]);
  expect(data.notes).toHaveLength(2);
});

test('categories keep the order of the rows and are cut', () => {
  const rows = Array.from({ length: 100 }, (_, i) => [`v${99 - i}`, i]);
  const data = prepare({ kind: 'bar', x: 'v', y: ['n'] }, columns('v varchar, n bigint'), rows);
  expect([data.labels[0], data.x.length, data.lines[0]?.values.length]).toEqual(['v99', 60, 60]);
  expect(data.notes[0]).toContain('first 60 of 100');
});

test('many series: the largest stay', () => {
  const rows = Array.from({ length: 40 }, (_, i) => ['20180301', `s${i}`, i]);
  const data = prepare({ kind: 'line', x: 'd', y: ['n'], series: 's' }, columns('d varchar, s varchar, n bigint'), rows);
  expect(data.lines.map(l => l.label)).toEqual(Array.from({ length: 16 }, (_, i) => `s${24 + i}`));
});

test('bins are round and hold every value', () => {
  for (const values of [[1, 1, 1], [0, 0.1, 0.2, 5], Array.from({ length: 1000 }, (_, i) => i), [-5, 1e9], [0.1 + 0.2, 0.3]]) {
    const d = histogram(values);
    expect(d.lines[0]?.values.reduce((a: number, b) => a + (b ?? 0), 0)).toBe(values.length);
    expect(d.x.length).toBeLessThanOrEqual(100);
  }
  expect(histogram([]).x).toEqual([]);
});

test('stacks', () => {
  expect(
    stack([
      { label: 'a', values: [1, null, 3] },
      { label: 'b', values: [1, 2, null] },
    ]),
  ).toEqual([
    [1, null, 3],
    [2, 2, 3],
  ]);
});

test('texts', () => {
  expect([time(1519862400), time(1519866000), time(1519866001)]).toEqual([
    '2018-03-01',
    '2018-03-01 01:00',
    '2018-03-01 01:00:01',
  ]);
  expect(timeTicks([1519776000, 1519862400, 1519948800], 86_400)).toEqual(['28\nFeb 2018', '1\nMar 2018', '2']);
  const chart: Chart = { kind: 'line', x: 'd', y: ['n'] };
  expect(
    describe(
      chart,
      prepare(chart, columns('d varchar, n bigint'), [
        ['20180301', 12345],
        ['20180302', 2],
      ]),
    ),
  ).toBe('Line chart of n by d. 2 values from 2018-03-01 to 2018-03-02. highest: 12,345 at 2018-03-01.');
});
