import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { place } from './place';

// Tooltip explains what it is around, while it is pointed at or has the focus; Escape hides it.
export function Tooltip({ text, children, describe }: { text: string; children: ComponentChildren; describe?: boolean }) {
  const [open, setOpen] = useState(false);
  const box = useRef<HTMLSpanElement>(null);
  const tip = useRef<HTMLSpanElement>(null);
  const id = useId();
  useEffect(() => {
    const anchor = box.current?.firstElementChild;
    if (!open || !tip.current || !anchor) {
      return;
    }
    tip.current.showPopover();
    place(tip.current, anchor);
    const hide = (e: KeyboardEvent) => e.key === 'Escape' && setOpen(false);
    document.addEventListener('keydown', hide);
    return () => document.removeEventListener('keydown', hide);
  }, [open]);
  useEffect(() => {
    if (describe) {
      box.current?.firstElementChild?.setAttribute('aria-describedby', id);
    }
  }, [describe, id]);
  const show = () => setOpen(true);
  const hide = () => setOpen(false);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: what it is around is what people act on
    <span
      class="tip-box"
      ref={box}
      onMouseEnter={show}
      onMouseLeave={hide}
      onFocusIn={show}
      onFocusOut={hide}
      onPointerDown={hide}
    >
      {children}
      {(open || describe) && (
        <span class="tip" id={id} ref={tip} popover="manual" role="tooltip">
          {text}
        </span>
      )}
    </span>
  );
}
