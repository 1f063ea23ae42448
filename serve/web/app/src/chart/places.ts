/** The values of countries for a map. */
import { type Column, plain, type Row, type Value } from '../result/format';
import { plural } from '../ui/formats';
import type { Chart } from './chart';
import { number } from './columns';

export interface Place {
  code: string;
  name: string;
  of: Value;
  value: number;
}

const names = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });
const codeForm = /^[A-Z]{2}$/;

/** What a country is called; undefined for what is no code of one. */
export const countryName = (code: string): string | undefined =>
  code !== 'ZZ' && codeForm.test(code) ? names.of(code) : undefined;

/** The countries of a result with their values, the largest first. Rows of other places are counted in the notes. */
export function places(chart: Chart, columns: readonly Column[], rows: readonly Row[]): { places: Place[]; notes: string[] } {
  const index = (name: string | undefined) => columns.findIndex(c => c.name === name);
  const [x, y] = [index(chart.x), index(chart.y?.[0])];
  const found = new Map<string, Place>();
  const notes: string[] = [];
  let [elsewhere, lost, added] = [0, 0, 0];
  for (const r of rows) {
    const n = number(r[y]);
    if (n === null) continue;
    const code = plain(r[x]).trim().toUpperCase();
    const name = countryName(code);
    if (name === undefined) {
      lost++;
      elsewhere += n;
      continue;
    }
    const known = found.get(code);
    if (known) added++;
    found.set(code, { code, name, of: r[x] ?? null, value: n + (known?.value ?? 0) });
  }
  if (lost > 0)
    notes.push(`${plural(lost, 'row')} without a country, ${elsewhere} in all, ${lost === 1 ? 'is' : 'are'} left out`);
  if (added > 0) notes.push('rows of the same country are added up');
  return { places: [...found.values()].sort((a, b) => b.value - a.value), notes };
}
