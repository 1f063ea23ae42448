// The tests of the pages: a real browser on a real server. import { test, expect, … } from './harness'.
import { mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { test as base, expect, inject } from 'vitest';
import { admin, type Signed, send } from './server';

export { expect } from 'vitest';
export { axe } from './axe';
export { admin, from, send, startEmpty, to } from './server';

export interface OpenOptions {
  as?: { name: string; password: string } | null; // null: nobody; the administrator if it is missing
  on?: string; // address of another server, on which nobody is signed in
  width?: number;
  height?: number;
  dark?: boolean;
}

export type Open = (path: string, o?: OpenOptions) => Promise<Page>;

let browser: Promise<Browser> | undefined;
const sessions = new Map<string, Promise<Signed>>();

// signIn is a session of somebody; one for each account and file of tests, since signing in is slow by design.
export function signIn(who: { name: string; password: string }): Promise<Signed> {
  const key = `${who.name} ${who.password}`;
  const s = sessions.get(key) ?? send(inject('url'), 'POST', '/session', { name: who.name, password: who.password });
  sessions.set(key, s);
  return s;
}

// api asks the API as the administrator.
export async function api<T = unknown>(method: string, path: string, body?: unknown, who = admin): Promise<T> {
  return (await send(inject('url'), method, path, body, await signIn(who))).body as T;
}

// person makes an account, which signs in with a password.
export async function person(
  name: string,
  o: { grants?: { table: string; columns?: string[] }[]; rights?: string[] } = {},
): Promise<{ id: string; name: string; password: string }> {
  const made = await api<{ id: string }>('POST', '/people', {
    name,
    kind: 'person',
    grants: o.grants ?? [],
    rights: o.rights ?? [],
  });
  const { url } = await api<{ url: string }>('POST', `/people/${made.id}/link`);
  const password = `the password of ${name}`;
  const s = await send(inject('url'), 'POST', '/session/link', { token: url.split('#')[1] });
  await send(inject('url'), 'PUT', '/session/password', { new: password }, s);
  return { id: made.id, name, password };
}

// problems collects what must not happen in a page: errors of scripts, refusals by the content security policy, requests to elsewhere.
function watch(page: Page, problems: string[], here: string): void {
  page.on('console', m => {
    const failedRequest = m.text().startsWith('Failed to load resource') && m.location().url.includes('/api/v1/');
    if (m.type() === 'error' && !failedRequest) {
      problems.push(`${page.url()}: ${m.text()}`);
    }
  });
  page.on('pageerror', e => problems.push(`${page.url()}: ${e.stack ?? e.message}`));
  page.on('request', r => {
    if (!r.url().startsWith(here) && !r.url().startsWith('blob:')) {
      problems.push(`${page.url()} asks ${r.url()}`);
    }
  });
  page.on('response', r => {
    if (r.status() >= 500) {
      problems.push(`${r.request().method()} ${r.url()}: ${r.status()}`);
    }
  });
}

// shots is the folder for pictures.
export const shots = process.env.E2E_SHOTS ?? join(tmpdir(), 'pingmill-shots');

// test gives each test a function that opens pages. Whatever went wrong in them fails the test.
export const test = base.extend<{ open: Open; problems: string[] }>({
  // biome-ignore lint/correctness/noEmptyPattern: vitest reads the names of the fixtures
  problems: async ({}, use) => use([]),
  open: async ({ task, problems }, use) => {
    const contexts: BrowserContext[] = [];
    const opened: Page[] = [];
    await use(async (path, o = {}) => {
      const url = o.on ?? inject('url');
      browser ??= chromium.connect(inject('browser'));
      const context = await (await browser).newContext({
        baseURL: url,
        viewport: { width: o.width ?? 1440, height: o.height ?? 900 },
        colorScheme: o.dark ? 'dark' : 'light',
        reducedMotion: 'reduce',
        locale: 'en-GB',
        acceptDownloads: true,
      });
      contexts.push(context);
      context.setDefaultTimeout(20_000); // machines that run other tests meanwhile are slow
      await context.grantPermissions(['clipboard-read', 'clipboard-write']);
      if (o.as !== null && !o.on) {
        const [name, value] = (await signIn(o.as ?? admin)).cookie.split(/=(.*)/s);
        await context.addCookies([{ name: name!, value: value!, url: inject('url'), httpOnly: true, sameSite: 'Lax' }]);
      }
      const page = await context.newPage();
      opened.push(page);
      watch(page, problems, url);
      await page.goto(path, { waitUntil: 'load' });
      return page;
    });
    if (task.result?.state === 'fail') {
      mkdirSync(shots, { recursive: true });
      for (const [i, page] of opened.entries()) {
        await page
          .screenshot({ path: join(shots, `failed-${task.name.replace(/\W+/g, '-').slice(0, 60)}-${i}.png`) })
          .catch(() => {});
      }
    }
    await Promise.all(contexts.map(c => c.close()));
    expect(problems).toEqual([]);
  },
});
