import { Plus, X } from 'lucide';
import { useState } from 'preact/hooks';
import { useAction, useLoad } from '../../api/hooks';
import {
  type Condition,
  type Is,
  removeSchedule,
  type Saved,
  type Schedule,
  setSchedule,
  type Target,
  targetKinds,
} from '../../api/saved';
import { forApi, fromApi, initial, parametersOf } from '../../sql/parameters';
import { Button, Check, Dialog, ErrorBox, IconButton, Note, Select, TextField, toast } from '../../ui';
import { ParameterField } from '../query/Parameters';
import { type Choice, choiceOf, type Rhythm, textOf, weekdays } from './schedule';

const rhythms: { value: Rhythm; label: string }[] = [
  { value: 'hourly', label: 'every hour' },
  { value: 'daily', label: 'every day' },
  { value: 'workdays', label: 'Monday to Friday' },
  { value: 'weekly', label: 'every week' },
  { value: 'other', label: 'cron or interval' },
];
const conditions: { value: Condition['kind'] | ''; label: string }[] = [
  { value: '', label: 'each time' },
  { value: 'rows', label: 'if the number of rows is' },
  { value: 'value', label: 'if a value of the first row is' },
  { value: 'change', label: 'if it changed, in percent, by' },
  { value: 'error', label: 'if it fails' },
];
const formats: { value: NonNullable<Target['format']>; label: string }[] = [
  { value: 'json', label: 'JSON' },
  { value: 'slack', label: 'Slack' },
  { value: 'teams', label: 'Teams' },
];
const comparisons: Is[] = ['>', '>=', '<', '<=', '=', '!='];

// ScheduleDialog has a query run by itself, and people told of it.
export function ScheduleDialog({ saved, onClose, onChanged }: { saved: Saved; onClose: () => void; onChanged: () => void }) {
  const old = saved.schedule;
  const kinds = useLoad(signal => targetKinds(signal), []);
  const [choice, setChoice] = useState<Choice>(choiceOf(old?.every ?? '0 7 * * *'));
  const [zone, setZone] = useState(old?.timezone ?? Intl.DateTimeFormat().resolvedOptions().timeZone ?? 'UTC');
  const [condition, setCondition] = useState<Condition | undefined>(old?.condition);
  const [repeat, setRepeat] = useState(old?.repeat ?? false);
  const [notify, setNotify] = useState<Target[]>(old?.notify ?? []);
  const [rows, setRows] = useState(old?.rows ?? false);
  const parameters = parametersOf(saved.sql, saved.parameters);
  const [values, setValues] = useState<Record<string, string>>(
    Object.fromEntries(
      parameters.map(p => [p.name, old?.parameters?.[p.name] === undefined ? initial(p) : fromApi(old.parameters[p.name])]),
    ),
  );
  const done = (text: string) => {
    toast(text);
    onChanged();
    onClose();
  };
  const save = useAction(async () => {
    const s: Schedule = {
      every: textOf(choice),
      timezone: zone,
      ...(parameters.length > 0 && {
        parameters: Object.fromEntries(parameters.map(p => [p.name, forApi(p, values[p.name] ?? '')])),
      }),
      ...(condition && { condition }),
      ...(repeat && { repeat }),
      notify: notify.filter(t => t.to.trim() !== ''),
      ...(rows && { rows }),
    };
    await setSchedule(saved.id, s);
    done('Scheduled');
  });
  const end = useAction(async () => {
    await removeSchedule(saved.id);
    done('The schedule has ended');
  });
  const set = (c: Partial<Choice>) => setChoice({ ...choice, ...c });
  return (
    <Dialog
      title="Schedule"
      onClose={onClose}
      foot={
        <>
          {old && (
            <Button kind="danger" busy={end.busy} onClick={() => end.run()}>
              End the schedule
            </Button>
          )}
          <Button kind="primary" busy={save.busy} onClick={() => save.run()}>
            {old ? 'Save' : 'Schedule'}
          </Button>
        </>
      }
    >
      <div class="form">
        <ErrorBox error={save.error ?? end.error ?? kinds.error} />
        {old?.paused && (
          <Note tone="warn" title="Paused">
            {old.paused}. Saving starts it again.
          </Note>
        )}
        <div class="form-row">
          <Select
            label="Runs"
            value={choice.rhythm}
            onValue={rhythm => set({ rhythm, every: textOf(choice) })}
            choices={rhythms}
          />
          {choice.rhythm === 'weekly' && (
            <Select
              label="On"
              value={choice.weekday}
              onValue={weekday => set({ weekday })}
              choices={weekdays.map((label, i) => ({ value: String(i), label }))}
            />
          )}
          {choice.rhythm === 'other' ? (
            <TextField label="When" value={choice.every} onValue={every => set({ every })} hint="0 7 * * 1-5, or 6h" />
          ) : (
            <TextField
              label={choice.rhythm === 'hourly' ? 'At the minute of' : 'At'}
              value={choice.time}
              onValue={time => set({ time })}
              pattern="\d\d:\d\d"
              placeholder="07:00"
            />
          )}
          <TextField label="Time zone" value={zone} onValue={setZone} />
        </div>
        {parameters.length > 0 && (
          <fieldset class="field">
            <legend>Values</legend>
            {parameters.map(p => (
              <ParameterField
                key={p.name}
                of={p}
                value={values[p.name] ?? ''}
                onValue={v => setValues({ ...values, [p.name]: v })}
              />
            ))}
            <span class="field-hint">Moving days, such as newest, are computed at each run.</span>
          </fieldset>
        )}
        <When condition={condition} onCondition={setCondition} />
        {condition && (
          <Check label="Tell each time it holds, not only the first time of a row" checked={repeat} onChecked={setRepeat} />
        )}
        <Targets list={notify} kinds={kinds.data?.kinds ?? []} loaded={kinds.data !== undefined} onList={setNotify} />
        {(rows || (kinds.data?.rows && notify.some(t => t.kind === 'mail'))) && (
          <Check
            label="Attach the rows to mails, as CSV"
            hint="Not those of restricted tables, nor if you may read only a part of a table."
            checked={rows}
            onChecked={setRows}
          />
        )}
        {old?.secret && (
          <p class="small muted">
            Webhooks are signed with <code>{old.secret}</code>.
          </p>
        )}
      </div>
    </Dialog>
  );
}

