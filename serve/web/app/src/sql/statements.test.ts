import { expect, test } from 'vitest';
import { scan } from './scan';
import { offsetOf, statementAt, statements, tokenAt, toRun } from './statements';

const texts = (sql: string) => statements(sql).map(s => sql.slice(s.from, s.to));

test('tokens', () => {
  const kinds = scan(`SELECT "a""b", 'it''s', e'x\\'y', $$ raw ' $$, 1.5e3 -- end\n/* open`).map(t => [t.kind, t.text, t.open]);
  expect(kinds).toEqual([
    ['word', 'SELECT', false],
    ['quoted', '"a""b"', false],
    ['mark', ',', false],
    ['text', "'it''s'", false],
    ['mark', ',', false],
    ['text', "e'x\\'y'", false],
    ['mark', ',', false],
    ['text', "$$ raw ' $$", false],
    ['mark', ',', false],
    ['number', '1.5e3', false],
    ['comment', '-- end', false],
    ['comment', '/* open', true],
  ]);
});

test('a parameter is one token, and braces without an end are not', () => {
  expect(scan('a = {{ day }} {{x').map(t => t.text)).toEqual(['a', '=', '{{ day }}', '{', '{', 'x']);
});

test('statements keep comments before them and end at semicolons that are no text', () => {
  expect(texts(`-- one\nSELECT ';' ; ;\n/* only */;\nSELECT "a;b"`)).toEqual(["-- one\nSELECT ';'", 'SELECT "a;b"']);
  expect(texts(' -- nothing')).toEqual([]);
});

test('the statement at the cursor', () => {
  const sql = 'SELECT 1;  \n\nSELECT 2\n  FROM t;\n';
  const at = (pos: number) => {
    const s = statementAt(sql, pos);
    return s && sql.slice(s.from, s.to);
  };
  expect(at(0)).toBe('SELECT 1');
  expect(at(9)).toBe('SELECT 1');
  expect(at(11)).toBe('SELECT 1');
  expect(at(12)).toBe('SELECT 2\n  FROM t');
  expect(at(sql.length)).toBe('SELECT 2\n  FROM t');
  expect(statementAt('  ', 1)).toBeUndefined();
});

test('a selection is run as it is, without its last semicolon', () => {
  const sql = 'SELECT 1; SELECT 2;';
  const run = (from: number, to: number) => {
    const s = toRun(sql, from, to);
    return s && sql.slice(s.from, s.to);
  };
  expect(run(9, 19)).toBe('SELECT 2');
  expect(run(7, 8)).toBe('1');
  expect(run(9, 10)).toBe('SELECT 2'); // only a blank is selected
});

test('places count characters, not units', () => {
  const sql = "SELECT '🦊🦊', x\nFROM t";
  expect(sql.slice(offsetOf(sql, 1, 14))).toBe('x\nFROM t'.slice(0));
  expect(sql.slice(offsetOf(sql, 2, 6))).toBe('t');
  expect(offsetOf(sql, 1, 99)).toBe(sql.indexOf('\n'));
  expect(offsetOf(sql, 9, 1)).toBe(sql.length);
});

test('an error is about the token at its place', () => {
  const of = (sql: string, at: number) => {
    const t = tokenAt(sql, at);
    return sql.slice(t.from, t.to);
  };
  expect(of('SELECT chanel FROM t', 7)).toBe('chanel');
  expect(of('SELECT a FROM', 13)).toBe('FROM');
  expect(of('SELECT  a', 7)).toBe('a');
  expect(of('', 0)).toBe('');
});
