import type { Column } from '../result/format';
import { family } from '../sql/types';
import { Check, Select, TextField } from '../ui';
import style from './ChartForm.module.css';
import { type Chart, type ChartKind, has, kindOf, kinds } from './chart';
import { shapes } from './columns';

// ChartForm changes a chart.
export function ChartForm({ chart, columns, onChart }: { chart: Chart; columns: Column[]; onChart: (c: Chart) => void }) {
  const kind = kindOf(chart);
  const names = columns.map(c => c.name);
  const numbers = columns.filter(c => family(c.type) === 'number').map(c => c.name);
  const set = (change: Partial<Chart>) => onChart({ ...chart, ...change });
  const toggle = (name: string, on: boolean) => {
    const y = on ? [...(chart.y ?? []), name] : (chart.y ?? []).filter(n => n !== name);
    set({ y: names.filter(n => y.includes(n)) });
  };
  const pick = (value: string) => (value === '' ? undefined : value);
  const may = (option: Parameters<typeof has>[1]) => kind?.options.includes(option);
  const values = numbers.length > 0 ? numbers : names;
  const others = names.filter(n => n !== chart.x && !chart.y?.includes(n));
  return (
    <div class={`${style.form} form`}>
      <Select
        label="Kind"
        value={chart.kind}
        onValue={to => onChart(turned(chart, to, columns))}
        choices={kinds.map(k => ({ value: k.kind, label: k.name }))}
      />
      {kind?.x && <Select label={kind.x} value={chart.x ?? ''} onValue={x => set({ x: pick(x) })} choices={names} />}
      {kind?.series && (
        <Select
          label={kind.series}
          value={chart.series ?? ''}
          onValue={s => set({ series: pick(s) })}
          choices={[{ value: '', label: 'none' }, ...others]}
        />
      )}
      {kind?.many ? (
        <fieldset class="field">
          <legend>Values</legend>
          {values.slice(0, 24).map(n => (
            <div key={n}>
              <Check label={n} checked={chart.y?.includes(n) ?? false} onChecked={on => toggle(n, on)} />
            </div>
          ))}
        </fieldset>
      ) : (
        <Select label="Values" value={chart.y?.[0] ?? ''} onValue={y => set({ y: [y] })} choices={values} />
      )}
      {may('right') && !chart.stacked && !chart.horizontal && (chart.y?.length ?? 0) > 1 && (
        <Select
          label="On the right axis"
          value={chart.right?.[0] ?? ''}
          onValue={n => set({ right: n === '' ? undefined : [n] })}
          choices={[{ value: '', label: 'none' }, ...(chart.y ?? [])]}
        />
      )}
      {may('horizontal') && (
        <Check label="Horizontal" checked={chart.horizontal ?? false} onChecked={horizontal => set({ horizontal })} />
      )}
      {may('stacked') && (
        <Check label="On top of each other" checked={chart.stacked ?? false} onChecked={stacked => set({ stacked })} />
      )}
      {may('share') && (chart.kind === 'cohort' || chart.stacked) && (
        <Check
          label={chart.kind === 'cohort' ? 'Shares of the first period' : 'Shares of 100 %'}
          checked={chart.share ?? false}
          onChecked={share => set({ share })}
        />
      )}
      {may('log') && !chart.horizontal && (
        <Check label="Logarithmic" checked={chart.log ?? false} onChecked={log => set({ log })} />
      )}
      {may('goal') && !has(chart, 'share') && (
        <TextField
          label="Goal"
          type="number"
          value={chart.goal === undefined ? '' : String(chart.goal)}
          onValue={t => set({ goal: t.trim() === '' || !Number.isFinite(Number(t)) ? undefined : Number(t) })}
          hint="A line at this value."
        />
      )}
      {may('releases') && (
        <Check label="Releases on a time axis" checked={chart.releases ?? false} onChecked={releases => set({ releases })} />
      )}
      {kind?.x && (
        <TextField
          label="A click opens"
          value={chart.drill ?? ''}
          onValue={t =>
            set({
              drill: pick(
                t
                  .trim()
                  .replace(/^.*\/saved\//, '')
                  .replace(/\?.*$/, ''),
              ),
            })
          }
          maxLength={100}
          hint="The address of a saved query. Its parameters get the values of columns with their names."
        />
      )}
      <TextField label="Title" value={chart.title ?? ''} onValue={t => set({ title: pick(t) })} maxLength={200} />
    </div>
  );
}

// turned returns a chart of another kind with what it has in common.
export function turned(chart: Chart, to: ChartKind, columns: readonly Column[]): Chart {
  const wants = kinds.find(k => k.kind === to);
  const names = columns.map(c => c.name);
  const roles = shapes(columns, []);
  const numbers = roles.filter(s => s.role === 'number').map(s => s.name);
  const matrix = to === 'cohort' || to === 'pivot' || to === 'heatmap';
  const boxes = to === 'box' && numbers.length > 1;
  const free = numbers.filter(n => n !== chart.x);
  const known = chart.y?.length ? chart.y : free.slice(-1);
  const y = boxes ? free.slice(0, 5) : matrix && !chart.series ? free.slice(-1) : known;
  const x = chart.x && !y.includes(chart.x) ? chart.x : (names.find(n => !y.includes(n)) ?? names[0]);
  const second = chart.series ?? (matrix ? names.find(n => n !== x && !y.includes(n)) : undefined);
  const keeps = (option: Parameters<typeof has>[1]) => wants?.options.includes(option);
  return {
    kind: to,
    y: wants?.many ? y : y.slice(0, 1),
    ...(wants?.x && { x }),
    ...(wants?.series && second && { series: second }),
    ...(keeps('stacked') && chart.stacked && { stacked: true }),
    ...(keeps('share') && (to === 'cohort' || chart.share) && { share: true }),
    ...(keeps('horizontal') && chart.horizontal && { horizontal: true }),
    ...(keeps('right') && chart.right && { right: chart.right }),
    ...(keeps('goal') && chart.goal !== undefined && { goal: chart.goal }),
    ...(keeps('log') && chart.log && { log: true }),
    ...(keeps('releases') && chart.releases && { releases: true }),
    ...(wants?.x && chart.drill && { drill: chart.drill }),
    ...(chart.title && { title: chart.title }),
  };
}
