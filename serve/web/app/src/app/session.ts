import { computed, signal } from '@preact/signals';
import { del, get, post, put, setCsrf, whenSignedOut } from '../api/client';
import type { components } from '../api/schema';

export type Right = 'operate' | 'administer';
export type Person = components['schemas']['Person'];
export type Session = components['schemas']['State'];

export const session = signal<Session | undefined>(undefined);
export const person = computed(() => session.value?.person ?? undefined);
export const sessionError = signal<unknown>(undefined);

// docsOf is the address of a page of the documentation and its heading, undefined if there is none.
export const docsOf = (docs: string): string | undefined => {
  const [page, heading] = docs.split('#');
  return session.value?.docs?.replace('{page}', page ?? '').concat(heading ? `#${heading}` : '');
};

export const may = (right: Right): boolean => person.value?.rights?.includes(right) ?? false;

function took(s: Session): Session {
  setCsrf(s.csrf);
  session.value = s;
  return s;
}

export async function loadSession(): Promise<void> {
  sessionError.value = undefined;
  try {
    took(await get('/session'));
  } catch (e) {
    sessionError.value = e;
  }
}

export const signIn = async (name: string, password: string): Promise<Session> =>
  took(await post('/session', { body: { name, password } }));

export const openLink = async (token: string): Promise<Session> => took(await post('/session/link', { body: { token } }));

// setPassword needs the old one, but shortly after a link was opened.
export async function setPassword(password: string, old?: string): Promise<void> {
  took(await put('/session/password', { body: { new: password, old } }));
}

export async function signOut(): Promise<void> {
  await del('/session');
  location.assign('/signin'); // nothing that was loaded for the person stays
}

whenSignedOut(() => {
  if (session.value?.person) {
    session.value = { ...session.value, person: undefined };
  }
});
