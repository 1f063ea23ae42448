import { expect, test } from 'vitest';
import type { Row } from '../result/format';
import { turned } from './ChartForm';
import { type Chart, has, kinds } from './chart';
import { fits } from './choose';
import { prepare, shares, stack } from './data';
import { steps } from './funnel';
import { daysOf, lettered, releaseMarks, releasesSql } from './marks';
import { cohorts, heat, matrix } from './matrix';
import { drillTo, filtered, pickOf } from './pick';
import { places } from './places';

const columns = (text: string) =>
  text.split(', ').map(c => ({ name: c.split(' ')[0] as string, type: c.split(' ')[1] as string }));

/** Numbers from 0 to below 1 that are the same in each run. */
function random(): () => number {
  let n = 7;
  return () => {
    n = (n * 1103515245 + 12345) % 2 ** 31;
    return n / 2 ** 31;
  };
}

const date = (day: number) => new Date(Date.UTC(2018, 0, 1 + day)).toISOString().slice(0, 10);

test('cohorts by week are what counting clients one by one gives', () => {
  const next = random();
  const weeks = 7;
  const active = Array.from({ length: 400 }, () => {
    const first = Math.floor(next() * weeks);
    return { first, in: Array.from({ length: weeks - first }, (_, w) => w === 0 || next() < 0.9 - 0.1 * w) };
  });
  const rows: Row[] = [];
  for (let first = 0; first < weeks; first++) {
    for (let w = first; w < weeks; w++) {
      rows.push([date(7 * first), date(7 * w), active.filter(c => c.first === first && c.in[w - first]).length]);
    }
  }
  const chart: Chart = { kind: 'cohort', x: 'cohort', series: 'week', y: ['clients'], share: true };
  const m = matrix(chart, columns('cohort date, week date, clients bigint'), rows.toReversed());
  const c = cohorts(m);
  expect(m.rows).toEqual(Array.from({ length: weeks }, (_, w) => date(7 * w)));
  expect(m.columns).toEqual(Array.from({ length: weeks }, (_, w) => `week ${w}`));
  for (let first = 0; first < weeks; first++) {
    const cohort = active.filter(a => a.first === first);
    expect(c.sizes[first]).toBe(cohort.length);
    for (let w = 0; w < weeks; w++) {
      expect(c.shares[first]?.[w] ?? null).toBe(
        w < weeks - first ? cohort.filter(a => a.in[w]).length / cohort.length : null, // a triangle
      );
    }
  }
  const old = active.filter(a => a.in.length > 3);
  expect(c.means[3]).toBeCloseTo(old.filter(a => a.in[3]).length / old.length, 12);
});

test('periods of cohorts are days, weeks or numbers, and none is before the cohort', () => {
  const chart: Chart = { kind: 'cohort', x: 'a', series: 'b', y: ['n'], share: true };
  const days = matrix(chart, columns('a varchar, b varchar, n bigint'), [
    ['20180301', '20180301', 4],
    ['20180301', '20180303', 1],
    ['20180302', '20180301', 9],
  ]);
  expect([days.rows, days.columns, days.cells]).toEqual([['2018-03-01'], ['day 0', 'day 2'], [[4, 1]]]);
  expect(days.notes).toEqual(['1 row before the cohort began is left out']);
  const numbers = matrix(chart, columns('a varchar, b bigint, n bigint'), [
    ['beta', 10, 3],
    ['beta', 9, 6],
    ['beta', 0, 12],
  ]);
  expect([numbers.columns, cohorts(numbers).shares]).toEqual([['0', '9', '10'], [[1, 0.5, 0.25]]]);
});

test('a pivot table adds up rows and columns, and names what it adds', () => {
  const next = random();
  const rows: Row[] = Array.from({ length: 500 }, () => [
    `os${Math.floor(next() * 5)}`,
    `c${Math.floor(next() * 4)}`,
    Math.floor(next() * 100),
  ]);
  const m = matrix({ kind: 'pivot', x: 'os', series: 'c', y: ['n'] }, columns('os varchar, c varchar, n bigint'), rows);
  const sum = (fits: (r: Row) => boolean) => rows.filter(fits).reduce((s, r) => s + (r[2] as number), 0);
  m.rows.forEach((os, i) => {
    m.columns.forEach((c, j) => {
      expect(m.cells[i]?.[j] ?? 0).toBe(sum(r => r[0] === os && r[1] === c));
    });
    expect(m.rowTotals[i]).toBe(sum(r => r[0] === os));
  });
  expect(m.columnTotals).toEqual(m.columns.map(c => sum(r => r[1] === c)));
  expect(m.total).toBe(sum(() => true));
  expect(m.notes).toEqual(['rows of the same cell are added up']);
});

