import world from 'virtual:world';
import { useMemo } from 'preact/hooks';
import { value } from './axis';
import { has } from './chart';
import { heat } from './matrix';
import { Picked } from './Picked';
import type { Shown } from './pick';
import { places } from './places';

// WorldView shows the values of countries on a map, with all of them in a table.
export default function WorldView({ chart, columns, rows, onPick }: Shown) {
  const found = useMemo(() => places(chart, columns, rows), [chart, columns, rows]);
  const log = has(chart, 'log');
  const heats = useMemo(
    () => new Map(heat([found.places.map(p => p.value)], log)[0]?.map((h, i) => [found.places[i]?.code, h])),
    [found, log],
  );
  if (found.places.length === 0) {
    return (
      <p class="chart-empty">Nothing to draw: choose a column with countries as two letters, such as DE, and one with numbers.</p>
    );
  }
  const byCode = new Map(found.places.map(p => [p.code, p]));
  const most = found.places[0];
  const measure = chart.y?.[0] ?? '';
  const what = `Map of ${measure} by ${chart.x}. ${found.places.length} countries. highest: ${value(most?.value)} in ${most?.name}.`;
  const shape = (code: string) => {
    const [p, h] = [byCode.get(code), heats.get(code)];
    return {
      ...(p && onPick && { onClick: () => onPick({ [chart.x ?? '']: p.of }) }),
      ...(p && { class: 'map-place', style: { '--heat': (h ?? 0).toFixed(3) } }),
      title: p && <title>{`${p.name}: ${value(p.value)}`}</title>,
    };
  };
  return (
    <figure class="chart" aria-label={chart.title || what}>
      {chart.title && <figcaption class="chart-title">{chart.title}</figcaption>}
      <svg class="map" viewBox={`0 0 ${world.width} ${world.height}`} role="img" aria-label={what}>
        {world.countries.map(([code, d]) => {
          const { title, ...rest } = shape(code);
          return (
            <path key={code || d} d={d} {...rest}>
              {title}
            </path>
          );
        })}
        {world.points
          .filter(([code]) => byCode.has(code))
          .map(([code, x, y]) => {
            const { title, ...rest } = shape(code);
            return (
              <circle key={code} cx={x} cy={y} r={4} {...rest}>
                {title}
              </circle>
            );
          })}
      </svg>
      <div class="map-scale" aria-hidden="true">
        {value(Math.min(0, found.places.at(-1)?.value ?? 0))}
        <i />
        {value(most?.value)}
      </div>
      {found.notes.length > 0 && <p class="chart-notes">{found.notes.join('; ')}.</p>}
      <details class="chart-numbers">
        <summary>The numbers of the chart</summary>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must reach it */}
        <div class="table-box" tabIndex={0} role="region" aria-label="Numbers of the chart">
          <table class="table">
            <thead>
              <tr>
                <th scope="col">{chart.x}</th>
                <th scope="col" class="num">
                  {measure}
                </th>
              </tr>
            </thead>
            <tbody>
              {found.places.map(p => (
                <tr key={p.code}>
                  <th scope="row">
                    <Picked onPick={onPick} pick={() => ({ [chart.x ?? '']: p.of })}>
                      {p.name} ({p.code})
                    </Picked>
                  </th>
                  <td class="num">{value(p.value)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </details>
    </figure>
  );
}
