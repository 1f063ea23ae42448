// biome-ignore-all lint/a11y/useFocusableInteractive: the grid has the focus, and says which cell is meant
import './grid.css';
import { useEffect, useId, useMemo, useRef, useState } from 'preact/hooks';
import { family } from '../sql/types';
import { copyText, toast } from '../ui';
import { plural } from '../ui/formats';
import { CellView } from './CellView';
import { tsv } from './clipboard';
import { all, at, type Cursor, isSelected, move, selected } from './cursor';
import { type Column, cell, groupsColumn, type Row, type Value } from './format';
import { GridHead } from './GridHead';
import type { Pages } from './pages';
import { useSort } from './useSort';
import { useVirtual } from './virtual';
import { fitted, resized, widths } from './widths';

const rowHeight = 27;
const headHeight = 44;
const mostRows = 600_000; // browsers cannot lay out more; the rest is in the downloads
const mostCopied = 20_000;

// Grid shows the rows of a result, of which only those that are seen are drawn and fetched. turn changes when rows came.
export function Grid({
  columns,
  pages,
  turn,
  groups,
  label,
}: {
  columns: Column[];
  pages: Pages;
  turn: number;
  groups: boolean;
  label: string;
}) {
  const box = useRef<HTMLDivElement>(null);
  const id = useId();
  const [cursor, drawCursor] = useState<Cursor>(at(0, 0));
  const latest = useRef(cursor); // several keys may come before the next drawing
  const setCursor = (c: Cursor) => {
    latest.current = c;
    drawCursor(c);
  };
  const [detail, setDetail] = useState<{ row: number; column: number } | undefined>();
  const count = Math.min(pages.total, mostRows);
  const sort = useSort(columns, pages);
  const first = pages.row(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the first rows define the widths
  const begun = useMemo(() => widths(columns, firstRows(pages)), [columns, pages, first === undefined]);
  const [wide, setWide] = useState<Record<number, number>>({});
  const width = (i: number) => wide[i] ?? begun[i] ?? 100;
  const gutter = Math.max(34, 14 + 8 * String(count).length);
  const rows = useVirtual(box, { count, estimateSize: () => rowHeight, overscan: 8, scrollPaddingStart: headHeight });
  const cols = useVirtual(box, {
    count: columns.length,
    estimateSize: width,
    horizontal: true,
    overscan: 2,
    scrollPaddingStart: gutter,
  });
  const seenRows = rows.getVirtualItems();
  const seenColumns = cols.getVirtualItems();
  const from = seenRows[0]?.index ?? 0;
  const to = (seenRows.at(-1)?.index ?? 0) + 1;
  // biome-ignore lint/correctness/useExhaustiveDependencies: when rows came, others may be wanted still
  useEffect(() => {
    if (!sort.order) {
      pages.look(from, to);
    }
  }, [pages, from, to, sort.order, turn]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another width moves all columns
  useEffect(() => cols.measure(), [wide, begun]);

  const data = (i: number): Row | undefined => sort.row(i);
  const large = useRef(new Set<number>()); // columns with a grouped value among the rows that were shown
  for (const { index: i } of seenColumns) {
    const type = columns[i]?.type ?? '';
    if (!large.current.has(i) && seenRows.some(r => groupsColumn(data(r.index)?.[i], type))) {
      large.current.add(i);
    }
  }
  const size = {
    rows: count,
    columns: columns.length,
    page: Math.max(1, Math.floor(((box.current?.clientHeight ?? 300) - headHeight) / rowHeight) - 1),
  };
  const go = (to: Cursor) => {
    setCursor(to);
    if (to.row >= 0) {
      rows.scrollToIndex(to.row);
    }
    cols.scrollToIndex(to.column);
  };
  const copy = async (head: boolean) => {
    const cursor = latest.current;
    const s = selected(cursor.row < 0 ? { ...cursor, row: 0, anchorRow: count - 1 } : cursor);
    const end = Math.min(s.rows[1], s.rows[0] + mostCopied);
    const got = await sort.rows(s.rows[0], end);
    const part = got.map(r => columns.slice(...s.columns).map((_, i): Value => r[s.columns[0] + i] ?? null));
    const names: Value[] = columns.slice(...s.columns).map(c => c.name);
    await copyText(tsv(head ? [names, ...part] : part));
    toast(
      `Copied ${plural(part.length, 'row')}${end < s.rows[1] ? `, the first of ${plural(s.rows[1] - s.rows[0], 'selected row')}` : ''}`,
    );
  };
  const onKeyDown = (e: KeyboardEvent) => {
    const cursor = latest.current;
    const mod = e.ctrlKey || e.metaKey;
    const key = e.key.toLowerCase();
    const moved = e.altKey ? undefined : move(cursor, { key: e.key, shift: e.shiftKey, mod }, size);
    if (moved) {
      go(moved);
    } else if (mod && key === 'c') {
      void copy(e.altKey);
    } else if (mod && key === 'a') {
      setCursor(all(size));
    } else if (e.altKey && (e.key === 'ArrowLeft' || e.key === 'ArrowRight')) {
      resize(cursor.column, e.key === 'ArrowLeft' ? -16 : 16);
    } else if (e.key === 'Enter' || e.key === ' ') {
      cursor.row < 0 ? sort.by(cursor.column) : setDetail(cursor);
    } else {
      return;
    }
    e.preventDefault();
    e.stopPropagation();
  };
  const resize = (i: number, by: number) => setWide(w => ({ ...w, [i]: resized(w[i] ?? begun[i] ?? 100, by) }));
  const fit = (i: number) =>
    setWide(w => ({
      ...w,
      [i]: fitted(
        columns[i] as Column,
        i,
        seenRows.map(r => data(r.index) ?? []),
      ),
    }));
  const press = (e: MouseEvent) => {
    const target = (e.target as HTMLElement).closest<HTMLElement>('[data-row]');
    if (!target) {
      return;
    }
    const [row, column] = [Number(target.dataset.row), Number(target.dataset.column)];
    setCursor(e.shiftKey && row >= 0 ? { ...latest.current, row, column } : at(row, column));
    if (e.detail === 2 && row >= 0) {
      setDetail({ row, column });
    }
  };
  const drag = (e: PointerEvent) => {
    const target = (e.target as HTMLElement).closest<HTMLElement>('[data-row]');
    if (e.buttons === 1 && e.pointerType === 'mouse' && target && Number(target.dataset.row) >= 0) {
      setCursor({ ...latest.current, row: Number(target.dataset.row), column: Number(target.dataset.column) });
    }
  };
  const total = cols.getTotalSize();
  return (
    <>
      <div
        ref={box}
        class="grid"
        role="grid"
        tabIndex={0}
        aria-label={label}
        aria-rowcount={pages.total + 1}
        aria-colcount={columns.length}
        aria-multiselectable="true"
        aria-activedescendant={`${id}-${cursor.row}-${cursor.column}`}
        aria-describedby={`${id}-keys`}
        onKeyDown={onKeyDown}
        onMouseDown={press}
        onPointerMove={drag}
      >
        <GridHead
          id={id}
          columns={columns}
          seen={seenColumns}
          cursor={cursor}
          width={gutter + total}
          gutter={gutter}
          sorted={sort.sorted}
          onSort={sort.by}
          onResize={resize}
          onFit={fit}
        />
        <div class="grid-rows" role="presentation" style={{ height: `${rows.getTotalSize()}px`, width: `${gutter + total}px` }}>
          {seenRows.map(r => {
            const row = data(r.index);
            return (
              <div
                key={r.index}
                class="grid-row"
                role="row"
                aria-rowindex={r.index + 2}
                style={{ transform: `translateY(${r.start}px)` }}
              >
                <div class="grid-number" role="presentation" style={{ width: `${gutter}px` }}>
                  {r.index + 1}
                </div>
                {seenColumns.map(c => {
                  const column = columns[c.index] as Column;
                  const v = row?.[c.index];
                  const here = cursor.row === r.index && cursor.column === c.index;
                  const kind = v === null ? ' grid-null' : family(column.type) === 'number' ? ' grid-num' : '';
                  return (
                    <div
                      key={c.index}
                      id={here ? `${id}-${r.index}-${c.index}` : undefined}
                      class={`grid-cell${kind}${here ? ' grid-here' : ''}`}
                      role="gridcell"
                      aria-colindex={c.index + 1}
                      aria-selected={isSelected(cursor, r.index, c.index)}
                      data-row={r.index}
                      data-column={c.index}
                      style={{ left: `${gutter + c.start}px`, width: `${c.size}px` }}
                    >
                      {row ? (v === null ? 'null' : cell(v, column.type, groups, large.current.has(c.index) ? 4 : 5)) : '…'}
                    </div>
                  );
                })}
              </div>
            );
          })}
        </div>
      </div>
      <div class="sr-only" id={`${id}-keys`}>
        Arrows move, Shift selects, Ctrl-C copies, Enter shows the whole value and on a column's name sorts, Alt and arrows make a
        column wider.
      </div>
      {count < pages.total && <p class="grid-foot">The first {plural(count, 'row')} are shown; downloads have all.</p>}
      {detail && (
        <CellView
          columns={columns}
          row={data(detail.row)}
          at={detail}
          onMove={c => setDetail({ ...detail, column: c })}
          onClose={() => setDetail(undefined)}
        />
      )}
    </>
  );
}

function firstRows(pages: Pages): Row[] {
  const rows: Row[] = [];
  for (let i = 0; i < 60; i++) {
    const row = pages.row(i);
    if (!row) {
      break;
    }
    rows.push(row);
  }
  return rows;
}
