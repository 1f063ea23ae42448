import { Pencil, Search } from 'lucide';
import { useEffect, useState } from 'preact/hooks';
import { get } from '../../api/client';
import { useAction, useLoad } from '../../api/hooks';
import { ended, query, rowsOf, submit } from '../../api/queries';
import type { components } from '../../api/schema';
import { Button, Copy, Empty, ErrorBox, LinkButton, Note, Panel, Spinner, TextField, Time } from '../../ui';
import { day as dashed, plural } from '../../ui/formats';
import { openQuery } from '../query/open';
import { Outcome, type Wanted } from './Outcome';
import style from './pings.module.css';

type Found = components['schemas']['FoundPing'];

// ByDocument looks for a document id among the submissions of a day. turn counts the searches that somebody asked for.
export function ByDocument({ wanted, turn, onLook }: { wanted: Wanted; turn: number; onLook: (w: Wanted) => void }) {
  const [document, setDocument] = useState(wanted.document);
  const [day, setDay] = useState(wanted.day);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the list of a tag asks for a document
  useEffect(() => {
    setDocument(wanted.document);
    setDay(wanted.day);
  }, [turn]);
  const look = (e: Event) => {
    e.preventDefault();
    onLook({ document: document.trim(), day });
  };
  return (
    <Panel title="By document id">
      <p>
        The archive has no index by document id: a search reads the ids of the day, at most 20 million, and ends after 20 seconds.
        Pings of types whose table you may not read are not found.
      </p>
      <form class={style.form} onSubmit={look}>
        <TextField
          label="Document id"
          value={document}
          onValue={setDocument}
          maxLength={200}
          spellcheck={false}
          autocomplete="off"
        />
        <TextField
          label="Day of arrival (UTC)"
          type="date"
          value={dashed(day)}
          onValue={v => v && setDay(v.replaceAll('-', ''))}
        />
        <Button kind="primary" type="submit" icon={Search} disabled={!document.trim()}>
          Look for it
        </Button>
      </form>
      {turn > 0 && <Result wanted={wanted} turn={turn} />}
    </Panel>
  );
}

function Result({ wanted, turn }: { wanted: Wanted; turn: number }) {
  const found = useLoad(
    signal => get('/ingestion/pings/{document}', { path: { document: wanted.document }, query: { day: wanted.day }, signal }),
    [wanted.document, wanted.day, turn],
  );
  const data = found.data;
  return (
    <div class="stack" aria-live="polite">
      {found.loading && (
        <p class="row">
          <Spinner label="Looking" /> Looking through {dashed(wanted.day)}
        </p>
      )}
      <ErrorBox error={found.error} retry={found.reload} />
      {data && !data.complete && (
        <Note tone="warn">The search has ended before the day was looked through: the day is too large.</Note>
      )}
      {data?.items.length === 0 && (
        <Empty title="Nothing was found">
          {`${plural(data.looked, 'submission')} of ${dashed(wanted.day)} that you may see were looked at. What arrived in the last minutes may not be in the archive yet.`}
        </Empty>
      )}
      {data?.items.map((f, i) => (
        <One key={`${f.outcome} ${f.arrived} ${i}`} f={f} />
      ))}
    </div>
  );
}

function One({ f }: { f: Found }) {
  return (
    <section class={style.one}>
      <h3 class="row">
        {f.namespace} {f.type} <Outcome p={f} />
      </h3>
      <dl class="facts">
        <dt>Arrived</dt>
        <dd>{f.arrived ? <Time at={f.arrived} full /> : 'not known'}</dd>
        {f.message && (
          <>
            <dt>Why</dt>
            <dd>{f.message}</dd>
          </>
        )}
        {f.load && (
          <>
            <dt>Archived in load</dt>
            <dd>
              <code class={style.why}>{f.load}</code>
            </dd>
          </>
        )}
        {f.outcome === 'accepted' && (
          <>
            <dt>Tables</dt>
            <dd>{f.sql ? <Rows f={f} sql={f.sql} /> : 'none that you may read has rows of such pings'}</dd>
          </>
        )}
      </dl>
      {f.meta && (
        <details>
          <summary>What ingestion added</summary>
          <dl class="facts">
            {f.meta.map(m => (
              <>
                <dt>{m.name}</dt>
                <dd class="secret">
                  <code>{m.value}</code>
                  <Copy text={m.value} label={`Copy ${m.name}`} />
                </dd>
              </>
            ))}
          </dl>
        </details>
      )}
    </section>
  );
}

// Rows counts the ping's rows in tables, by a query of the person.
function Rows({ f, sql }: { f: Found; sql: string }) {
  const [rows, setRows] = useState<[string, number][]>();
  const count = useAction(async () => {
    let q = await submit({ sql, dialect: 'presto' }, 20);
    while (!ended(q)) {
      q = await query(q.id, 20);
    }
    if (q.error || q.state !== 'done') {
      throw new Error([q.error?.message ?? `The query was ${q.state}.`, q.error?.hint].filter(Boolean).join(' · '));
    }
    const page = await rowsOf(q.id)(0, 100, new AbortController().signal);
    setRows(page.rows.map(r => [String(r[0]), Number(r[1])]));
  });
  return (
    <div class="stack">
      <span>
        {rows
          ? rows.map(([table, n]) => `${table}: ${n === 0 ? 'no row' : plural(n, 'row')}`).join(', ')
          : (f.tables ?? []).join(', ')}
      </span>
      <span class="row">
        <Button small busy={count.busy} onClick={() => count.run()}>
          Count its rows
        </Button>
        <span onClickCapture={() => openQuery({ sql })}>
          <LinkButton small icon={Pencil} href="/query">
            Open in the editor
          </LinkButton>
        </span>
      </span>
      <ErrorBox error={count.error} />
    </div>
  );
}
