import { useState } from 'preact/hooks';
import { colorOf } from './chart';
import type { Data } from './data';

// useShown holds which series are shown. Hiding the last one shows all again.
export function useShown(data: Data): { shown: boolean[]; toggle: (label: string) => void } {
  const [hidden, setHidden] = useState<ReadonlySet<string>>(new Set());
  const toggle = (label: string) =>
    setHidden(h => {
      const next = new Set(h);
      next.delete(label) || next.add(label);
      return next.size === data.lines.length ? new Set() : next;
    });
  return { shown: data.lines.map(l => !hidden.has(l.label)), toggle };
}

// Legend names the series of a chart by their colours. A press hides or shows one.
export function Legend({ data, shown, onToggle }: { data: Data; shown: boolean[]; onToggle: (label: string) => void }) {
  return data.lines.length > 1 ? (
    <div class="chart-legend" role="group" aria-label="Series">
      {data.lines.map((l, i) => (
        <button key={l.label} type="button" aria-pressed={shown[i]} onClick={() => onToggle(l.label)}>
          <i style={{ background: `var(${colorOf(i)})` }} />
          {l.label}
          {l.right && ' (right)'}
        </button>
      ))}
    </div>
  ) : null;
}
