// place puts a box of the top layer beside what it belongs to, below or else above, within the window.
export function place(box: HTMLElement, anchor: Element, end = false): void {
  const gap = 4;
  const a = anchor.getBoundingClientRect();
  const { width, height } = box.getBoundingClientRect();
  const below = a.bottom + gap + height <= window.innerHeight || a.top < height + gap;
  const left = end ? a.right - width : a.left;
  box.style.left = `${Math.max(gap, Math.min(left, window.innerWidth - width - gap))}px`;
  box.style.top = `${below ? a.bottom + gap : a.top - height - gap}px`;
}
