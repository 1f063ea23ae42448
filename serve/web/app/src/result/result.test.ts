import { expect, test } from 'vitest';
import { csv, tsv } from './clipboard';
import { all, at, isSelected, move, selected } from './cursor';
import { cell, full, grouped, groupsColumn } from './format';
import { type Page, Pages, pageOf } from './pages';
import { order } from './sort';
import { widths } from './widths';

const space = ',';

test('digits in groups', () => {
  expect(['1234', '12345', '-1234567.125', '12345678901234567890', '1e21', 'NaN'].map(t => grouped(t))).toEqual([
    '1234',
    `12${space}345`,
    `-1${space}234${space}567.125`,
    `12${space}345${space}678${space}901${space}234${space}567${space}890`,
    '1e21',
    'NaN',
  ]);
  expect(['123', '1234', '-1234.5', '12345'].map(t => grouped(t, true, 4))).toEqual(['123', '1,234', '-1,234.5', '12,345']);
  expect(grouped('1234', false, 4)).toBe('1234');
});

test('a column groups four digits if one of its values has more', () => {
  expect([2018, '12345.5', -10_000, '1e21', null].map(v => groupsColumn(v, 'bigint'))).toEqual([false, true, true, false, false]);
  expect(groupsColumn('20180301', 'varchar')).toBe(false);
  expect([cell(1234, 'bigint', true), cell(1234, 'bigint', true, 4), cell('1234', 'varchar', true, 4)]).toEqual([
    '1234',
    '1,234',
    '1234',
  ]);
});

test('ids and times fit into their columns as they are at first', () => {
  const texts = ['3f2504e0-4f89-11d3-9a0c-0305e82c3301', '2018-03-01 00:00:00.000000'];
  const columns = texts.map((_, i) => ({ name: 'c', type: i === 0 ? 'varchar' : 'timestamp(6)' }));
  widths(columns, [texts]).forEach((w, i) => {
    expect(w).toBeGreaterThanOrEqual((texts[i] ?? '').length * 8 + 16);
  });
});

test('cells are one line and cut, details are whole', () => {
  expect(cell('a\n  b', 'varchar', true)).toBe('a ⏎ b');
  expect(cell('x'.repeat(1000), 'varchar', true)).toHaveLength(301);
  expect(cell('20180301', 'varchar', true)).toBe('20180301');
  expect(cell(20180301, 'bigint', false)).toBe('20180301');
  expect(cell({ a: [1, null] }, 'row(a array(bigint))', true)).toBe('{"a":[1,null]}');
  expect(full('{"a":1}')).toBe('{\n  "a": 1\n}');
  expect(full('{not json')).toBe('{not json');
});

test('copies for spreadsheets and files', () => {
  expect(
    tsv([
      ['a', 1, null],
      ['b\tc', 'say "x"\ny', true],
    ]),
  ).toBe('a\t1\t\n"b\tc"\t"say ""x""\ny"\ttrue');
  expect(csv([['a,b', [1, 'x'], null]])).toBe('"a,b","[1,""x""]",');
});

test('keys move the cursor within the grid, shift extends', () => {
  const size = { rows: 100, columns: 3, page: 10 };
  const press = (c: ReturnType<typeof at>, key: string, shift = false, mod = false) => move(c, { key, shift, mod }, size);
  expect(press(at(0, 0), 'ArrowUp')).toEqual(at(-1, 0));
  expect(press(at(-1, 0), 'ArrowUp')).toEqual(at(-1, 0));
  expect(press(at(95, 2), 'PageDown')).toEqual(at(99, 2));
  expect(press(at(5, 1), 'End', false, true)).toEqual(at(99, 2));
  const c = press(press(at(5, 1), 'ArrowDown', true) ?? at(0, 0), 'ArrowLeft', true) ?? at(0, 0);
  expect(selected(c)).toEqual({ rows: [5, 7], columns: [0, 2] });
  expect([isSelected(c, 6, 0), isSelected(c, 7, 0)]).toEqual([true, false]);
  expect(selected(all(size))).toEqual({ rows: [0, 100], columns: [0, 3] });
  expect(press(at(0, 0), 'a')).toBeUndefined();
});

test('order: null last, numbers that are texts, stable', () => {
  const rows = [['9007199254740993'], [null], [2], ['9007199254740992'], ['NaN']];
  expect(order(rows, 0, 'bigint', false)).toEqual([2, 3, 0, 4, 1]);
  expect(order(rows, 0, 'bigint', true)).toEqual([4, 0, 3, 2, 1]);
  expect(order([['b'], ['a'], ['b']], 0, 'varchar', true)).toEqual([0, 2, 1]);
});

