import { describe, expect, it } from 'vitest';
import { marked, type Result, shown, valuesOf } from './shown';

const result: Result = {
  columns: ['day', 'channel', 'value', 'pings', 'few'].map(name => ({ name, type: 'varchar' })),
  keys: ['channel', 'value'],
  measures: ['pings'],
  rows: [
    ['2026-11-01', 'beta', 'true', 1, true],
    ['2026-11-01', 'release', 'false', 7, false],
    ['2026-11-01', 'release', 'true', 3, true],
    ['2026-11-02', 'release', 'true', 9, false],
  ],
};

describe('shown', () => {
  it('lists the most frequent values first', () => {
    expect(valuesOf(result, 'value')).toEqual(['true', 'false']);
    expect(valuesOf(result, 'channel')).toEqual(['release', 'beta']);
  });
  it('has a series for each value of the first key, and one value of the others', () => {
    expect(shown(result, {}).rows.length).toBe(3);
    expect(shown(result, {}).series).toBe('channel');
    expect(shown(result, { value: 'false' }).rows).toEqual([result.rows[1]]);
    expect(shown({ ...result, keys: [] }, {}).rows.length).toBe(4);
  });
  it('marks series that are of few clients on all days', () => {
    expect(marked(result, shown(result, {})).map(r => r[1])).toEqual(['beta (few)', 'release', 'release']);
  });
});
