import type { Page } from 'playwright-core';
import { api, expect, person, test } from './harness';

const editor = (page: Page) => page.getByRole('textbox', { name: 'SQL' });

// write replaces what the editor has.
async function write(page: Page, sql: string): Promise<void> {
  await editor(page).click();
  await page.keyboard.press('Control+a');
  await page.keyboard.press('Delete');
  await page.keyboard.insertText(sql);
  await page.keyboard.press('Escape'); // what is offered
}

const textOf = (page: Page) => page.locator('.cm-content').evaluate(e => e.textContent);

const byChannel = `SELECT submission_date_obj AS day, normalized_channel AS channel, count(*) AS clients
FROM clients_daily GROUP BY 1, 2 ORDER BY 1, 2`;

test('the list of tables scrolls, not the page', async ({ open }) => {
  const page = await open('/query');
  await page.setViewportSize({ width: 1280, height: 600 });
  await page.getByRole('button', { name: 'Columns of clients_daily' }).click();
  const list = page.getByRole('list', { name: 'Tables' });
  await list.getByText('client_id', { exact: true }).waitFor();
  expect(await list.evaluate(e => e.scrollHeight)).toBeGreaterThan(600);
  expect(await page.evaluate(() => document.documentElement.scrollHeight)).toBe(600);
});

test('write with completion, run, look at the rows', async ({ open }) => {
  const page = await open('/query');
  await editor(page).click();
  await page.keyboard.insertText('SELECT c. FROM clients_daily c LIMIT 3');
  for (let i = 0; i < ' FROM clients_daily c LIMIT 3'.length; i++) {
    await page.keyboard.press('ArrowLeft');
  }
  await page.keyboard.type('normalized_ch');
  const offer = page.getByRole('option', { name: /normalized_channel/ });
  await offer.waitFor();
  expect(await page.locator('.cm-completionInfo').textContent()).toMatch(/varchar/i);
  await page.waitForTimeout(100); // completion takes no Enter in its first moments, so that typing is not changed
  await page.keyboard.press('Enter');
  expect(await textOf(page)).toContain('SELECT c.normalized_channel FROM clients_daily c LIMIT 3');
  await page.getByText(/Will read 3 files of 3 partitions/).waitFor();
  await page.keyboard.press('Control+Enter');
  const grid = page.getByRole('grid', { name: 'Rows of the result' });
  await grid.waitFor();
  expect(await grid.getAttribute('aria-rowcount')).toBe('4');
  await page.getByText('3 rows', { exact: true }).waitFor();
  await page.keyboard.press('Shift+Alt+F');
  await expect
    .poll(() => page.locator('.cm-line').allTextContents())
    .toEqual(['SELECT c.normalized_channel', 'FROM clients_daily c', 'LIMIT 3']);
});

test('tables beside the editor: found, unfolded, written', async ({ open }) => {
  const page = await open('/query');
  await editor(page).waitFor();
  await page.getByRole('searchbox', { name: 'Find tables and columns' }).fill('gfx_comp');
  await page
    .getByRole('list', { name: 'Columns of crash_summary' })
    .getByRole('button', { name: /^gfx_compositor/ })
    .click();
  expect(await textOf(page)).toContain('gfx_compositor');
  const names = await page.getByRole('list', { name: 'Tables' }).textContent();
  expect(names).toContain('crash_summary');
  expect(names).not.toContain('clients_daily');
});

test('an error is underlined at its place, and the name that was meant is a press away', async ({ open }) => {
  const page = await open('/query');
  await write(page, "SELECT 1;\n\nSELECT count(*)\nFROM clients_daily\nWHERE normalized_chanel = 'beta'");
  await page.keyboard.press('Control+Enter');
  await page
    .getByRole('alert')
    .getByText(/normalized_chanel/)
    .waitFor();
  expect(await page.locator('.cm-lintRange-error').textContent()).toBe('normalized_chanel');
  expect(await page.getByRole('alert').getByRole('button', { name: /^line/ }).textContent()).toBe('line 5');
  await page.getByRole('alert').getByRole('button', { name: 'Write normalized_channel' }).click();
  await page.keyboard.press('Control+Enter');
  await page.getByRole('grid').waitFor();
  expect(await page.locator('.cm-lintRange-error').count()).toBe(0);
});

test('a cast that fails while the query runs is underlined if it alone can be the cause', async ({ open }) => {
  const page = await open('/query');
  await write(page, "SELECT count(*),\n  max(CAST('x' || os AS bigint))\nFROM clients_daily");
  await page.keyboard.press('Control+Enter');
  await page
    .getByRole('alert')
    .getByText(/Cannot cast/)
    .waitFor();
  expect(await page.getByRole('alert').getByRole('button', { name: /^line/ }).textContent()).toBe('line 2');
  expect(await page.locator('.cm-lintRange-error').textContent()).toMatch(/^CAST/);
});

