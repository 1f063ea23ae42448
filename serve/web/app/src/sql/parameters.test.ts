import { expect, test } from 'vitest';
import { faultOf, forApi, fromApi, fromDateInput, initial, type ParameterKind, parametersOf, toDateInput } from './parameters';

const names = (sql: string) => parametersOf(sql).map(p => `${p.name} ${p.kind}`);

test('parameters outside of texts and comments, of the kind that place and name suggest', () => {
  expect(names('{{day}} -- {{no}}\n\'{{text}}\' "{{name}}" {{ from }} {{day}} {{a b}} {{x.y}}')).toEqual([
    'day day',
    'from text',
  ]);
  expect(names('{{a}}, {{r.from}} {{r.to.dashed}}, {{x.dashed}}, {{first_date}}, {{limit}}, {{holiday}}')).toEqual([
    'a text',
    'r days',
    'x day',
    'first_date day',
    'limit number',
    'holiday text',
  ]);
});

test('declared parameters keep their kind', () => {
  expect(parametersOf('{{day}} {{x}}', [{ name: 'x', kind: 'choice', choices: ['a'] }])).toEqual([
    { name: 'day', kind: 'day' },
    { name: 'x', kind: 'choice', choices: ['a'] },
  ]);
});

const good: [ParameterKind, string][] = [
  ['day', '20180301'],
  ['day', '2018-03-01'],
  ['day', 'newest-6'],
  ['days', '20180301..newest'],
  ['days', 'last 7 days'],
  ['number', '-1.5e3'],
  ['text', ''],
  ['choice', 'a'],
  ['list', 'a, b'],
];
test.each(good)('a %s may be %j', (kind, value) => expect(faultOf({ name: 'p', kind, choices: ['a'] }, value)).toBe(''));

const bad: [ParameterKind, string | undefined][] = [
  ['day', '20180230'],
  ['day', ''],
  ['days', '20180301..'],
  ['days', '20180301..20180302..20180303'],
  ['number', '1; DROP'],
  ['number', '0x1'],
  ['number', '.5'],
  ['choice', 'b'],
  ['text', undefined],
  ['list', ' '],
];
test.each(bad)('a %s cannot be %j', (kind, value) => expect(faultOf({ name: 'p', kind, choices: ['a'] }, value)).not.toBe(''));

test('values of the API', () => {
  const api = (kind: ParameterKind, v: string) => forApi({ name: 'p', kind }, v);
  expect([api('number', '10'), api('number', '9007199254740993'), api('text', '10')]).toEqual([10, '9007199254740993', '10']);
  expect([api('days', '20180301..20180302'), api('days', 'last 7 days')]).toEqual([
    { from: '20180301', to: '20180302' },
    'last 7 days',
  ]);
  expect(api('list', 'a, b,')).toEqual(['a', 'b']);
  expect([{ from: '1', to: '2' }, ['a', 1], 5, null].map(fromApi)).toEqual(['1..2', 'a, 1', '5', '']);
  expect([initial({ name: 'd', kind: 'day' }), initial({ name: 'd', kind: 'day', default: 'yesterday' })]).toEqual([
    'newest',
    'yesterday',
  ]);
});

test('days of date inputs', () => {
  expect([toDateInput('20180301'), toDateInput('2018-03-01'), toDateInput('20180231'), toDateInput('newest')]).toEqual([
    '2018-03-01',
    '2018-03-01',
    '',
    '',
  ]);
  expect(fromDateInput('2018-03-01')).toBe('20180301');
});
