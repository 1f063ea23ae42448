import { useState } from 'preact/hooks';
import { get } from '../../api/client';
import { useLoad } from '../../api/hooks';
import { Button, Empty, Loaded, Note, Panel, Table, TextField, Time } from '../../ui';
import { dayOf, plural } from '../../ui/formats';
import { Outcome, type Wanted } from './Outcome';
import style from './pings.module.css';

// ByTag lists the newest submissions with a debug tag, and asks again every few seconds.
export function ByTag({ tag, onTag, onLook }: { tag: string; onTag: (tag: string) => void; onLook: (w: Wanted) => void }) {
  const [text, setText] = useState(tag);
  const submit = (e: Event) => {
    e.preventDefault();
    onTag(text.trim());
  };
  return (
    <Panel title="By debug tag">
      <p>
        Submissions with the header <code>X-Debug-ID</code>, which <code>debug_view_tag</code> of the Glean SDK sets. They are
        here when the edge of this server has acknowledged them, and have an outcome when they are in the archive.
      </p>
      <form class={style.form} onSubmit={submit}>
        <TextField label="Tag" value={text} onValue={setText} maxLength={100} spellcheck={false} autocomplete="off" />
        <Button kind="primary" type="submit" disabled={!text.trim()}>
          Watch
        </Button>
      </form>
      {tag && <List key={tag} tag={tag} onLook={onLook} />}
    </Panel>
  );
}

function List({ tag, onLook }: { tag: string; onLook: (w: Wanted) => void }) {
  const list = useLoad(signal => get('/ingestion/tagged', { query: { tag, limit: 100 }, signal }), [tag], 3);
  return (
    <Loaded of={list} lines={4}>
      {data => (
        <>
          {data.left > 0 && <Note tone="accent">{plural(data.left, 'load')} of the archive were not looked at yet.</Note>}
          {data.items.length === 0 ? (
            <Empty title="Nothing with this tag yet">
              Submissions of the last seven days are kept with their tag. This list waits for new ones.
            </Empty>
          ) : (
            <div aria-live="polite">
              <Table
                caption={`Submissions with the tag ${tag}`}
                rows={data.items.map((p, i) => ({ p, i }))}
                rowKey={l => `${l.p.document} ${l.p.arrived} ${l.i}`}
                columns={[
                  { id: 'arrived', head: 'Arrived', cell: l => <Time at={l.p.arrived} /> },
                  { id: 'outcome', head: 'Outcome', cell: l => <Outcome p={l.p} /> },
                  {
                    id: 'type',
                    head: 'Type',
                    header: true,
                    cell: l => <>{[l.p.namespace, l.p.type].filter(Boolean).join(' ')}</>,
                  },
                  {
                    id: 'document',
                    head: 'Document',
                    cell: l =>
                      l.p.document ? (
                        <Button
                          small
                          kind="quiet"
                          class={style.id}
                          onClick={() => onLook({ document: l.p.document, day: dayOf(new Date(l.p.arrived)) })}
                          aria-label={`Look for ${l.p.document}`}
                        >
                          {l.p.document}
                        </Button>
                      ) : (
                        'none'
                      ),
                  },
                  { id: 'why', head: 'Why', cell: l => <span class={style.why}>{l.p.message || '–'}</span> },
                ]}
              />
            </div>
          )}
        </>
      )}
    </Loaded>
  );
}
