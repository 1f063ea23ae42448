import { expect, test } from 'vitest';
import { matcher, type Press, written } from './keys';

const press = (key: string, o: Partial<Press> = {}): Press => ({
  key,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  shiftKey: false,
  timeStamp: 0,
  ...o,
});

test('modifiers have to be those that are named', () => {
  const m = matcher('Mod+Enter');
  expect(m(press('Enter', { ctrlKey: true }))).toBe(true);
  expect(m(press('Enter'))).toBe(false);
  expect(m(press('Enter', { ctrlKey: true, shiftKey: true }))).toBe(false);
  expect(m(press('Enter', { ctrlKey: true, altKey: true }))).toBe(false);
});

test('a character may need Shift, a letter may not have it', () => {
  expect(matcher('?')(press('?', { shiftKey: true }))).toBe(true);
  expect(matcher('g')(press('G', { shiftKey: true }))).toBe(false);
});

test('keys one after the other have to come in time', () => {
  const m = matcher('g c');
  expect([m(press('g')), m(press('c', { timeStamp: 100 }))]).toEqual([false, true]);
  expect([m(press('g', { timeStamp: 1000 })), m(press('c', { timeStamp: 9000 }))]).toEqual([false, false]);
  expect([
    m(press('g', { timeStamp: 20_000 })),
    m(press('g', { timeStamp: 20_001 })),
    m(press('c', { timeStamp: 20_002 })),
  ]).toEqual([false, false, true]);
  expect([
    m(press('g', { timeStamp: 30_000 })),
    m(press('x', { timeStamp: 30_001 })),
    m(press('c', { timeStamp: 30_002 })),
  ]).toEqual([false, false, false]);
});

test('keys are written as people know them', () => expect(written('Mod+Shift+Enter')).toEqual(['Ctrl + Shift + Enter']));
