import { expect, test } from 'vitest';
import { charted, spanOf } from './series';

test('what arrived is rows of a chart, without series in which nothing arrived', () => {
  const c = charted({
    from: '2018-03-01T12:00:00Z',
    step: 900,
    series: [
      { outcome: 'ping', total: 3, values: [1, 2] },
      { outcome: 'duplicate', total: 0, values: [0, 0] },
      { outcome: 'error', class: 'json', total: 1, values: [0, 1] },
    ],
  });
  expect(c.chart.y).toEqual(['pings', 'error: json']);
  expect(c.chart.title).toContain('15 minutes');
  expect(c.rows).toEqual([
    ['2018-03-01 12:00:00', 1, 0],
    ['2018-03-01 12:15:00', 2, 1],
  ]);
  expect(charted({ from: '2018-03-01T12:00:00Z', step: 60, series: null }).rows).toEqual([]);
});

test('an unknown span is a day', () => {
  expect(spanOf('nonsense').hours).toBe(24);
  expect(spanOf('7d').hours).toBe(168);
});
