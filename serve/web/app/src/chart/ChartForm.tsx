import type { Column } from '../result/format';
import { family } from '../sql/types';
import { Check, Select, TextField } from '../ui';
import style from './ChartForm.module.css';
import { type Chart, type ChartKind, kinds } from './chart';

// ChartForm changes a chart. onAuto has it chosen from the result again.
export function ChartForm({ chart, columns, onChart }: { chart: Chart; columns: Column[]; onChart: (c: Chart) => void }) {
  const kind = kinds.find(k => k.kind === chart.kind);
  const names = columns.map(c => c.name);
  const numbers = columns.filter(c => family(c.type) === 'number').map(c => c.name);
  const set = (change: Partial<Chart>) => onChart({ ...chart, ...change });
  const turn = (to: ChartKind) => {
    const wants = kinds.find(k => k.kind === to);
    const y = chart.y?.length ? chart.y : numbers.filter(n => n !== chart.x).slice(0, 1);
    const x = chart.x ?? names.find(n => !y.includes(n)) ?? names[0];
    onChart({
      kind: to,
      y: wants?.many ? y : y.slice(0, 1),
      ...(wants?.x && { x }),
      ...(wants?.series && chart.series && { series: chart.series }),
      ...(wants?.stacks && chart.stacked && { stacked: true }),
      ...(chart.log && { log: true }),
      ...(chart.title && { title: chart.title }),
    });
  };
  const toggle = (name: string, on: boolean) => {
    const y = on ? [...(chart.y ?? []), name] : (chart.y ?? []).filter(n => n !== name);
    set({ y: names.filter(n => y.includes(n)) });
  };
  const pick = (value: string) => (value === '' ? undefined : value);
  return (
    <div class={`${style.form} form`}>
      <Select label="Kind" value={chart.kind} onValue={turn} choices={kinds.map(k => ({ value: k.kind, label: k.name }))} />
      {kind?.x && <Select label="Along the axis" value={chart.x ?? ''} onValue={x => set({ x: pick(x) })} choices={names} />}
      {kind?.many ? (
        <fieldset class="field">
          <legend>Values</legend>
          {(numbers.length > 0 ? numbers : names).slice(0, 24).map(n => (
            <div key={n}>
              <Check label={n} checked={chart.y?.includes(n) ?? false} onChecked={on => toggle(n, on)} />
            </div>
          ))}
        </fieldset>
      ) : (
        <Select label="Values" value={chart.y?.[0] ?? ''} onValue={y => set({ y: [y] })} choices={numbers} />
      )}
      {kind?.series && (
        <Select
          label="A series for each"
          value={chart.series ?? ''}
          onValue={s => set({ series: pick(s) })}
          choices={[{ value: '', label: 'none' }, ...names.filter(n => n !== chart.x && !chart.y?.includes(n))]}
        />
      )}
      {kind?.stacks && (
        <Check label="On top of each other" checked={chart.stacked ?? false} onChecked={stacked => set({ stacked })} />
      )}
      {kind?.kind !== 'number' && <Check label="Logarithmic" checked={chart.log ?? false} onChecked={log => set({ log })} />}
      <TextField label="Title" value={chart.title ?? ''} onValue={t => set({ title: pick(t) })} maxLength={200} />
    </div>
  );
}
