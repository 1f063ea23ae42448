import { inject } from 'vitest';
import { admin, api, expect, test } from './harness';

test('who has not signed in is sent to do so, and then to where they wanted', async ({ open }) => {
  const page = await open('/catalog?x=1', { as: null });
  await page.getByLabel('Name').fill(admin.name);
  await page.getByLabel('Password').fill('something else entirely');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('alert').waitFor();
  await page.getByLabel('Password').fill(admin.password);
  await page.keyboard.press('Enter');
  await page.waitForURL('**/catalog?x=1');
  await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Query' }).waitFor();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.waitForURL('**/signin');
  await page.goto('/catalog');
  await page.waitForURL('**/signin?next=%2Fcatalog');
});

test('a link signs in once, and asks for a password', async ({ open }) => {
  const { id } = await api<{ id: string }>('POST', '/people', { name: 'lin', kind: 'person' });
  const { url } = await api<{ url: string }>('POST', `/people/${id}/link`);
  const path = url.replace(inject('url'), '');
  expect(path).toMatch(/^\/link#/);
  const page = await open(path, { as: null });
  await page.getByRole('heading', { name: 'Welcome, lin' }).waitFor();
  expect(page.url()).not.toContain('#');
  const set = page.getByRole('button', { name: 'Set the password' });
  await page.getByLabel('New password').fill('short');
  expect(await set.isDisabled()).toBe(true);
  await page.getByLabel('New password').fill('long enough for all');
  await set.click();
  await page.waitForURL('**/query');

  const again = await open(path, { as: null });
  await again.getByRole('heading', { name: 'The link did not work' }).waitFor();
  await again.getByRole('alert').waitFor();
});

test('a link cut short says so', async ({ open }) => {
  const page = await open('/link', { as: null });
  await page.getByRole('heading', { name: 'The link is cut short' }).waitFor();
});
