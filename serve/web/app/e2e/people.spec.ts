import { inject } from 'vitest';
import { api, axe, expect, person, test } from './harness';

const status = async (path: string, token: string) =>
  (await fetch(`${inject('url')}/api/v1${path}`, { headers: { Authorization: `Bearer ${token}` } })).status;

test('an account is made, invited, granted columns, and disabled', async ({ open }) => {
  const page = await open('/people');
  await page.getByRole('button', { name: 'New account' }).click();
  await page.getByRole('dialog').getByLabel('Name').fill('noor');
  await page.getByRole('dialog').getByLabel('Mail').fill('noor@example.org');
  await page.getByRole('button', { name: 'Make the account' }).click();
  await page.getByRole('heading', { level: 1, name: 'noor' }).waitFor();
  const id = page.url().match(/people\/([^?]+)/)![1]!;

  await page.getByRole('button', { name: 'Make a link' }).click();
  await page.getByText(/\/link#\S+/).waitFor();

  await page.getByLabel('Access to search_clients_daily').selectOption('Some columns');
  const save = page
    .getByRole('region')
    .or(page.locator('section'))
    .filter({ hasText: 'Every table' })
    .getByRole('button', { name: 'Save' });
  expect(await save.isDisabled()).toBe(true);
  await page.getByLabel('Find columns of search_clients_daily').fill('engine');
  await page.getByLabel('engine', { exact: true }).check();
  await page.getByLabel('Rows of search_clients_daily').fill('country');
  await page.getByText('write values after country').waitFor();
  await page.getByLabel('Rows of search_clients_daily').fill('country=DE|AT');
  await save.click();
  await page.getByText('The grants are saved.').waitFor();
  const { grants } = await api<{ grants: object[] }>('GET', `/people/${id}`);
  expect(grants).toContainEqual({
    table: 'search_clients_daily',
    columns: ['engine'],
    rows: [{ column: 'country', values: ['DE', 'AT'] }],
  });

  await page.getByLabel('Operate').click();
  await expect.poll(async () => (await api<{ rights: string[] }>('GET', `/people/${id}`)).rights).toEqual(['operate']);
  await page.getByRole('button', { name: 'Disable' }).click();
  await page.getByText('disabled', { exact: true }).waitFor();
  expect(await axe(page)).toEqual([]);

  await page.getByRole('button', { name: 'Remove' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
  await page.waitForURL('**/people');
  await page.getByRole('tab', { name: 'Audit' }).click();
  await page.getByLabel('What').selectOption('Changes of accounts');
  await page.getByText('new account: noor').waitFor();
  expect(await axe(page)).toEqual([]);
});

test('a token is shown once, works, and ends', async ({ open }) => {
  const kim = await person('kim-token');
  const page = await open('/account', { as: kim });
  await page.getByRole('button', { name: 'New token' }).click();
  await page.getByRole('dialog').getByLabel('Name').fill('notebook');
  await page.getByRole('button', { name: 'Make the token' }).click();
  const secret = (await page.locator('.secret code').textContent())!;
  expect(await status('/tables', secret)).toBe(200);
  await page.getByRole('button', { name: 'Copy the token' }).click();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(secret);
  expect(await axe(page)).toEqual([]);
  await page.getByRole('button', { name: 'Done' }).click();
  expect(await page.content()).not.toContain(secret);
  await page.getByRole('button', { name: 'End notebook' }).click();
  await page.getByRole('button', { name: 'End it' }).click();
  await page.getByText('No tokens').waitFor();
  expect(await status('/tables', secret)).toBe(401);
});

test('a person without the right to administer does not see the people', async ({ open }) => {
  const kim = await person('kim-people', { grants: [{ table: '*' }] });
  const page = await open('/people', { as: kim });
  await page.getByText('People is not for you').waitFor();
  expect(await page.getByRole('link', { name: 'People', exact: true }).count()).toBe(0);
});

test('a password is changed by who knows the old one', async ({ open }) => {
  const kim = await person('kim-password');
  const page = await open('/account', { as: kim });
  await page.getByLabel('Present password').fill('not the password at all');
  await page.getByLabel('New password').fill('another one, and longer');
  await page.getByRole('button', { name: 'Set the password' }).click();
  await page.getByRole('alert').waitFor();
  await page.getByLabel('Present password').fill(kim.password);
  await page.getByRole('button', { name: 'Set the password' }).click();
  await page.getByText('The password is set.').waitFor();
});
