import type { ComponentChildren } from 'preact';
import { useRef } from 'preact/hooks';
import { useKept } from './kept';
import style from './query.module.css';

const [least, step] = [96, 24]; // px

// Splitter gives what is above it a height that can be changed.
export function Splitter({ children }: { children: ComponentChildren }) {
  const [height, setHeight] = useKept('editor height', 240);
  const box = useRef<HTMLDivElement>(null);
  const set = (h: number) => setHeight(Math.round(Math.max(least, Math.min(h, window.innerHeight * 0.75))));
  const drag = (e: PointerEvent) => {
    const bar = e.currentTarget as HTMLElement;
    const top = box.current?.getBoundingClientRect().top ?? 0;
    bar.setPointerCapture(e.pointerId);
    bar.onpointermove = m => set(m.clientY - top);
    bar.onpointerup = () => {
      bar.onpointermove = null;
    };
  };
  const onKeyDown = (e: KeyboardEvent) => {
    const by = { ArrowUp: -step, ArrowDown: step }[e.key];
    if (by) {
      e.preventDefault();
      set(height + by);
    }
  };
  return (
    <>
      <div class={style.split} ref={box} style={{ height: `${height}px` }}>
        {children}
      </div>
      <div
        class={style.splitBar}
        role="separator"
        tabIndex={0}
        aria-label="Height of the editor"
        aria-orientation="horizontal"
        aria-valuenow={height}
        aria-valuemin={least}
        aria-valuemax={2000}
        onPointerDown={drag}
        onKeyDown={onKeyDown}
      />
    </>
  );
}