function When({
  condition: c,
  onCondition,
}: {
  condition: Condition | undefined;
  onCondition: (c: Condition | undefined) => void;
}) {
  const turn = (kind: Condition['kind'] | '') =>
    onCondition(kind === '' ? undefined : kind === 'error' ? { kind } : { kind, is: c?.is ?? '>', than: c?.than ?? 0 });
  const compares = c && c.kind !== 'error';
  return (
    <div class="form-row">
      <Select label="Tell" value={c?.kind ?? ''} onValue={turn} choices={conditions} />
      {compares && c.kind !== 'rows' && (
        <TextField
          label="Column"
          value={c.column ?? ''}
          onValue={column => onCondition({ ...c, column: column || undefined })}
          placeholder="the first"
        />
      )}
      {compares && (
        <>
          <Select label="Is" value={c.is ?? '>'} onValue={is => onCondition({ ...c, is })} choices={comparisons} />
          <TextField
            label="Than"
            value={String(c.than ?? 0)}
            inputMode="decimal"
            onValue={v => onCondition({ ...c, than: Number.isFinite(Number(v)) ? Number(v) : (c.than ?? 0) })}
          />
        </>
      )}
    </div>
  );
}

function Targets({
  list,
  kinds,
  loaded,
  onList,
}: {
  list: Target[];
  kinds: Target['kind'][];
  loaded: boolean;
  onList: (l: Target[]) => void;
}) {
  if (loaded && kinds.length === 0) {
    return (
      <Note>This server sends neither mail nor webhooks: the results are stored here. Its operator can configure both.</Note>
    );
  }
  const set = (i: number, t: Partial<Target>) => onList(list.map((old, n) => (n === i ? { ...old, ...t } : old)));
  return (
    <fieldset class="field">
      <legend>Whom</legend>
      {list.map((t, i) => (
        <div key={i} class="row">
          <Select hideLabel label="Kind" value={t.kind} onValue={kind => set(i, { kind, format: undefined })} choices={kinds} />
          <div class="grow">
            <TextField
              hideLabel
              label="To"
              value={t.to}
              onValue={to => set(i, { to })}
              placeholder={t.kind === 'mail' ? 'somebody@example.org' : 'https://example.org/hook'}
            />
          </div>
          {t.kind === 'webhook' && (
            <Select
              hideLabel
              label="Format"
              value={t.format ?? 'json'}
              onValue={format => set(i, { format: format === 'json' ? undefined : format })}
              choices={formats}
            />
          )}
          <IconButton small label="Remove" icon={X} onClick={() => onList(list.filter((_, n) => n !== i))} />
        </div>
      ))}
      <div>
        <Button
          small
          icon={Plus}
          disabled={kinds.length === 0}
          onClick={() => onList([...list, { kind: kinds[0] ?? 'mail', to: '' }])}
        >
          Add
        </Button>
      </div>
    </fieldset>
  );
}
