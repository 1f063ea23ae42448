import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Download, Page } from 'playwright-core';
import { api, axe, expect, test } from './harness';

const many = `SELECT (b.x - 1) * 1000 + a.x AS n, cast(a.x AS varchar) || ' text' AS t, map(ARRAY['a'], ARRAY[a.x]) AS m, cast(NULL AS double) AS nothing
FROM UNNEST(sequence(1, 1000)) a(x) CROSS JOIN UNNEST(sequence(1, 100)) b(x) ORDER BY 1`;

const ask = async (sql: string) => (await api<{ id: string }>('POST', '/queries', { sql, wait: 30 })).id;
async function contentOf(file: Download): Promise<Buffer> {
  const dir = mkdtempSync(join(tmpdir(), 'pingmill-download-'));
  await file.saveAs(join(dir, 'file'));
  const content = readFileSync(join(dir, 'file'));
  rmSync(dir, { recursive: true });
  return content;
}

const clipboard = (page: Page) => page.evaluate(() => navigator.clipboard.readText());

test('100,000 rows scroll, from end to end, and few of them are in the page', async ({ open }) => {
  const page = await open(`/query/${await ask(many)}`);
  const grid = page.getByRole('grid');
  await page.getByRole('gridcell', { name: '1 text', exact: true }).waitFor();
  await grid.focus();
  await page.keyboard.press('Control+End');
  await page.getByRole('gridcell', { name: '100,000', exact: true }).waitFor();
  for (let i = 1; i <= 20; i++) {
    await grid.evaluate((e, top) => e.scrollTo({ top }), i * 130_000);
  }
  await grid.evaluate(e => e.scrollTo({ top: 27 * 50_000 }));
  await page.getByRole('gridcell', { name: '50,001', exact: true }).waitFor();
  expect(await page.getByRole('gridcell').count()).toBeLessThan(400);
});

test('cells are walked and copied by keys, and shown whole', async ({ open }) => {
  const page = await open(`/query/${await ask(many)}`);
  await page.getByRole('gridcell', { name: '1 text', exact: true }).waitFor();
  await page.getByRole('grid').focus();
  for (const key of ['ArrowDown', 'Shift+ArrowDown', 'Shift+ArrowRight', 'Control+c']) {
    await page.keyboard.press(key);
  }
  await page.getByText('Copied 2 rows').waitFor();
  expect(await clipboard(page)).toBe('2\t2 text\n3\t3 text');
  for (const key of ['ArrowRight', 'Enter']) {
    await page.keyboard.press(key);
  }
  const dialog = page.getByRole('dialog', { name: 'm, row 3' });
  await dialog.waitFor();
  expect(await dialog.locator('.cell-value').textContent()).toBe('{\n  "a": 3\n}');
  await page.keyboard.press('Escape');
  expect(await page.getByRole('gridcell', { name: 'null' }).first().getAttribute('class')).toContain('grid-null');
});

test('a result that is here whole is sorted, a larger one says why not', async ({ open }) => {
  const small = await open(`/query/${await ask('SELECT x FROM UNNEST(ARRAY[2, NULL, 10, 1]) t(x)')}`);
  const head = small.getByRole('columnheader', { name: /^x/ });
  const values = async () => small.getByRole('gridcell').allInnerTexts();
  await head.click();
  await expect.poll(values).toEqual(['1', '2', '10', 'null']);
  await head.click();
  await expect.poll(values).toEqual(['10', '2', '1', 'null']);
  expect(await head.getAttribute('aria-sort')).toBe('descending');
  const large = await open(`/query/${await ask(many)}`);
  await large.getByRole('columnheader', { name: /^n / }).click();
  await large.getByText(/add ORDER BY n/).waitFor();
});

test('results are downloaded in every format', async ({ open }) => {
  const page = await open(`/query/${await ask("SELECT 1 AS a, 'x,y' AS b")}`);
  for (const [name, begins] of [
    ['CSV', 'a,b\n1,"x,y"\n'],
    ['Spreadsheet', 'a,b\n1,"x,y"\n'],
    ['NDJSON', '{"a":1,"b":"x,y"}\n'],
    ['JSON', '['],
    ['Parquet', 'PAR1'],
    ['Arrow', ''],
  ] as const) {
    await page.getByRole('button', { name: 'Download' }).click();
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('menuitem', { name: new RegExp(`^${name} `) }).click(),
    ]);
    const text = (await contentOf(file)).toString('latin1');
    expect(text.replaceAll('\r\n', '\n').startsWith(begins), `${name}: ${text.slice(0, 60)}`).toBe(true);
    expect(text.length).toBeGreaterThan(0);
  }
});

test('a chart suits the result, is changed, and is a picture', async ({ open }) => {
  const id = await ask(
    'SELECT submission_date_obj AS day, normalized_channel AS channel, count(*) AS clients FROM clients_daily GROUP BY 1, 2 ORDER BY 1, 2',
  );
  const page = await open(`/query/${id}`);
  await page.getByRole('button', { name: 'Chart', exact: true }).click();
  await page.getByRole('img', { name: /^Line chart of clients by day and channel/ }).waitFor();
  expect(await page.getByRole('group', { name: 'Series' }).getByRole('button').count()).toBeGreaterThan(2);
  await page.getByLabel('Kind').selectOption({ label: 'Bar' });
  await page.getByLabel('On top of each other').check();
  await page.getByLabel('Title').fill('Clients');
  await page.locator('figcaption').getByText('Clients').waitFor();
  await page.locator('.chart-host').hover();
  await page.locator('.chart-tip').getByText('all').waitFor();
  const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'PNG' }).click()]);
  expect(file.suggestedFilename()).toBe('Clients.png');
  expect((await contentOf(file)).subarray(1, 4).toString()).toBe('PNG');
  await page.getByText('The numbers of the chart').click();
  expect(await page.getByRole('region', { name: 'Numbers of the chart' }).textContent()).toContain('2018-03-01');
  expect(await axe(page)).toEqual([]);
});