test('a matrix keeps nulls apart, sorts numbers and is cut', () => {
  const m = matrix({ kind: 'heatmap', x: 'hour', series: 'day', y: ['n'] }, columns('day varchar, hour bigint, n bigint'), [
    ['Mon', 10, 1],
    ['Sun', 9, null],
    [null, null, 2],
    ...Array.from({ length: 300 }, (_, i) => [`d${i}`, 9, i]),
  ]);
  expect(m.columns).toEqual(['9', '10', 'null']);
  expect([m.rows.slice(0, 4), m.rows.length]).toEqual([['Mon', 'Sun', 'null', 'd0'], 200]);
  expect(m.cells[1]).toEqual([null, null, null]);
  expect(m.notes).toEqual(['the first 200 of 303 rows are shown']);
});

test('heat goes from zero to the largest value, or from the least one below zero', () => {
  expect(
    heat([
      [0, 5],
      [10, null],
    ]),
  ).toEqual([
    [0, 0.5],
    [1, null],
  ]);
  expect(heat([[-10, 0, 10]])).toEqual([[0, 0.5, 1]]);
  expect(heat([[0, 0], [null]])).toEqual([[0, 0], [null]]);
  expect(heat([[0, 9, 99]], true)[0]?.[1]).toBeCloseTo(0.5, 12);
});

test('a funnel has shares of the first step and of the one before', () => {
  const chart: Chart = { kind: 'funnel', x: 'event', y: ['clients'] };
  const rows: Row[] = [
    ['open', 80],
    ['search', 20],
    ['buy', 5],
  ];
  expect(steps(chart, columns('event varchar, clients bigint'), rows)).toEqual([
    { label: 'open', of: 'open', value: 80, ofFirst: 1, ofBefore: null },
    { label: 'search', of: 'search', value: 20, ofFirst: 0.25, ofBefore: 0.25 },
    { label: 'buy', of: 'buy', value: 5, ofFirst: 0.0625, ofBefore: 0.25 },
  ]);
  const wide = steps({ kind: 'funnel', y: ['a', 'b', 'c'] }, columns('a bigint, b bigint, c bigint'), [[8, 0, 2]]);
  expect(wide.map(s => [s.label, s.ofFirst, s.ofBefore])).toEqual([
    ['a', 1, null],
    ['b', 0, 0],
    ['c', 0.25, null],
  ]);
});

test('countries are found by their letters, others are counted', () => {
  const { places: found, notes } = places({ kind: 'map', x: 'c', y: ['n'] }, columns('c varchar, n bigint'), [
    ['DE', 3],
    ['us', 7],
    ['DE', 2],
    ['??', 4],
    ['ZZ', 1],
    [null, 1],
    ['FR', null],
  ]);
  expect(found.map(p => [p.code, p.name, p.value])).toEqual([
    ['US', 'United States', 7],
    ['DE', 'Germany', 5],
  ]);
  expect(notes).toEqual(['3 rows without a country, 6 in all, are left out', 'rows of the same country are added up']);
});

test('shares of a stack add up to one', () => {
  const data = prepare(
    { kind: 'bar', x: 'd', y: ['n'], series: 's', stacked: true, share: true },
    columns('d varchar, s varchar, n bigint'),
    [
      ['x', 'a', 1],
      ['x', 'b', 3],
      ['y', 'b', 0],
    ],
  );
  expect(stack(shares(data.lines))).toEqual([
    [0.25, null],
    [1, null],
  ]);
});

test('columns of the right axis, and values of the points', () => {
  const data = prepare({ kind: 'line', x: 'd', y: ['a', 'b'], right: ['b'] }, columns('d varchar, a bigint, b double'), [
    ['20180302', 1, 0.5],
    ['20180301', 2, 0.25],
  ]);
  expect(data.lines).toEqual([
    { label: 'a', values: [2, 1] },
    { label: 'b', values: [0.25, 0.5], right: true },
  ]);
  expect(data.of).toEqual(['20180301', '20180302']);
});

