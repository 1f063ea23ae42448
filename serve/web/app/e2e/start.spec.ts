import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Page } from 'playwright-core';
import { inject } from 'vitest';
import { axe, expect, type Open, startEmpty, test } from './harness';

const run = promisify(execFile);

// served runs a test on an empty folder, with the page that the link of the first start leads to.
async function served(open: Open, more: string[], look: object, test: (page: Page, edge: string) => Promise<void>) {
  const server = await startEmpty(inject('bin'), ...more);
  try {
    const page = await open(server.link, { on: server.url, ...look });
    await page.getByLabel('New password').fill('correct horse battery');
    await page.getByRole('button', { name: 'Set the password' }).click();
    await page.waitForURL('**/start');
    await page.getByRole('heading', { name: 'Send the first ping' }).waitFor();
    await test(page, server.edge);
  } finally {
    await server.stop();
  }
}

const line = async (page: Page) => (await page.getByRole('region', { name: 'Send one ping' }).textContent()) ?? '';

// It needs the seconds that a segment of the spool stays open, and those until rows are published.
test('from an empty folder to the first row, by the line that the page shows', { timeout: 120_000 }, async ({ open }) => {
  await served(open, [], {}, async (page, edge) => {
    expect(await axe(page)).toEqual([]);
    const command = await line(page);
    expect(command).toContain(`${edge.replace('127.0.0.1', 'localhost')}/submit/telemetry/`);
    const { stdout } = await run('sh', ['-c', command]);
    expect(stdout).toContain('200 OK');
    await page.getByText('1 submission since the edge started').waitFor();
    const row = page.getByRole('region', { name: 'The row in telemetry_new_profile_parquet' });
    await row.getByRole('columnheader', { name: 'client_id' }).waitFor({ timeout: 90_000 });
    const client = /"clientId":"([^"]+)"/.exec(command)![1]!;
    await row.getByText(client).waitFor();
    await page.getByRole('heading', { name: 'The first ping has arrived' }).waitFor();
    expect(await line(page)).not.toBe(command);
    expect(await axe(page)).toEqual([]);

    await run('sh', ['-c', command]);
    await page.getByText(/Rejected, telemetry new-profile \(duplicate\)/).waitFor({ timeout: 60_000 });
    await page.getByRole('link', { name: 'Open in the editor' }).click();
    await page.getByRole('grid').getByText(client).waitFor();
    await page.goto('/');
    await page.waitForURL('**/query'); // it is not empty any more
  });
});