test('dates and timestamps: whole in cells and copies, in order, null last', () => {
  const rows = [['2018-03-01 04:05:06.789012'], [null], ['1969-12-31 23:59:59.999999'], ['0001-01-01 00:00:00.000000']];
  expect(rows.map(r => cell(r[0], 'timestamp(6)', true))).toEqual([rows[0]?.[0], '', rows[2]?.[0], rows[3]?.[0]]);
  expect(order(rows, 0, 'timestamp(6)', false)).toEqual([3, 2, 0, 1]);
  expect(order([['1970-01-01'], ['1969-12-31'], [null]], 0, 'date', true)).toEqual([0, 1, 2]);
  expect(tsv([[rows[0]?.[0] ?? null, null, '2018-03-01']])).toBe('2018-03-01 04:05:06.789012\t\t2018-03-01');
});

/** A result of n rows, with the requests that were made. */
function source(n: number) {
  const asked: number[] = [];
  const fetch = async (offset: number, limit: number, signal: AbortSignal): Promise<Page> => {
    asked.push(offset);
    await Promise.resolve();
    signal.throwIfAborted();
    const rows = Array.from({ length: Math.max(0, Math.min(limit, n - offset)) }, (_, i) => [offset + i]);
    return { rows, total: n, complete: true };
  };
  return { asked, fetch };
}

const settle = () => new Promise(done => setTimeout(done));

test('pages are fetched when looked at, kept up to a bound, the longest unused dropped', async () => {
  const s = source(1000);
  const pages = new Pages(s.fetch, 1000, () => {}, 10, 3);
  for (const first of [0, 10, 20, 0, 30]) {
    pages.look(first, first + 10);
    await settle();
  }
  expect(s.asked).toEqual([0, 10, 20, 30]);
  expect([0, 10, 20, 30].map(i => pages.row(i)?.[0])).toEqual([0, undefined, 20, 30]);
  expect(pages.fits).toBe(false);
});

test('pages that are passed are not waited for', async () => {
  const s = source(1000);
  let changes = 0;
  const pages = new Pages(s.fetch, 1000, () => changes++, 10, 30);
  pages.look(0, 100);
  pages.look(500, 520);
  await settle();
  expect(s.asked).toEqual([0, 10, 500, 510]);
  expect(pages.row(500)?.[0]).toBe(500);
  expect(pages.row(0)).toBeUndefined();
});

test('a page of large rows comes in parts', async () => {
  const s = source(25);
  const pages = new Pages(
    (offset, limit, signal) => s.fetch(offset, Math.min(limit, 4), signal),
    25,
    () => {},
    10,
    3,
  );
  pages.look(0, 10);
  await settle();
  expect([pages.row(0)?.[0], pages.row(9)?.[0]]).toEqual([0, 9]);
  expect(s.asked).toEqual([0, 4, 8]);
});

test('rows to copy, over pages and the end', async () => {
  const s = source(25);
  const pages = new Pages(s.fetch, 30, () => {}, 10, 3);
  expect((await pages.load(8, 30)).map(r => r[0])).toEqual(Array.from({ length: 17 }, (_, i) => 8 + i));
  expect(pages.total).toBe(25);
});

test('a server that fails is not asked again and again', async () => {
  let n = 0;
  const errors: unknown[] = [];
  const pages = new Pages(
    () => {
      n++;
      return Promise.reject(new Error('no'));
    },
    1000,
    e => errors.push(e),
    10,
    30,
  );
  pages.look(0, 1000);
  for (let i = 0; i < 20; i++) await settle();
  expect(n).toBeLessThanOrEqual(6);
  expect(errors).not.toHaveLength(0);
});

test('pages of many columns have few rows', () => {
  expect([0, 1, 4, 40, 475, 5000].map(pageOf)).toEqual([500, 500, 500, 500, 42, 25]);
});

test('the first rows of a result are shown until those of the whole one are here', async () => {
  const s = source(5);
  let answer = s.fetch;
  const pages = new Pages(
    (...a) => answer(...a),
    5,
    () => {},
    10,
    3,
  );
  pages.grow(5, false);
  pages.look(0, 10);
  await settle();
  expect([pages.row(4)?.[0], pages.row(5), pages.fits]).toEqual([4, undefined, false]);
  const whole = source(25);
  answer = (offset, limit, signal) =>
    whole.fetch(offset, limit, signal).then(p => ({ ...p, rows: p.rows.map(r => [`whole ${r[0]}`]) }));
  pages.grow(25, true);
  expect([pages.row(4)?.[0], pages.total, pages.fits]).toEqual([4, 25, true]);
  pages.look(0, 10);
  await settle();
  expect([pages.row(4)?.[0], pages.row(9)?.[0]]).toEqual(['whole 4', 'whole 9']);
  pages.look(0, 10);
  await settle();
  expect(whole.asked).toEqual([0]);
});
