import type { ComponentChildren } from 'preact';
import type { Pick } from './pick';

// Picked is a value of a chart; a press chooses it, if anything is done with what is chosen.
export function Picked({
  onPick,
  pick,
  children,
}: {
  onPick?: (p: Pick) => void;
  pick: () => Pick;
  children: ComponentChildren;
}) {
  if (!onPick || children === '') {
    return children;
  }
  return (
    <button type="button" class="chart-pick" onClick={() => onPick(pick())}>
      {children}
    </button>
  );
}
