import { Pencil, Play } from 'lucide';
import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { Button, LinkButton, Panel, Select, TextField } from '../../ui';
import { day as dashed } from '../../ui/formats';
import { openQuery } from '../query/open';
import { Answer } from './Answer';
import type { Choice, Metric } from './metric';
import style from './metrics.module.css';

const labels: Record<string, string> = { channel: 'Channel', version: 'Version', build: 'Build', os: 'OS', country: 'Country' };

// Asked asks for a metric over days when the button is pressed: an address alone runs nothing.
export function Asked({ m }: { m: Metric }) {
  const { query: address, route } = useLocation();
  const choice: Choice = {
    from: address.from ?? m.from,
    to: address.to ?? m.to,
    by: m.groupings.includes(address.by ?? '') ? address.by! : '',
    per: m.clients && address.per === 'client' ? 'client' : 'ping',
    extra: address.extra ?? '',
  };
  const [turn, setTurn] = useState(0);
  const [sql, setSql] = useState(m.sql ?? '');
  const set = (to: Partial<Choice>) => {
    const q = new URLSearchParams();
    for (const [k, v] of Object.entries({ ...choice, ...to })) {
      if (v) {
        q.set(k, v);
      }
    }
    route(`${location.pathname}?${q}`, true);
  };
  const submit = (e: Event) => {
    e.preventDefault();
    setTurn(n => n + 1);
  };
  return (
    <Panel
      title="Over days"
      actions={
        <span onClickCapture={() => openQuery({ sql })}>
          <LinkButton small icon={Pencil} href="/query">
            Open in the editor
          </LinkButton>
        </span>
      }
    >
      <form class={style.form} onSubmit={submit}>
        <Day label="From" value={choice.from} onValue={from => set({ from })} />
        <Day label="To" value={choice.to} onValue={to => set({ to })} />
        <Select
          label="By"
          value={choice.by}
          onValue={by => set({ by })}
          choices={[{ value: '', label: 'Nothing' }, ...m.groupings.map(g => ({ value: g, label: labels[g] ?? g }))]}
        />
        <Select
          label="Per"
          value={choice.per}
          disabled={!m.clients}
          onValue={per => set({ per })}
          choices={[
            { value: 'ping', label: m.shape === 'events' ? 'Event' : 'Ping' },
            { value: 'client', label: 'Client' },
          ]}
        />
        {m.extra && m.extra.length > 0 && (
          <Select
            label="Extra key"
            value={choice.extra}
            onValue={extra => set({ extra })}
            choices={[{ value: '', label: 'None' }, ...m.extra.map(e => ({ value: e.name, label: e.name }))]}
          />
        )}
        <Button kind="primary" icon={Play} type="submit">
          Show
        </Button>
      </form>
      {turn > 0 && <Answer m={m} choice={choice} turn={turn} onSQL={setSql} />}
      <details class={style.sqlBox}>
        <summary>The SQL</summary>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must reach it */}
        <pre class={style.sql} tabIndex={0} role="region" aria-label="SQL of the metric">
          {sql}
        </pre>
      </details>
    </Panel>
  );
}

// Day is a day as 20261101, chosen by the browser's control for dates.
const Day = ({ label, value, onValue }: { label: string; value: string; onValue: (day: string) => void }) => (
  <TextField label={label} type="date" value={dashed(value)} onValue={v => v && onValue(v.replaceAll('-', ''))} />
);
