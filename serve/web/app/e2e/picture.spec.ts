import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, from, shots, test, to } from './harness';

const file = process.env.E2E_PICTURE ?? join(shots, 'query-tool.png');

const sql = `-- Pings and clients by the hour of their arrival
SELECT date_trunc('hour', from_unixtime(timestamp / 1e9)) AS hour,
  count(*) AS pings, count(DISTINCT client_id) AS clients
FROM main_summary
WHERE submission_date_obj BETWEEN '${from}' AND '${to}'
GROUP BY 1
ORDER BY 1`;

// What README shows: a question with its chart.
test('a question is answered with a chart', async ({ open }) => {
  const page = await open('/query', { width: 1280, height: 800 });
  await page.locator('.cm-content').click();
  await page.keyboard.insertText(sql);
  await page.keyboard.press('Escape'); // closes the completions
  await page.keyboard.press('Control+Enter');
  await page.getByRole('button', { name: 'Chart' }).click({ timeout: 20_000 });
  await page.locator('canvas').first().waitFor();
  await page.evaluate(() => document.fonts.ready);
  mkdirSync(dirname(file), { recursive: true });
  const picture = await page.screenshot({ path: file });
  expect(picture.length).toBeLessThan(300_000);
});
