import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { api, axe, expect, person, shots, test } from './harness';
import { everyState, save, shown } from './harness/boards';

const light = { width: 1440, height: 900, dark: false };
const looks = process.env.E2E_SHOTS
  ? [
      light,
      { ...light, dark: true },
      { width: 1280, height: 800, dark: true },
      { ...light, width: 390 },
      { width: 390, height: 844, dark: true },
    ]
  : [light, { width: 390, height: 844, dark: true }];

for (const look of looks) {
  const name = `${look.width}-${look.dark ? 'dark' : 'light'}`;
  test(`each state of a widget, ${name}`, async ({ open }) => {
    const page = await open('/account', look);
    const id = await everyState(page, name);
    for (const [view, path] of [
      ['view', `/dashboards/${id}`],
      ['wall', `/wall/${id}`],
      ['edit', `/dashboards/${id}?edit`],
    ] as const) {
      await page.goto(path);
      await shown(page, 'Clients')
        .getByRole('img', { name: /^Line chart/ })
        .waitFor();
      await shown(page, 'Old')
        .getByRole('img', { name: /^Line chart/ })
        .waitFor();
      await shown(page, 'Again')
        .getByRole('img', { name: /^Line chart/ })
        .waitFor();
      await shown(page, 'Nothing').getByText('No rows.').waitFor();
      await shown(page, 'Broken').getByText('The query failed').waitFor();
      await shown(page, 'Slow').getByText('34 %').waitFor();
      await shown(page, 'Secret').getByText('Not for you, or its query was removed.').waitFor();
      await shown(page, 'Old').getByText('The newest run failed: out of memory').waitFor();
      await page.getByRole('gridcell').first().waitFor();
      await page.evaluate(() => document.fonts.ready);
      if (process.env.E2E_SHOTS) {
        mkdirSync(shots, { recursive: true });
        await page.screenshot({ path: join(shots, `states-${view}-${name}.png`), fullPage: true });
      }
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(look.width);
      expect(await axe(page)).toEqual([]);
      if (view !== 'edit') {
        expect(await page.title()).toBe(`(2 failed) ${name} states · pingmill`);
        expect(await page.locator('link[rel=icon]').getAttribute('href')).toBe('/icon-bad.svg');
      }
    }
  });
}

test('results are refreshed while somebody looks, and a refresh that fails leaves them', async ({ open }) => {
  const saved = await save('Again');
  const { id } = await api<{ id: string }>('POST', '/dashboards', {
    title: 'Again',
    refresh: 60,
    widgets: [{ id: 'a', kind: 'number', query: saved.active.id, x: 0, y: 0, w: 6, h: 4 }],
  });
  const page = await open('/account');
  const asked: unknown[] = [];
  page.on('request', r => r.url().endsWith('/results') && asked.push(r.postDataJSON().maxAge));
  await page.clock.install();
  await page.goto(`/dashboards/${id}`);
  await page.clock.runFor(1000);
  const value = shown(page, saved.active.title).locator('dd');
  await value.waitFor();
  const before = await value.textContent();
  await expect.poll(() => page.getByRole('button', { name: 'Refresh' }).isEnabled()).toBe(true);
  expect(asked).not.toContain(60);
  await page.clock.runFor(61_000);
  await expect.poll(() => asked).toContain(60);
  await page.route('**/results', r => r.abort());
  await page.getByRole('button', { name: 'Refresh' }).click();
  await page.getByRole('alert').waitFor();
  expect(await value.textContent()).toBe(before);
});

