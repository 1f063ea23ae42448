import { Check, CircleAlert, Circle as Waiting } from 'lucide';
import type { ComponentChildren } from 'preact';
import { Icon, Panel, Time } from '../../ui';
import { plural } from '../../ui/formats';
import { Command } from './Command';
import { followed, type Start, type StartPing } from './start';
import style from './start.module.css';
import { advice, local, quoted } from './ways';

type State = 'done' | 'busy' | 'waits' | 'bad';

const icons = { done: Check, bad: CircleAlert, waits: Waiting };
const words = { done: 'done', busy: 'in progress', waits: 'not yet', bad: 'a problem' };

const Stage = ({ title, state, children }: { title: string; state: State; children: ComponentChildren }) => (
  <li class={style.stage}>
    <span class={style[state]}>{state === 'busy' ? <i class="spinner" /> : <Icon of={icons[state]} size={18} />}</span>
    <div class={style.stageBody}>
      <h3>
        {title} <span class="sr-only">({words[state]})</span>
      </h3>
      {children}
    </div>
  </li>
);

const named = 5; // applications; anybody can send other names

const kind = (p: StartPing) => [p.namespace, p.type].filter(Boolean).join(' ');

// Stages shows how far pings have come, from the edge to a row.
export function Stages({ start }: { start: Start }) {
  const { edge, items, decoding } = start;
  const rejected = items.filter(i => i.class);
  const ping = followed(items);
  const received = edge.accepted > 0 || items.length > 0;
  const elsewhere = !decoding && !start.empty; // decoded by another process
  return (
    <Panel title="What becomes of them">
      <ol class={style.stages} aria-live="polite">
        <EdgeStage edge={edge} />
        <Stage title="Received" state={edge.refused + edge.failed > 0 && !received ? 'bad' : received ? 'done' : 'waits'}>
          {edge.here ? (
            <p>{received ? `${plural(edge.accepted, 'submission')} since the edge started.` : 'Nothing has come yet.'}</p>
          ) : (
            <p>The edge runs in another process: its counts are in its metrics.</p>
          )}
          {edge.refused > 0 && <p class={style.bad}>{plural(edge.refused, 'request')} refused: the answer says why.</p>}
          {edge.failed > 0 && (
            <p class={style.bad}>{plural(edge.failed, 'request')} could not be taken: pingmill status says why.</p>
          )}
          {edge.unknown.length > 0 && (
            <p class={style.bad}>
              Refused, because no setting names the application: {edge.unknown.slice(0, named).join(', ')}
              {edge.unknown.length > named && ' and others'}. Give its definitions (<code>--definitions</code>), or name it in{' '}
              <code>glean.applications</code>.
            </p>
          )}
        </Stage>
        <Stage
          title="Decoded"
          state={ping || start.hidden || elsewhere ? 'done' : rejected.length ? 'bad' : received && decoding ? 'busy' : 'waits'}
        >
          {ping && (
            <p>
              A ping: {kind(ping)} {ping.arrived && <Time at={ping.arrived} />}.
            </p>
          )}
          {start.hidden > 0 && <p>{plural(start.hidden, 'ping')} of types whose tables you may not read.</p>}
          {!decoding && <p>Decoding runs in another process: the page Ingestion shows what was archived.</p>}
          {decoding && !ping && !start.hidden && !rejected.length && (
            <p>{received ? 'It is decoded within some seconds.' : 'Each ping is unpacked and checked.'}</p>
          )}
          {rejected[0] && <Rejected of={rejected[0]} data={start.data} />}
        </Stage>
        <RowStage ping={ping} start={start} />
      </ol>
    </Panel>
  );
}

function EdgeStage({ edge: { url, here } }: { edge: Start['edge'] }) {
  const closed = here && url && local(url) && !local(location.origin);
  return (
    <Stage title="The edge" state={closed ? 'bad' : here ? 'done' : 'waits'}>
      {url ? (
        <p>
          <code>{url}</code> {here ? 'takes pings.' : 'is another process: its health check is /__lbheartbeat__.'}
        </p>
      ) : (
        <p>It runs in another process, and its address is not known here.</p>
      )}
      {closed && (
        <p class={style.bad}>
          It listens on the server only: <code>--listen :8080</code> opens it to other machines.
        </p>
      )}
    </Stage>
  );
}

const Rejected = ({ of, data }: { of: StartPing; data: string }) => (
  <>
    <p class={style.bad}>
      Rejected{kind(of) && `, ${kind(of)}`} ({of.class}): {of.message || 'without a message'}
    </p>
    <p>{advice(of.class ?? '')}</p>
    {of.class !== 'duplicate' && (
      <Command label="Show rejected submissions" text={`pingmill errors --data ${quoted(data)} --show 2`}>
        Some minutes later, on the server:
      </Command>
    )}
  </>
);

function RowStage({ ping, start }: { ping: StartPing | undefined; start: Start }) {
  if (!ping) {
    return (
      <Stage title="A row" state={start.empty ? 'waits' : 'done'}>
        {start.empty ? (
          <p>{start.decoding ? 'Here the first row of a table appears.' : 'The catalog shows its table.'}</p>
        ) : (
          <p>
            Pings have arrived. <a href="/catalog">The catalog</a> has their tables, <a href="/ingestion">Ingestion</a> their
            numbers.
          </p>
        )}
      </Stage>
    );
  }
  const state = { visible: 'done', soon: 'busy', later: 'waits', none: 'bad' } as const;
  return (
    <Stage title="A row" state={state[ping.row ?? 'none']}>
      {ping.row === 'visible' && (
        <p>
          It is in <a href={`/catalog/${ping.table}`}>{ping.table}</a>.
        </p>
      )}
      {ping.row === 'soon' && <p>It will be in {ping.table} within half a minute.</p>}
      {ping.row === 'later' && <p>{ping.table} gets it when the day is over: see below.</p>}
      {ping.row === 'none' && (
        <p>No table takes this ping: it is in the archive. An application with the Glean SDK gets tables by its definitions.</p>
      )}
    </Stage>
  );
}