test('a quotient that a decimal literal rounds is noted, and the double is a press away', async ({ open }) => {
  const page = await open('/query');
  await write(page, 'SELECT 100.0 * sum(subsession_hours_sum) / count(*) AS share, 100.0 * 2 / 3 AS x FROM clients_daily');
  await page.getByText('With 100.0 the quotient is rounded to 1 digit').waitFor();
  await page.getByRole('button', { name: 'Write 100.0e0' }).click();
  await page.getByText('With 100.0 the quotient').waitFor({ state: 'detached' });
  await page.keyboard.press('Control+Enter');
  await page.getByRole('gridcell', { name: '66.66666666666667' }).waitFor();
});

test('what would read too much is refused, and the condition that it wants is a press away', async ({ open }) => {
  const ann = await person('ann', { grants: [{ table: '*' }] });
  await api('PUT', `/people/${ann.id}/limits`, { days: 1 });
  const page = await open('/query', { as: ann });
  await write(page, 'SELECT count(*) AS n FROM main_summary');
  await page.getByText(/the query would read 3 days of main_summary/).waitFor();
  await page.keyboard.press('Control+Enter');
  await page.getByText('The query was not run').waitFor();
  await page.getByRole('button', { name: 'Only the newest 1 day' }).first().click();
  expect(await textOf(page)).toMatch(/FROM main_summary\s*WHERE .*20180303/);
  await page.getByText(/Will read 1 file of 1 partition/).waitFor();
  await page.keyboard.press('Control+Enter');
  await page.getByRole('gridcell').first().waitFor();
});

test('a query that takes long shows that it runs, and is cancelled', async ({ open }) => {
  const page = await open('/query');
  await write(
    page,
    'SELECT sum(a.x * b.x * c.x) FROM UNNEST(sequence(1, 10000)) a(x), UNNEST(sequence(1, 10000)) b(x), UNNEST(sequence(1, 10000)) c(x)',
  );
  await page.keyboard.press('Control+Enter');
  await page.getByText('Running', { exact: true }).waitFor();
  await page.keyboard.press('Escape');
  await page.getByText(/The query was cancelled/).waitFor();
});

test('parameters are asked for, are in the address, and outlast a reload', async ({ open }) => {
  const page = await open('/query');
  await write(page, 'SELECT count(*) AS n FROM clients_daily WHERE submission_date_obj = {{day}} LIMIT {{limit}}');
  await page.getByText('Give {{limit}} a value to run this.').waitFor();
  await page.getByLabel('limit').fill('5');
  await page.getByLabel('day', { exact: true }).selectOption({ label: 'on' });
  await page.locator('input[type=date]').fill('2018-03-02');
  await page.waitForURL(/p\.day=20180302&p\.limit=5|p\.limit=5&p\.day=20180302/);
  await page.getByText(/Will read 1 file of 1 partition/).waitFor();
  await page.reload();
  expect(await page.locator('input[type=date]').inputValue()).toBe('2018-03-02');
  expect(await page.getByLabel('limit').inputValue()).toBe('5');
  await editor(page).click();
  await page.keyboard.press('Control+Enter');
  await page.getByRole('gridcell').first().waitFor();
});

test('a permalink is read by others with grants of its tables, and by nobody else', async ({ open }) => {
  const asked = await api<{ id: string }>('POST', '/queries', { sql: byChannel, wait: 30 });
  const bea = await person('bea', { grants: [{ table: '*' }] });
  const page = await open(`/query/${asked.id}`, { as: bea });
  await page.getByText('admin asked this.').waitFor();
  await page.getByRole('grid').waitFor();
  await page.getByRole('button', { name: 'Edit a copy' }).click();
  await page.keyboard.press('Control+Enter');
  await page.getByText('admin asked this.').waitFor({ state: 'detached' });
  await page.getByRole('grid').waitFor();

  const cem = await person('cem', { grants: [{ table: 'addons' }] });
  const other = await open(`/query/${asked.id}`, { as: cem });
  await other.getByRole('heading', { name: 'There is no such query' }).waitFor();
  await other.goto('/query');
  await editor(other).waitFor();
  expect(await other.getByRole('list', { name: 'Tables' }).textContent()).toBe('addons');
});

test('the history finds what was asked, and opens it again', async ({ open }) => {
  await api('POST', '/queries', { sql: "SELECT 'found again' AS words", wait: 30 });
  const page = await open('/query');
  await page.getByRole('button', { name: 'History' }).click();
  await page.getByRole('searchbox', { name: 'Find in the text' }).fill('found again');
  await page
    .getByRole('button', { name: /found again/ })
    .first()
    .click();
  await page.getByRole('gridcell', { name: 'found again' }).waitFor();
  expect(await textOf(page)).toContain("SELECT 'found again' AS words");
});

test('unsaved text outlasts a reload, and Escape then Tab leaves the editor', async ({ open }) => {
  const page = await open('/query');
  await write(page, 'SELECT 1 AS kept');
  await page.reload();
  await editor(page).click();
  expect(await textOf(page)).toContain('SELECT 1 AS kept');
  await page.keyboard.press('Escape');
  await page.keyboard.press('Tab');
  expect(await page.evaluate(() => document.activeElement?.closest('.cm-editor'))).toBeNull();
});
