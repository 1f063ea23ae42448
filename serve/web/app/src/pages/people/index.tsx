import { Search as Glass, Plus } from 'lucide';
import { useState } from 'preact/hooks';
import { useLocation, useRoute } from 'preact-iso';
import { get, post } from '../../api/client';
import { useAction, useLoad } from '../../api/hooks';
import {
  Badge,
  Button,
  Dialog,
  Empty,
  ErrorBox,
  Icon,
  PageHead,
  Search,
  Select,
  Skeleton,
  Table,
  Tabs,
  TextField,
  Time,
} from '../../ui';
import { Audit } from './Audit';
import { OneAccount } from './OneAccount';
import style from './people.module.css';
import { type Account, State, state } from './State';

// People lists the accounts and the audit; /people/ID is one account.
export default function People() {
  const { params } = useRoute();
  const { query } = useLocation();
  if (params.id) {
    return <OneAccount key={params.id} id={params.id} />;
  }
  return <Everybody audit={query.view === 'audit'} />;
}

function Everybody({ audit }: { audit: boolean }) {
  const { route } = useLocation();
  const [adding, setAdding] = useState(false);
  return (
    <div class="page">
      <PageHead
        title="People"
        actions={
          <Button kind="primary" icon={Plus} onClick={() => setAdding(true)}>
            New account
          </Button>
        }
      >
        Accounts, their grants of tables, and the audit of restricted tables.
      </PageHead>
      <Tabs
        label="People"
        tabs={[
          { id: 'accounts', label: 'Accounts' },
          { id: 'audit', label: 'Audit' },
        ]}
        value={audit ? 'audit' : 'accounts'}
        onValue={v => route(v === 'audit' ? '/people?view=audit' : '/people', true)}
      >
        {audit ? <Audit /> : <Accounts />}
      </Tabs>
      {adding && <NewAccount onClose={() => setAdding(false)} />}
    </div>
  );
}

function Accounts() {
  const { data, error, reload } = useLoad(signal => get('/people', { signal }), []);
  const [text, setText] = useState('');
  const rows = (data?.items ?? []).filter(a => `${a.name} ${a.email ?? ''}`.toLowerCase().includes(text.toLowerCase()));
  return (
    <div class={`stack ${style.peopleList}`}>
      <div class="row">
        <Search label="Find by name or mail" value={text} onValue={setText}>
          <Icon of={Glass} />
        </Search>
      </div>
      <ErrorBox error={error} retry={reload} />
      <div class="panel">
        {!data && !error && <Skeleton />}
        {data && rows.length === 0 && <Empty title="Nobody by that name" />}
        {rows.length > 0 && (
          <Table
            caption="Accounts"
            rows={rows}
            rowKey={a => a.id}
            start={{ by: 'name' }}
            columns={[
              {
                id: 'name',
                head: 'Name',
                header: true,
                sort: a => a.name,
                cell: a => (
                  <>
                    <a href={`/people/${a.id}`}>{a.name}</a>
                    {a.email && <div class="muted small">{a.email}</div>}
                  </>
                ),
              },
              { id: 'state', head: 'State', sort: state, cell: a => <State account={a} /> },
              {
                id: 'rights',
                head: 'Rights',
                sort: a => (a.rights ?? []).join(),
                cell: a => (
                  <span class="row">
                    {(a.rights ?? []).map(r => (
                      <Badge key={r} tone="accent">
                        {r}
                      </Badge>
                    ))}
                  </span>
                ),
              },
              { id: 'tables', head: 'Tables', cell: a => <span class="small">{tables(a)}</span> },
              {
                id: 'seen',
                head: 'Last signed in',
                sort: a => a.seen ?? '',
                cell: a => (a.seen ? <Time at={a.seen} /> : <span class="muted">never</span>),
              },
            ]}
          />
        )}
      </div>
    </div>
  );
}

const tables = (a: Account): string =>
  (a.grants ?? [])
    .map(g => {
      const parts = [...(g.columns ? [`${g.columns.length} columns`] : []), ...(g.rows?.length ? ['some rows'] : [])];
      return g.table === '*' ? 'all for everybody' : parts.length > 0 ? `${g.table} (${parts.join(', ')})` : g.table;
    })
    .join(', ') || 'none';

function NewAccount({ onClose }: { onClose: () => void }) {
  const { route } = useLocation();
  const [name, setName] = useState('');
  const [email, setEmail] = useState('');
  const [kind, setKind] = useState<'person' | 'service'>('person');
  const { run, busy, error } = useAction(async () => {
    const made = await post('/people', { body: { name, kind, ...(email ? { email } : {}) } });
    onClose();
    route(`/people/${made.id}?new=1`);
  });
  return (
    <Dialog title="New account" onClose={onClose}>
      <form
        class="form"
        onSubmit={e => {
          e.preventDefault();
          void run();
        }}
      >
        <Select
          label="For"
          value={kind}
          onValue={setKind}
          choices={[
            { value: 'person', label: 'A person' },
            { value: 'service', label: 'A program, which has tokens only' },
          ]}
        />
        <TextField
          label="Name"
          value={name}
          onValue={setName}
          required
          maxLength={100}
          hint="What is typed to sign in"
          autocomplete="off"
        />
        {kind === 'person' && (
          <TextField label="Mail" type="email" value={email} onValue={setEmail} maxLength={254} autocomplete="off" />
        )}
        <ErrorBox error={error} />
        <div class="actions actions-end">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" kind="primary" busy={busy} disabled={name.trim() === ''}>
            Make the account
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
