import type { ComponentChildren } from 'preact';
import type { Chart } from './chart';

// Figure is the frame of a chart that is a table: its title, and what it leaves out.
export function Figure({
  chart,
  what,
  notes,
  children,
}: {
  chart: Chart;
  what: string; // read aloud in place of a title
  notes: string[];
  children: ComponentChildren;
}) {
  return (
    <figure class="chart" aria-label={chart.title || what}>
      {chart.title && <figcaption class="chart-title">{chart.title}</figcaption>}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must reach it */}
      <div class="chart-table-box" tabIndex={0} role="region" aria-label={what}>
        {children}
      </div>
      {notes.length > 0 && <p class="chart-notes">{notes.join('; ')}.</p>}
    </figure>
  );
}