test('options hold for the kinds that have them', () => {
  const y = ['a', 'b'];
  expect(has({ kind: 'bar', y, share: true }, 'share')).toBe(false); // of what?
  expect(has({ kind: 'bar', y, share: true, stacked: true, goal: 3 }, 'goal')).toBe(false);
  expect(has({ kind: 'line', y, right: ['b'] }, 'right')).toBe(true);
  expect(has({ kind: 'line', y, right: y }, 'right')).toBe(false); // nothing would be left
  expect(has({ kind: 'line', y, right: ['gone'] }, 'right')).toBe(false);
  expect(has({ kind: 'map', y, goal: 3 }, 'goal')).toBe(false);
});

test('turning a chart into any other kind gives one that fits the result', () => {
  const result = columns('day varchar, os varchar, n bigint, m bigint');
  for (const from of kinds) {
    for (const to of kinds) {
      const first = turned({ kind: 'bar', x: 'day', y: ['n'] }, from.kind, result);
      const chart = turned(first, to.kind, result);
      expect(fits(chart, result), `${from.kind} to ${to.kind}`).toBe(true);
      expect(chart.y?.length, `${from.kind} to ${to.kind}`).toBeGreaterThan(0);
      expect(chart.y).not.toContain(chart.x);
    }
  }
});

test('a click chooses values of the result', () => {
  const chart: Chart = { kind: 'bar', x: 'day', y: ['n'], series: 'c' };
  const result = columns('day varchar, c varchar, n bigint');
  const data = prepare(chart, result, [
    ['20180302', "it's", 1],
    ['20180301', null, 2],
  ]);
  const pick = pickOf(chart, data, 1, 0);
  expect(pick).toEqual({ day: '20180302', c: "it's" });
  expect(pickOf(chart, data, 0)).toEqual({ day: '20180301' });
  expect(filtered('SELECT 1 -- all;\n;  ', pick, result)).toBe(
    `SELECT *\nFROM (\nSELECT 1 -- all;\n\n) AS q\nWHERE "day" = '20180302'\n  AND "c" = 'it''s'`,
  );
  const types = columns('n bigint, "t" timestamp, b boolean');
  expect(filtered('x', { n: '12', '"t"': '2018-03-01 00:00:00', b: true, gone: null }, types).split('WHERE ')[1]).toBe(
    `"n" = 12\n  AND """t""" = CAST('2018-03-01 00:00:00' AS timestamp)\n  AND "b" = true\n  AND "gone" IS NULL`,
  );
  expect(filtered('x', { n: '1 OR 1=1' }, types)).toContain(`"n" = '1 OR 1=1'`);
});

test('what was chosen becomes the parameters of another query', () => {
  const to = (kinds: Record<string, string>) =>
    drillTo({ id: 'k3', parameters: Object.entries(kinds).map(([name, kind]) => ({ name, kind })) }, pick);
  const pick = { day: '2018-03-01 00:00:00', channel: 'a&b', os: null };
  expect(to({ channel: 'choice', os: 'text', other: 'number' })).toBe('/saved/k3?p.channel=a%26b');
  expect(to({ days: 'days' })).toBe('/saved/k3?p.days=20180301..20180301');
  expect(to({ day: 'day' })).toBe('/saved/k3?p.day=20180301');
  expect(to({})).toBe('/saved/k3');
});

test('days of a time axis are marked by letters, in their order', () => {
  const marks = releaseMarks([
    ['59.0.1', '20180315', 9],
    ['59.0', '20180312', 7],
    ['odd', 'never', 1],
  ]);
  expect(lettered(marks).map(m => [m.letter, m.at, m.text])).toEqual([
    ['A', 1520812800, '59.0 was built'],
    ['B', 1521072000, '59.0.1 was built'],
  ]);
  expect(
    lettered(Array.from({ length: 28 }, (_, at) => ({ at, text: '' })))
      .map(m => m.letter)
      .slice(24),
  ).toEqual(['Y', 'Z', '27', '28']);
  const data = (scale: 'time' | 'number', x: number[]) => ({ scale, x, labels: [], lines: [], notes: [] });
  expect(daysOf(data('time', [1520812800, 1521072001]))).toEqual({ from: '2018-03-12', to: '2018-03-15' });
  expect([daysOf(data('time', [1])), daysOf(data('number', [1, 2])), daysOf(data('time', []))]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
  expect(releasesSql('2018-03-12', '2018-03-15')).toContain("BETWEEN '20180312' AND '20180315'");
});
