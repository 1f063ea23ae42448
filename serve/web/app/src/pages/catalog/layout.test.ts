import { expect, test } from 'vitest';
import { layout, size } from './layout';

test('each node is behind all that feed it, and none covers another', () => {
  const names = ['pings', 'main', 'addons', 'daily', 'both'];
  const g = layout(
    names.map(name => ({ name, kind: 'table', doc: '' })),
    [
      { from: 'pings', to: 'main' },
      { from: 'main', to: 'addons' },
      { from: 'main', to: 'daily' },
      { from: 'pings', to: 'both' },
      { from: 'daily', to: 'both' },
      { from: 'gone', to: 'both' },
    ],
  );
  const x = (name: string) => g.nodes.find(n => n.name === name)!.x;
  expect(x('pings')).toBeLessThan(x('main'));
  expect(x('addons')).toBe(x('daily'));
  expect(x('daily')).toBeLessThan(x('both'));
  expect(g.edges).toHaveLength(5);
  expect(new Set(g.nodes.map(n => `${n.x} ${n.y}`)).size).toBe(names.length);
  for (const n of g.nodes) {
    expect(n.x + size.width).toBeLessThan(g.width);
    expect(n.y + size.height).toBeLessThan(g.height);
  }
});

test('a table alone has a place', () => {
  expect(layout([{ name: 'a', kind: 'table', doc: '' }], []).nodes[0]).toMatchObject({ x: size.margin, y: size.margin });
});
