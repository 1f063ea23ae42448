import { expect, test } from 'vitest';
import { addCondition, replaceNumber, tableOf } from './insert';

const day = "submission_date_obj = '20180301'";

test('a condition becomes a WHERE, or a part of it', () => {
  expect(addCondition('SELECT count(*) FROM main_summary', day)).toBe(`SELECT count(*) FROM main_summary\nWHERE ${day}`);
  expect(addCondition('SELECT a FROM main_summary m GROUP BY 1;', day)).toBe(
    `SELECT a FROM main_summary m\nWHERE ${day}\nGROUP BY 1;`,
  );
  expect(addCondition('SELECT a FROM t\nWHERE x = 1\nORDER BY 1', day)).toBe(
    `SELECT a FROM t\nWHERE x = 1\n  AND ${day}\nORDER BY 1`,
  );
});

test('OR is put in brackets, so that the condition holds for all of it', () => {
  expect(addCondition('SELECT a FROM t WHERE x = 1 OR y = 2', day)).toBe(`SELECT a FROM t WHERE (x = 1 OR y = 2)\n  AND ${day}`);
  expect(addCondition('SELECT a FROM t WHERE (x = 1 OR y = 2)', day)).toBe(
    `SELECT a FROM t WHERE (x = 1 OR y = 2)\n  AND ${day}`,
  );
});

test('the SELECT that reads the table gets it', () => {
  const sql = 'WITH m AS (SELECT * FROM main_summary) SELECT * FROM m WHERE a ORDER BY 1';
  expect(addCondition(sql, day, 'main_summary')).toBe(
    `WITH m AS (SELECT * FROM main_summary\nWHERE ${day}) SELECT * FROM m WHERE a ORDER BY 1`,
  );
  expect(addCondition('SELECT extract(day FROM x) FROM t', day, 't')).toBe(`SELECT extract(day FROM x) FROM t\nWHERE ${day}`);
  expect(addCondition('SELECT * FROM a JOIN b ON a.x = b.x', day, 'b')).toBe(`SELECT * FROM a JOIN b ON a.x = b.x\nWHERE ${day}`);
  expect(addCondition('SELECT 1', day)).toBe('SELECT 1');
});

test('the table that a condition is about', () => {
  const tables = [
    { name: 'a', columns: [{ name: 'x', type: '' }] },
    { name: 'b', columns: [{ name: 'sample_id', type: '' }] },
  ];
  expect(tableOf('WITH w AS (SELECT * FROM b) SELECT * FROM a, w', 'sample_id = 42', tables)).toBe('b');
  expect(tableOf('SELECT 1', 'sample_id = 42', tables)).toBe('');
});

test('a number is written in another form wherever it stands, but not in texts, names and comments', () => {
  const written = (number: string) => `SELECT ${number} * a/b, '100.0', "100.0", x1100.0, 100.01 -- 100.0\n, 2*${number}`;
  expect(replaceNumber(written('100.0'), '100.0', '100.0e0')).toBe(written('100.0e0'));
  expect(replaceNumber('SELECT 1', '1.0', '1.0e0')).toBe('SELECT 1');
});
