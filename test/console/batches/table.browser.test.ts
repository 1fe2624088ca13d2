import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { expectAccessible } from '../../support/browser/expect-accessible.ts';
import { waitForState } from '../../support/api/uploaded-batch.ts';
import { describeInBrowser } from '../../support/browser/browser.ts';
import { useTestConsole } from '../../support/browser/test-console.ts';

const rowCount = 1500;

describeInBrowser('table of the console', (browser) => {
  const site = useTestConsole();
  let path = '';

  beforeAll(async () => {
    const key = await site().createKey();
    const lines = Array.from({ length: rowCount }, (_, i) => `info@brand-${i}.invalid,=note ${rowCount - i}`);
    const answer = await site().call('POST', '/v1/batches?file_name=many.csv&name=Many%20brands', {
      key,
      headers: { 'Content-Type': 'text/csv' },
      body: ['email,priority', ...lines].join('\n'),
    });
    const { id } = answer.json() as { readonly id: string };
    await waitForState(site(), key, id, 'finished');
    path = `/batches/${id}/results`;
  });

  test('sorts all rows, renders the visible ones, and keeps its view in the address and under a name', async () => {
    const { page, errors } = await site().open(browser(), path);
    await page.getByText(`${count(rowCount)} rows`, { exact: true }).waitFor();
    expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe('Many brands');
    await page.getByRole('button', { name: 'priority' }).click();
    await expect.poll(() => firstRow(page)).toMatch(/=note 1\s*$/);
    expect(await page.locator('tbody tr').count()).toBeLessThan(200);
    await page.getByRole('button', { name: 'priority' }).click();
    await expect.poll(() => firstRow(page)).toMatch(/=note 1500\s*$/);

    await page.getByText('Columns', { exact: true }).click();
    await page.getByRole('button', { name: 'Move priority left' }).click();
    await page.getByLabel('Row', { exact: true }).uncheck();
    await page.keyboard.press('Escape');
    const heads = await headings(page);
    expect(heads).not.toContain('Row');
    await page.getByText('Views', { exact: true }).click();
    await page.getByLabel('Name of the view').fill('By priority');
    await page.getByRole('button', { name: 'Save view' }).click();
    await page.goto(`${site().url}${path}`);
    await page.getByText('Views', { exact: true }).click();
    await page.getByRole('link', { name: 'By priority' }).click();
    await expect.poll(() => headings(page)).toEqual(heads);
    await expect.poll(() => firstRow(page)).toContain(`=note ${rowCount}`);
    expect(errors).toEqual([]);
  });

  test('moves by keyboard to its last row, and selects rows', async () => {
    const { page, errors } = await site().open(browser(), `${path}?sort=Row`);
    const rows = page.getByRole('region', { name: 'Rows of the batch' });
    await page.getByText(`${count(rowCount)} rows`, { exact: true }).waitFor();
    await rows.focus();
    await page.keyboard.press('j');
    await page.keyboard.press('End');
    await expect.poll(() => page.locator('tr:focus').innerText()).toContain(`brand-${rowCount - 1}.invalid`);
    await page.keyboard.press('x');
    await page.keyboard.press('k');
    await page.keyboard.press('x');
    await page.getByText(`2 of ${count(rowCount)} rows selected`).waitFor();
    await expectAccessible(page, 'table-selection');
    await page.getByRole('button', { name: 'Clear selection' }).click();
    expect(await page.getByText('selected').count()).toBe(0);
    expect(errors).toEqual([]);
  });

  test('sorts lists whose pages have other limits: verdicts and batches', async () => {
    const key = await site().createKey();
    for (let i = 21; i > 0; i--) {
      const json = { rows: [{ email: `info@brand-${i}.invalid` }], name: `A ${i}` };
      expect((await site().call('POST', '/v1/batches', { key, json })).status).toBe(201);
    }
    const { page, errors } = await site().open(browser(), '/emails');
    await page.getByRole('button', { name: 'Address', exact: true }).click();
    await expect.poll(() => firstRow(page)).toContain('info@brand-0.invalid');
    await page.goto(`${site().url}/batches`);
    await page.getByRole('button', { name: 'Batch', exact: true }).click();
    await expect.poll(() => firstRow(page)).toMatch(/^\s*A 1\s/);
    await page.getByText('22 batches', { exact: true }).waitFor();
    expect(errors).toEqual([]);
  });
});

function count(number: number): string {
  return new Intl.NumberFormat('en-GB').format(number);
}

function firstRow(page: Page): Promise<string> {
  return page.locator('tbody tr').first().innerText();
}

function headings(page: Page): Promise<readonly string[]> {
  return page.locator('thead th').allInnerTexts();
}
