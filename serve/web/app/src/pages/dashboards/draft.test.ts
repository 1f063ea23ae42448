import { expect, test } from 'vitest';
import type { DashboardDoc } from '../../api/dashboards';
import { add, change, setParameters, toStore, without } from './draft';

const empty: DashboardDoc = { title: 'T', widgets: [] };
const days = { name: 'days', kind: 'days' as const };

test("widgets get ids, free places, and their queries' parameters", () => {
  let doc = add(empty, { kind: 'chart', query: 'a' }, [days]);
  doc = add(doc, { kind: 'chart', query: 'b' }, [{ ...days, kind: 'day' as never }]);
  doc = add(doc, { kind: 'number', query: 'c' });
  expect(doc.widgets.map(w => [w.id, w.x, w.y, w.w, w.h])).toEqual([
    ['chart-1', 0, 0, 6, 7],
    ['chart-2', 6, 0, 6, 7],
    ['number-1', 0, 7, 3, 3],
  ]);
  expect(doc.parameters).toEqual([days]);
  expect(add(without(doc, 'chart-1'), { kind: 'text', text: 'x' }).widgets.map(w => w.id)).toEqual([
    'chart-2',
    'number-1',
    'text-1',
  ]);
});

test('without a parameter, widgets no longer take it', () => {
  const doc = add(empty, { kind: 'chart', query: 'a', parameters: { d: { parameter: 'days' }, n: { value: 3 } } }, [days]);
  const got = setParameters(doc, []);
  expect(got.widgets[0]?.parameters).toEqual({ n: { value: 3 } });
  const [w] = setParameters(change(doc, { ...doc.widgets[0]!, parameters: { d: { parameter: 'days' } } }), []).widgets;
  expect(w).not.toHaveProperty('parameters');
});

test('widgets are stored in the order in which they are read', () => {
  const doc = add(add(empty, { kind: 'number', query: 'a' }), { kind: 'number', query: 'b' });
  const turned = { ...doc, widgets: [...doc.widgets].reverse() };
  expect(toStore(turned).widgets.map(w => w.query)).toEqual(['a', 'b']);
});
