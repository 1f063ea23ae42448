import type { IconNode } from 'lucide';
import type { ComponentChildren } from 'preact';
import { useId, useRef } from 'preact/hooks';
import { Icon } from './Icon';

export interface Tab<T extends string> {
  id: T;
  label: string;
  icon?: IconNode;
  count?: number;
}

// Tabs shows one of several panels; arrows move between the tabs. children renders the panel of the tab that is open.
export function Tabs<T extends string>({
  label,
  tabs,
  value,
  onValue,
  children,
}: {
  label: string;
  tabs: Tab<T>[];
  value: T;
  onValue: (tab: T) => void;
  children?: ComponentChildren;
}) {
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const onKeyDown = (e: KeyboardEvent) => {
    const at = tabs.findIndex(t => t.id === value);
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: tabs.length - 1 }[e.key];
    if (to !== undefined) {
      e.preventDefault();
      const next = (to + tabs.length) % tabs.length;
      onValue(tabs[next]!.id);
      list.current?.querySelectorAll<HTMLElement>('[role=tab]')[next]?.focus();
    }
  };
  return (
    <>
      <div class="tabs" role="tablist" aria-label={label} ref={list} onKeyDown={onKeyDown}>
        {tabs.map(t => (
          <button
            key={t.id}
            type="button"
            class="tab"
            role="tab"
            id={`${id}-${t.id}`}
            aria-selected={t.id === value}
            aria-controls={children ? `${id}-panel` : undefined}
            tabIndex={t.id === value ? 0 : -1}
            onClick={() => onValue(t.id)}
          >
            {t.icon && <Icon of={t.icon} />}
            {t.label}
            {t.count !== undefined && <span class="badge">{t.count}</span>}
          </button>
        ))}
      </div>
      {children && (
        <div role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${value}`}>
          {children}
        </div>
      )}
    </>
  );
}
