import style from './quality.module.css';
import 'uplot/dist/uPlot.min.css';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { dark } from '../../app/theme';
import type { Chart } from '../../chart/chart';
import { colorOf } from '../../chart/chart';
import { type Drawn, draw, type Pointed } from '../../chart/plot';
import { day } from '../../ui/formats';
import { seconds } from './series';

export interface PlotLine {
  label: string;
  values: (number | null)[];
}

// Plot is a chart over days. The day under the pointer is said below it, the chosen day otherwise; a click chooses it.
export function Plot({
  title,
  days,
  lines,
  kind = 'area',
  stacked,
  height = 150,
  chosen,
  onDay,
  write,
}: {
  title: string;
  days: string[];
  lines: PlotLine[];
  kind?: Chart['kind'];
  stacked?: boolean;
  height?: number;
  chosen?: string;
  onDay?: (day: string) => void;
  write: (n: number | null | undefined) => string;
}) {
  const host = useRef<HTMLDivElement>(null);
  const [at, setAt] = useState<Pointed>();
  const key = JSON.stringify([days, lines, kind, stacked]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key stands for the data
  const data = useMemo(() => ({ scale: 'time' as const, x: seconds(days), labels: [], lines, notes: [] }), [key]);
  const isDark = dark.value;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the colours are of the theme
  useEffect(() => {
    const box = host.current;
    if (!box || days.length === 0) {
      return;
    }
    const size = () => ({ width: Math.max(120, box.clientWidth), height });
    let drawn: Drawn | undefined;
    const frame = requestAnimationFrame(() => {
      drawn = draw(
        box,
        { kind, stacked, x: 'day', y: lines.map(l => l.label) },
        data,
        lines.map(() => true),
        size(),
        setAt,
      );
    });
    const observer = new ResizeObserver(() => drawn?.resize(size().width, height));
    observer.observe(box);
    return () => {
      cancelAnimationFrame(frame);
      observer.disconnect();
      drawn?.destroy();
    };
  }, [data, height, isDark]);
  const index = at?.index ?? Math.max(0, days.indexOf(chosen ?? days.at(-1) ?? ''));
  const shown = days[index];
  const click = () => at && onDay && days[at.index] && onDay(days[at.index]!);
  const values = (i: number) => lines.map(l => `${lines.length > 1 ? `${l.label} ` : ''}${write(l.values[i])}`).join(', ');
  return (
    <figure class={style.plot}>
      <figcaption>
        <strong>{title}</strong>
        {shown && (
          <span class={style.plotAt}>
            {day(shown)}
            {lines.map((l, i) => (
              <span key={l.label} class={style.plotValue}>
                {lines.length > 1 && <i style={{ background: `var(${colorOf(i)})` }} />}
                {lines.length > 1 && `${l.label} `}
                <b>{write(l.values[index])}</b>
              </span>
            ))}
          </span>
        )}
      </figcaption>
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: days are chosen by keys, too, see the page */}
      <div
        ref={host}
        class={`${style.plotHost} ${onDay ? style.plotPick : ''}`}
        role="img"
        aria-label={`${title} by day, from ${day(days[0] ?? '')} to ${day(days.at(-1) ?? '')}. ${day(shown ?? '')}: ${values(index)}`}
        onClick={click}
      />
    </figure>
  );
}
