import { computed, signal } from '@preact/signals';
import { prefix, send, setCsrf, whenSignedOut } from '../api/client';

export type Right = 'operate' | 'administer';

export interface Person {
  id: string;
  name: string;
  email?: string;
  kind: 'person' | 'service';
  rights: Right[] | null;
  grants: { table: string; columns?: string[] | null }[] | null;
}

// Session says who has signed in, and how one can.
export interface Session {
  person: Person | null;
  csrf: string;
  signIn: { local: boolean; oidc: { name: string; url: string } | null };
  setup: boolean; // nobody has signed in yet
  version: string;
}

export const session = signal<Session | undefined>(undefined);
export const person = computed(() => session.value?.person ?? undefined);
export const sessionError = signal<unknown>(undefined);

export const may = (right: Right): boolean => person.value?.rights?.includes(right) ?? false;

function took(s: Session): Session {
  setCsrf(s.csrf);
  session.value = s;
  return s;
}

export async function loadSession(): Promise<void> {
  sessionError.value = undefined;
  try {
    took((await (await send('GET', `${prefix}/session`)).json()) as Session);
  } catch (e) {
    sessionError.value = e;
  }
}

export const signIn = async (name: string, password: string): Promise<Session> =>
  took((await (await send('POST', `${prefix}/session`, { name, password })).json()) as Session);

export const openLink = async (token: string): Promise<Session> =>
  took((await (await send('POST', `${prefix}/session/link`, { token })).json()) as Session);

export async function signOut(): Promise<void> {
  await send('DELETE', `${prefix}/session`);
  location.assign('/signin'); // nothing that was loaded for the person stays
}

whenSignedOut(() => {
  if (session.value?.person) {
    session.value = { ...session.value, person: null };
  }
});
