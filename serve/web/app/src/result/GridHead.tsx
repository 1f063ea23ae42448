// biome-ignore-all lint/a11y/useFocusableInteractive: the grid has the focus, and says which cell is meant
import type { VirtualItem } from '@tanstack/virtual-core';
import { ArrowDown, ArrowUp } from 'lucide';
import { family } from '../sql/types';
import { Icon } from '../ui';
import type { Cursor } from './cursor';
import type { Column } from './format';

export interface Sorted {
  column: number;
  descending: boolean;
}

// GridHead names the columns and their types. A press sorts, its right edge resizes.
export function GridHead(p: {
  id: string;
  columns: Column[];
  seen: VirtualItem[];
  cursor: Cursor;
  width: number;
  gutter: number;
  sorted: Sorted | undefined;
  onSort: (column: number) => void;
  onResize: (column: number, by: number) => void;
  onFit: (column: number) => void;
}) {
  return (
    <div class="grid-head" role="row" aria-rowindex={1} style={{ width: `${p.width}px` }}>
      <div class="grid-corner" role="presentation" style={{ width: `${p.gutter}px` }} />
      {p.seen.map(c => {
        const column = p.columns[c.index] as Column;
        const here = p.cursor.row === -1 && p.cursor.column === c.index;
        const order = p.sorted?.column === c.index ? (p.sorted.descending ? 'descending' : 'ascending') : undefined;
        return (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the grid has the keys
          <div
            key={c.index}
            id={here ? `${p.id}--1-${c.index}` : undefined}
            class={`grid-name${family(column.type) === 'number' ? ' grid-num' : ''}${here ? ' grid-here' : ''}`}
            role="columnheader"
            aria-colindex={c.index + 1}
            aria-sort={order}
            data-row={-1}
            data-column={c.index}
            title={`${column.name}: ${column.type}`}
            style={{ left: `${p.gutter + c.start}px`, width: `${c.size}px` }}
            onClick={e => !(e.target as HTMLElement).classList.contains('grid-edge') && p.onSort(c.index)}
          >
            <span class="grid-title">
              <span class="cut">{column.name}</span>
              {order && <Icon of={order === 'descending' ? ArrowDown : ArrowUp} size={12} />}
            </span>
            <span class="grid-type cut">{column.type}</span>
            {/* biome-ignore lint/a11y/noStaticElementInteractions: Alt and arrows do the same */}
            <span
              class="grid-edge"
              role="presentation"
              onPointerDown={e => follow(e, by => p.onResize(c.index, by))}
              onDblClick={() => p.onFit(c.index)}
            />
          </div>
        );
      })}
    </div>
  );
}

// follow says how far the pointer moves until it is let go.
function follow(e: PointerEvent, moved: (by: number) => void): void {
  const edge = e.currentTarget as HTMLElement;
  let last = e.clientX;
  e.preventDefault();
  e.stopPropagation();
  edge.setPointerCapture(e.pointerId);
  edge.onpointermove = m => {
    moved(m.clientX - last);
    last = m.clientX;
  };
  edge.onpointerup = () => {
    edge.onpointermove = null;
  };
}
