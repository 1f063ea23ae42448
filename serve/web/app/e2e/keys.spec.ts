import { expect, test } from './harness';

test('the keyboard goes to pages and lists its keys', async ({ open }) => {
  const page = await open('/account');
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.keyboard.press('g');
  await page.keyboard.press('c');
  await page.waitForURL('**/catalog');
  await page.keyboard.press('?');
  const keys = page.getByRole('dialog', { name: 'Keys' });
  await keys.getByRole('term').filter({ hasText: 'Catalog' }).waitFor();
  await page.keyboard.press('Escape');
  await keys.waitFor({ state: 'detached' });
});

test('on a narrow screen the navigation is behind a button', async ({ open }) => {
  const page = await open('/account', { width: 360 });
  await page.getByRole('button', { name: 'Navigation' }).click();
  const drawer = page.getByRole('dialog');
  await drawer.getByRole('link', { name: 'Catalog' }).click();
  await page.waitForURL('**/catalog');
  await drawer.waitFor({ state: 'detached' });
});

test('the colours follow the system until somebody chooses', async ({ open }) => {
  const page = await open('/account', { dark: true });
  const theme = () => page.evaluate(() => document.documentElement.dataset.theme);
  await page.getByRole('heading', { level: 1 }).waitFor();
  expect(await theme()).toBe('dark');
  await page.emulateMedia({ colorScheme: 'light' });
  await expect.poll(theme).toBe('light');
  await page.getByRole('button', { name: 'Dark colours' }).click();
  await page.reload();
  await page.getByRole('heading', { level: 1 }).waitFor();
  expect(await theme()).toBe('dark');
});
