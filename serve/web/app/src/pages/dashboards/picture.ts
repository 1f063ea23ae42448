import { dark } from '../../app/theme';

// saveBlob has the browser save a file.
export function saveBlob(blob: Blob, name: string): void {
  const a = document.createElement('a');
  a.href = URL.createObjectURL(blob);
  a.download = name;
  a.click();
  setTimeout(() => URL.revokeObjectURL(a.href), 10_000);
}

const margin = 16; // px around a picture

// pictureOf draws an element as it is seen: backgrounds, borders, canvases, shapes and words. Buttons are left out. title stands above it.
export function pictureOf(host: HTMLElement, title = ''): Promise<Blob> {
  const box = host.getBoundingClientRect();
  const head = title ? 40 : 0; // px
  const scale = Math.min(2, 16_000 / Math.max(box.width, box.height));
  const canvas = document.createElement('canvas');
  canvas.width = Math.ceil((box.width + 2 * margin) * scale);
  canvas.height = Math.ceil((box.height + head + 2 * margin) * scale);
  const to = canvas.getContext('2d')!;
  to.scale(scale, scale);
  const page = getComputedStyle(document.body);
  to.fillStyle = page.backgroundColor;
  to.fillRect(0, 0, box.width + 2 * margin, box.height + head + 2 * margin);
  to.font = `600 22px ${page.fontFamily}`;
  to.fillStyle = page.color;
  to.fillText(title, margin, margin + 20);
  to.translate(margin - box.left, margin + head - box.top);
  element(to, host);
  return new Promise((resolve, reject) =>
    canvas.toBlob(b => (b ? resolve(b) : reject(new Error('the browser made no picture'))), 'image/png'),
  );
}

function element(to: CanvasRenderingContext2D, e: HTMLElement): void {
  const css = getComputedStyle(e);
  const box = e.getBoundingClientRect();
  if (css.visibility !== 'visible' || box.width <= 1 || box.height <= 1 || e.matches('.button, .chart-tip')) {
    return;
  }
  background(to, css, box);
  to.save();
  if (css.overflow !== 'visible') {
    to.beginPath();
    to.rect(box.left, box.top, box.width, box.height);
    to.clip();
  }
  if (e instanceof HTMLCanvasElement) {
    to.drawImage(e, box.left, box.top, box.width, box.height);
  }
  for (const child of e.childNodes) {
    if (child instanceof HTMLElement) {
      element(to, child);
    } else if (child instanceof SVGSVGElement) {
      shapes(to, child);
    } else if (child instanceof Text) {
      words(to, child, css);
    }
  }
  to.restore();
}

// shapes draws the paths and circles of a picture in the page.
function shapes(to: CanvasRenderingContext2D, svg: SVGSVGElement): void {
  for (const e of svg.querySelectorAll<SVGGraphicsElement>('path, circle')) {
    const css = getComputedStyle(e);
    const at = e.getScreenCTM();
    const number = (name: string) => Number(e.getAttribute(name));
    const path = new Path2D(e.getAttribute('d') ?? '');
    if (e instanceof SVGCircleElement) {
      path.arc(number('cx'), number('cy'), number('r'), 0, 2 * Math.PI);
    }
    if (at) {
      to.save();
      to.transform(at.a, at.b, at.c, at.d, at.e, at.f);
      if (css.fill !== 'none') {
        to.fillStyle = css.fill;
        to.fill(path);
      }
      if (css.stroke !== 'none') {
        to.strokeStyle = css.stroke;
        to.lineWidth = Number.parseFloat(css.strokeWidth) || 1;
        to.stroke(path);
      }
      to.restore();
    }
  }
}

function background(to: CanvasRenderingContext2D, css: CSSStyleDeclaration, box: DOMRect): void {
  const radius = Number.parseFloat(css.borderTopLeftRadius) || 0;
  to.beginPath();
  to.roundRect(box.left, box.top, box.width, box.height, radius);
  to.fillStyle = css.backgroundColor;
  to.fill();
  const sides = [css.borderTopWidth, css.borderRightWidth, css.borderBottomWidth, css.borderLeftWidth].map(Number.parseFloat);
  if (sides.every(w => w > 0)) {
    to.strokeStyle = css.borderTopColor;
    to.stroke();
  } else if (sides[2]! > 0) {
    to.fillStyle = css.borderBottomColor;
    to.fillRect(box.left, box.bottom - sides[2]!, box.width, sides[2]!);
  }
}

// words draws each word of a text where the page has it.
function words(to: CanvasRenderingContext2D, text: Text, css: CSSStyleDeclaration): void {
  to.font = `${css.fontStyle} ${css.fontWeight} ${css.fontSize} ${css.fontFamily}`;
  to.fillStyle = css.color;
  to.textBaseline = 'middle';
  const range = document.createRange();
  for (const m of text.data.matchAll(/\S+/g)) {
    range.setStart(text, m.index);
    range.setEnd(text, m.index + m[0].length);
    const box = range.getBoundingClientRect();
    if (box.width > 0) {
      to.fillText(m[0], box.left, box.top + box.height / 2);
    }
  }
}

// printLight prints the page in light colours, whatever the theme.
export async function printLight(): Promise<void> {
  const theme = document.documentElement.dataset;
  const before = dark.value;
  dark.value = false;
  theme.theme = 'light';
  await new Promise(done => setTimeout(done, 300)); // charts are drawn again
  window.print();
  dark.value = before;
  theme.theme = before ? 'dark' : 'light';
}
