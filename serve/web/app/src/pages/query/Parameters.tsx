import { faultOf, fromDateInput, type Parameter, toDateInput } from '../../sql/parameters';
import partStyle from './parts.module.css';
import type { Store } from './store';

// Parameters asks for the values of {{parameters}}.
export function Parameters({ store }: { store: Store }) {
  const list = store.doc.parameters.value;
  if (list.length === 0) {
    return null;
  }
  const set = (name: string, value: string) => {
    store.doc.values.value = { ...store.doc.values.value, [name]: value };
    store.planner.consider();
  };
  return (
    <div class={partStyle.parameters} role="group" aria-label="Parameters">
      {list.map(p => (
        <ParameterField
          key={p.name}
          of={p}
          value={store.doc.valueOf(p)}
          onValue={v => set(p.name, v)}
          onRun={() => void store.start()}
        />
      ))}
    </div>
  );
}

interface Props {
  of: Parameter;
  value: string;
  onValue: (value: string) => void;
  onRun?: () => void;
}

// ParameterField is the input for a parameter, by its kind. Enter runs.
export function ParameterField({ of, value, onValue, onRun }: Props) {
  const id = `parameter-${of.name}`;
  const fault = faultOf(of, value);
  const onKeyDown = (e: KeyboardEvent) => e.key === 'Enter' && !e.defaultPrevented && onRun?.();
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Enter in a field is what a form does, too
    <div class={partStyle.parameter} onKeyDown={onKeyDown}>
      <label for={id} title={`{{${of.name}}}, ${of.kind}`}>
        {of.title || of.name}
      </label>
      <Control id={id} of={of} value={value} onValue={onValue} fault={fault} />
      {fault && value !== '' && (
        <span class="field-error" id={`${id}-fault`}>
          {fault}
        </span>
      )}
    </div>
  );
}

function Control({ id, of, value, onValue, fault }: Props & { id: string; fault: string }) {
  const bad = fault && value !== '' ? true : undefined;
  const common = { id, class: 'input input-small', 'aria-invalid': bad, 'aria-describedby': bad && `${id}-fault` };
  switch (of.kind) {
    case 'day':
      return <DayInput {...common} of={of} value={value} onValue={onValue} />;
    case 'days':
      return <DaysInput {...common} of={of} value={value} onValue={onValue} />;
    case 'choice':
      return (
        <select {...common} value={value} onChange={e => onValue(e.currentTarget.value)}>
          {of.choices?.map(c => (
            <option key={c} selected={c === value}>
              {c}
            </option>
          ))}
        </select>
      );
    case 'number':
      return <input {...common} inputMode="decimal" value={value} onInput={e => onValue(e.currentTarget.value)} />;
    default:
      return (
        <input
          {...common}
          value={value}
          placeholder={of.kind === 'list' ? 'a, b, c' : undefined}
          onInput={e => onValue(e.currentTarget.value)}
        />
      );
  }
}

const relative = ['newest', 'yesterday', 'today', 'newest-1', 'newest-7'];

// DayInput is a day of the calendar, or one that moves with the data.
function DayInput({ of, value, onValue, id, ...rest }: Props & { id: string; class: string }) {
  const date = toDateInput(value);
  const other = date !== '' || value === '' || relative.includes(value) ? [] : [value];
  return (
    <span class={partStyle.days}>
      <select {...rest} id={id} value={date ? '' : value} onChange={e => onValue(e.currentTarget.value || today())}>
        <option value="" selected={date !== ''}>
          on
        </option>
        {[...new Set([...relative, ...other])].map(r => (
          <option key={r} value={r} selected={r === value}>
            {r}
          </option>
        ))}
      </select>
      {date && (
        <input
          {...rest}
          type="date"
          aria-label={of.title || of.name}
          value={date}
          onInput={e => e.currentTarget.value && onValue(fromDateInput(e.currentTarget.value))}
        />
      )}
    </span>
  );
}

const ranges = ['newest 7 days', 'newest 28 days', 'last 7 days', 'last 28 days', 'newest', 'yesterday'];

// DaysInput is a range from a day to a day, or one that moves.
function DaysInput({ of, value, onValue, id, ...rest }: Props & { id: string; class: string }) {
  const [from = '', to = ''] = value.split('..');
  const fixed = value.includes('..');
  const name = of.title || of.name;
  return (
    <span class={partStyle.days}>
      <select
        {...rest}
        id={id}
        value={fixed ? '' : value}
        onChange={e => onValue(e.currentTarget.value || `${today()}..${today()}`)}
      >
        <option value="" selected={fixed}>
          from
        </option>
        {[...new Set([...ranges, ...(fixed ? [] : [value])])].map(r => (
          <option key={r} value={r} selected={r === value}>
            {r}
          </option>
        ))}
      </select>
      {fixed && (
        <>
          <input
            {...rest}
            type="date"
            aria-label={`${name}, first day`}
            value={toDateInput(from)}
            onInput={e => onValue(`${fromDateInput(e.currentTarget.value)}..${to}`)}
          />
          <span>to</span>
          <input
            {...rest}
            type="date"
            aria-label={`${name}, last day`}
            value={toDateInput(to)}
            onInput={e => onValue(`${from}..${fromDateInput(e.currentTarget.value)}`)}
          />
        </>
      )}
    </span>
  );
}

const today = () => new Date().toISOString().slice(0, 10).replaceAll('-', '');
