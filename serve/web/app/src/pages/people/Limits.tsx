import { useState } from 'preact/hooks';
import { put } from '../../api/client';
import { useAction } from '../../api/hooks';
import { Button, ErrorBox, Panel, TextField, toast } from '../../ui';
import { bytes } from '../../ui/formats';
import type { Editing } from './State';

const limits = [
  { id: 'days', label: 'Days', hint: 'of a very large table in one query' },
  { id: 'sampledDays', label: 'Days of a sample', hint: 'the same with a condition on sample_id' },
  { id: 'files', label: 'Files', hint: 'that one query reads' },
  { id: 'bytes', label: 'Bytes', hint: 'of these files' },
  { id: 'rows', label: 'Rows', hint: 'of a result' },
  { id: 'concurrent', label: 'Queries at once', hint: 'others of theirs wait' },
] as const;

type Name = (typeof limits)[number]['id'];

// Limits edits the limits of one account; without its own ones, the limits of the server hold.
export function Limits({ account, onChange }: Editing) {
  const [values, setValues] = useState<Partial<Record<Name, string>>>(() =>
    Object.fromEntries(limits.map(l => [l.id, account.limits?.[l.id] ? String(account.limits[l.id]) : ''])),
  );
  const { run, busy, error } = useAction(async () => {
    const set = limits.filter(l => values[l.id]).map(l => [l.id, Number(values[l.id])]);
    onChange(await put('/people/{id}/limits', { path: { id: account.id }, body: Object.fromEntries(set) }));
    toast('The limits are set.');
  });
  return (
    <Panel title="Limits">
      <form
        class="form"
        onSubmit={e => {
          e.preventDefault();
          void run();
        }}
      >
        <div class="form-row">
          {limits.map(l => {
            const v = values[l.id] ?? '';
            return (
              <TextField
                key={l.id}
                label={l.label}
                type="number"
                min={1}
                step={1}
                placeholder="as for everybody"
                hint={l.id === 'bytes' && Number(v) > 0 ? `${l.hint}: ${bytes(Number(v))}` : l.hint}
                value={v}
                onValue={next => setValues(all => ({ ...all, [l.id]: next }))}
              />
            );
          })}
        </div>
        <ErrorBox error={error} />
        <div class="actions">
          <Button type="submit" busy={busy}>
            Save
          </Button>
        </div>
      </form>
    </Panel>
  );
}
