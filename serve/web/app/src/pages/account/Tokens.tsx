import { Plus } from 'lucide';
import { useState } from 'preact/hooks';
import { useAction, useLoad } from '../../api/hooks';
import type { components } from '../../api/schema';
import {
  ask,
  Badge,
  Button,
  Check,
  Copy,
  Dialog,
  Empty,
  ErrorBox,
  Loaded,
  Note,
  Panel,
  Select,
  Table,
  TextField,
  Time,
  toast,
} from '../../ui';

type Token = components['schemas']['Token'];

export interface Source {
  list: () => Promise<{ items: Token[] | null }>;
  make?: (t: { name: string; expires: string; scopes: string[] }) => Promise<{ secret: string }>;
  end: (id: string) => Promise<unknown>;
}

const scopes: { id: string; what: string }[] = [
  { id: 'query', what: 'ask, and use saved queries' },
  { id: 'catalog', what: 'read what tables there are, and their quality' },
  { id: 'jobs', what: 'see runs and ingestion; start and end runs if you may' },
  { id: 'people', what: 'change accounts if you may' },
];

const lives = [
  { value: '7', label: '7 days' },
  { value: '30', label: '30 days' },
  { value: '90', label: '90 days' },
  { value: '365', label: 'a year' },
];

// Tokens are the API tokens of an account: a list, and a way to make one, whose secret is shown this once.
export function Tokens({ source, title, hint }: { source: Source; title: string; hint: string }) {
  const tokens = useLoad(() => source.list(), []);
  const [making, setMaking] = useState(false);
  const end = async (t: Token) => {
    const sure = await ask({
      title: `End the token “${t.name}”?`,
      text: 'What uses it will be refused from now on.',
      action: 'End it',
      danger: true,
    });
    if (sure) {
      await source.end(t.id);
      toast(`The token “${t.name}” has ended.`);
      tokens.reload();
    }
  };
  const action = useAction(end);
  return (
    <Panel
      title={title}
      flush
      actions={
        source.make && (
          <Button small icon={Plus} onClick={() => setMaking(true)}>
            New token
          </Button>
        )
      }
    >
      <ErrorBox error={action.error} />
      <Loaded of={tokens} lines={3}>
        {({ items }) =>
          !items?.length ? (
            <Empty title="No tokens">{hint}</Empty>
          ) : (
            <Table
              caption={title}
              rows={items}
              rowKey={t => t.id}
              columns={[
                { id: 'name', head: 'Name', header: true, cell: t => t.name, sort: t => t.name },
                {
                  id: 'scopes',
                  head: 'May',
                  cell: t => (
                    <span class="row">
                      {t.scopes?.map(s => (
                        <Badge key={s}>{s}</Badge>
                      ))}
                    </span>
                  ),
                },
                { id: 'used', head: 'Last used', cell: t => (t.used ? <Time at={t.used} /> : <span class="muted">never</span>) },
                { id: 'expires', head: 'Expires', cell: t => <Time at={t.expires} />, sort: t => t.expires },
                {
                  id: 'end',
                  head: <span class="sr-only">End</span>,
                  cell: t => (
                    <Button small kind="danger" onClick={() => void action.run(t)} aria-label={`End ${t.name}`}>
                      End
                    </Button>
                  ),
                },
              ]}
            />
          )
        }
      </Loaded>
      {making && source.make && <NewToken make={source.make} onMade={tokens.reload} onClose={() => setMaking(false)} />}
    </Panel>
  );
}

function NewToken({ make, onMade, onClose }: { make: NonNullable<Source['make']>; onMade: () => void; onClose: () => void }) {
  const [name, setName] = useState('');
  const [life, setLife] = useState('90');
  const [may, setMay] = useState<string[]>(['query', 'catalog']);
  const [secret, setSecret] = useState('');
  const { run, busy, error } = useAction(async () => {
    const expires = new Date(Date.now() + Number(life) * 86_400_000).toISOString();
    setSecret((await make({ name, expires, scopes: may })).secret);
    onMade();
  });
  if (secret) {
    return (
      <Dialog title={`The token “${name}”`} onClose={onClose} foot={<Button onClick={onClose}>Done</Button>}>
        <div class="stack">
          <Note tone="warn">It is shown this once. Keep it like a password.</Note>
          <div class="secret code">
            <code>{secret}</code>
            <Copy text={secret} label="Copy the token" />
          </div>
          <div class="code">{`curl -H "Authorization: Bearer $TOKEN" ${location.origin}/api/v1/tables`}</div>
        </div>
      </Dialog>
    );
  }
  return (
    <Dialog title="New token" onClose={onClose}>
      <form
        class="form"
        onSubmit={e => {
          e.preventDefault();
          void run();
        }}
      >
        <TextField
          label="Name"
          hint="What will use it, such as “notebook”"
          value={name}
          onValue={setName}
          required
          maxLength={100}
        />
        <Select label="Expires after" value={life} onValue={setLife} choices={lives} />
        <fieldset class="field">
          <legend>It may</legend>
          {scopes.map(s => (
            <Check
              key={s.id}
              label={s.what}
              checked={may.includes(s.id)}
              onChecked={on => setMay(m => (on ? [...m, s.id] : m.filter(x => x !== s.id)))}
            />
          ))}
        </fieldset>
        <ErrorBox error={error} />
        <div class="actions actions-end">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" kind="primary" busy={busy} disabled={may.length === 0 || name.trim() === ''}>
            Make the token
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
