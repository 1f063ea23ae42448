import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { axe, expect, shots, test } from './harness';
import { boxes, byCountry, byDay, rowsOf, saved } from './harness/charts';

test('a day is annotated from a chart, and the text is in other charts until it is removed', async ({ open }) => {
  const path = await saved('Annotated', byDay, { kind: 'line', x: 'day', y: ['clients'], series: 'channel' });
  const page = await open(path);
  await page.getByRole('img', { name: /^Line chart/ }).waitFor();
  await page.getByText('The numbers of the chart').click();
  await page.getByRole('button', { name: '2018-03-02', exact: true }).click();
  await page.getByLabel('Annotation of 2018-03-02').fill('A day to remember');
  await page.keyboard.press('Enter');
  await page.getByRole('list', { name: 'Annotations' }).getByText('A 2018-03-02: A day to remember').waitFor();
  const other = await open(await saved('Other', boxes, { kind: 'bar', x: 'day', y: ['clients'] }), { width: 390, dark: true });
  await other.getByRole('list', { name: 'Annotations' }).getByText('A 2018-03-02: A day to remember').waitFor();
  expect(await axe(other)).toEqual([]);
  if (process.env.E2E_SHOTS) {
    await page.locator('.chart').screenshot({ path: join(shots, 'chart-annotated-1440-light.png') });
    await other.locator('.chart').screenshot({ path: join(shots, 'chart-annotated-390-dark.png') });
  }
  await page.getByRole('button', { name: 'Remove: A day to remember' }).click();
  await page.getByRole('list', { name: 'Annotations' }).waitFor({ state: 'detached' });
});

test('releases are the versions that were built in the days of the chart', async ({ open }) => {
  // The builds of the tests are older than their days: a day of before is part of the axis.
  const pings = await rowsOf("SELECT app_version, env_build_id FROM clients_daily WHERE normalized_channel = 'release'");
  const versions = new Map<string, { built: string; n: number }>();
  for (const [version, build] of pings.filter(r => String(r[1]).length === 14)) {
    const known = versions.get(String(version)) ?? { built: '99999999', n: 0 };
    const built = String(build).slice(0, 8);
    versions.set(String(version), { built: [built, known.built].sort()[0] ?? built, n: known.n + 1 });
  }
  const all = [...versions.values()].reduce((n, v) => n + v.n, 0);
  const want = [...versions].filter(([, v]) => v.built >= '20170101' && v.built <= '20180303' && 100 * v.n >= all);
  expect(want.length).toBeGreaterThan(0);
  const sql = `${boxes.replace(' ORDER BY 1', '')} UNION ALL SELECT '20170101', 0, 0, 0, 0, 0, 0 ORDER BY 1`;
  const page = await open(await saved('Releases', sql, { kind: 'line', x: 'day', y: ['clients'], releases: true }));
  await page.getByRole('list', { name: 'Annotations' }).waitFor();
  const shown = await page.getByRole('list', { name: 'Annotations' }).getByRole('listitem').allInnerTexts();
  const dashed = (d: string) => `${d.slice(0, 4)}-${d.slice(4, 6)}-${d.slice(6)}`;
  const text = ([version, v]: [string, { built: string }]) => `${dashed(v.built)}: ${version} was built`;
  expect(shown.map(t => t.replace(/^\S+ /, '')).sort()).toEqual(want.map(text).sort());
  if (process.env.E2E_SHOTS) {
    await page.locator('.chart').screenshot({ path: join(shots, 'chart-releases-1440-light.png') });
  }
});

test('turned labels have the same room in a window that became narrow as in one that was', async ({ open }) => {
  const sql = byCountry.replace(' AS country', " || ' is the country' AS country");
  const path = await saved('Narrower', sql, { kind: 'bar', x: 'country', y: ['clients'] });
  const [wide, narrow] = [await open(path), await open(path, { width: 390, height: 900 })];
  const room = async (page: Page) => {
    const [plot, host] = [await page.locator('.u-over').boundingBox(), await page.locator('.chart-host').boundingBox()];
    return [(plot?.x ?? 0) - (host?.x ?? 0), plot?.width ?? 0].map(Math.round); // left of the bars, and their width
  };
  for (const page of [wide, narrow]) {
    await page.getByRole('img', { name: /^Bar chart/ }).waitFor();
  }
  const want = await room(narrow);
  expect(await room(wide)).not.toEqual(want);
  await wide.setViewportSize({ width: 390, height: 900 });
  await expect.poll(() => room(wide)).toEqual(want);
});