test('everything fits and is reachable on a narrow screen', async ({ open }) => {
  const page = await open(`/query/${await ask(many)}`, { width: 360, height: 740, dark: true });
  await page.getByRole('gridcell').first().waitFor();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
  expect(await axe(page)).toEqual([]);
  await page.getByRole('button', { name: 'Show the tables' }).click();
  await page.getByRole('dialog', { name: 'Tables' }).getByRole('button', { name: 'clients_daily', exact: true }).click();
  await page.getByRole('button', { name: 'Run', exact: true }).waitFor();
});

test('ids and midnights are not cut, columns group their digits alike, and a dialog opens without a tooltip', async ({
  open,
}) => {
  const sql = `SELECT '3f2504e0-4f89-11d3-9a0c-0305e82c3301' AS id, CAST('2018-03-01' AS timestamp) AS at, x * 997 AS v, 2018 AS year
    FROM UNNEST(sequence(9, 12)) t(x)`;
  const page = await open(`/query/${await ask(sql)}`);
  await page.getByRole('gridcell').first().waitFor();
  const cells = page.getByRole('gridcell');
  expect(await cells.evaluateAll(all => all.filter(c => c.scrollWidth > c.clientWidth).map(c => c.textContent))).toEqual([]);
  const texts = await cells.allInnerTexts();
  expect([2, 6, 10, 3].map(i => texts[i])).toEqual(['8,973', '9,970', '10,967', '2018']);
  await cells.first().dblclick();
  await page.getByRole('dialog').waitFor();
  expect(await page.getByRole('tooltip').count()).toBe(0);
  await page.keyboard.press('Tab');
  await page.getByRole('tooltip', { name: 'Close' }).waitFor();
});

test('a result without rows does not list hundred columns', async ({ open }) => {
  const page = await open(`/query/${await ask("SELECT * FROM clients_daily WHERE submission_date_obj = '19990101'")}`);
  await page.getByText(/^The result has \d+ columns, and nothing in them\.$/).waitFor();
  const few = await open(`/query/${await ask('SELECT 1 AS a, 2 AS b WHERE 1 = 0')}`);
  await few.getByText('The result has the columns a, b, and nothing in them.').waitFor();
});

test('the first rows of many columns are seen while the query runs, and then all', async ({ open }) => {
  const page = await open(`/query?sql=${encodeURIComponent('SELECT * FROM main_summary')}`);
  let answer: () => void = () => {};
  const held = new Promise<void>(done => {
    answer = done;
  });
  await page.route(/\/queries\/[^/?]+\?wait=1&first=false/, async r => {
    await held;
    await r.continue();
  });
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  await page.getByRole('gridcell').first().waitFor();
  await page.getByText('Running', { exact: true }).waitFor();
  const grid = page.getByRole('grid');
  expect([await grid.getAttribute('aria-rowcount'), await grid.getAttribute('aria-colcount')]).toEqual(['51', '475']);
  expect(await page.getByRole('button', { name: 'Download' }).isVisible()).toBe(false);
  expect(await page.getByRole('gridcell').count()).toBeLessThan(600);
  answer();
  await page.getByRole('button', { name: 'Download' }).waitFor();
  expect(Number(await grid.getAttribute('aria-rowcount'))).toBeGreaterThan(400);
  await grid.focus();
  await page.keyboard.press('Control+End');
  await expect.poll(() => page.getByRole('gridcell').last().textContent()).not.toBe('…');
});

test('a run to a file has all rows and shows none', async ({ open }) => {
  const sql = 'SELECT n FROM UNNEST(sequence(1, 1000)) a(n) CROSS JOIN UNNEST(sequence(1, 101)) b(x)'; // a page has 100,000
  const page = await open(`/query?sql=${encodeURIComponent(sql)}`);
  await page.getByRole('button', { name: 'Run to a file' }).click();
  const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('menuitem', { name: 'NDJSON' }).click()]);
  expect(file.suggestedFilename()).toMatch(/\.ndjson$/);
  expect(
    String(await contentOf(file))
      .trim()
      .split('\n'),
  ).toHaveLength(101_000);
  await page.getByText('The file has all rows.').waitFor();
  expect(await page.getByRole('grid').count()).toBe(0);
  expect(await axe(page)).toEqual([]);
  const [again] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Download it again' }).click(),
  ]);
  expect(again.suggestedFilename()).toBe(file.suggestedFilename());
  await page.getByRole('button', { name: 'Show the rows here' }).click();
  await page.getByRole('gridcell').first().waitFor();
});

test('first rows that cannot be read are no failure of the query', async ({ open }) => {
  const page = await open(`/query?sql=${encodeURIComponent('SELECT * FROM main_summary')}`);
  let lacking = 0;
  await page.route(/\/queries\/[^/?]+\/rows/, async r => {
    const answer = await r.fetch();
    const { complete } = await answer.json();
    lacking += complete ? 0 : 1;
    await (complete
      ? r.fulfill({ response: answer })
      : r.fulfill({ status: 409, json: { status: 409, detail: 'the query has no result' } }));
  });
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  await page.getByRole('button', { name: 'Download' }).waitFor();
  await expect.poll(() => page.getByRole('gridcell').first().textContent()).not.toBe('…');
  expect(lacking).toBeGreaterThan(0);
  expect(await page.getByRole('alert').count()).toBe(0);
});
