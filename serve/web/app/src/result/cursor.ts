/** The cell with the focus and the selected range of a grid. Row -1 is the header. */

export interface Cursor {
  row: number;
  column: number;
  /** The other corner of the selection; the same cell if only one is selected. */
  anchorRow: number;
  anchorColumn: number;
}

export interface Size {
  rows: number;
  columns: number;
  /** Rows on a screen. */
  page: number;
}

export interface Key {
  key: string;
  shift: boolean;
  /** Ctrl, or Cmd on a Mac. */
  mod: boolean;
}

export const at = (row: number, column: number): Cursor => ({ row, column, anchorRow: row, anchorColumn: column });

/** Where a key leads, or undefined if it is none of the grid's. Shift extends the selection. */
export function move(c: Cursor, k: Key, size: Size): Cursor | undefined {
  const to = target(c, k, size);
  if (!to) return undefined;
  const row = Math.max(k.shift ? 0 : -1, Math.min(to[0], size.rows - 1));
  const column = Math.max(0, Math.min(to[1], size.columns - 1));
  if (!k.shift || row < 0) return at(row, column);
  return { row, column, anchorRow: Math.max(c.anchorRow, 0), anchorColumn: c.anchorColumn };
}

function target(c: Cursor, k: Key, size: Size): [number, number] | undefined {
  const lastRow = size.rows - 1;
  const lastColumn = size.columns - 1;
  switch (k.key) {
    case 'ArrowUp':
      return [k.mod ? 0 : c.row - 1, c.column];
    case 'ArrowDown':
      return [k.mod ? lastRow : c.row + 1, c.column];
    case 'ArrowLeft':
      return [c.row, k.mod ? 0 : c.column - 1];
    case 'ArrowRight':
      return [c.row, k.mod ? lastColumn : c.column + 1];
    case 'PageUp':
      return [Math.max(c.row - size.page, 0), c.column];
    case 'PageDown':
      return [c.row + size.page, c.column];
    case 'Home':
      return [k.mod ? 0 : c.row, 0];
    case 'End':
      return [k.mod ? lastRow : c.row, lastColumn];
  }
  return undefined;
}

/** The selection as ranges of rows and columns, ends not included. */
export function selected(c: Cursor): { rows: [number, number]; columns: [number, number] } {
  return {
    rows: [Math.min(c.row, c.anchorRow), Math.max(c.row, c.anchorRow) + 1],
    columns: [Math.min(c.column, c.anchorColumn), Math.max(c.column, c.anchorColumn) + 1],
  };
}

export function isSelected(c: Cursor, row: number, column: number): boolean {
  const s = selected(c);
  return row >= s.rows[0] && row < s.rows[1] && column >= s.columns[0] && column < s.columns[1];
}

export const all = (size: Size): Cursor => ({ row: 0, column: 0, anchorRow: size.rows - 1, anchorColumn: size.columns - 1 });
