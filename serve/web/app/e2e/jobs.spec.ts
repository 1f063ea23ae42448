import { axe, expect, person, test } from './harness';

test('the calendar says of each day and table how it is', async ({ open }) => {
  const page = await open('/jobs');
  const cell = page.getByRole('button', { name: /^addons, 2018-03-02: published, [\d,]+ rows$/ });
  await cell.click();
  await page.getByText('Everything of the day is decoded.').waitFor();
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('ArrowRight');
  await page.getByText('main_summary, 2018-03-03', { exact: true }).waitFor();
  await page.getByText('no pings').first().waitFor();
  expect(await axe(page)).toEqual([]);
});

test('a run is begun, and shows what it made, checked and said', async ({ open }) => {
  const page = await open('/jobs');
  await page.getByRole('button', { name: 'New run' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('crash_summary').check();
  await dialog.getByLabel('First day').fill('2018-03-01');
  await dialog.getByLabel('Last day').fill('2018-03-02');
  await dialog.getByLabel('Make them again even if they are current').check();
  expect(await axe(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Make 2 partitions' }).click();
  await page.waitForURL('**/jobs/q*');
  await page.getByText('done', { exact: true }).first().waitFor({ timeout: 20_000 });
  await page.getByText('asked for by admin').waitFor();
  await page.getByRole('button', { name: 'tasks of crash_summary, 2018-03-01' }).click();
  await page.getByRole('dialog').getByRole('row').nth(1).waitFor();
  expect(await axe(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await page.getByRole('tab', { name: 'Checks' }).click();
  await page.getByText('crash_summary_one_per_ping').first().waitFor();
  expect(await axe(page)).toEqual([]);
  await page.getByRole('tab', { name: 'Log' }).click();
  await page.getByText('begun in the query tool').waitFor();
  expect(await axe(page)).toEqual([]);
  await page.goto('/jobs');
  await page.getByRole('region', { name: 'Runs' }).getByRole('row').nth(2).waitFor();
});

test('a run is followed also when each answer takes longer than the next question', async ({ open }) => {
  const page = await open('/jobs');
  await page.route('**/api/v1/jobs/runs/q*', async route => {
    await new Promise(done => setTimeout(done, 1500));
    await route.continue();
  });
  await page.getByRole('button', { name: 'New run' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('crash_summary').check();
  await dialog.getByLabel('First day').fill('2018-03-01');
  await dialog.getByLabel('Last day').fill('2018-03-01');
  await dialog.getByLabel('Make them again even if they are current').check();
  await dialog.getByRole('button', { name: 'Make 1 partition' }).click();
  await page.waitForURL('**/jobs/q*');
  await page.getByText('done', { exact: true }).first().waitFor({ timeout: 20_000 });
});

test('a person without the right to operate sees runs and begins none, and nothing of the restricted table', async ({ open }) => {
  const kim = await person('kim-jobs', { grants: [{ table: '*' }] });
  const page = await open('/jobs', { as: kim });
  await page.getByRole('region', { name: 'Runs' }).getByRole('link', { name: '1', exact: true }).waitFor();
  await page.getByRole('button', { name: /^addons, 2018-03-02/ }).waitFor();
  expect(await page.getByRole('button', { name: 'New run' }).count()).toBe(0);
  expect(await page.content()).not.toMatch(/search_clients_daily|search_aggregates/);
  await page.goto('/jobs/1?tab=log');
  await page.getByText('published').first().waitFor();
  expect(await page.content()).not.toMatch(/search_clients_daily|search_aggregates/);
  await page.goto('/jobs/77');
  await page.getByText('There is no such run').waitFor();
});
