// What menus, dialogs and inputs of parameters do with the keyboard and with invalid values.
import type { Locator, Page } from 'playwright-core';
import { api, expect, type Open, test } from './harness';

const focused = (l: Locator) => l.evaluate(e => e === document.activeElement);
const editor = (page: Page) => page.getByRole('textbox', { name: 'SQL' });

async function press(page: Page, ...keys: string[]): Promise<void> {
  for (const key of keys) {
    await page.keyboard.press(key);
  }
}

// openText opens the query page with SQL in its editor. values are parameters in the address.
async function openText(open: Open, sql: string, values: Record<string, string> = {}): Promise<Page> {
  const address = new URLSearchParams({ sql, ...Object.fromEntries(Object.entries(values).map(([k, v]) => [`p.${k}`, v])) });
  const page = await open(`/query?${address}`);
  await editor(page).waitFor();
  return page;
}

test('arrows, Home and End move in a menu; Escape and Tab close it, and its button has the focus again', async ({ open }) => {
  const { id } = await api<{ id: string }>('POST', '/queries', { sql: 'SELECT 1 AS a', wait: 30 });
  const page = await open(`/query/${id}`);
  await editor(page).waitFor();
  const button = page.getByRole('button', { name: 'Download' });
  const menu = page.getByRole('menu');
  const item = (name: RegExp) => menu.getByRole('menuitem', { name });
  await button.focus();
  expect(await button.getAttribute('aria-expanded')).toBe('false');
  await press(page, 'Enter');
  await menu.waitFor();
  expect(await button.getAttribute('aria-expanded')).toBe('true');
  expect(await focused(item(/^CSV/))).toBe(true);
  await press(page, 'ArrowDown');
  expect(await focused(item(/^Spreadsheet/))).toBe(true);
  await press(page, 'ArrowUp', 'ArrowUp');
  expect(await focused(item(/^Arrow/))).toBe(true);
  await press(page, 'ArrowDown');
  expect(await focused(item(/^CSV/))).toBe(true);
  await press(page, 'End');
  expect(await focused(item(/^Arrow/))).toBe(true);
  await press(page, 'Home');
  expect(await focused(item(/^CSV/))).toBe(true);
  for (const key of ['Escape', 'Tab']) {
    await press(page, key);
    await menu.waitFor({ state: 'detached' });
    expect(await focused(button)).toBe(true);
    expect(await button.getAttribute('aria-expanded')).toBe('false');
    await press(page, 'Enter');
    await menu.waitFor();
  }
  const [file] = await Promise.all([page.waitForEvent('download'), press(page, 'ArrowDown', 'ArrowDown', 'Enter')]);
  expect(file.suggestedFilename()).toMatch(/\.ndjson$/);
  await menu.waitFor({ state: 'detached' });
});

test('a dialog has the focus until it is closed by Escape, its button or a click beside it', async ({ open }) => {
  const page = await openText(open, 'SELECT 1 AS a');
  const button = page.getByRole('button', { name: 'History' });
  const dialog = page.getByRole('dialog', { name: 'Your queries' });
  const closers = [
    () => press(page, 'Escape'),
    () => dialog.getByRole('button', { name: 'Close' }).press('Enter'),
    () => page.mouse.click(5, 5),
  ];
  for (const close of closers) {
    await button.press('Enter');
    await dialog.waitFor();
    expect(await dialog.evaluate(e => e.contains(document.activeElement))).toBe(true);
    await press(page, 'Shift+Alt+F', '?'); // shortcuts of the page are off
    expect(await page.getByRole('dialog').count()).toBe(1);
    await close();
    await dialog.waitFor({ state: 'detached' });
    expect(await focused(button)).toBe(true);
  }
});

test('a question is cancelled by Escape, which changes nothing, and confirmed by its button', async ({ open }) => {
  const page = await openText(open, 'SELECT 1 AS kept');
  const button = page.getByRole('button', { name: 'New query' });
  const dialog = page.getByRole('dialog', { name: 'Begin a new query?' });
  await button.press('Enter');
  await dialog.waitFor();
  await press(page, 'Escape');
  await dialog.waitFor({ state: 'detached' });
  expect(await focused(button)).toBe(true);
  expect(await editor(page).textContent()).toBe('SELECT 1 AS kept');
  await button.press('Enter');
  await dialog.getByRole('button', { name: 'Begin' }).press('Enter');
  await dialog.waitFor({ state: 'detached' });
  await expect.poll(() => editor(page).textContent()).not.toContain('kept');
});

test('an invalid number is marked, keeps the query from running, and gets the focus', async ({ open }) => {
  const page = await openText(open, 'SELECT {{limit}} AS a', { limit: 'ten' });
  const input = page.getByLabel('limit');
  const fault = async () => {
    const id = await input.getAttribute('aria-describedby');
    return id && page.locator(`[id="${id}"]`).textContent();
  };
  expect(await input.getAttribute('aria-invalid')).toBe('true');
  expect(await fault()).toBe('no number');
  await editor(page).click();
  await press(page, 'Control+Enter');
  await page.getByText('Give {{limit}} a value to run this.').waitFor();
  expect(await focused(input)).toBe(true);
  expect(await page.getByRole('grid').count()).toBe(0);
  for (const bad of ['', '1e', '1,5', '--1']) {
    await input.fill(bad);
    await press(page, 'Enter');
    await page.getByText('Give {{limit}} a value to run this.').waitFor();
    expect(await fault()).toBe(bad === '' ? null : 'no number'); // an empty input is not marked while nothing was typed
  }
  await input.fill('10');
  expect(await input.getAttribute('aria-invalid')).toBeNull();
  await press(page, 'Enter');
  await page.getByRole('gridcell', { name: '10' }).waitFor();
});

test('days that do not exist and unknown choices are marked', async ({ open }) => {
  const { id } = await api<{ id: string }>('POST', '/saved', {
    title: 'Values of every kind',
    sql: 'SELECT {{channel}} AS c, {{day}} AS d, {{span.from}} AS f, {{span.to}} AS t',
    parameters: [
      { name: 'channel', kind: 'choice', choices: ['beta', 'release'], default: 'beta' },
      { name: 'day', kind: 'day' },
      { name: 'span', kind: 'days' },
    ],
  });
  const page = await open(`/query?saved=${id}&p.channel=none&p.day=20180231&p.span=20180301..20180399`);
  const group = page.getByRole('group', { name: 'Parameters' });
  await group.getByText('none of the choices').waitFor();
  await group.getByText('no day, such as 20180301').waitFor();
  await group.getByText('no range of days').waitFor();
  await editor(page).click();
  await press(page, 'Control+Enter');
  await page.getByText('Give {{channel}}, {{day}}, {{span}} a value to run this.').waitFor();
  await group.getByLabel('channel').selectOption('release');
  await group.getByLabel('day', { exact: true }).selectOption('yesterday');
  await group.getByLabel('span, last day').fill('2018-03-03');
  await editor(page).click();
  await press(page, 'Control+Enter');
  await page.getByRole('gridcell', { name: 'release' }).waitFor();
  expect(await group.locator('[aria-invalid]').count()).toBe(0);
  const moving = await open(`/query?saved=${id}&p.day=newest-3`); // none of the suggestions
  const days = moving.getByRole('group', { name: 'Parameters' }).getByLabel('day', { exact: true });
  await expect.poll(() => days.inputValue()).toBe('newest-3');
});
