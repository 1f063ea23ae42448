import type { Page } from 'playwright-core';
import { api, axe, expect, person, test } from './harness';

const sql =
  'SELECT normalized_channel AS channel, count(*) AS clients FROM clients_daily WHERE submission_date_obj = {{day}} GROUP BY 1 ORDER BY 2 DESC';

const make = (title: string, more: object = {}) =>
  api<{ id: string; revision: number }>('POST', '/saved', {
    title,
    sql,
    chart: { kind: 'bar', x: 'channel', y: ['clients'] },
    ...more,
  });

async function text(page: Page, sql: string): Promise<void> {
  await page.getByRole('textbox', { name: 'SQL' }).click();
  await page.keyboard.press('Control+a');
  await page.keyboard.press('Delete');
  await page.keyboard.insertText(sql);
  await page.keyboard.press('Escape');
}

test('a query is saved with its chart and parameters, found, and run', async ({ open }) => {
  const page = await open('/query');
  await text(page, sql);
  await page.getByLabel('day', { exact: true }).waitFor();
  await page.getByRole('textbox', { name: 'SQL' }).click();
  await page.keyboard.press('Control+Enter');
  await page.getByRole('button', { name: 'Chart', exact: true }).click();
  await page.getByRole('img', { name: /^Bar chart of clients by channel/ }).waitFor();
  await page.keyboard.press('Control+s');
  const dialog = page.getByRole('dialog', { name: 'Save the query' });
  await dialog.getByLabel('Title').fill('Clients of a day');
  await dialog.getByLabel('Tags').fill('daily, clients');
  await dialog.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('Saved', { exact: true }).last().waitFor();
  await page.waitForURL(/saved=/);

  await page.goto('/saved');
  await page.getByRole('searchbox').fill('clients of');
  await page.getByRole('link', { name: 'Clients of a day', exact: true }).click();
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  await page.getByRole('img', { name: /^Bar chart of clients by channel/ }).waitFor();
  await page.getByRole('table', { name: 'Last runs' }).getByRole('link', { name: 'open' }).first().waitFor();
  expect(await axe(page)).toEqual([]);
});

test('a change that somebody else made meanwhile is not lost unseen', async ({ open }) => {
  const s = await make('Edited by two');
  const page = await open(`/query?saved=${s.id}`);
  await text(page, `${sql} LIMIT 3`);
  await page.getByText('changed', { exact: true }).waitFor();
  await api('PUT', `/saved/${s.id}`, { title: 'Edited by two', sql: `${sql} LIMIT 2`, revision: s.revision });
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('It was changed meanwhile').waitFor();
  await page.getByRole('button', { name: 'Overwrite' }).click();
  await expect.poll(async () => (await api<{ sql: string }>('GET', `/saved/${s.id}`)).sql).toContain('LIMIT 3');
});

test('others fork what they may see, and see nothing of what they may not', async ({ open }) => {
  const s = await make('To be forked');
  const dov = await person('dov', { grants: [{ table: 'clients_daily' }] });
  const page = await open(`/saved/${s.id}`, { as: dov });
  expect(await page.getByRole('button', { name: 'Delete' }).count()).toBe(0);
  await page.getByRole('button', { name: 'Fork' }).click();
  await page.waitForURL(url => url.pathname.startsWith('/saved/') && !url.pathname.endsWith(s.id));
  await page.getByRole('button', { name: 'Delete' }).waitFor();

  const eva = await person('eva', { grants: [{ table: 'addons' }] });
  const other = await open(`/saved/${s.id}`, { as: eva });
  await other.getByRole('heading', { name: 'There is no such query' }).waitFor();
  await other.goto('/saved?text=forked');
  await other.getByRole('heading', { name: 'Nothing fits' }).waitFor();
});

test('a query is scheduled, and its schedule ended', async ({ open }) => {
  const s = await make('Every Monday');
  const page = await open(`/saved/${s.id}`);
  await page.getByRole('button', { name: 'Schedule' }).click();
  const dialog = page.getByRole('dialog', { name: 'Schedule' });
  await dialog.getByLabel('Runs').selectOption({ label: 'every week' });
  await dialog.getByLabel('At', { exact: true }).fill('06:30');
  await dialog.getByLabel('Time zone').fill('Europe/Berlin');
  await dialog.getByLabel('Tell').selectOption({ label: 'if the number of rows is' });
  await dialog.getByLabel('Is').selectOption('<');
  await dialog.getByLabel('Than').fill('2');
  await dialog.getByRole('button', { name: 'Add' }).click();
  await dialog.getByLabel('To').fill('https://hook.example.org/x');
  await dialog.getByLabel('Format').selectOption({ label: 'Slack' });
  expect(await dialog.getByLabel('Attach the rows').count()).toBe(0);
  await dialog.getByRole('button', { name: 'Add' }).click();
  await dialog.getByLabel('Kind').nth(1).selectOption('mail');
  await dialog.getByLabel('To').nth(1).fill('ana@example.org');
  await dialog.getByLabel('Attach the rows').check();
  expect(await axe(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Schedule' }).click();
  await page.getByText('Runs every Monday at 06:30 Europe/Berlin.').waitFor();
  expect(await api('GET', `/saved/${s.id}/schedule`)).toMatchObject({
    every: '30 6 * * 1',
    condition: { kind: 'rows', is: '<', than: 2 },
    rows: true,
    notify: [
      { kind: 'webhook', to: 'https://hook.example.org/x', format: 'slack' },
      { kind: 'mail', to: 'ana@example.org' },
    ],
  });
  await page.getByRole('button', { name: 'Schedule' }).click();
  await page.getByRole('button', { name: 'End the schedule' }).click();
  await page.getByText('Runs every Monday').waitFor({ state: 'detached' });
});

test('an example runs by a press', async ({ open }) => {
  const page = await open('/query');
  await page.getByRole('button', { name: /^Daily active clients by channel/ }).click();
  await page.getByRole('img', { name: /chart/i }).waitFor();
});
