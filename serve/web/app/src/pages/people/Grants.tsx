import { useState } from 'preact/hooks';
import { get, put } from '../../api/client';
import { useAction, useLoad } from '../../api/hooks';
import { Badge, Button, Check, ErrorBox, Loaded, Note, Panel, Select, toast } from '../../ui';
import { type Access, accessTo, everyTable, faults, type Grant, rowsText, withAccess, withRows } from './grants';
import style from './people.module.css';
import type { Editing } from './State';

const choices: { value: Access; label: string }[] = [
  { value: 'none', label: 'No access' },
  { value: 'all', label: 'All columns' },
  { value: 'some', label: 'Some columns' },
];

const ruled = choices.map(c => (c.value === 'none' ? { ...c, label: 'By the rule above' } : c));

// Grants says of each table whether the account may read it, and which columns.
export function Grants({ account, onChange }: Editing) {
  const tables = useLoad(signal => get('/tables', { signal }), []);
  const [grants, setGrants] = useState<Grant[]>(account.grants ?? []);
  const wrong = faults(grants);
  const save = useAction(async () => {
    onChange(await put('/people/{id}/grants', { path: { id: account.id }, body: { grants } }));
    toast('The grants are saved.');
  });
  const general = accessTo(grants, everyTable) === 'all';
  const groups = account.groups?.grants ?? [];
  return (
    <Panel title="Tables">
      <Check
        label="Every table that is not restricted"
        hint="Also those that come later"
        checked={general}
        onChecked={on => setGrants(g => withAccess(g, everyTable, on ? 'all' : 'none'))}
      />
      <Loaded of={tables} lines={4}>
        {({ items }) => (
          <div class={style.grants}>
            {items?.map(t => (
              <div key={t.name} class={style.grant}>
                <span class="row">
                  <code>{t.name}</code>
                  {t.restricted && <Badge tone="warn">restricted</Badge>}
                </span>
                <Select
                  label={`Access to ${t.name}`}
                  hideLabel
                  value={accessTo(grants, t.name)}
                  onValue={a => setGrants(g => withAccess(g, t.name, a))}
                  choices={general && !t.restricted ? ruled : choices}
                />
                {accessTo(grants, t.name) !== 'none' && (
                  <Rows
                    table={t.name}
                    text={rowsText(grants, t.name)}
                    onText={text => setGrants(g => withRows(g, t.name, text))}
                  />
                )}
                {accessTo(grants, t.name) === 'some' && (
                  <Columns
                    table={t.name}
                    chosen={grants.find(g => g.table === t.name)?.columns ?? []}
                    onChosen={columns => setGrants(g => withAccess(g, t.name, 'some', columns))}
                  />
                )}
              </div>
            ))}
          </div>
        )}
      </Loaded>
      {groups.length > 0 && (
        <Note>
          Their groups add:{' '}
          {groups.map(g => (g.table === everyTable ? 'every table that is not restricted' : g.table)).join(', ')}.
        </Note>
      )}
      {wrong.map(w => (
        <Note key={w} tone="warn">
          {w}
        </Note>
      ))}
      <ErrorBox error={save.error} />
      <div class="actions">
        <Button kind="primary" busy={save.busy} disabled={wrong.length > 0} onClick={() => void save.run()}>
          Save
        </Button>
      </div>
    </Panel>
  );
}

// Rows edits the conditions on the rows of a table.
function Rows({ table, text, onText }: { table: string; text: string; onText: (text: string) => void }) {
  const [own, setOwn] = useState(text);
  return (
    <input
      class={`input input-small ${style.grantRows}`}
      aria-label={`Rows of ${table}`}
      title="Only rows with these values, such as country=DE|AT, channel=release"
      placeholder="All rows, or country=DE|AT"
      spellcheck={false}
      value={own}
      onInput={e => {
        setOwn(e.currentTarget.value);
        onText(e.currentTarget.value);
      }}
    />
  );
}

function Columns({ table, chosen, onChosen }: { table: string; chosen: string[]; onChosen: (columns: string[]) => void }) {
  const { data, error, reload } = useLoad(signal => get('/tables/{name}', { path: { name: table }, signal }), [table]);
  const [text, setText] = useState('');
  const all = (data?.schema ?? []).map(c => c.name);
  const seen = all.filter(c => c.includes(text.toLowerCase()));
  return (
    <div class={style.grantColumns}>
      <ErrorBox error={error} retry={reload} />
      <input
        class="input input-small"
        type="search"
        aria-label={`Find columns of ${table}`}
        placeholder="Find columns"
        value={text}
        onInput={e => setText(e.currentTarget.value)}
      />
      <div class={style.grantList} role="group" aria-label={`Columns of ${table}`}>
        {seen.map(c => (
          <Check
            key={c}
            label={<code>{c}</code>}
            checked={chosen.includes(c)}
            onChecked={on => onChosen(on ? [...chosen, c] : chosen.filter(x => x !== c))}
          />
        ))}
      </div>
    </div>
  );
}
