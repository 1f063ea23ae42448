import type { IconNode } from 'lucide';
import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { Icon } from './Icon';
import { place } from './place';

export type MenuItem =
  | {
      label: string;
      icon?: IconNode;
      hint?: string;
      danger?: boolean;
      disabled?: boolean;
      href?: string;
      download?: boolean;
      onSelect?: () => void;
    }
  | 'line';

// Menu is a button that opens a list of things to do: arrows move in it, Escape closes it.
export function Menu({
  items,
  button,
  end,
}: {
  items: MenuItem[];
  button: (p: { onClick: () => void; 'aria-haspopup': 'menu'; 'aria-expanded': boolean }) => ComponentChildren;
  end?: boolean;
}) {
  const [open, setOpen] = useState(false);
  const anchor = useRef<HTMLSpanElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const id = useId();
  const opener = () => anchor.current?.querySelector<HTMLElement>('button');
  useEffect(() => {
    const box = list.current;
    if (!open || !box) {
      return;
    }
    box.showPopover();
    place(box, anchor.current!, end);
    box.querySelector<HTMLElement>('.menu-item:not(:disabled)')?.focus();
    const closed = (e: ToggleEvent) => e.newState === 'closed' && setOpen(false);
    box.addEventListener('toggle', closed as EventListener);
    return () => box.removeEventListener('toggle', closed as EventListener);
  }, [open, end]);
  const close = () => {
    setOpen(false);
    opener()?.focus();
  };
  const onKeyDown = (e: KeyboardEvent) => {
    const all = [...(list.current?.querySelectorAll<HTMLElement>('.menu-item:not(:disabled)') ?? [])];
    const at = all.indexOf(document.activeElement as HTMLElement);
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: all.length - 1 }[e.key];
    if (to !== undefined) {
      e.preventDefault();
      all[(to + all.length) % all.length]?.focus();
    } else if (e.key === 'Escape' || e.key === 'Tab') {
      e.preventDefault();
      e.stopPropagation();
      close();
    }
  };
  return (
    <span class="menu-anchor" ref={anchor}>
      {button({ onClick: () => setOpen(o => !o), 'aria-haspopup': 'menu', 'aria-expanded': open })}
      {open && (
        <div class="menu" id={id} ref={list} popover="auto" role="menu" onKeyDown={onKeyDown}>
          {items.map((item, i) =>
            item === 'line' ? <hr key={i} class="menu-line" /> : <Item key={i} item={item} close={close} />,
          )}
        </div>
      )}
    </span>
  );
}

function Item({ item, close }: { item: Exclude<MenuItem, 'line'>; close: () => void }) {
  const inside = (
    <>
      {item.icon && <Icon of={item.icon} />}
      <span>{item.label}</span>
      {item.hint && <span class="menu-item-hint">{item.hint}</span>}
    </>
  );
  const select = () => {
    close();
    item.onSelect?.();
  };
  if (item.href && !item.disabled) {
    return (
      <a
        class="menu-item"
        role="menuitem"
        tabIndex={-1}
        href={item.href}
        download={item.download}
        target={item.download ? '_self' : undefined}
        onClick={select}
      >
        {inside}
      </a>
    );
  }
  return (
    <button
      type="button"
      class={`menu-item${item.danger ? ' menu-item-danger' : ''}`}
      role="menuitem"
      tabIndex={-1}
      disabled={item.disabled}
      onClick={select}
    >
      {inside}
    </button>
  );
}
