import { useState } from 'preact/hooks';
import { get } from '../../api/client';
import { useLoad } from '../../api/hooks';
import type { components } from '../../api/schema';
import { Badge, Check, Empty, Loaded, Panel, Table, type Tone } from '../../ui';
import { day } from '../../ui/formats';
import style from './jobs.module.css';

type Line = components['schemas']['RunLine'];

const tones: Record<string, Tone | undefined> = { WARN: 'warn', ERROR: 'bad', INFO: undefined, DEBUG: undefined };

// all reads the lines of a run, page by page.
async function all(id: string, signal: AbortSignal): Promise<Line[]> {
  const lines: Line[] = [];
  for (let after = 0; ; ) {
    const page = await get('/jobs/runs/{id}/log', { path: { id }, query: { after, limit: 5000 }, signal });
    lines.push(...(page.items ?? []));
    if (!page.next) {
      return lines;
    }
    after = page.next;
  }
}

// Log shows the log of a run: its checks with their results, or all other lines.
export function Log({ id, going, checks }: { id: string; going: boolean; checks?: boolean }) {
  const [bad, setBad] = useState(false);
  const log = useLoad(signal => all(id, signal), [id], going ? 3 : undefined);
  if (!log.data) {
    return <Loaded of={log} />;
  }
  const isCheck = (l: Line) => l.attrs?.check !== undefined;
  const of = log.data.filter(l => isCheck(l) === Boolean(checks));
  const lines = bad ? of.filter(l => (checks ? verdict(l) !== 'passed' : tones[l.level])) : of;
  if (of.length === 0) {
    return (
      <Empty title={checks ? 'No checks yet' : 'Nothing to say'}>
        {checks ? 'A partition is checked just before it is published.' : 'Lines are kept for as long as the run is.'}
      </Empty>
    );
  }
  return (
    <div class="stack">
      <Check label={checks ? 'Only those that did not pass' : 'Only warnings and errors'} checked={bad} onChecked={setBad} />
      {checks ? <Checks lines={lines} /> : <Lines lines={lines} />}
    </div>
  );
}

const verdict = (l: Line) => l.text.replace(/^check /, '');

function Checks({ lines }: { lines: Line[] }) {
  return (
    <Panel flush>
      <Table
        caption="Checks of the run"
        rows={lines}
        rowKey={l => String(l.number)}
        columns={[
          { id: 'day', head: 'Day', cell: l => <span class={style.nowrap}>{day(l.day ?? '')}</span>, sort: l => l.day ?? '' },
          { id: 'check', head: 'Check', header: true, cell: l => <code>{l.attrs?.check}</code>, sort: l => l.attrs?.check ?? '' },
          {
            id: 'verdict',
            head: 'Result',
            cell: l => <Badge tone={verdict(l) === 'passed' ? 'good' : tones[l.level]}>{verdict(l)}</Badge>,
            sort: verdict,
          },
          { id: 'rule', head: 'Rule', cell: l => l.attrs?.rule },
          { id: 'found', head: 'Found', cell: l => <span class={`${style.runError} small`}>{l.attrs?.found}</span> },
        ]}
      />
    </Panel>
  );
}

const Lines = ({ lines }: { lines: Line[] }) => (
  <ol class={style.log}>
    {lines.map(l => (
      <li key={l.number} class={l.level === 'ERROR' ? style.logBad : l.level === 'WARN' ? style.logWarn : undefined}>
        <time dateTime={l.time}>{l.time.slice(11, 19)}</time>
        <span class={style.logLevel}>{l.level}</span>
        <span class={style.logOf}>{l.table ? `${l.table} ${day(l.day ?? '')}` : 'run'}</span>
        <span class={style.logText}>
          {l.text}
          {Object.entries(l.attrs ?? {}).map(([k, v]) => (
            <span key={k} class={style.logAttr}>
              {' '}
              {k}={v}
            </span>
          ))}
        </span>
      </li>
    ))}
  </ol>
);
