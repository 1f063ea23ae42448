// The grid of a dashboard: 12 columns, and rows of one height. Widgets keep the place that a person chose; others make room.

export const columns = 12;
export const mostHigh = 40; // rows of a widget
const mostDown = 2000; // rows above a widget

// Place is where a widget is, in columns and rows.
export interface Place {
  x: number;
  y: number;
  w: number;
  h: number;
}

type Placed = Place & { id: string };

const bound = (n: number, least: number, most: number): number => Math.min(Math.max(Math.round(n), least), most);

// within returns the nearest place that the grid has.
export function within(p: Place): Place {
  const w = bound(p.w, 1, columns);
  return { x: bound(p.x, 0, columns - w), y: bound(p.y, 0, mostDown), w, h: bound(p.h, 1, mostHigh) };
}

export const overlap = (a: Place, b: Place): boolean => a.x < b.x + b.w && b.x < a.x + a.w && a.y < b.y + b.h && b.y < a.y + a.h;

// ordered lists widgets as they are read: row by row.
export const ordered = <T extends Place>(all: readonly T[]): T[] => [...all].sort((a, b) => a.y - b.y || a.x - b.x);

// put moves a widget to a place. A widget below whose top it was moved goes above it if there is room; other widgets in its way move
// down.
export function put<T extends Placed>(all: readonly T[], id: string, to: Place): T[] {
  const place = within(to);
  const others = all.filter(w => w.id !== id);
  const above = new Map<string, number>();
  for (const o of others) {
    if (overlap(o, place) && o.y < place.y) {
      const up = { ...o, y: place.y - o.h };
      if (up.y >= 0 && others.every(b => b === o || !overlap({ ...b, y: above.get(b.id) ?? b.y }, up))) {
        above.set(o.id, up.y);
      }
    }
  }
  const ys = apart([{ id, ...place }, ...ordered(others.map(o => ({ ...o, y: above.get(o.id) ?? o.y })))]);
  return all.map(w => (w.id === id ? { ...w, ...place } : { ...w, y: ys.get(w.id) ?? w.y }));
}

// earlier moves a widget before the one that is read before it, later after the next one. Other widgets keep their columns; those
// behind the two may move down. It returns undefined at the ends of the list.
export const earlier = <T extends Placed>(all: readonly T[], id: string): T[] | undefined => {
  const list = ordered(all);
  const i = list.findIndex(w => w.id === id);
  return i > 0 ? swapped(all, list, i - 1) : undefined;
};

export const later = <T extends Placed>(all: readonly T[], id: string): T[] | undefined => {
  const list = ordered(all);
  const i = list.findIndex(w => w.id === id);
  return i >= 0 && i < list.length - 1 ? swapped(all, list, i) : undefined;
};

// swapped exchanges widgets i and i + 1 of the list in which they are read.
function swapped<T extends Placed>(all: readonly T[], list: readonly T[], i: number): T[] {
  const [a, b] = list.slice(i, i + 2) as [T, T];
  const beside = a.y === b.y;
  const first = beside ? { ...b, x: a.x } : { ...b, y: a.y };
  const second = beside ? { ...a, x: b.x + b.w - a.w } : a;
  const done: T[] = [];
  for (const [n, w] of [...list.slice(0, i), first, second, ...list.slice(i + 2)].entries()) {
    const before = done.at(-1);
    const p = { ...w };
    if (before && n > i) {
      p.y = Math.max(p.y, before.y);
    }
    for (let hit = done.find(d => overlap(d, p)); hit; hit = done.find(d => overlap(d, p))) {
      p.y = hit.y + hit.h;
    }
    if (before && p.y === before.y && p.x < before.x) {
      p.y = before.y + before.h;
    }
    done.push(p);
  }
  return all.map(w => done.find(d => d.id === w.id) ?? w);
}

// apart returns the rows of widgets that move down until none lies on one before it in the list.
function apart(list: readonly Placed[]): Map<string, number> {
  const done: Placed[] = [];
  for (const w of list) {
    const p = { ...w };
    for (let hit = done.find(d => overlap(d, p)); hit; hit = done.find(d => overlap(d, p))) {
      p.y = hit.y + hit.h;
    }
    done.push(p);
  }
  return new Map(done.map(d => [d.id, d.y]));
}

// compact moves all widgets up as far as they can go.
export function compact<T extends Placed>(all: readonly T[]): T[] {
  const done: T[] = [];
  for (const w of ordered(all)) {
    const p = { ...w };
    while (p.y > 0 && !done.some(d => overlap(d, { ...p, y: p.y - 1 }))) {
      p.y--;
    }
    done.push(p);
  }
  return all.map(w => done.find(d => d.id === w.id) ?? w);
}

// free returns the first place, row by row, where a widget of a size lies on none of the others.
export function free(all: readonly Place[], w: number, h: number): Place {
  for (let y = 0; ; y++) {
    for (let x = 0; x + w <= columns; x++) {
      const p = { x, y, w, h };
      if (!all.some(o => overlap(o, p))) {
        return p;
      }
    }
  }
}

// moved is where the arrow keys put a widget: alone they move it, with Shift they change its size. Other keys return undefined.
export function moved(p: Place, key: string, resize: boolean): Place | undefined {
  const step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[key];
  if (!step) {
    return undefined;
  }
  const [dx, dy] = step as [number, number];
  return resize
    ? { ...p, w: bound(p.w + dx, 1, columns - p.x), h: bound(p.h + dy, 1, mostHigh) }
    : within({ ...p, x: p.x + dx, y: p.y + dy });
}

// spoken says where a widget is.
export const spoken = (name: string, p: Place): string => `${name}: column ${p.x + 1}, row ${p.y + 1}, ${p.w} wide, ${p.h} high.`;
