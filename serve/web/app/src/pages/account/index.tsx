import { Monitor, Moon, Sun } from 'lucide';
import { del, get, post } from '../../api/client';
import { person, session } from '../../app/session';
import { type Theme, theme } from '../../app/theme';
import { Badge, Icon, PageHead, Panel } from '../../ui';
import style from './account.module.css';
import { PasswordForm } from './PasswordForm';
import { Refused } from './Refused';
import { Tokens } from './Tokens';

const own = {
  list: () => get('/tokens'),
  make: (body: { name: string; expires: string; scopes: string[] }) => post('/tokens', { body }),
  end: (id: string) => del('/tokens/{id}', { path: { id } }),
};

const themes: { id: Theme; label: string; icon: typeof Sun }[] = [
  { id: 'system', label: 'As the system', icon: Monitor },
  { id: 'light', label: 'Light', icon: Sun },
  { id: 'dark', label: 'Dark', icon: Moon },
];

// Account shows a person's own account and its settings.
export default function Account() {
  const p = person.value!;
  return (
    <div class="page">
      <PageHead title="Account">What you may read, how you sign in, and tokens for programs that ask in your name.</PageHead>
      <div class={style.account}>
        <div class="stack">
          <Panel title="You">
            <dl class="facts">
              <dt>Name</dt>
              <dd>{p.name}</dd>
              {p.email && (
                <>
                  <dt>Mail</dt>
                  <dd>{p.email}</dd>
                </>
              )}
              <dt>Rights</dt>
              <dd class="row">
                {p.rights?.length ? (
                  p.rights.map(r => (
                    <Badge key={r} tone="accent">
                      {r}
                    </Badge>
                  ))
                ) : (
                  <span class="muted">to ask</span>
                )}
              </dd>
              <dt>Tables</dt>
              <dd>
                <Grants grants={p.grants ?? []} />
              </dd>
            </dl>
          </Panel>
          <Panel title="Colours">
            <div class={style.themes} role="radiogroup" aria-label="Colours">
              {themes.map(t => (
                <label key={t.id} class={style.theme}>
                  <input type="radio" name="theme" checked={theme.value === t.id} onChange={() => (theme.value = t.id)} />
                  <Icon of={t.icon} />
                  {t.label}
                </label>
              ))}
            </div>
          </Panel>
          {session.value?.signIn.local && (
            <Panel title="Password">
              <PasswordForm />
            </Panel>
          )}
          <Refused />
        </div>
        <Tokens
          source={own}
          title="Tokens"
          hint="Programs sign in with tokens: pingmill query --server, notebooks, Flight SQL, and dashboards."
        />
      </div>
    </div>
  );
}

function Grants({ grants }: { grants: { table: string; columns?: string[] | null }[] }) {
  if (grants.length === 0) {
    return <span class="muted">none yet</span>;
  }
  return (
    <ul class={style.plain}>
      {grants.map(g => (
        <li key={g.table}>
          {g.table === '*' ? 'all tables for everybody' : <code>{g.table}</code>}
          {g.columns && <span class="muted"> ({g.columns.join(', ')})</span>}
        </li>
      ))}
    </ul>
  );
}
