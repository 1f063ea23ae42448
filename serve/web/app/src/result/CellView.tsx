import { ChevronLeft, ChevronRight } from 'lucide';
import { Copy, Dialog, IconButton } from '../ui';
import { number } from '../ui/formats';
import { type Column, full, type Row } from './format';

// CellView shows a value in full, and the row that it is of.
export function CellView({
  columns,
  row,
  at,
  onMove,
  onClose,
}: {
  columns: Column[];
  row: Row | undefined;
  at: { row: number; column: number };
  onMove: (column: number) => void;
  onClose: () => void;
}) {
  const column = columns[at.column];
  const v = row?.[at.column];
  const text = v === null ? 'null' : full(v);
  return (
    <Dialog title={`${column?.name ?? ''}, row ${number(at.row + 1)}`} onClose={onClose} wide>
      <div class="stack">
        <div class="row">
          <span class="muted mono small grow">{column?.type}</span>
          <IconButton
            small
            label="Column before"
            icon={ChevronLeft}
            disabled={at.column === 0}
            onClick={() => onMove(at.column - 1)}
          />
          <IconButton
            small
            label="Next column"
            icon={ChevronRight}
            disabled={at.column >= columns.length - 1}
            onClick={() => onMove(at.column + 1)}
          />
          <Copy text={v === null ? '' : text} label="Copy the value" />
        </div>
        <pre class={`code cell-value${v === null ? ' grid-null' : ''}`}>{text}</pre>
        <details>
          <summary>The whole row</summary>
          <dl class="facts cell-row">
            {columns.map((c, i) => [
              <dt key={`${c.name} ${i} t`}>{c.name}</dt>,
              <dd key={`${c.name} ${i}`} class={`mono small${row?.[i] === null ? ' grid-null' : ''}`}>
                {row?.[i] === null ? 'null' : full(row?.[i])}
              </dd>,
            ])}
          </dl>
        </details>
      </div>
    </Dialog>
  );
}
