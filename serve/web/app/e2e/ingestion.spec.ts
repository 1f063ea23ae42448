import { inject } from 'vitest';
import { axe, expect, person, test } from './harness';

test('what arrived is counted, by outcome and type', async ({ open }) => {
  const page = await open('/ingestion');
  await page.getByText('Nothing arrived in the last day').waitFor({ timeout: 20_000 });
  await page.getByRole('img', { name: /Submissions by outcome/ }).waitFor();
  await page.getByRole('button', { name: '7 d' }).click();
  await page.getByRole('tab', { name: 'Document types' }).click();
  await page.getByRole('rowheader', { name: 'main' }).waitFor();
  expect(await axe(page)).toEqual([]);
  await page.getByRole('tab', { name: 'Lag' }).click();
  await page.getByRole('rowheader').first().waitFor();
  expect(await axe(page)).toEqual([]);
});

test('the edge shows what it takes and refuses, live', async ({ open }) => {
  const page = await open('/ingestion');
  await page.getByText(/of the edge/).waitFor({ timeout: 20_000 });
  await fetch(`${inject('edge')}/submit/telemetry/7c9c8e3a-2d9a-4b56-8a51-0123456789ab/main`, {
    method: 'POST',
    body: 'not JSON',
  });
  await expect.poll(() => page.getByRole('img', { name: /over the last minutes/ }).count(), { timeout: 15_000 }).toBe(4);
  expect(await axe(page)).toEqual([]);
});

test('samples of errors are for those who operate', async ({ open }) => {
  const kim = await person('kim-ingestion', { grants: [{ table: '*' }] });
  const page = await open('/ingestion', { as: kim });
  await page.getByRole('tab', { name: 'Lag' }).waitFor();
  expect(await page.getByRole('tab', { name: 'Errors' }).count()).toBe(0);
  const own = await open('/ingestion?tab=errors');
  await own.getByLabel('Class').waitFor();
  expect(await axe(own)).toEqual([]);
});
