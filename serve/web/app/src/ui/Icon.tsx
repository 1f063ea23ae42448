import type { IconNode } from 'lucide';
import { h } from 'preact';

// Icon draws one of lucide's icons: <Icon of={Play} />. It says nothing to screen readers unless it has a label.
export function Icon({ of, size = 16, label }: { of: IconNode; size?: number; label?: string }) {
  return (
    <svg
      xmlns="http://www.w3.org/2000/svg"
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      stroke-width="2"
      stroke-linecap="round"
      stroke-linejoin="round"
      role={label ? 'img' : undefined}
      aria-label={label}
      aria-hidden={label ? undefined : 'true'}
    >
      {of.map(([tag, attrs]) => h(tag, attrs as object))}
    </svg>
  );
}
