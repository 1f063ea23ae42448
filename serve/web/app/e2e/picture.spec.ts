import { execFile } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Page } from 'playwright-core';
import { inject } from 'vitest';
import { expect, from, shots, startEmpty, test, to } from './harness';

// The pictures of the documentation: make screenshots writes them into docs/images.
const folder = process.env.E2E_PICTURES ?? shots;

const sql = `-- Pings and clients by the hour of their arrival
SELECT date_trunc('hour', from_unixtime(timestamp / 1e9)) AS hour,
  count(*) AS pings, count(DISTINCT client_id) AS clients
FROM main_summary
WHERE submission_date_obj BETWEEN '${from}' AND '${to}'
GROUP BY 1
ORDER BY 1`;

const size = { width: 1280, height: 800 };

async function picture(page: Page, name: string) {
  await page.waitForFunction(() => !document.querySelector('.skeleton, .load-bar, main [role=status] .spinner'));
  await page.evaluate(() => document.fonts.ready);
  mkdirSync(folder, { recursive: true });
  const file = await page.screenshot({ path: join(folder, `${name}.png`) });
  expect(file.length).toBeLessThan(300_000);
}

test('a question is answered with a chart', async ({ open }) => {
  const page = await open('/query', size);
  await page.locator('.cm-content').click();
  await page.keyboard.insertText(sql);
  await page.keyboard.press('Escape'); // closes the completions
  await page.keyboard.press('Control+Enter');
  await page.getByRole('button', { name: 'Chart' }).click({ timeout: 20_000 });
  await page.locator('canvas').first().waitFor();
  await picture(page, 'query-tool');
});

for (const [name, path] of [
  ['catalog', '/catalog/clients_daily'],
  ['jobs', '/jobs'],
  ['ingestion', '/ingestion'],
] as const) {
  test(`the page ${name}`, async ({ open }) => {
    const page = await open(path, size);
    await page.locator('h1').first().waitFor({ state: 'attached' });
    await picture(page, name);
  });
}

test('the first ping and its row', { timeout: 120_000 }, async ({ open }) => {
  const server = await startEmpty(inject('bin'));
  try {
    const page = await open(server.link, { ...size, height: 780, on: server.url });
    await page.getByRole('button', { name: 'Not now' }).click();
    await page.waitForURL('**/start');
    const command = await page.getByRole('region', { name: 'Send one ping' }).textContent();
    await promisify(execFile)('sh', ['-c', command ?? '']);
    await page.getByRole('columnheader', { name: 'client_id' }).waitFor({ timeout: 90_000 });
    await picture(page, 'start');
  } finally {
    await server.stop();
  }
});
