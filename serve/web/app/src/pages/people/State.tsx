import type { components } from '../../api/schema';
import { Badge } from '../../ui';

export type Account = components['schemas']['Account'];

export const state = (a: Account): string =>
  a.disabled ? 'disabled' : a.kind === 'service' ? 'service' : a.seen ? 'active' : 'invited';

export const State = ({ account }: { account: Account }) => {
  const s = state(account);
  return <Badge tone={s === 'disabled' ? 'bad' : s === 'active' ? 'good' : undefined}>{s}</Badge>;
};
