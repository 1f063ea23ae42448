import {
  elementScroll,
  observeElementOffset,
  observeElementRect,
  Virtualizer,
  type VirtualizerOptions,
} from '@tanstack/virtual-core';
import { useEffect, useReducer, useRef } from 'preact/hooks';

type Options = Pick<
  VirtualizerOptions<HTMLElement, HTMLElement>,
  'count' | 'estimateSize' | 'horizontal' | 'overscan' | 'scrollPaddingStart'
>;

// useVirtual says which items of a scrolling box are seen.
export function useVirtual(box: { current: HTMLElement | null }, o: Options): Virtualizer<HTMLElement, HTMLElement> {
  const [, redraw] = useReducer((n: number) => n + 1, 0);
  const kept = useRef<Virtualizer<HTMLElement, HTMLElement>>(undefined);
  const options: VirtualizerOptions<HTMLElement, HTMLElement> = {
    ...o,
    getScrollElement: () => box.current,
    scrollToFn: elementScroll,
    observeElementRect,
    observeElementOffset,
    onChange: () => redraw(0),
  };
  kept.current ??= new Virtualizer(options);
  const v = kept.current;
  v.setOptions(options);
  useEffect(() => v._didMount(), [v]);
  useEffect(() => v._willUpdate());
  return v;
}
