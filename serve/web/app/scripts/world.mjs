// The shapes of the countries for maps, made when the pages are built: Natural Earth's (public domain), from the package
// world-atlas, as paths of SVG in the projection Equal Earth. Countries that are too small for the coarse shapes are points.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { geoArea, geoEqualEarth, geoPath } from 'd3-geo';
import { feature } from 'topojson-client';

const name = 'virtual:world';
const require = createRequire(import.meta.url);
const load = path => JSON.parse(readFileSync(require.resolve(path), 'utf8'));

// code returns the two letters of a country by its number. Kosovo has no number.
const codes = new Map(load('i18n-iso-countries/codes.json').map(([two, , number]) => [number, two]));
const code = f => codes.get(f.id) ?? (f.properties.name === 'Kosovo' ? 'XK' : undefined);

const features = detail => {
  const t = load(`world-atlas/countries-${detail}.json`);
  return feature(t, t.objects.countries).features.filter(f => code(f) !== 'AQ');
};

export function shapes() {
  const [coarse, fine] = [features('110m'), features('50m')];
  const [width, height] = [960, 440];
  const projection = geoEqualEarth().precision(0).fitSize([width, height], { type: 'FeatureCollection', features: coarse });
  const path = geoPath(projection).digits(1);
  const countries = coarse.map(f => [code(f) ?? '', path(f)]).filter(([, d]) => d);
  const known = new Set(countries.map(([c]) => c));
  const points = fine
    .filter(f => code(f) && !known.has(code(f)))
    .sort((a, b) => geoArea(b) - geoArea(a))
    .map(f => [code(f), ...path.centroid(f).map(n => Math.round(n))]);
  return { width, height, countries, points };
}

// world is a plugin of Vite: import world from 'virtual:world'.
export const world = () => ({
  name,
  resolveId: id => (id === name ? `\0${name}` : undefined),
  load: id => (id === `\0${name}` ? `export default ${JSON.stringify(shapes())}` : undefined),
});
