import type { components } from '../../api/schema';
import { Badge } from '../../ui';

export type Account = components['schemas']['Account'];

// Editing is the props of a form that changes an account.
export interface Editing {
  account: Account;
  onChange: (a: Account) => void;
}

export const state = (a: Account): string =>
  a.disabled ? 'disabled' : a.kind === 'service' ? 'service' : a.seen ? 'active' : 'invited';

export const State = ({ account }: { account: Account }) => {
  const s = state(account);
  return <Badge tone={s === 'disabled' ? 'bad' : s === 'active' ? 'good' : undefined}>{s}</Badge>;
};
