import { ArrowDown, ArrowUp, ArrowUpDown } from 'lucide';
import type { ComponentChildren } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import { Icon } from './Icon';

export interface Column<T> {
  id: string;
  head: ComponentChildren;
  cell: (row: T) => ComponentChildren;
  num?: boolean; // to the right
  sort?: (row: T) => string | number; // it can be sorted by this
  header?: boolean; // its cells name the rows
}

// Table is for lists of up to some hundreds of rows; results of queries have a grid of their own.
export function Table<T>({
  rows,
  columns,
  rowKey,
  caption,
  start,
}: {
  rows: readonly T[];
  columns: Column<T>[];
  rowKey: (row: T) => string;
  caption: string;
  start?: { by: string; down?: boolean };
}) {
  const [order, setOrder] = useState(start);
  const sorted = useMemo(() => sort(rows, columns, order), [rows, columns, order]);
  const press = (by: string) =>
    setOrder(o => (o?.by === by ? { by, down: !o.down } : { by, down: columns.find(c => c.id === by)?.num }));
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must reach it
    <div class="table-box" tabIndex={0} role="region" aria-label={caption}>
      <table class="table">
        <caption class="sr-only">{caption}</caption>
        <thead>
          <tr>
            {columns.map(c => (
              <th
                key={c.id}
                scope="col"
                class={c.num ? 'num' : undefined}
                aria-sort={order?.by === c.id ? (order.down ? 'descending' : 'ascending') : undefined}
              >
                {c.sort ? (
                  <button type="button" class="table-sort" onClick={() => press(c.id)}>
                    {c.head}
                    <Icon size={12} of={order?.by !== c.id ? ArrowUpDown : order.down ? ArrowDown : ArrowUp} />
                  </button>
                ) : (
                  c.head
                )}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {sorted.map(row => (
            <tr key={rowKey(row)}>
              {columns.map(c =>
                c.header ? (
                  <th key={c.id} scope="row">
                    {c.cell(row)}
                  </th>
                ) : (
                  <td key={c.id} class={c.num ? 'num' : undefined}>
                    {c.cell(row)}
                  </td>
                ),
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

// sort orders rows; equal ones stay as they are.
export function sort<T>(rows: readonly T[], columns: Column<T>[], order?: { by: string; down?: boolean }): readonly T[] {
  const value = columns.find(c => c.id === order?.by)?.sort;
  if (!value) {
    return rows;
  }
  const sign = order?.down ? -1 : 1;
  return [...rows].sort((x, y) => {
    const [a, b] = [value(x), value(y)];
    return (
      sign *
      (typeof a === 'number' && typeof b === 'number' ? a - b : String(a).localeCompare(String(b), 'en', { numeric: true }))
    );
  });
}
