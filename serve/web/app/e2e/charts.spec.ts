import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { api, axe, expect, shots, test } from './harness';
import {
  boxes,
  byCountry,
  byDay,
  byOs,
  cells,
  country,
  funnel,
  grouped,
  percent,
  perDay,
  type Row,
  rowsOf,
  saved,
} from './harness/charts';

test('the retention matrix is what counting clients one by one gives', async ({ open }) => {
  const days = new Map<string, Set<string>>();
  for (const [client, day] of await rowsOf('SELECT client_id, submission_date_obj FROM clients_daily')) {
    days.set(String(client), (days.get(String(client)) ?? new Set()).add(String(day)));
  }
  const all = ['20180301', '20180302', '20180303'];
  const want = all.map((first, f) => {
    const cohort = [...days.values()].filter(d => [...d].sort()[0] === first);
    const left = all.slice(f).map(day => percent(cohort.filter(d => d.has(day)).length / cohort.length));
    return [`2018-03-0${f + 1}`, grouped(cohort.length), ...left, ...Array(f).fill('')];
  });
  const page = await open(
    await saved('Cohorts', perDay, { kind: 'cohort', x: 'cohort', series: 'day', y: ['clients'], share: true }),
  );
  await page.getByRole('table', { name: 'Cohorts of clients by cohort and day' }).waitFor();
  expect(await cells(page, '.chart-cohort thead tr')).toEqual([['cohort', 'clients', 'day 0', 'day 1', 'day 2']]);
  expect(await cells(page, '.chart-cohort tbody tr')).toEqual(want);
});

test('a pivot table with its totals is what adding up the clients gives', async ({ open }) => {
  const clients = new Set(
    (await rowsOf('SELECT client_id, os, normalized_channel FROM clients_daily')).map(r => JSON.stringify(r)),
  );
  const of = [...clients].map(r => JSON.parse(r) as Row);
  const count = (os?: string, channel?: string) =>
    of.filter(r => (os ?? String(r[1])) === String(r[1]) && (channel ?? String(r[2])) === String(r[2])).length;
  const page = await open(await saved('Pivot', byOs, { kind: 'pivot', x: 'os', series: 'channel', y: ['clients'] }));
  await page.getByRole('table', { name: 'Pivot table of clients by os and channel' }).waitFor();
  const [[, ...head] = []] = await cells(page, '.chart-pivot thead tr');
  const channels = head.slice(0, -1);
  const text = (n: number) => (n === 0 ? '' : grouped(n));
  const body = await cells(page, '.chart-pivot tbody tr');
  expect(body.length).toBeGreaterThan(2);
  expect(channels.length).toBeGreaterThan(2);
  for (const [os = '', ...values] of body) {
    expect(values).toEqual([...channels.map(c => text(count(os, c))), grouped(count(os))]);
  }
  expect(await cells(page, '.chart-pivot tfoot tr')).toEqual([
    ['Total', ...channels.map(c => grouped(count(undefined, c))), grouped(of.length)],
  ]);
});

test('a funnel is what counting clients gives', async ({ open }) => {
  const pings = await rowsOf('SELECT client_id, active_ticks, cardinality(search_counts) FROM main_summary');
  const count = (fits: (r: Row) => boolean) => new Set(pings.filter(fits).map(r => r[0])).size;
  const want = [count(() => true), count(r => Number(r[1]) > 0), count(r => Number(r[1]) > 0 && Number(r[2]) > 0)];
  const page = await open(await saved('Funnel', funnel, { kind: 'funnel', x: 'step', y: ['clients'] }));
  await page.getByRole('table', { name: 'Funnel of clients by step' }).waitFor();
  const [first = 0, second = 0, third = 0] = want;
  expect(await cells(page, '.chart-funnel tbody tr')).toEqual([
    ['pings', grouped(first), '100%', ''],
    ['active', grouped(second), percent(second / first), percent(second / first)],
    ['searched', grouped(third), percent(third / first), percent(third / second)],
  ]);
});

test('a map shows each country with what counting its clients gives', async ({ open }) => {
  const clients = new Map<string, Set<string>>();
  for (const [code, client] of await rowsOf(`SELECT ${country}, client_id FROM clients_daily`)) {
    clients.set(String(code), (clients.get(String(code)) ?? new Set()).add(String(client)));
  }
  const names = new Intl.DisplayNames('en', { type: 'region' });
  const known = [...clients].filter(([c]) => /^[A-Z]{2}$/.test(c));
  const page = await open(await saved('Map', byCountry, { kind: 'map', x: 'country', y: ['clients'] }));
  await page.getByRole('img', { name: /^Map of clients by country/ }).waitFor();
  const shown = await page.locator('.map title').evaluateAll(all => all.map(t => t.textContent ?? ''));
  const text = ([c, all]: [string, Set<string>]) => `${names.of(c)}: ${grouped(all.size)}`;
  expect(known.length).toBeGreaterThan(5);
  expect(shown.sort()).toEqual(known.map(text).sort());
  await page.getByText('The numbers of the chart').click();
  const rows = await cells(page, '.chart-numbers tbody tr');
  expect(rows.map(([name = '', n]) => `${name.replace(/ \(..\)$/, '')}: ${n}`).sort()).toEqual(known.map(text).sort());
});

