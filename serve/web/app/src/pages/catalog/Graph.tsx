import type { components } from '../../api/schema';
import style from './catalog.module.css';
import { layout, size } from './layout';

type Lineage = components['schemas']['Lineage'];

// Graph draws what a table is made from and what is made from it. Tables are links; a list says the same in words.
export function Graph({ lineage, here }: { lineage: Lineage; here: string }) {
  const g = layout(lineage.nodes ?? [], lineage.edges ?? []);
  return (
    <figure class={style.graph}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must reach it */}
      <div class="table-box panel" tabIndex={0} role="region" aria-label="Lineage">
        <svg
          width={g.width}
          height={g.height}
          viewBox={`0 0 ${g.width} ${g.height}`}
          role="group"
          aria-label={`Where ${here} comes from and goes`}
        >
          {g.edges.map(e => (
            <path key={`${e.from} ${e.to}`} class={style.graphEdge} d={e.path} />
          ))}
          {g.nodes.map(n => {
            const box = (
              <g
                transform={`translate(${n.x} ${n.y})`}
                class={`${style.graphNode} ${n.kind === 'pings' ? style.graphPings : ''} ${n.name === here ? style.graphHere : ''}`}
              >
                <title>{n.doc}</title>
                <rect width={size.width} height={size.height} rx={n.kind === 'pings' ? size.height / 2 : 5} />
                <text x={size.width / 2} y={size.height / 2} dominant-baseline="central" text-anchor="middle">
                  {n.name}
                </text>
              </g>
            );
            return n.kind === 'table' && n.name !== here ? (
              <a key={n.name} href={`/catalog/${n.name}?tab=lineage`} aria-label={n.name}>
                {box}
              </a>
            ) : (
              <g key={n.name}>{box}</g>
            );
          })}
        </svg>
      </div>
      <figcaption class="muted small">
        {(lineage.edges ?? []).map(e => `${e.to} is made from ${e.from}`).join('; ') ||
          'It is made from nothing that you may see'}
        .
      </figcaption>
    </figure>
  );
}
