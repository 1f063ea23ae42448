import { KeyRound } from 'lucide';
import { useState } from 'preact/hooks';
import { useRoute } from 'preact-iso';
import { useAction } from '../../api/hooks';
import { Brand } from '../../app/Brand';
import { person, session, signIn } from '../../app/session';
import { Button, ErrorBox, LinkButton, Note, TextField } from '../../ui';
import { useGoOn } from './next';
import style from './signin.module.css';

// refusals explain the codes with which the server sends people back from their provider: serve/web/session/oidc.go.
const refusals: Record<string, string> = {
  attempts: 'too many attempts to sign in: try again in a minute',
  disabled: 'the account is disabled',
  'name-taken': 'an account that signs in in another way has this name',
  expired: 'this was begun in another window, or too long ago: sign in again',
  unreachable: 'the provider of accounts cannot be reached now: try again later',
  refused: 'the provider did not sign you in',
  domain: 'accounts of your e-mail domain are not let in',
  name: 'the provider gives you no name that can be used here',
  failed: 'you could not be signed in',
};

// SignIn asks for a name and a password, or sends people to the provider of their accounts.
export default function SignIn() {
  const { query } = useRoute();
  const goOn = useGoOn(query.next);
  const [name, setName] = useState('');
  const [password, setPassword] = useState('');
  const { run, busy, error } = useAction(async () => {
    await signIn(name, password);
    goOn();
  });
  const s = session.value!;
  return (
    <main class={style.door} id="main">
      <div class={style.box}>
        <Brand />
        <h1>Sign in</h1>
        {s.setup && (
          <Note tone="accent" title="Nobody has signed in yet">
            The service wrote a link into its log when it started: open it once to sign in as the administrator.
          </Note>
        )}
        {query.error && <ErrorBox error={refusals[query.error] ?? refusals.failed} />}
        {person.value && (
          <Note tone="good" action={<Button onClick={goOn}>Go on</Button>}>
            You are signed in as {person.value.name}.
          </Note>
        )}
        {s.signIn.oidc && (
          <LinkButton
            kind="primary"
            icon={KeyRound}
            href={`${s.signIn.oidc.url}?next=${encodeURIComponent(query.next ?? '/query')}`}
            download={undefined}
          >
            Sign in with {s.signIn.oidc.name}
          </LinkButton>
        )}
        {s.signIn.oidc && s.signIn.local && <div class={style.or}>or</div>}
        {s.signIn.local && (
          <form
            class="form"
            onSubmit={e => {
              e.preventDefault();
              void run();
            }}
          >
            <TextField
              label="Name"
              value={name}
              onValue={setName}
              required
              autocomplete="username"
              autocapitalize="none"
              spellcheck={false}
            />
            <TextField
              label="Password"
              type="password"
              value={password}
              onValue={setPassword}
              required
              autocomplete="current-password"
            />
            <ErrorBox error={error} />
            <Button type="submit" kind={s.signIn.oidc ? undefined : 'primary'} busy={busy}>
              Sign in
            </Button>
          </form>
        )}
      </div>
    </main>
  );
}