test('bars lie, and a stack has the shares of its parts', async ({ open }) => {
  const rows = (await rowsOf(byOs)) as [string, string, number][];
  const chart = { kind: 'bar', x: 'os', y: ['clients'], series: 'channel', stacked: true, share: true, horizontal: true };
  const page = await open(await saved('Bars', byOs, chart));
  await page.getByRole('table', { name: /^Bar chart of clients by os and channel/ }).waitFor();
  const [os, channel, n] = rows[0] as [string, string, number];
  const all = rows.filter(r => r[0] === os).reduce((s, r) => s + r[2], 0);
  const bar = page.getByRole('row', { name: os }).first().getByTitle(`${channel}: `);
  expect(await bar.getAttribute('title')).toBe(`${channel}: ${grouped(n)} (${percent(n / all)})`);
  const [width, track] = [await bar.boundingBox(), await page.locator('.chart-stack').first().boundingBox()];
  expect((width?.width ?? 0) / (track?.width ?? 1)).toBeCloseTo(n / all, 1);
  await page.getByText('The numbers of the chart').click();
  expect(await page.getByRole('region', { name: 'Numbers of the chart' }).textContent()).toContain(
    `${grouped(n)} (${percent(n / all)})`,
  );
});

// looks are the charts that are looked at: one of each kind, and the options.
const day = { x: 'day', y: ['clients'], series: 'channel' };
const looks: [name: string, sql: string, chart: object][] = [
  ['line-goal', byDay, { kind: 'line', ...day, goal: 60, title: 'Clients by day and channel' }],
  ['two-axes', boxes, { kind: 'line', x: 'day', y: ['clients', 'p50'], right: ['p50'] }],
  ['area-share', byDay, { kind: 'area', ...day, stacked: true, share: true }],
  ['bar-stacked', byOs, { kind: 'bar', x: 'os', y: ['clients'], series: 'channel', stacked: true, goal: 40 }],
  [
    'bar-turned',
    byCountry.replace(' AS country', " || ' is the country' AS country"),
    { kind: 'bar', x: 'country', y: ['clients'] },
  ],
  ['bar-horizontal', byCountry, { kind: 'bar', x: 'country', y: ['clients'], horizontal: true, goal: 20 }],
  [
    'bar-horizontal-share',
    byOs,
    { kind: 'bar', x: 'os', y: ['clients'], series: 'channel', stacked: true, share: true, horizontal: true },
  ],
  ['bar-horizontal-beside', byOs, { kind: 'bar', x: 'os', y: ['clients'], series: 'channel', horizontal: true }],
  ['box', boxes, { kind: 'box', x: 'day', y: ['p5', 'p25', 'p50', 'p75', 'p95'] }],
  ['cohort', perDay, { kind: 'cohort', x: 'cohort', series: 'day', y: ['clients'], share: true }],
  ['pivot', byOs, { kind: 'pivot', x: 'os', series: 'channel', y: ['clients'], title: 'Clients by system and channel' }],
  ['heatmap', byOs, { kind: 'heatmap', x: 'channel', series: 'os', y: ['clients'] }],
  ['funnel', funnel, { kind: 'funnel', x: 'step', y: ['clients'] }],
  ['map', byCountry, { kind: 'map', x: 'country', y: ['clients'] }],
];

const light = { width: 1440, dark: false };
const small = { width: 390, dark: true };
const views = process.env.E2E_SHOTS ? [light, small, { ...light, dark: true }, { ...small, dark: false }] : [light, small];

for (const [name, sql, chart] of looks) {
  test(`${name} fits and is accessible`, async ({ open }) => {
    const path = await saved(name, sql, chart);
    for (const view of views) {
      const page = await open(path, view);
      await page.locator('.chart').waitFor();
      await page.waitForFunction(() => !document.querySelector('.skeleton, .load-bar'));
      await page.evaluate(() => document.fonts.ready);
      if (process.env.E2E_SHOTS) {
        mkdirSync(shots, { recursive: true });
        const file = `chart-${name}-${view.width}-${view.dark ? 'dark' : 'light'}.png`;
        await page.locator('.chart').screenshot({ path: join(shots, file) });
      }
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(view.width);
      expect(await axe(page)).toEqual([]);
    }
  });
}

