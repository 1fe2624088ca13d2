import { readFileSync } from 'node:fs';
import { deflateSync } from 'node:zlib';
import type { Page } from 'playwright-core';
import { expect, onTestFinished, test } from 'vitest';
import { workbookLinesMax } from '../../../src/core/reports/workbook-lines.ts';
import { describeInBrowser } from '../../support/browser/browser.ts';
import { setVisibility } from '../../support/browser/set-visibility.ts';
import { openTestConsole, useTestConsole } from '../../support/browser/test-console.ts';

describeInBrowser('files', (browser) => {
  const site = useTestConsole();

  test.each([
    [
      'a PNG',
      'logo.csv',
      png(),
      'This is a PNG image. Save the list as CSV (UTF-8) or as an Excel workbook (.xlsx)',
    ],
    ['a PDF', 'leads.pdf', Buffer.from('%PDF-1.7\n'), 'This is a PDF document, which holds no table'],
    ['a damaged workbook', 'leads.xlsx', Buffer.from('PK\x03\x04broken'), 'leads.xlsx'],
    ['a file with NUL in its header', 'nul.csv', Buffer.from('do\0main\nnike.com\n'), 'contains a NUL byte'],
  ])('rejects %s with an error at the drop zone', async (_what, name, buffer, message) => {
    const { page } = await site().open(browser(), '/batches/new');
    await page.locator('input[type=file]').setInputFiles({ name, mimeType: 'text/csv', buffer });
    await alerted(page, message);
  });

  test('disables Excel for a batch with too many lines, and shows the error for filtered results', async () => {
    const rows = workbookLinesMax + 1;
    const body = `Site\n${'nike.com\n'.repeat(rows)}`;
    const headers = { 'Content-Type': 'text/csv' };
    const made = await site().call('POST', '/v1/batches', { key: await site().createKey(), headers, body });
    const { id } = made.json() as { id: string };

    const { page } = await site().open(browser(), `/batches/${id}`);
    await page.getByText('Excel files hold up to 50,000 lines. This batch has 50,001 rows.').waitFor();
    expect(await page.getByRole('button', { name: 'Excel' }).isDisabled()).toBe(true);

    await page.getByRole('link', { name: 'Results' }).click();
    await page.getByRole('link', { name: /^Companies/ }).click();
    await page.getByLabel('File format').selectOption('xlsx');
    const button = page.getByRole('link', { name: 'Download results' });
    await button.click();
    await alerted(page, 'XLSX is for exports of 50,000 lines at most');
    // Another format is another file, without an error.
    await page.getByLabel('File format').selectOption('csv');
    expect(await page.getByRole('alert').count()).toBe(0);
    const download = page.waitForEvent('download');
    await button.click();
    const text = readFileSync(await (await download).path(), 'utf8');
    expect(text.trim().split('\n')).toHaveLength(rows + 1);
  });

  test('shows the error of a rejected or unanswered download beside the link', async () => {
    const own = await openTestConsole();
    let isOpen = true;
    const close = async () => {
      if (isOpen) await own.close();
      isOpen = false;
    };
    onTestFinished(close);
    const json = { rows: [{ company_domain: 'nike.com' }] };
    const made = await own.call('POST', '/v1/batches', { key: await own.createKey(), json });
    const { id } = made.json() as { id: string };
    const { page } = await own.open(browser(), `/batches/${id}`);
    await page.getByText('Finished', { exact: true }).first().waitFor();
    const workbook = page.waitForEvent('download');
    await page.getByRole('link', { name: 'Excel', exact: true }).click();
    expect((await workbook).suggestedFilename()).toMatch(/^rows-rows-[\d-]{10}\.xlsx$/);
    const forExcel = page.waitForEvent('download');
    await page.getByRole('link', { name: 'CSV for Excel' }).click();
    expect((await forExcel).suggestedFilename()).toMatch(/^rows-rows-[\d-]{10}\.csv$/);
    expect(readFileSync(await (await forExcel).path(), 'utf8')).toMatch(/^\ufeffcompany_domain,/);

    // The page would show the purge, and no downloads.
    await setVisibility(page, 'hidden');
    await own.database.owner.pool.query(`UPDATE nightshift.batches SET purged_at = now()`);
    await page.getByRole('link', { name: 'CSV', exact: true }).click();
    await alerted(page, 'was purged on');
    await close();
    await page.getByRole('link', { name: 'Parquet' }).click();
    await alerted(page, 'The server cannot be reached');
  });
});

async function alerted(page: Page, message: string): Promise<void> {
  await page.getByRole('alert').getByText(message).first().waitFor();
}

function png(): Buffer {
  const start = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');
  return Buffer.concat([start, deflateSync(Buffer.alloc(4000))]);
}
