import { axe, expect, person, test } from './harness';

test('tables are found by their columns, and a column says where it comes from', async ({ open }) => {
  const page = await open('/catalog');
  await page.getByRole('link', { name: 'main_summary', exact: true }).waitFor();
  await page.keyboard.press('/');
  await page.keyboard.type('aborts content');
  await page.getByRole('link', { name: 'aborts_content_sum' }).click();
  await page.waitForURL('**/catalog/clients_daily?column=aborts_content_sum');
  await page.getByText('Made from').waitFor();
  await page.getByRole('link', { name: 'main_summary.aborts_content', exact: true }).click();
  await page.waitForURL('**/catalog/main_summary?column=aborts_content');
  await page.getByRole('link', { name: 'clients_daily.aborts_content_sum' }).waitFor();
  expect(await axe(page)).toEqual([]);
});

test('a table has partitions, lineage, statements for other engines and sample rows', async ({ open }) => {
  const page = await open('/catalog/addons');
  await page.getByRole('tab', { name: /Partitions/ }).click();
  await page.getByRole('rowheader', { name: '2018-03-03' }).waitFor();
  expect(await page.getByRole('rowheader').count()).toBe(3);
  expect(await axe(page)).toEqual([]);
  await page.getByRole('tab', { name: 'Lineage' }).click();
  await page.getByText('addons is made from main_summary').waitFor();
  expect(await axe(page)).toEqual([]);
  await page.getByRole('link', { name: 'main_summary', exact: true }).click();
  await page.waitForURL('**/catalog/main_summary?tab=lineage');
  await page.getByText('clients_daily is made from main_summary').waitFor();
  await page.goto('/catalog/addons?tab=ddl');
  await page.getByLabel('Engine', { exact: true }).selectOption('Spark');
  await page.getByLabel('Where it finds the installation').fill('s3://bucket/data');
  await page.getByText("LOCATION 's3://bucket/data/lake/addons/v2'").waitFor();
  expect(await axe(page)).toEqual([]);
  await page.getByRole('tab', { name: 'Sample' }).click();
  const sample = page.getByRole('region', { name: 'Sample rows' });
  await sample.getByRole('columnheader', { name: 'addon_id' }).waitFor();
  expect(await sample.getByRole('row').count()).toBe(21);
  expect(await axe(page)).toEqual([]);
});

test('the catalog is not wider than a phone', async ({ open }) => {
  const page = await open('/catalog', { width: 390, height: 800 });
  await page.getByLabel('Search tables and columns').fill('scalar parent');
  await page.getByText('scalar_parent_a11y_indicator_acted_on').first().waitFor();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
  await page.goto('/catalog/clients_daily');
  await page.getByText('aborts_content_sum', { exact: true }).first().waitFor();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
});

test('an example runs when it is pressed', async ({ open }) => {
  const page = await open('/catalog/crash_summary?tab=examples');
  const example = page.locator('section').filter({ has: page.getByRole('heading', { name: 'The newest complete day' }) });
  expect(await axe(page)).toEqual([]);
  await example.getByRole('link', { name: 'Run' }).click();
  await page.waitForURL('**/query**');
  await page
    .getByText(/\d+ rows?/)
    .first()
    .waitFor();
});

test('who was not granted the restricted table finds nothing of it', async ({ open }) => {
  const kim = await person('kim-catalog', { grants: [{ table: '*' }] });
  const page = await open('/catalog', { as: kim });
  await page.getByRole('link', { name: 'main_summary', exact: true }).waitFor();
  expect(await page.content()).not.toMatch(/search_clients_daily|search_aggregates/);
  await page.goto('/catalog/main_summary?tab=lineage');
  await page.getByText('clients_daily is made from main_summary').waitFor();
  expect(await page.content()).not.toMatch(/search_clients_daily|search_aggregates/);
  await page.goto('/catalog/search_clients_daily');
  await page.getByText('there is no such table').waitFor();
});
