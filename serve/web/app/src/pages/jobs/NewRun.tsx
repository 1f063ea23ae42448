import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { get, post } from '../../api/client';
import { useAction, useLoad } from '../../api/hooks';
import { Button, Check, Dialog, ErrorBox, Loaded, TextField } from '../../ui';
import { day, daysOf, plural } from '../../ui/formats';
import style from './jobs.module.css';

// Wanted is the initial choice of the dialog.
export interface Wanted {
  tables?: string[];
  from?: string;
  to?: string;
  force?: boolean;
}

const plain = (d: string) => d.replaceAll('-', '');

// NewRun asks which tables of which days are to be made.
export function NewRun({ wanted, onClose }: { wanted: Wanted; onClose: () => void }) {
  const { route } = useLocation();
  const { data, error } = useLoad(signal => get('/jobs/calendar', { signal }), []);
  const [tables, setTables] = useState<string[]>(wanted.tables ?? []);
  const [from, setFrom] = useState(wanted.from ? day(wanted.from) : '');
  const [to, setTo] = useState(wanted.to ? day(wanted.to) : '');
  const [force, setForce] = useState(wanted.force ?? false);
  const [downstream, setDownstream] = useState(false);
  const first = plain(from || day(data?.last ?? ''));
  const last = plain(to || from || day(data?.last ?? ''));
  const begin = useAction(async () => {
    const run = await post('/jobs/runs', { body: { tables, from: first, to: last, force, downstream } });
    onClose();
    route(`/jobs/${run.id}`);
  });
  const days = first && last ? daysOf(first, last).length : 0;
  const units = days * tables.length;
  const turn = (t: string, on: boolean) => setTables(all => (on ? [...all, t] : all.filter(o => o !== t)));
  return (
    <Dialog
      title="New run"
      onClose={onClose}
      foot={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" busy={begin.busy} disabled={units === 0} onClick={() => begin.run()}>
            {units > 0 ? `Make ${plural(units, 'partition')}` : 'Begin'}
          </Button>
        </>
      }
    >
      <div class="form">
        <fieldset class="field">
          <legend>Tables</legend>
          <Loaded of={{ data, error }} lines={4}>
            {data => (
              <>
                <div class={style.choices}>
                  {(data.tables ?? []).map(t => (
                    <Check key={t} label={<code>{t}</code>} checked={tables.includes(t)} onChecked={on => turn(t, on)} />
                  ))}
                </div>
                <span class="row">
                  <Button small onClick={() => setTables(data.tables ?? [])}>
                    All
                  </Button>
                  <Button small onClick={() => setTables([])}>
                    None
                  </Button>
                </span>
              </>
            )}
          </Loaded>
        </fieldset>
        <div class="form-row">
          <TextField label="First day" type="date" value={from || day(first)} onValue={setFrom} />
          <TextField label="Last day" type="date" value={to || day(last)} onValue={setTo} />
        </div>
        <Check
          label="Make them again even if they are current"
          hint="Without it only what is missing, stale or failed is made."
          checked={force}
          onChecked={setForce}
        />
        <Check
          label="Also the tables that are made from these"
          hint="What they need is made in any case, where it is not current."
          checked={downstream}
          onChecked={setDownstream}
        />
        <ErrorBox error={begin.error} />
      </div>
    </Dialog>
  );
}
