import { inject } from 'vitest';
import { api, axe, expect, from, person, test } from './harness';

// document is the id of a ping of the first day.
async function document(): Promise<string> {
  const sql = `SELECT min(document_id) FROM main_summary WHERE submission_date_obj = '${from}'`;
  const { id } = await api<{ id: string }>('POST', '/queries', { sql, wait: 30 });
  return (await api<{ rows: string[][] }>('GET', `/queries/${id}/rows`)).rows[0]![0]!;
}

test('a ping is found by its document id and day, with its rows in tables', async ({ open }) => {
  const id = await document();
  const page = await open('/pings');
  await page.getByLabel('Document id').fill(id);
  await page.getByLabel('Day of arrival (UTC)').fill('2018-03-01');
  await page.getByRole('button', { name: 'Look for it' }).click();
  await page.getByText('Archived in load').first().waitFor();
  await page.getByRole('button', { name: 'Count its rows' }).first().click();
  await page.getByText(/main_summary: [1-9]/).waitFor();
  await page.getByText('What ingestion added').first().click();
  await page.getByText('documentId').first().waitFor();
  expect(await axe(page)).toEqual([]);
  await page.getByLabel('Document id').fill('no such id');
  await page.getByRole('button', { name: 'Look for it' }).click();
  await page.getByText('Nothing was found').waitFor();
});

test('a submission with a debug tag is seen at once', async ({ open }) => {
  const page = await open('/pings', { width: 390, dark: true });
  await page.getByLabel('Tag').fill('tag-of-e2e');
  await page.getByRole('button', { name: 'Watch' }).click();
  await page.getByText('Nothing with this tag yet').waitFor();
  expect(await axe(page)).toEqual([]);
  const id = '7c9c8e3a-2d9a-4b56-8a51-0123456789ac';
  const path = `/submit/telemetry/${id}/main/Firefox/60.0/release/2018`;
  await fetch(`${inject('edge')}${path}`, { method: 'POST', body: '{}', headers: { 'X-Debug-ID': 'tag-of-e2e' } });
  await page.getByText('received', { exact: true }).waitFor();
  await page.getByRole('button', { name: `Look for ${id}` }).waitFor();
  expect(await page.evaluate(() => window.document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  expect(await axe(page)).toEqual([]);
});

test('without the right nobody looks for pings, and without the grant they are as if missing', async ({ open }) => {
  const id = await document();
  const may = await person('max-pings', { grants: [{ table: 'crash_summary' }], rights: ['operate'] });
  const mayNot = await person('moe-pings', { grants: [{ table: '*' }] });
  const refused = await open('/pings', { as: mayNot });
  await refused.getByText('Pings is not for you').waitFor();
  const page = await open('/pings', { as: may });
  await page.getByLabel('Document id').fill(id);
  await page.getByLabel('Day of arrival (UTC)').fill('2018-03-01');
  await page.getByRole('button', { name: 'Look for it' }).click();
  await page.getByText('Nothing was found').waitFor();
});
