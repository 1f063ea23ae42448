import { expect, test } from 'vitest';
import { formatSql } from './format';

test('lines, reserved words, comments and parameters', () => {
  expect(
    formatSql(
      "select a, count(*) as One from t cross join unnest(c) as u(k, v) -- note\nwhere d between {{days.from}} and {{days.to}} and e = 'it''s'; select 1",
      'presto',
    ),
  ).toBe(`SELECT
  a,
  count(*) AS One
FROM
  t
  CROSS JOIN UNNEST (c) AS u (k, v) -- note
WHERE
  d BETWEEN {{days.from}} AND {{days.to}}
  AND e = 'it''s';

SELECT
  1`);
});

test('what is formatted stays as it is', () => {
  for (const sql of [
    'select transform(a, x -> x + 1)[1], m[\'k\'], cast(row(1, 2) as row(a bigint, "b c" varchar)) from t',
    'with w as (select 1 as one) select * from w where one is distinct from 2 /* two\nlines */',
    'select count(*) filter (where x > 1) over (partition by y order by z) from t tablesample bernoulli (10)',
  ]) {
    const once = formatSql(sql, 'presto');
    expect(formatSql(once, 'presto')).toBe(once);
  }
});

test('what cannot be read is left alone', () => {
  expect(() => formatSql('select ((', 'presto')).toThrow(/line 1/);
  expect(formatSql('FROM t SELECT x EXCLUDE (y)', 'duckdb')).toContain('EXCLUDE');
});
