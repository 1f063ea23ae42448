import { ArrowDown, ArrowUp, GripVertical, Minus, Plus } from 'lucide';
import type { ComponentChildren } from 'preact';
import { useRef } from 'preact/hooks';
import type { Widget } from '../../api/dashboards';
import { Icon, IconButton } from '../../ui';
import style from './editing.module.css';
import { columns, earlier, later, mostHigh, moved, ordered, type Place, put, spoken } from './layout';

export const helpId = 'arrange-help';

// Arranging is the grid on which widgets are moved. A move by pointer or keyboard starts from the layout at its beginning, so that
// widgets which made room go back when the moved one leaves.
export interface Arranging {
  widgets: readonly Widget[];
  grid: { current: HTMLDivElement | null };
  onWidgets: (all: Widget[], mark: string) => void;
  onSay: (text: string) => void; // for screen readers
}

interface Move {
  base: readonly Widget[];
  place: Place;
  mark: string;
}

let moves = 0;

// Arrange gives a widget its handle and its corner. Arrow keys on the handle move the widget, with Shift they resize it.
export function Arrange({
  widget,
  title,
  by,
  onRemove,
  children,
}: {
  widget: Widget;
  title: string;
  by: Arranging;
  onRemove: () => void;
  children: (handle: ComponentChildren) => ComponentChildren;
}) {
  const move = useRef<Move>(undefined);
  const latest = useRef(by);
  latest.current = by;
  const begin = (): Move => ({ base: by.widgets, place: widget, mark: `move ${++moves}` });
  const step = (m: Move, place: Place) => {
    const all = put(m.base, widget.id, place);
    m.place = all.find(w => w.id === widget.id)!;
    latest.current.onWidgets(all, m.mark);
    return all;
  };
  const onKeyDown = (e: KeyboardEvent) => {
    if (e.ctrlKey || e.metaKey || e.altKey) {
      return;
    }
    if (e.key === 'Delete') {
      e.preventDefault();
      onRemove();
      return;
    }
    move.current ??= begin();
    const m = move.current;
    const to = moved(m.place, e.key, e.shiftKey);
    if (to) {
      e.preventDefault();
      const before = m.place;
      const all = step(m, to);
      const same = (['x', 'y', 'w', 'h'] as const).every(k => before[k] === m.place[k]);
      const others = all.filter(w => w.id !== widget.id && m.base.find(b => b.id === w.id)?.y !== w.y).length;
      const room = others > 0 ? ` ${others === 1 ? 'Another widget' : `${others} other widgets`} made room.` : '';
      by.onSay(same ? `${title} is at the edge of the grid.` : spoken(title, m.place) + room);
    }
  };
  const stack = (all: Widget[] | undefined) => {
    if (all) {
      by.onWidgets(all, `move ${++moves}`);
    }
    const place = ordered(all ?? by.widgets).findIndex(w => w.id === widget.id) + 1;
    by.onSay(all ? `${title}: place ${place} of ${by.widgets.length}.` : `${title} is at the end of the list.`);
  };
  const higher = (rows: number) => {
    const h = Math.min(Math.max(widget.h + rows, 1), mostHigh);
    by.onWidgets(put(by.widgets, widget.id, { ...widget, h }), `move ${++moves}`);
    by.onSay(`${title}: ${h} high.`);
  };
  const onStackKey = (e: KeyboardEvent) => {
    const act = {
      ArrowUp: () => (e.shiftKey ? higher(-1) : stack(earlier(by.widgets, widget.id))),
      ArrowDown: () => (e.shiftKey ? higher(1) : stack(later(by.widgets, widget.id))),
      Delete: onRemove,
    }[e.key];
    if (act && !e.ctrlKey && !e.metaKey && !e.altKey) {
      e.preventDefault();
      act();
    }
  };
  const drag = (e: PointerEvent, resize: boolean) => {
    const grid = by.grid.current;
    if (e.button !== 0 || !grid || (e.target as Element).closest('[data-still]')) {
      return;
    }
    e.preventDefault();
    follow(e, grid, begin(), resize, step);
  };
  const handle = (
    <button
      type="button"
      class={style.handle}
      aria-label={`Move ${title}`}
      aria-describedby={helpId}
      onKeyDown={onKeyDown}
      onBlur={() => {
        move.current = undefined;
      }}
    >
      <Icon of={GripVertical} />
    </button>
  );
  return (
    <div
      class={style.arranged}
      data-widget={widget.id}
      onPointerDown={e => (e.target as Element).closest('header') && drag(e, false)}
    >
      {children(handle)}
      <div class={style.stack} role="group" aria-label={`Place of ${title}`} onKeyDown={onStackKey}>
        <IconButton small label={`${title} earlier`} icon={ArrowUp} onClick={() => stack(earlier(by.widgets, widget.id))} />
        <IconButton small label={`${title} later`} icon={ArrowDown} onClick={() => stack(later(by.widgets, widget.id))} />
        <IconButton small label={`${title} lower`} icon={Minus} onClick={() => higher(-1)} />
        <IconButton small label={`${title} higher`} icon={Plus} onClick={() => higher(1)} />
      </div>
      <span class={style.corner} aria-hidden="true" onPointerDown={e => drag(e, true)} />
    </div>
  );
}

const edge = 48; // px from the top and the end of the window, where dragging scrolls

// follow moves or resizes by the pointer until it is released. Escape takes the move back.
function follow(e: PointerEvent, grid: HTMLElement, m: Move, resize: boolean, step: (m: Move, p: Place) => unknown): void {
  const css = getComputedStyle(grid);
  const gap = Number.parseFloat(css.columnGap);
  const width = (grid.clientWidth + gap) / columns;
  const height = Number.parseFloat(css.gridAutoRows) + gap;
  const from = { x: e.clientX, y: e.clientY + window.scrollY };
  const first = m.place;
  const target = (e.currentTarget as Element).closest<HTMLElement>('[data-widget]')!;
  const end = new AbortController();
  const { signal } = end;
  target.setPointerCapture(e.pointerId);
  target.dataset.moving = '';
  const finish = () => {
    delete target.dataset.moving;
    end.abort();
  };
  const onMove = (p: PointerEvent) => {
    if (p.clientY < edge || p.clientY > window.innerHeight - edge) {
      window.scrollBy(0, p.clientY < edge ? -16 : 16);
    }
    const dx = Math.round((p.clientX - from.x) / width);
    const dy = Math.round((p.clientY + window.scrollY - from.y) / height);
    const to = resize
      ? { ...first, w: Math.min(first.w + dx, columns - first.x), h: first.h + dy }
      : { ...first, x: first.x + dx, y: first.y + dy };
    if (to.x !== m.place.x || to.y !== m.place.y || to.w !== m.place.w || to.h !== m.place.h) {
      step(m, to);
    }
  };
  target.addEventListener('pointermove', onMove, { signal });
  target.addEventListener('pointerup', finish, { signal });
  target.addEventListener('pointercancel', finish, { signal });
  document.addEventListener(
    'keydown',
    k => {
      if (k.key === 'Escape') {
        k.preventDefault();
        step(m, first);
        finish();
      }
    },
    { signal },
  );
}
