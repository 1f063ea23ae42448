import { ArrowDown, ArrowUp, Plus, Trash2 } from 'lucide';
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { DashboardParameter } from '../../api/dashboards';
import { useLoad } from '../../api/hooks';
import { one, type Saved } from '../../api/saved';
import { forApi, fromApi, initial, type ParameterKind } from '../../sql/parameters';
import { Button, Check, Dialog, IconButton, Select, TextField } from '../../ui';
import { ParameterField } from '../query/Parameters';
import style from './editing.module.css';
import { QueryPicker } from './QueryPicker';

const kinds: ParameterKind[] = ['text', 'number', 'day', 'days', 'choice', 'list'];
const name = /^[A-Za-z_][A-Za-z0-9_]{0,63}$/;

// ParametersDialog changes the parameters that widgets share.
export function ParametersDialog({
  parameters,
  onClose,
  onDone,
}: {
  parameters: readonly DashboardParameter[];
  onClose: () => void;
  onDone: (p: DashboardParameter[]) => void;
}) {
  const [list, setList] = useState([...parameters]);
  const [added, setAdded] = useState('');
  const set = (i: number, p: DashboardParameter) => setList(list.map((old, n) => (n === i ? p : old)));
  const swap = (i: number, j: number) => setList(list.map((p, n) => (n === i ? list[j]! : n === j ? list[i]! : p)));
  const taken = list.some(p => p.name === added);
  const add = () => {
    setList([...list, { name: added, kind: 'text', default: '' }]);
    setAdded('');
  };
  return (
    <Dialog
      title="Parameters"
      wide
      onClose={onClose}
      foot={
        <Button kind="primary" onClick={() => onDone(list)}>
          OK
        </Button>
      }
    >
      <div class="form">
        {list.length === 0 && <p class="muted">None yet. A widget whose query has parameters brings them along.</p>}
        {list.map((p, i) => (
          <One
            key={p.name}
            of={p}
            onChange={to => set(i, to)}
            buttons={
              <>
                <IconButton small label={`${p.name}: before`} icon={ArrowUp} disabled={i === 0} onClick={() => swap(i, i - 1)} />
                <IconButton
                  small
                  label={`${p.name}: behind`}
                  icon={ArrowDown}
                  disabled={i === list.length - 1}
                  onClick={() => swap(i, i + 1)}
                />
                <IconButton
                  small
                  label={`Remove ${p.name}`}
                  icon={Trash2}
                  onClick={() => setList(list.filter((_, n) => n !== i))}
                />
              </>
            }
          />
        ))}
        <form
          class="row"
          onSubmit={e => {
            e.preventDefault();
            if (name.test(added) && !taken) {
              add();
            }
          }}
        >
          <TextField
            label="Another parameter"
            value={added}
            onValue={setAdded}
            placeholder="country"
            error={
              added !== '' && !name.test(added) ? 'Letters, digits and _' : taken ? 'There is one with this name' : undefined
            }
          />
          <Button icon={Plus} type="submit" disabled={!name.test(added) || taken}>
            Add
          </Button>
        </form>
      </div>
    </Dialog>
  );
}

const many = (text: string): string[] =>
  text
    .split(',')
    .map(c => c.trim())
    .filter(Boolean);

function One({
  of: p,
  onChange,
  buttons,
}: {
  of: DashboardParameter;
  onChange: (p: DashboardParameter) => void;
  buttons: ComponentChildren;
}) {
  const [picked, setPicked] = useState<Saved>();
  const [filled, setFilled] = useState(p.options !== undefined);
  const [choices, setChoices] = useState((p.choices ?? []).join(', ')); // as typed
  const query = useLoad(async signal => (p.options ? one(p.options, signal) : undefined), [p.options]);
  const turn = (kind: ParameterKind) => {
    const { choices: _, options: __, default: ___, ...rest } = p;
    const next = { ...rest, kind, ...(kind === 'choice' && { choices: many(fromApi(p.default)) }) };
    onChange({ ...next, default: forApi(next, initial(next)) });
    setFilled(false);
  };
  const toggle = (on: boolean) => {
    setFilled(on);
    if (!on) {
      const { options: _, ...rest } = p;
      onChange(rest);
    }
  };
  const pick = (s: Saved) => {
    setPicked(s);
    onChange({ ...p, options: s.id });
  };
  return (
    <fieldset class={style.parameter}>
      <legend class="sr-only">{p.name}</legend>
      <div class="row">
        <code class="grow">{p.name}</code>
        {buttons}
      </div>
      <div class="form-row">
        <TextField
          label="Label"
          value={p.title ?? ''}
          placeholder={p.name}
          onValue={v => onChange({ ...p, title: v || undefined })}
        />
        <Select label="Kind" value={p.kind} onValue={turn} choices={kinds} />
        {p.kind === 'choice' && (
          <TextField
            label="Choices"
            value={choices}
            onValue={v => {
              setChoices(v);
              onChange({ ...p, choices: many(v), default: many(v)[0] });
            }}
          />
        )}
      </div>
      {(p.kind === 'text' || p.kind === 'number' || p.kind === 'list') && (
        <Check label="A drop-down that a query fills: its first column" checked={filled} onChecked={toggle} />
      )}
      {filled && <QueryPicker chosen={picked ?? query.data} onQuery={pick} />}
      <ParameterField
        of={{ ...p, title: 'Begins as', name: `default-${p.name}` }}
        value={fromApi(p.default ?? initial(p))}
        onValue={v => onChange({ ...p, default: forApi(p, v) })}
      />
    </fieldset>
  );
}
