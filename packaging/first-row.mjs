// Signs in by a link, runs a query in the page until it has a row, prints the row and takes a picture:
//   node first-row.mjs CHROMIUM LINK SQL PICTURE
// It is run in serve/web/app, whose packages have playwright.
import { createRequire } from 'node:module';

const { chromium } = createRequire(`${process.cwd()}/`)('playwright-core');
const [executablePath, link, sql, picture] = process.argv.slice(2);
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
try {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  page.setDefaultTimeout(60_000);
  await page.goto(link);
  await page.getByLabel('New password').fill('long enough for all');
  await page.getByRole('button', { name: 'Set the password' }).click();
  await page.waitForURL('**/query');
  const editor = page.getByRole('textbox', { name: 'SQL' });
  const rows = page.getByRole('grid', { name: 'Rows of the result' });
  for (let tries = 0; ; tries++) {
    await editor.click();
    await page.keyboard.press('Control+a');
    await page.keyboard.press('Delete');
    await page.keyboard.insertText(`${sql} -- ${tries}`);
    await page.keyboard.press('Escape');
    await page.keyboard.press('Control+Enter');
    await page.getByText(/^\d+ rows?$/).first().waitFor();
    if (Number(await rows.getAttribute('aria-rowcount').catch(() => 0)) > 1) {
      break;
    }
    if (tries === 60) {
      throw new Error('no row came');
    }
    await page.waitForTimeout(2000);
  }
  await page.screenshot({ path: picture });
  const cells = await rows.getByRole('row').nth(1).getByRole('gridcell').allTextContents();
  process.stdout.write(`${cells.join(' | ')}\n`);
} finally {
  await browser.close();
}
