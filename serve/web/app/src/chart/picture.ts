import type uPlot from 'uplot';

/** A chart as a picture with title and legend. */
export async function picture(
  u: uPlot,
  title: string,
  legend: { label: string; color: string }[],
  color: (name: string) => string,
): Promise<Blob> {
  const from = u.ctx.canvas;
  const scale = from.width / Math.max(1, u.width);
  const [head, foot] = [title ? 36 * scale : 0, legend.length > 1 ? 30 * scale : 0];
  const to = document.createElement('canvas');
  to.width = from.width;
  to.height = from.height + head + foot;
  const c = to.getContext('2d') as CanvasRenderingContext2D;
  c.fillStyle = color('--surface');
  c.fillRect(0, 0, to.width, to.height);
  c.drawImage(from, 0, head);
  c.textBaseline = 'middle';
  c.fillStyle = color('--ink');
  c.font = `600 ${15 * scale}px ${color('--font')}`;
  c.fillText(title, 12 * scale, head / 2);
  c.font = `${12 * scale}px ${color('--font')}`;
  let x = 12 * scale;
  for (const l of foot ? legend : []) {
    c.fillStyle = l.color;
    c.fillRect(x, to.height - foot / 2 - 5 * scale, 10 * scale, 10 * scale);
    c.fillStyle = color('--ink');
    c.fillText(l.label, x + 15 * scale, to.height - foot / 2);
    x += c.measureText(l.label).width + 32 * scale;
  }
  return new Promise((resolve, reject) =>
    to.toBlob(b => (b ? resolve(b) : reject(new Error('the browser made no picture'))), 'image/png'),
  );
}
