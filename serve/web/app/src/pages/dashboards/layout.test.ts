import { expect, test } from 'vitest';
import { compact, earlier, free, later, moved, ordered, overlap, type Place, put, spoken, within } from './layout';

const at = (id: string, x: number, y: number, w: number, h: number) => ({ id, x, y, w, h });
const places = (all: (Place & { id: string })[]) => all.map(w => `${w.id} ${w.x},${w.y} ${w.w}x${w.h}`);
const stack = [at('a', 0, 0, 6, 4), at('b', 0, 4, 6, 4), at('c', 6, 0, 6, 4)];

test.each([
  ['into free space', 'c', { x: 6, y: 2, w: 6, h: 4 }, ['a 0,0 6x4', 'b 0,4 6x4', 'c 6,2 6x4']],
  ['onto another from above', 'a', { x: 0, y: 1, w: 6, h: 4 }, ['a 0,1 6x4', 'b 0,5 6x4', 'c 6,0 6x4']],
  ['below the top of another', 'a', { x: 0, y: 5, w: 6, h: 4 }, ['a 0,5 6x4', 'b 0,1 6x4', 'c 6,0 6x4']],
  ['wider, over two others', 'b', { x: 0, y: 0, w: 12, h: 4 }, ['a 0,4 6x4', 'b 0,0 12x4', 'c 6,4 6x4']],
  ['out of the grid', 'c', { x: 9, y: -3, w: 6, h: 99 }, ['a 0,0 6x4', 'b 0,4 6x4', 'c 6,0 6x40']],
])('put %s', (_, id, to, want) => expect(places(put(stack, id, to))).toEqual(want));

test('no two widgets overlap, wherever one is put', () => {
  let seed = 7;
  const random = (n: number) => {
    seed = (seed * 48_271) % 2_147_483_647;
    return seed % n;
  };
  const place = () => ({ x: random(14) - 1, y: random(30) - 1, w: 1 + random(13), h: 1 + random(9) });
  for (let round = 0; round < 200; round++) {
    let all: (Place & { id: string })[] = [];
    for (let i = 0; i < 8; i++) {
      const [w, h] = [1 + random(12), 1 + random(6)];
      all.push({ id: `w${i}`, ...free(all, w, h) });
    }
    for (let move = 0; move < 5; move++) {
      const [id, to] = [`w${random(8)}`, place()];
      all = put(all, id, to);
      expect(all.find(w => w.id === id)).toMatchObject(within(to));
      expect(all.filter((a, i) => all.some((b, j) => i < j && overlap(a, b)))).toEqual([]);
      const closed = compact(all);
      expect(closed.filter((a, i) => closed.some((b, j) => i < j && overlap(a, b)))).toEqual([]);
      const read = ordered(all).map(w => w.id);
      const [n, down] = [random(8), random(2)];
      const listed = (down ? later : earlier)(all, read[n]!);
      expect(listed === undefined).toBe(n === (down ? 7 : 0));
      if (listed) {
        read.splice(down ? n : n - 1, 2, ...read.slice(down ? n : n - 1, (down ? n : n - 1) + 2).reverse());
        expect(ordered(listed).map(w => w.id)).toEqual(read);
        expect(listed.filter((a, i) => listed.some((b, j) => i < j && overlap(a, b)))).toEqual([]);
        all = listed;
      }
    }
  }
});

test('in the list of a narrow screen a widget changes places with its neighbour', () => {
  expect(places(earlier(stack, 'c')!)).toEqual(['a 6,0 6x4', 'b 0,4 6x4', 'c 0,0 6x4']);
  expect(places(later(stack, 'c')!)).toEqual(places(earlier(stack, 'b')!));
  const rows = [at('a', 0, 0, 12, 2), at('b', 0, 2, 12, 3), at('c', 0, 9, 12, 1)];
  expect(places(later(rows, 'a')!)).toEqual(['a 0,3 12x2', 'b 0,0 12x3', 'c 0,9 12x1']);
});

test('gaps are closed', () => {
  const all = [at('a', 0, 3, 6, 4), at('b', 0, 20, 12, 2), at('c', 6, 9, 6, 4)];
  expect(places(compact(all))).toEqual(['a 0,0 6x4', 'b 0,4 12x2', 'c 6,0 6x4']);
});

test('the first free place', () => {
  expect(free([], 6, 4)).toEqual({ x: 0, y: 0, w: 6, h: 4 });
  expect(free(stack, 6, 4)).toEqual({ x: 6, y: 4, w: 6, h: 4 });
  expect(free(stack, 12, 1)).toEqual({ x: 0, y: 8, w: 12, h: 1 });
});

test('arrow keys move and resize within the grid', () => {
  const p = { x: 0, y: 0, w: 6, h: 4 };
  expect(moved(p, 'ArrowRight', false)).toEqual({ ...p, x: 1 });
  expect(moved(p, 'ArrowLeft', false)).toEqual(p);
  expect(moved({ ...p, x: 6 }, 'ArrowRight', true)).toEqual({ ...p, x: 6 });
  expect(moved(p, 'ArrowUp', true)).toEqual({ ...p, h: 3 });
  expect(moved(p, 'Enter', false)).toBeUndefined();
  expect(spoken('Clients', { ...p, x: 6 })).toBe('Clients: column 7, row 1, 6 wide, 4 high.');
});
