import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { base, pages } from '../src/app/routes';
import { axe, expect, shots, test } from './harness';

const light = { width: 1440, height: 900, dark: false };
const small = { width: 360, height: 740, dark: true };
const looks = process.env.E2E_SHOTS ? [light, small, { ...light, dark: true }, { ...small, dark: false }] : [light, small];

const metric = '/metrics/main_summary/scalar_parent_browser_engagement_total_uri_count';

// What every page has to be, whatever it shows: titled, without serious faults that axe finds, and no wider than the window.
const all = [
  ...pages.map(p => ({ path: base(p), open: p.open })),
  ...['/catalog/main_summary', '/quality/clients_daily', '/jobs/2', '/people?view=audit', metric].map(path => ({
    path,
    open: false,
  })),
];

for (const page of all) {
  for (const look of looks) {
    const name = `${page.path.slice(1).replace(/\W+/g, '-')}-${look.width}-${look.dark ? 'dark' : 'light'}`;
    test(name, async ({ open }) => {
      const p = await open(page.path, { ...look, as: page.open ? null : undefined });
      await p.locator('h1').first().waitFor({ state: 'attached' });
      await p.waitForFunction(() => !document.querySelector('.skeleton, .load-bar, main [role=status] .spinner'));
      await p.evaluate(() => document.fonts.ready);
      if (process.env.E2E_SHOTS) {
        mkdirSync(shots, { recursive: true });
        await p.screenshot({ path: join(shots, `${name}.png`), fullPage: true });
      }
      expect(await p.title()).toContain('pingmill');
      expect(await p.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(look.width);
      expect(await axe(p)).toEqual([]);
    });
  }
}

test('a page links to its part of the documentation', async ({ open }) => {
  const page = await open('/jobs');
  const link = page.getByRole('link', { name: 'Documentation of Jobs' }).first();
  expect(await link.getAttribute('href')).toMatch(/\/docs\/query-tool\.md#jobs$/);
});
