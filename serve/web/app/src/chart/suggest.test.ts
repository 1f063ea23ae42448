import { expect, test } from 'vitest';
import type { Row } from '../result/format';
import { suggest } from './suggest';

const suggested = (text: string, rows: Row[]) =>
  suggest(
    text.split(', ').map(c => ({ name: c.split(' ')[0] as string, type: c.split(' ')[1] as string })),
    rows,
  );

const days = (gap: number) =>
  ['20180301', '20180302'].flatMap((d, i) => [0, 1].map(p => [d, `2018030${1 + i + gap * p}`, 10 - p]));

test.each<[string, string, Row[], object[]]>([
  [
    'countries',
    'country varchar, clients bigint',
    [
      ['DE', 3],
      ['??', 1],
      [null, 2],
    ],
    [{ kind: 'map', x: 'country', y: ['clients'] }],
  ],
  [
    'names of countries',
    'country varchar, clients bigint',
    [
      ['Germany', 3],
      ['France', 1],
    ],
    [],
  ],
  [
    'two letters that are no countries',
    'state varchar, clients bigint',
    [
      ['CA', 3],
      ['NY', 1],
    ],
    [],
  ],
  [
    'steps',
    'step varchar, clients bigint',
    [
      ['seen', 9],
      ['tried', 4],
      ['kept', 4],
    ],
    [{ kind: 'funnel', x: 'step', y: ['clients'] }],
  ],
  [
    'steps that rise',
    'step varchar, clients bigint',
    [
      ['seen', 4],
      ['tried', 9],
    ],
    [],
  ],
  [
    'bars that fall',
    'os varchar, clients bigint',
    [
      ['Windows', 9],
      ['Mac', 4],
    ],
    [],
  ],
  [
    'cohorts by day',
    'cohort varchar, day varchar, clients bigint',
    days(1),
    [{ kind: 'cohort', x: 'cohort', series: 'day', y: ['clients'], share: true }],
  ],
  ['days before the cohort', 'cohort varchar, day varchar, clients bigint', days(-1), []],
  ['two days that are no cohort', 'build varchar, day varchar, clients bigint', days(1), []],
  [
    'cohorts by number',
    'first_day varchar, week bigint, clients bigint',
    [
      ['20180301', 0, 9],
      ['20180301', 1, 5],
      ['20180308', 0, 7],
    ],
    [{ kind: 'cohort', x: 'first_day', series: 'week', y: ['clients'], share: true }],
  ],
  [
    'two sides',
    'os varchar, channel varchar, clients bigint',
    [
      ['Windows', 'release', 3],
      ['Windows', 'beta', 2],
      ['Mac', 'release', 1],
    ],
    [{ kind: 'pivot', x: 'os', series: 'channel', y: ['clients'] }],
  ],
  [
    'the same cell twice',
    'os varchar, channel varchar, clients bigint',
    [
      ['a', 'b', 1],
      ['a', 'c', 1],
      ['d', 'b', 1],
      ['a', 'b', 1],
    ],
    [],
  ],
  [
    'too many columns',
    'country varchar, os varchar, channel varchar, clients bigint',
    [
      ['DE', 'a', 'b', 1],
      ['FR', 'a', 'b', 1],
    ],
    [],
  ],
  [
    'no numbers',
    'country varchar, os varchar',
    [
      ['DE', 'a'],
      ['FR', 'b'],
    ],
    [],
  ],
  ['one row', 'country varchar, clients bigint', [['DE', 1]], []],
])('%s', (_, columns, rows, want) => expect(suggested(columns, rows)).toEqual(want));
