import { api, axe, expect, from, person, test, to } from './harness';

interface Overview {
  items: { table: string; days: { day: string; rows: number }[]; newest?: string }[];
}

interface Series {
  days: { rows: number }[];
}

// profiled waits for the profiles of all days, which the service makes after it has started.
async function profiled() {
  await expect
    .poll(async () => (await api<Overview>('GET', '/quality')).items.every(t => t.days.length === 3), { timeout: 30_000 })
    .toBe(true);
}

test('the tables with their rows by day, and one of them with its columns', async ({ open }) => {
  await profiled();
  const page = await open('/quality');
  const table = page.getByRole('listitem').filter({ has: page.getByRole('link', { name: 'clients_daily', exact: true }) });
  await table.getByText('checks passed').waitFor();
  expect(await axe(page)).toEqual([]);
  await page.getByRole('link', { name: 'main_summary', exact: true }).first().click();
  await page.getByRole('heading', { level: 1, name: 'main_summary' }).waitFor();
  await page.getByRole('heading', { name: /^Columns \(4\d\d\)$/ }).waitFor();
  await expect.poll(() => page.locator('figure canvas').count()).toBe(3);
  expect(await axe(page)).toEqual([]);
  await page.getByLabel('Find a column').fill('normalized_channel');
  await page.getByRole('button', { name: 'normalized_channel' }).click();
  await page.getByRole('rowheader', { name: 'release' }).waitFor();
  expect(page.url()).toContain('column=normalized_channel');
  expect(await axe(page)).toEqual([]);
});

test('days are gone through by keys, and a number leads to the query behind it', async ({ open }) => {
  await profiled();
  const page = await open('/quality/clients_daily');
  const day = page.getByLabel('Day', { exact: true });
  await day.waitFor();
  expect(await day.inputValue()).toBe(to);
  await page.keyboard.press('[');
  await page.keyboard.press('[');
  await expect.poll(() => day.inputValue()).toBe(from);
  await page.getByText('There is no day yet to compare this one with.').waitFor();
  await page.getByRole('link', { name: 'Query: rows by day' }).click();
  await page.waitForURL('**/query**');
  await page.getByText(String((await api<Series>('GET', '/quality/clients_daily')).days[0]!.rows), { exact: true }).waitFor();
});

test('who was not granted a table finds nothing of it, and who was granted columns sees these', async ({ open }) => {
  await profiled();
  const lee = await person('lee-quality', { grants: [{ table: 'crash_summary', columns: ['country'] }] });
  const page = await open('/quality', { as: lee, width: 360, dark: true });
  await page.getByRole('link', { name: 'crash_summary', exact: true }).waitFor();
  expect(await page.getByText('clients', { exact: true }).count()).toBe(0);
  expect(await page.content()).not.toContain('main_summary');
  expect(await axe(page)).toEqual([]);
  await page.getByRole('link', { name: 'crash_summary', exact: true }).click();
  await page.getByRole('heading', { name: 'Columns (1)' }).waitFor();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360);
  const other = await open('/quality/search_clients_daily', { as: lee });
  const nothing = await open('/quality/nothing', { as: lee });
  const text = 'there is no such table';
  await other.getByText(text).waitFor();
  await nothing.getByText(text).waitFor();
});
