import { useState } from 'preact/hooks';
import { useAction } from '../../api/hooks';
import { person, session, setPassword } from '../../app/session';
import { Button, ErrorBox, TextField, toast } from '../../ui';

export const minPassword = 12;

// PasswordForm sets the password of who has signed in.
export function PasswordForm({ onDone }: { onDone?: () => void }) {
  const [old, setOld] = useState('');
  const [next, setNext] = useState('');
  const fresh = session.value?.fresh ?? false;
  const short = next !== '' && next.length < minPassword;
  const { run, busy, error } = useAction(async () => {
    await setPassword(next, fresh ? undefined : old);
    setOld('');
    setNext('');
    toast('The password is set.');
    onDone?.();
  });
  return (
    <form
      class="form"
      onSubmit={e => {
        e.preventDefault();
        void run();
      }}
    >
      <input
        class="sr-only"
        type="text"
        autocomplete="username"
        value={person.value?.name}
        readOnly
        tabIndex={-1}
        aria-hidden="true"
      />
      {!fresh && (
        <TextField
          label="Present password"
          type="password"
          value={old}
          onValue={setOld}
          required
          autocomplete="current-password"
        />
      )}
      <TextField
        label="New password"
        type="password"
        value={next}
        onValue={setNext}
        required
        minLength={minPassword}
        autocomplete="new-password"
        hint={`At least ${minPassword} characters`}
        error={short ? `${minPassword - next.length} more` : undefined}
      />
      <ErrorBox error={error} />
      <div class="actions">
        <Button type="submit" kind="primary" busy={busy} disabled={next.length < minPassword}>
          Set the password
        </Button>
      </div>
    </form>
  );
}
