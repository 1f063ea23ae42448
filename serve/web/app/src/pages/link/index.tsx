import { useEffect, useState } from 'preact/hooks';
import { ApiError } from '../../api/errors';
import { useAction } from '../../api/hooks';
import { Brand } from '../../app/Brand';
import { openLink, person, session } from '../../app/session';
import { Button, ErrorBox, LinkButton, Spinner } from '../../ui';
import { PasswordForm } from '../account/PasswordForm';
import { useGoOn } from '../signin/next';
import style from '../signin/signin.module.css';

// token is the fragment of the URL, which browsers do not send.
const token = () => decodeURIComponent(location.hash.slice(1));

// Link signs in who opens a link of one use, and offers to set a password, since the link will not work again.
export default function Link() {
  const goOn = useGoOn();
  const [left, setLeft] = useState(token);
  const { run, error } = useAction(async () => {
    const t = left;
    history.replaceState(null, '', '/link'); // it is of no use to who finds it in the history
    await openLink(t);
    setLeft('');
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: once
  useEffect(() => {
    if (left) {
      void run();
    }
  }, []);
  return (
    <main class={style.door} id="main">
      <div class={style.box}>
        <Brand />
        {error ? (
          <>
            <h1>The link did not work</h1>
            <ErrorBox error={error} retry={error instanceof ApiError ? undefined : () => void run()} />
            <LinkButton href="/signin">Sign in otherwise</LinkButton>
          </>
        ) : left ? (
          <>
            <h1>Signing in</h1>
            <Spinner />
          </>
        ) : !person.value ? (
          <>
            <h1>The link is cut short</h1>
            <p>A link to sign in ends with # and a long word. Copy all of it.</p>
            <LinkButton href="/signin">Sign in otherwise</LinkButton>
          </>
        ) : (
          <>
            <h1>Welcome, {person.value.name}</h1>
            {session.value?.signIn.local && (
              <>
                <p>You are signed in. The link does not work again: set a password to come back with.</p>
                <PasswordForm onDone={goOn} />
              </>
            )}
            <Button kind={session.value?.signIn.local ? 'quiet' : 'primary'} onClick={goOn}>
              {session.value?.signIn.local ? 'Not now' : 'Go on'}
            </Button>
          </>
        )}
      </div>
    </main>
  );
}
