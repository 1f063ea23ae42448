import { api, axe, expect, from, person, test, to } from './harness';

const column = 'scalar_parent_browser_engagement_total_uri_count';
const address = `/metrics/main_summary/${column}`;

interface Ran {
  items: unknown[];
}

const history = async () => (await api<Ran>('GET', '/queries?limit=200&text=found')).items.length;

// numbers asks for the pings and the sum of a day in another way.
async function numbers(): Promise<unknown[]> {
  const sql = `SELECT count(${column}), sum(${column}) FROM main_summary WHERE submission_date_obj = '${to}' AND normalized_channel = 'release'`;
  const { id } = await api<{ id: string }>('POST', '/queries', { sql, wait: 30 });
  return (await api<{ rows: unknown[][] }>('GET', `/queries/${id}/rows`)).rows[0]!;
}

test('a metric is found by its words, and shown over days with its SQL', async ({ open }) => {
  const page = await open('/metrics');
  await page.getByText('Show 50 more').waitFor();
  await page.keyboard.press('/');
  await page.keyboard.type('total_uri_count parent');
  await page.getByText('1 metric').waitFor();
  await page.getByRole('link', { name: 'browser.engagement.total_uri_count' }).click();
  await page.waitForURL(`**${address}`);
  await page.getByLabel('By', { exact: true }).selectOption('Channel');
  await page.getByRole('button', { name: 'Show', exact: true }).click();
  await page.locator('canvas').waitFor();
  const [pings, sum] = await numbers();
  const row = page.getByRole('row').filter({ hasText: '2018-03-03' }).filter({ hasText: 'release' });
  expect((await row.getByRole('cell').nth(1).textContent())?.replaceAll(',', '')).toBe(String(pings));
  await page.getByLabel('Draw').selectOption('Sum');
  await page.getByText('The numbers of the chart').click();
  const drawn = page.getByRole('region', { name: 'Numbers of the chart' });
  const head = await drawn.getByRole('columnheader').allTextContents();
  const cells = await drawn.getByRole('row').last().getByRole('cell').allTextContents();
  expect(cells[head.indexOf('release') - 1]?.replaceAll(',', '')).toBe(String(sum));
  expect(await axe(page)).toEqual([]);
  await page.getByRole('link', { name: 'Open in the editor' }).click();
  await page.waitForURL('**/query');
  await page.getByText('FROM main_summary').first().waitFor();
});

test('an address runs nothing, and days without values are said to be empty', async ({ open }) => {
  const before = await history();
  const page = await open(`${address}?from=20170101&to=20170102&by=os&per=client`, { width: 390, dark: true });
  await page.getByRole('button', { name: 'Show', exact: true }).waitFor();
  expect(await page.getByLabel('By', { exact: true }).inputValue()).toBe('os');
  expect(await history()).toBe(before);
  await page.getByRole('button', { name: 'Show', exact: true }).click();
  await page.getByText('No values in these days').waitFor();
  expect(await history()).toBe(before + 1);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  expect(await axe(page)).toEqual([]);
});

test('a query that reads too much is refused with the way out', async ({ open }) => {
  const page = await open(`${address}?from=20160101&to=${from}`);
  await page.getByRole('button', { name: 'Show', exact: true }).click();
  await page.getByText('at most 366 days').waitFor();
  expect(await axe(page)).toEqual([]);
});

test('who was not granted a table finds nothing of its metrics', async ({ open }) => {
  const lou = await person('lou-metrics', { grants: [{ table: 'crash_summary' }] });
  const page = await open('/metrics', { as: lou, width: 360, dark: true });
  await page.getByText('No metrics').waitFor();
  expect(await page.content()).not.toContain('main_summary');
  expect(await axe(page)).toEqual([]);
  const hidden = await open(address, { as: lou });
  const nothing = await open('/metrics/main_summary/nothing', { as: lou });
  await hidden.getByText('there is no such metric').waitFor();
  await nothing.getByText('there is no such metric').waitFor();
});
