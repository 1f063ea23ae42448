import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Page } from 'playwright-core';
import { api, axe, expect, person, test } from './harness';
import { save, shown } from './harness/boards';

// addWidget adds a widget of a saved query by the dialog.
async function addWidget(page: Page, kind: 'Chart' | 'Table' | 'Number', title: string): Promise<void> {
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  await page.getByRole('menuitem', { name: kind }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('searchbox').fill(title);
  await dialog.getByRole('radio', { name: title }).check();
  await dialog.getByRole('button', { name: 'OK' }).click();
  await shown(page, title).waitFor();
}

const boxOf = async (page: Page, name: string) => (await shown(page, name).boundingBox())!;

test('six widgets with two shared parameters from nothing; shared, on a wall, printed, restored', async ({ open }) => {
  const saved = await save('Team');
  const page = await open('/dashboards');
  await page.getByRole('button', { name: 'New dashboard' }).click();
  await page.getByRole('dialog').getByLabel('Title').fill('The team');
  await page.getByRole('button', { name: 'Make it' }).click();
  await page.getByRole('heading', { name: 'No widgets yet' }).waitFor();
  await addWidget(page, 'Chart', saved.days.title);
  await addWidget(page, 'Chart', saved.systems.title);
  await addWidget(page, 'Number', saved.active.title);
  await addWidget(page, 'Table', saved.locales.title);
  await addWidget(page, 'Chart', saved.pings.title);
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Text' }).click();
  const dialog = page.getByRole('dialog');
  await dialog
    .getByLabel('Text', { exact: true })
    .fill('## For the team\n\nRead [how](/saved) it is made. <script>fail()</script>');
  await dialog.getByRole('button', { name: 'OK' }).click();

  // A drop-down that a query fills.
  await page.getByRole('button', { name: 'Parameters' }).click();
  const channel = dialog.getByRole('group', { name: 'channel', exact: true });
  await channel.getByLabel('A drop-down that a query fills').check();
  await channel.getByRole('searchbox').fill(saved.channels.title);
  await channel.getByRole('radio', { name: saved.channels.title }).check();
  expect(await axe(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'OK' }).click();

  // The number goes to the right of the table by dragging its head, and grows by its corner.
  const before = await boxOf(page, saved.active.title);
  await page.mouse.move(before.x + before.width / 2, before.y + 18);
  await page.mouse.down();
  await page.mouse.move(before.x + before.width / 2 + 40, before.y + 18, { steps: 4 });
  await page.mouse.move(before.x + before.width * 2.5, before.y + 18, { steps: 8 });
  await page.mouse.up();
  const after = await boxOf(page, saved.active.title);
  expect(after.x).toBeGreaterThan(before.x + before.width);
  await page.mouse.move(after.x + after.width - 6, after.y + after.height - 6);
  await page.mouse.down();
  await page.mouse.move(after.x + after.width - 6, after.y + after.height + 60, { steps: 6 });
  await page.mouse.up();
  expect((await boxOf(page, saved.active.title)).height).toBeGreaterThan(after.height + 40);
  expect(await axe(page)).toEqual([]);
  await page.getByRole('button', { name: 'Save', exact: true }).click();

  // Each widget shows its result.
  await shown(page, saved.days.title)
    .getByRole('img', { name: /^Line chart of clients/ })
    .waitFor();
  await shown(page, saved.systems.title)
    .getByRole('img', { name: /^Bar chart of clients/ })
    .waitFor();
  await shown(page, saved.active.title).locator('dd').waitFor();
  await shown(page, saved.locales.title).getByRole('gridcell').first().waitFor();
  await shown(page, saved.pings.title)
    .getByRole('img', { name: /^Bar chart of pings/ })
    .waitFor();
  await page.getByRole('heading', { name: 'For the team' }).waitFor();
  const id = page.url().split('/dashboards/')[1]!.split('?')[0]!;
  const doc = await api<{ widgets: object[]; parameters: { name: string }[] }>('GET', `/dashboards/${id}`);
  expect(doc.widgets).toHaveLength(6);
  expect(doc.parameters.map(p => p.name).sort()).toEqual(['channel', 'days']);

  // A value that is chosen is in the address, which shows the same to others.
  const released = await shown(page, saved.active.title).locator('dd').textContent();
  await page.getByLabel('channel', { exact: true }).selectOption('beta');
  await page.waitForURL(/p\.channel=beta/);
  await expect.poll(() => shown(page, saved.active.title).locator('dd').textContent()).not.toBe(released);
  expect(await axe(page)).toEqual([]);

  // Who lacks a table sees that a widget is there, and nothing of it.
  const lena = await person('lena', { grants: [{ table: 'clients_daily' }] });
  const other = await open(`/dashboards/${id}?p.channel=beta`, { as: lena });
  await other.getByText('Not for you, or its query was removed.').waitFor();
  await shown(other, saved.days.title)
    .getByRole('img', { name: /^Line chart/ })
    .waitFor();
  expect(await shown(other, saved.active.title).locator('dd').textContent()).toBe(
    await shown(page, saved.active.title).locator('dd').textContent(),
  );
  expect(await other.content()).not.toContain('main_summary');
  expect(await other.getByRole('button', { name: 'Edit', exact: true }).count()).toBe(0);
  expect(await axe(other)).toEqual([]);

  // On a wall there are no controls.
  await page.getByRole('button', { name: 'Full screen' }).click();
  await page.waitForURL(/\/wall\/.*p\.channel=beta/);
  await shown(page, saved.days.title)
    .getByRole('img', { name: /^Line chart/ })
    .waitFor();
  expect(await page.getByRole('navigation').count()).toBe(0);
  expect(await page.getByRole('button', { name: /^Menu of/ }).count()).toBe(0);
  expect(await axe(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await page.waitForURL(/\/dashboards\/.*p\.channel=beta/);

  // On paper there are no controls either.
  await shown(page, saved.days.title)
    .getByRole('img', { name: /^Line chart/ })
    .waitFor();
  await page.emulateMedia({ media: 'print' });
  expect(await page.getByRole('navigation').count()).toBe(0);
  expect(await page.getByRole('button', { name: 'Edit', exact: true }).count()).toBe(0);
  const pdf = (await page.pdf({ format: 'A4', landscape: true })).toString('latin1');
  expect(pdf.startsWith('%PDF')).toBe(true);
  expect(pdf.match(/\/Type \/Page\b/g)?.length).toBeLessThanOrEqual(3);
  await page.emulateMedia({ media: 'screen' });

  // The whole page as a picture.
  await page.getByRole('button', { name: 'More' }).click();
  const download = page.waitForEvent('download');
  await page.getByRole('menuitem', { name: 'Picture (PNG)' }).click();
  const file = join(mkdtempSync(join(tmpdir(), 'pingmill-e2e-')), 'picture.png');
  await (await download).saveAs(file);
  const png = readFileSync(file);
  rmSync(dirname(file), { recursive: true });
  expect(png.subarray(1, 4).toString()).toBe('PNG');
  expect(png.readUInt32BE(16)).toBeGreaterThan(2000); // twice the width of the grid

  // A broken dashboard is restored.
  await page.getByRole('button', { name: 'Edit', exact: true }).click();
  await page.getByRole('button', { name: `Remove ${saved.days.title}` }).click();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByRole('button', { name: 'More' }).click();
  await page.getByRole('menuitem', { name: 'Revisions' }).click();
  await page.getByRole('list', { name: 'Differences' }).getByText(saved.days.title, { exact: true }).waitFor();
  expect(await axe(page)).toEqual([]);
  await page.getByRole('button', { name: /^Restore revision/ }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Restore' }).click();
  await shown(page, saved.days.title)
    .getByRole('img', { name: /^Line chart/ })
    .waitFor();
}, 120_000);

// tabTo presses Tab until what has the focus has a name.
async function tabTo(page: Page, name: string | RegExp): Promise<void> {
  for (let i = 0; i < 150; i++) {
    const focused = await page.evaluate(() => {
      const e = document.activeElement as HTMLInputElement | null;
      return e?.getAttribute('aria-label') ?? e?.labels?.[0]?.textContent ?? e?.textContent ?? '';
    });
    if (typeof name === 'string' ? focused.trim() === name : name.test(focused)) {
      return;
    }
    await page.keyboard.press('Tab');
  }
  throw new Error(`Tab does not reach ${name}`);
}

test('the same without a mouse', async ({ open }) => {
  const saved = await save('Keys');
  const page = await open('/dashboards');
  await page.getByRole('heading', { name: 'Dashboards' }).waitFor();
  await page.keyboard.press('n');
  await page.getByRole('dialog').waitFor();
  await page.keyboard.type('By keys');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'No widgets yet' }).waitFor();
  const kinds = [
    ['Chart', saved.days.title],
    ['Chart', saved.systems.title],
    ['Table', saved.locales.title],
    ['Number', saved.active.title],
    ['Chart', saved.pings.title],
  ] as const;
  for (const [kind, title] of kinds) {
    await tabTo(page, 'Add');
    await page.keyboard.press('Enter');
    await page.getByRole('menu').waitFor();
    for (let i = 0; i < ['Chart', 'Table', 'Number'].indexOf(kind); i++) {
      await page.keyboard.press('ArrowDown');
    }
    await page.keyboard.press('Enter');
    await tabTo(page, 'Find a saved query');
    const found = page.waitForResponse(r => new URL(r.url()).searchParams.get('text') === title);
    await page.keyboard.type(title);
    await found;
    await page.getByRole('radio').nth(9).waitFor({ state: 'detached' }); // those that do not fit
    await page.keyboard.press('Tab');
    await page.keyboard.press('Space');
    for (let i = 0; i < 9 && !(await page.getByRole('radio', { name: title }).isChecked()); i++) {
      await page.keyboard.press('ArrowDown');
    }
    await tabTo(page, 'OK');
    await page.keyboard.press('Enter');
    await shown(page, title).waitFor();
  }
  await tabTo(page, 'Add');
  await page.keyboard.press('Enter');
  await page.getByRole('menu').waitFor();
  await page.keyboard.press('End');
  await page.keyboard.press('Enter');
  await tabTo(page, 'Text');
  await page.keyboard.type('Made *without* a mouse.');
  await tabTo(page, 'OK');
  await page.keyboard.press('Enter');

  // Arrow keys move a widget and, with Shift, resize it; a screen reader hears where it is.
  const said = page.getByRole('status').filter({ hasText: saved.systems.title });
  await tabTo(page, `Move ${saved.systems.title}`);
  await page.keyboard.press('ArrowDown');
  expect(await said.textContent()).toMatch(/: column 7, row 2, 6 wide, 7 high. \d other widgets made room.$/);
  await page.keyboard.press('ArrowLeft');
  expect(await said.textContent()).toContain('column 6, row 2');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Shift+ArrowLeft');
  expect(await said.textContent()).toContain('5 wide');
  await page.keyboard.press('ArrowUp');
  expect(await said.textContent()).toBe(`${saved.systems.title}: column 7, row 1, 5 wide, 7 high.`);
  await page.keyboard.press('ArrowUp');
  expect(await said.textContent()).toContain('at the edge of the grid');
  await page.keyboard.press('Control+z'); // the whole move
  await page.keyboard.press('Control+s');
  await shown(page, saved.systems.title)
    .getByRole('img', { name: /^Bar chart/ })
    .waitFor();
  const list = (await api<{ items: { id: string; title: string }[] }>('GET', '/dashboards?text=keys')).items;
  const id = list.find(d => d.title === 'By keys')!.id;
  const doc = await api<{ widgets: { x: number; y: number; w: number }[] }>('GET', `/dashboards/${id}`);
  expect(doc.widgets).toHaveLength(6);
  expect(doc.widgets[1]).toMatchObject({ x: 6, y: 0, w: 6 });

  // The wall and back, a change, and the revision before it.
  await page.keyboard.press('f');
  await page.waitForURL(/\/wall\//);
  await shown(page, saved.days.title).waitFor();
  await page.keyboard.press('Escape');
  await page.waitForURL(/\/dashboards\//);
  await shown(page, saved.days.title).waitFor();
  await page.keyboard.press('e');
  await tabTo(page, `Move ${saved.locales.title}`);
  await page.keyboard.press('Delete');
  await page.keyboard.press('Control+s');
  await tabTo(page, 'More');
  await page.keyboard.press('Enter');
  await page.getByRole('menu').waitFor();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.getByRole('list', { name: 'Differences' }).getByText(saved.locales.title, { exact: true }).waitFor();
  await tabTo(page, /^Restore revision/);
  await page.keyboard.press('Enter');
  await tabTo(page, 'Restore');
  await page.keyboard.press('Enter');
  await shown(page, saved.locales.title).waitFor();
}, 120_000);
