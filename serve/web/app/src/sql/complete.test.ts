import { expect, test } from 'vitest';
import { complete, type Dictionary } from './complete';
import { namesIn } from './names';
import { family, fieldsOf } from './types';

const d: Dictionary = {
  tables: [
    {
      name: 'clients_daily',
      doc: 'One row per client and day.',
      columns: [
        { name: 'client_id', type: 'varchar', doc: 'Who.' },
        { name: 'normalized_channel', type: 'varchar' },
        { name: 'submission_date_obj', type: 'varchar' },
      ],
    },
    { name: 'crash_summary', columns: [{ name: 'payload', type: 'row("processType" varchar, "stackTraces" row(a bigint))' }] },
  ],
  functions: [
    { name: 'approx_distinct', signatures: ['(T) -> bigint'], doc: 'About how many.' },
    { name: 'now', signatures: ['() -> timestamp'] },
  ],
  keywords: ['SELECT', 'WHERE', 'GROUP BY'],
};

/** Offers at the | of a text. */
function at(marked: string, asked = false) {
  const pos = marked.indexOf('|');
  return complete(marked.replace('|', ''), pos, d, asked);
}
const labels = (marked: string, asked = false) => at(marked, asked)?.offers.map(o => o.label) ?? [];

test('an alias gives the columns of its table', () => {
  expect(labels('SELECT c.| FROM clients_daily c')).toEqual(['client_id', 'normalized_channel', 'submission_date_obj']);
  expect(labels('SELECT C.no| FROM clients_daily AS c')).toContain('normalized_channel');
  expect(at('SELECT c.no| FROM clients_daily AS c')?.from).toBe(9);
  expect(labels('SELECT x.| FROM clients_daily c')).toEqual([]);
});

test('tables and WITH queries after FROM and JOIN, without a letter', () => {
  expect(labels('WITH w AS (SELECT 1 AS one) SELECT * FROM |')).toEqual(['w', 'clients_daily', 'crash_summary']);
  expect(labels('SELECT * FROM clients_daily JOIN cr|')).toContain('crash_summary');
  expect(labels('SELECT a IS DISTINCT FROM |')).toEqual([]);
});

test('columns of WITH queries, subqueries and UNNEST', () => {
  expect(labels('WITH w AS (SELECT a.b, count(*) AS n, max(x) FROM clients_daily) SELECT w.| FROM w')).toEqual(['b', 'n']);
  expect(labels('SELECT s.| FROM (SELECT client_id FROM clients_daily) s')).toEqual(['client_id']);
  expect(labels('SELECT t.| FROM clients_daily CROSS JOIN UNNEST(search_counts) AS t(engine, source, "count")')).toEqual([
    'engine',
    'source',
    'count',
  ]);
});

test('fields of rows', () => {
  expect(labels('SELECT payload.| FROM crash_summary')).toEqual(['processType', 'stackTraces']);
  expect(labels('SELECT c.payload.stackTraces.| FROM crash_summary c')).toEqual(['a']);
  expect(labels('SELECT c.payload."processType".| FROM crash_summary c')).toEqual([]);
});

test('expressions offer columns first, then functions and keywords in the case that was begun', () => {
  const offers = at('select cl| from clients_daily')?.offers ?? [];
  const best = [...offers].sort((a, b) => b.boost - a.boost);
  expect(best[0]?.label).toBe('client_id');
  expect(offers.map(o => o.label)).toContain('where');
  expect(labels('SELECT W| FROM clients_daily')).toContain('WHERE');
  expect(offers.find(o => o.label === 'approx_distinct')?.write).toBe('approx_distinct(|)');
  expect(offers.find(o => o.label === 'now')?.write).toBe('now()');
});

test('columns of all tables only while no table is named', () => {
  expect(labels('SELECT pay|')).toContain('payload');
  expect(labels('SELECT pay| FROM clients_daily')).not.toContain('payload');
});

test('a statement begins with a keyword', () => {
  expect(labels('sel|')).toContain('select');
  expect(labels('-- why\nSEL|')).not.toContain('client_id');
});

test('nothing in texts, comments, numbers, and not unasked between words', () => {
  expect(at("SELECT 'cl|")).toBeUndefined();
  expect(at('SELECT 1|')).toBeUndefined();
  expect(at('-- cl|')).toBeUndefined();
  expect(at('SELECT |')).toBeUndefined();
  expect(at('SELECT |', true)).toBeDefined();
});

test('names of statements', () => {
  expect(namesIn('SELECT extract(day FROM ts) FROM a.b.clients_daily, crash_summary x WHERE 1').sources).toEqual([
    { alias: 'clients_daily', table: 'clients_daily' },
    { alias: 'x', table: 'crash_summary' },
  ]);
});

test('types', () => {
  expect(['bigint', 'DECIMAL(38,2)', 'HUGEINT', 'double', 'UBIGINT'].map(family)).toEqual(Array(5).fill('number'));
  expect(['date', 'timestamp(3) with time zone', 'TIMESTAMP_NS'].map(family)).toEqual(Array(3).fill('time'));
  expect(['array(bigint)', 'BIGINT[]', 'map(varchar, bigint)', 'STRUCT(a INTEGER)', 'JSON'].map(family)).toEqual(
    Array(5).fill('nested'),
  );
  expect(['varchar(3)', 'boolean', 'interval day to second'].map(family)).toEqual(['text', 'boolean', 'text']);
  expect(fieldsOf('row(a varchar, "b, c" map(varchar, bigint), d row(e bigint))')).toEqual([
    { name: 'a', type: 'varchar' },
    { name: 'b, c', type: 'map(varchar, bigint)' },
    { name: 'd', type: 'row(e bigint)' },
  ]);
});
