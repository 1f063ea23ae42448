import { ArrowLeft, Link as LinkIcon, Trash2 } from 'lucide';
import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { del, get, patch, post, put } from '../../api/client';
import { useAction, useLoad } from '../../api/hooks';
import { person } from '../../app/session';
import { ask, Button, Check, Copy, ErrorBox, LinkButton, Loaded, Note, PageHead, Panel, TextField, Time, toast } from '../../ui';
import { Tokens } from '../account/Tokens';
import { Grants } from './Grants';
import { Limits } from './Limits';
import style from './people.module.css';
import { type Account, type Editing, State } from './State';

// OneAccount is everything about an account that somebody who administers may change.
export function OneAccount({ id }: { id: string }) {
  const account = useLoad(signal => get('/people/{id}', { path: { id }, signal }), [id]);
  const { data, set } = account;
  if (!data) {
    return (
      <div class="page">
        <PageHead title="Account" />
        <Loaded of={account} />
      </div>
    );
  }
  const tokens = {
    list: () => get('/people/{id}/tokens', { path: { id } }),
    make:
      data.kind === 'service'
        ? (body: { name: string; expires: string; scopes: string[] }) => post('/people/{id}/tokens', { path: { id }, body })
        : undefined,
    end: (token: string) => del('/people/{id}/tokens/{token}', { path: { id, token } }),
  };
  return (
    <div class="page">
      <div>
        <LinkButton small kind="quiet" icon={ArrowLeft} href="/people">
          People
        </LinkButton>
      </div>
      <PageHead
        title={
          <span class="row">
            {data.name} <State account={data} />
          </span>
        }
      >
        Made <Time at={data.created} />
        {data.seen && (
          <>
            , last signed in <Time at={data.seen} />
          </>
        )}
      </PageHead>
      {data.kind === 'person' && !data.disabled && <Invite account={data} />}
      <div class={style.person}>
        <div class="stack">
          <Facts account={data} onChange={set} />
          <Rights account={data} onChange={set} />
          <Limits account={data} onChange={set} />
        </div>
        <div class="stack">
          <Grants account={data} onChange={set} />
          <Tokens source={tokens} title="Tokens" hint="Tokens that were made for programs are listed here." />
        </div>
      </div>
    </div>
  );
}

function Invite({ account }: { account: Account }) {
  const [link, setLink] = useState<{ url: string; expires: string }>();
  const { run, busy, error } = useAction(async () => setLink(await post('/people/{id}/link', { path: { id: account.id } })));
  const invited = !account.seen;
  if (!link) {
    return (
      <Note
        tone={invited ? 'accent' : undefined}
        action={
          <Button small icon={LinkIcon} busy={busy} onClick={() => void run()}>
            Make a link
          </Button>
        }
      >
        {invited
          ? `${account.name} has not signed in yet: send them a link, which signs in once.`
          : 'Who has lost the password comes back in by a link, which signs in once.'}
        <ErrorBox error={error} />
      </Note>
    );
  }
  return (
    <Note
      tone="good"
      title="It is shown this once, signs in once, and does not stay valid for long"
      action={<Copy text={link.url}>Copy</Copy>}
    >
      <code>{link.url}</code>
      <div class="small">
        It expires <Time at={link.expires} />.
      </div>
    </Note>
  );
}

function Facts({ account, onChange }: Editing) {
  const { route } = useLocation();
  const [name, setName] = useState(account.name);
  const [email, setEmail] = useState(account.email ?? '');
  const self = account.id === person.value?.id;
  const change = useAction(async (body: { name?: string; email?: string; disabled?: boolean }) => {
    onChange(await patch('/people/{id}', { path: { id: account.id }, body }));
    toast('The account was changed.');
  });
  const remove = useAction(async () => {
    const sure = await ask({
      title: `Remove ${account.name}?`,
      text: 'The account, its sessions and its tokens are removed. What it did stays in the audit.',
      action: 'Remove',
      danger: true,
    });
    if (sure) {
      await del('/people/{id}', { path: { id: account.id } });
      toast(`${account.name} was removed.`);
      route('/people');
    }
  });
  const same = name === account.name && email === (account.email ?? '');
  return (
    <Panel title="Account">
      <form
        class="form"
        onSubmit={e => {
          e.preventDefault();
          void change.run({ name, email });
        }}
      >
        <div class="form-row">
          <TextField label="Name" value={name} onValue={setName} required maxLength={100} autocomplete="off" />
          {account.kind === 'person' && (
            <TextField label="Mail" type="email" value={email} onValue={setEmail} maxLength={254} autocomplete="off" />
          )}
        </div>
        <ErrorBox error={change.error ?? remove.error} />
        <div class="actions">
          <Button type="submit" busy={change.busy} disabled={same}>
            Save
          </Button>
          {!self && (
            <>
              <Button onClick={() => void change.run({ disabled: !account.disabled })}>
                {account.disabled ? 'Enable' : 'Disable'}
              </Button>
              <Button kind="danger" icon={Trash2} busy={remove.busy} onClick={() => void remove.run()}>
                Remove
              </Button>
            </>
          )}
        </div>
      </form>
    </Panel>
  );
}

const rights = [
  { id: 'operate', label: 'Operate', hint: 'Start and end runs, see samples of rejected submissions' },
  { id: 'administer', label: 'Administer', hint: 'Change accounts, grants and tokens, see the audit' },
];

function Rights({ account, onChange }: Editing) {
  const has = account.rights ?? [];
  const { run, busy, error } = useAction(async (next: string[]) =>
    onChange(await put('/people/{id}/rights', { path: { id: account.id }, body: { rights: next } })),
  );
  return (
    <Panel title="Rights">
      {rights.map(r => (
        <Check
          key={r.id}
          label={r.label}
          hint={account.groups?.rights?.includes(r.id) ? `${r.hint}. A group of theirs has it, too` : r.hint}
          checked={has.includes(r.id)}
          disabled={busy}
          onChecked={on => void run(on ? [...has, r.id] : has.filter(x => x !== r.id))}
        />
      ))}
      <ErrorBox error={error} />
    </Panel>
  );
}