test('a text neither runs nor loads anything', async ({ open }) => {
  const text = [
    '<script>document.title = "run"</script><img src="https://example.org/a.png" onerror="document.title = 1">',
    '![picture](https://example.org/b.png) [press](javascript:document.title="pressed") [page](/saved)',
    '<iframe src="https://example.org/"></iframe><style>* { background: url(https://example.org/c.png) }</style>',
  ].join('\n\n');
  const { id } = await api<{ id: string }>('POST', '/dashboards', {
    title: 'Attacks',
    widgets: [{ id: 'text', kind: 'text', title: 'Text', text, x: 0, y: 0, w: 12, h: 8 }],
  });
  const page = await open(`/dashboards/${id}`);
  const widget = shown(page, 'Text');
  await widget.getByText('<script>').waitFor();
  await widget.getByText('press', { exact: false }).first().click();
  expect(await widget.locator('script, img, iframe, style').count()).toBe(0);
  expect(await widget.getByRole('link').evaluateAll(all => all.map(a => a.getAttribute('href')))).toEqual([
    'https://example.org/b.png',
    '/saved',
  ]);
  expect(await page.title()).toBe('Attacks · pingmill'); // the harness fails the test if anything was asked of example.org
});

test('a query comes to a new dashboard from its page; it is found, forked, and a favourite', async ({ open }) => {
  const saved = await save('Found');
  const page = await open(`/saved/${saved.systems.id}`);
  await page.getByRole('button', { name: 'Add to dashboard' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Dashboard', { exact: true }).selectOption({ label: 'a new one' });
  await dialog.getByLabel('Title of the new dashboard').fill('Zebra systems');
  await dialog.getByRole('button', { name: 'Add' }).click();
  await shown(page, saved.systems.title)
    .getByRole('img', { name: /^Bar chart/ })
    .waitFor();
  const id = page.url().split('/dashboards/')[1]!.split('?')[0]!;

  await page.getByRole('button', { name: 'Edit', exact: true }).click();
  await page.getByRole('button', { name: 'Details' }).click();
  await dialog.getByLabel('Tags').fill('stripes');
  await dialog.getByLabel('Refreshed').selectOption('every 5 min');
  await dialog.getByRole('button', { name: 'OK' }).click();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('refreshed every 5 min').waitFor();

  const max = await person('max', { grants: [{ table: '*' }] });
  const other = await open('/dashboards', { as: max });
  await other
    .getByRole('button', { name: /^stripes/ })
    .first()
    .click();
  await other.getByRole('searchbox').fill('zebra');
  await other.getByRole('button', { name: 'Make Zebra systems a favourite' }).click();
  await other.getByRole('tab', { name: 'Favourites' }).click();
  await other.getByRole('link', { name: 'Zebra systems' }).click();
  await other.waitForURL(`**/dashboards/${id}`);
  await other.getByRole('button', { name: 'Fork' }).click();
  await other.getByRole('button', { name: 'Edit', exact: true }).waitFor();
  await other.getByText('by max').waitFor();
});

test('a change that somebody else made meanwhile is not lost unseen', async ({ open }) => {
  const doc = { title: 'Both', widgets: [{ id: 'text', kind: 'text', text: 'first', x: 0, y: 0, w: 12, h: 3 }] };
  const { id } = await api<{ id: string }>('POST', '/dashboards', doc);
  const page = await open(`/dashboards/${id}?edit`);
  await page.getByRole('button', { name: 'Change Text' }).click();
  await page.getByRole('dialog').getByLabel('Text', { exact: true }).fill('mine');
  await page.getByRole('dialog').getByRole('button', { name: 'OK' }).click();
  await api('PUT', `/dashboards/${id}`, { ...doc, description: 'theirs', revision: 1 });
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'It was changed meanwhile' });
  expect(await axe(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Save mine as another dashboard' }).click();
  await page.getByRole('heading', { name: 'Both, my copy' }).waitFor();
  expect(await api('GET', `/dashboards/${id}`)).toMatchObject({ revision: 2, description: 'theirs' });
});

test('a dashboard is kept in files, and read from them', async ({ open }) => {
  const { id } = await api<{ id: string }>('POST', '/dashboards', {
    title: 'In files',
    widgets: [{ id: 'text', kind: 'text', text: 'kept', x: 0, y: 0, w: 12, h: 3 }],
  });
  const page = await open(`/dashboards/${id}`);
  await page.getByRole('button', { name: 'More' }).click();
  const download = page.waitForEvent('download');
  await page.getByRole('menuitem', { name: 'Files (zip)' }).click();
  expect((await download).suggestedFilename()).toMatch(/\.zip$/);
  await page.goto('/dashboards');
  await page.getByRole('button', { name: 'Import' }).click();
  const dialog = page.getByRole('dialog', { name: 'Import' });
  await dialog.getByLabel('Files').setInputFiles({
    name: 'from-files.yaml',
    mimeType: 'text/yaml',
    buffer: Buffer.from('title: From files\nwidgets:\n  - {id: text, kind: text, text: hello, x: 0, y: 0, w: 12, h: 2}\n'),
  });
  await dialog.getByRole('button', { name: 'Import' }).click();
  expect(await axe(page)).toEqual([]);
  await dialog.getByRole('link', { name: 'From files' }).click();
  await page.getByText('hello').waitFor();
});

test('on a narrow screen widgets are put in another order and made higher', async ({ open }) => {
  const text = (title: string, y: number, w: number, x: number) => ({
    ...{ id: title.toLowerCase(), kind: 'text', title, text: title },
    ...{ x, y, w, h: 4 },
  });
  const { id } = await api<{ id: string }>('POST', '/dashboards', {
    title: 'Narrow',
    widgets: [text('One', 0, 6, 0), text('Two', 0, 6, 6), text('Three', 4, 12, 0)],
  });
  const page = await open(`/dashboards/${id}?edit`, { width: 390, height: 844 });
  const tops = async () => {
    const found = await Promise.all(
      ['One', 'Two', 'Three'].map(async name => ({ name, y: (await shown(page, name).boundingBox())!.y })),
    );
    return found.sort((a, b) => a.y - b.y).map(f => f.name);
  };
  await shown(page, 'Three').waitFor();
  expect(await tops()).toEqual(['One', 'Two', 'Three']);
  await page.getByRole('button', { name: 'Three earlier' }).click();
  await page.getByText('Three: place 2 of 3.').waitFor();
  expect(await tops()).toEqual(['One', 'Three', 'Two']);
  await page.getByRole('button', { name: 'One later' }).focus();
  await page.keyboard.press('ArrowDown');
  await page.getByText('One: place 2 of 3.').waitFor();
  expect(await tops()).toEqual(['Three', 'One', 'Two']);
  await page.keyboard.press('Shift+ArrowDown');
  await page.getByText('One: 5 high.').waitFor();
  expect(await axe(page)).toEqual([]);
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByRole('button', { name: 'Edit', exact: true }).waitFor();
  const stored = await api<{ widgets: { id: string; h: number }[] }>('GET', `/dashboards/${id}`);
  expect(stored.widgets.map(w => [w.id, w.h])).toEqual([
    ['three', 4],
    ['one', 5],
    ['two', 4],
  ]);
  mkdirSync(shots, { recursive: true });
  await page.goto(`/dashboards/${id}?edit`);
  await shown(page, 'Three').waitFor();
  await page.screenshot({ path: join(shots, 'dashboard-narrow-edit.png') });
});

test('a widget shows the notes of its result', async ({ open }) => {
  const s = await api<{ id: string }>('POST', '/saved', { title: 'Rounded', sql: 'SELECT 100.0 * 2 / 3 AS x' });
  const { id } = await api<{ id: string }>('POST', '/dashboards', {
    title: 'Notes',
    widgets: [{ id: 'a', kind: 'number', query: s.id, x: 0, y: 0, w: 4, h: 4 }],
  });
  const page = await open(`/dashboards/${id}`);
  await shown(page, 'Rounded').getByText('100.0 is a decimal, which rounds a quotient to 1 digit').waitFor();
});
