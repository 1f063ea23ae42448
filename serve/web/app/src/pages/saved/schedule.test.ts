import { expect, test } from 'vitest';
import { choiceOf, sentence, textOf } from './schedule';

test('choices and cron texts are each other', () => {
  for (const every of ['5 * * * *', '30 7 * * *', '0 7 * * 1-5', '0 7 * * 0', '*/10 * * * *', '6h', '0 7 1 * *', '0 * * * 2']) {
    expect(textOf(choiceOf(every)), every).toBe(every);
  }
  expect(['5 * * * *', '30 7 * * *', '0 7 * * 1-5', '0 7 * * 0', '6h', '0 * * * 2'].map(e => choiceOf(e).rhythm)).toEqual([
    'hourly',
    'daily',
    'workdays',
    'weekly',
    'other',
    'other',
  ]);
});

test('what a schedule does, in words', () => {
  expect(
    sentence({
      every: '30 7 * * 1-5',
      timezone: 'Europe/Berlin',
      condition: { kind: 'value', is: '<', than: 5 },
      notify: [{ kind: 'mail', to: 'a@b.c' }],
    }),
  ).toBe('Runs Monday to Friday at 07:30 Europe/Berlin. If the first value is < 5, a@b.c is notified.');
  expect(sentence({ every: '6h' })).toBe('Runs every 6h. Nobody is notified.');
});
