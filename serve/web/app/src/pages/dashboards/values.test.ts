import { expect, test } from 'vitest';
import type { DashboardParameter } from '../../api/dashboards';
import { addressOf, asked, picked, toggled, withOptions } from './values';

const days: DashboardParameter = { name: 'days', kind: 'days', default: 'newest 7 days' };
const channel: DashboardParameter = { name: 'channel', kind: 'text', default: 'release', options: 'channels' };
const all = [days, channel];

test('values as the API takes them, and none while one is wrong', () => {
  expect(asked(all, {})).toEqual({ days: 'newest 7 days', channel: 'release' });
  expect(asked(all, { days: '20180301..20180303' })).toEqual({ days: { from: '20180301', to: '20180303' }, channel: 'release' });
  expect(asked(all, { days: 'soon' })).toBeUndefined();
  expect(asked([], {})).toEqual({});
});

test('the address carries the values that differ from the defaults', () => {
  expect(addressOf(all, {})).toBe('');
  expect(addressOf(all, { days: 'newest 7 days', other: '1' })).toBe('');
  expect(addressOf(all, { channel: 'a & b' })).toBe('?p.channel=a+%26+b');
});

test('options make a choice, which keeps a value that they lack', () => {
  expect(withOptions(channel, ['beta', 'release'], 'release')).toMatchObject({ kind: 'choice', choices: ['beta', 'release'] });
  expect(withOptions(channel, ['beta'], 'esr')).toMatchObject({ kind: 'choice', choices: ['esr', 'beta'] });
  expect(withOptions(channel, undefined, 'esr')).toBe(channel);
  expect(withOptions(days, ['beta'], '')).toBe(days);
});

test('a list takes options in their order', () => {
  expect(toggled('b, x', 'a', ['a', 'b'])).toBe('a, b, x');
  expect(toggled('a, b', 'a', ['a', 'b'])).toBe('b');
  expect(toggled('', 'b', ['a', 'b'])).toBe('b');
});

test('a click on a chart sets the parameters that have the names of its columns', () => {
  const day: DashboardParameter = { name: 'day', kind: 'day' };
  const pick = { channel: 'beta', day: '2018-03-02', os: 'Linux', days: null };
  expect(picked([...all, day], { days: 'yesterday' }, pick)).toEqual({ days: 'yesterday', channel: 'beta', day: '20180302' });
  expect(picked([{ name: 'os', kind: 'choice', choices: ['Darwin'] }], {}, pick)).toEqual({});
});