test('a query has several charts, which are added, changed and saved', async ({ open }) => {
  const path = await saved('Several', byOs, { kind: 'bar', x: 'os', y: ['clients'], series: 'channel' });
  const page = await open(`/query?saved=${path.split('/').at(-1)}`);
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  await page.getByRole('img', { name: /^Bar chart/ }).waitFor();
  await page.getByRole('button', { name: 'Add a chart' }).click();
  await page.getByLabel('Kind').selectOption({ label: 'Pivot table' });
  await page.getByRole('table', { name: 'Pivot table of clients by os and channel' }).waitFor();
  await page.keyboard.press('Control+s');
  const dialog = page.getByRole('dialog', { name: 'Save the change' });
  await dialog.getByText('With its bar chart and 1 more.').waitFor();
  await dialog.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('Saved', { exact: true }).last().waitFor();
  await page.goto(path);
  await page.getByRole('img', { name: /^Bar chart/ }).waitFor();
  await page.getByRole('button', { name: 'Pivot table 2' }).click();
  await page.getByRole('table', { name: 'Pivot table of clients by os and channel' }).waitFor();
  expect(await axe(page)).toEqual([]);
});

test('a click goes to another query with its values, or narrows this one, with keys as well', async ({ open }) => {
  const detail = 'SELECT os, count(*) AS n FROM clients_daily WHERE normalized_channel = {{channel}} GROUP BY 1 ORDER BY 1';
  const target = await api<{ id: string }>('POST', '/saved', {
    title: 'Systems of a channel',
    sql: detail,
    parameters: [{ name: 'channel', kind: 'text', default: 'beta' }],
  });
  const chart = { kind: 'bar', x: 'channel', y: ['clients'], drill: target.id };
  const page = await open(await saved('Channels', byOs, chart));
  await page.getByRole('img', { name: /^Bar chart/ }).waitFor();
  await page.locator('.u-over').click({ position: { x: 60, y: 200 } });
  const dialog = page.getByRole('dialog', { name: /^channel: / });
  await dialog.getByRole('link', { name: 'Systems of a channel' }).waitFor();
  expect(await axe(page)).toEqual([]);
  await page.keyboard.press('Escape');

  await page.getByText('The numbers of the chart').focus();
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'esr', exact: true }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('dialog', { name: 'channel: esr' }).getByRole('link', { name: 'Systems of a channel' }).click();
  await page.waitForURL(`**/saved/${target.id}?p.channel=esr`);
  expect(await page.getByLabel('channel', { exact: true }).inputValue()).toBe('esr');
  await page.goBack();

  await page.getByText('The numbers of the chart').click();
  await page.getByRole('button', { name: 'esr', exact: true }).click();
  await page.getByRole('button', { name: 'Only these rows, in the editor' }).click();
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  await page.getByRole('gridcell').first().waitFor();
  const rows = (await rowsOf(byOs)).filter(r => r[1] === 'esr');
  expect(await page.getByRole('gridcell').allInnerTexts()).toEqual(rows.flatMap(r => r.map(String)));
});

test('what the shape suggests is offered, and a chart that was chosen stays', async ({ open }) => {
  const page = await open('/account');
  const chart = { kind: 'bar', x: 'country', y: ['clients'] };
  for (const [address, name] of [
    [await saved('Countries offered', byCountry, chart), 'Map of countries'],
    [await saved('Cohorts offered', perDay, { kind: 'heatmap', x: 'day', series: 'cohort', y: ['clients'] }), 'Cohorts'],
    [await saved('Pivot offered', byOs, { kind: 'bar', x: 'os', y: ['clients'], series: 'channel' }), 'Pivot table'],
    [await saved('Funnel offered', funnel, { kind: 'bar', x: 'step', y: ['clients'] }), 'Funnel'],
  ] as const) {
    await page.goto(`/query?saved=${address.split('/').at(-1)}`);
    await page.locator('.cm-content').waitFor();
    await page.keyboard.press('Control+Enter');
    const kind = page.getByLabel('Kind');
    await kind.waitFor();
    const before = await kind.inputValue();
    await page.getByText('Suggested:').waitFor();
    expect(await kind.inputValue()).toBe(before);
    await page.getByRole('button', { name, exact: true }).click();
    await expect.poll(() => kind.locator('option:checked').textContent()).toBe(name);
    expect(await page.getByText('Suggested:').count()).toBe(0);
  }
  expect(await axe(page)).toEqual([]);
});
