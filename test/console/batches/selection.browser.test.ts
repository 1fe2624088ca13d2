import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { describeInBrowser } from '../../support/browser/browser.ts';
import { expectAccessible } from '../../support/browser/expect-accessible.ts';
import { eachTestConsole, type TestConsole } from '../../support/browser/test-console.ts';
import { uploadBatch, waitForState } from '../../support/api/uploaded-batch.ts';
import { generateAds } from '../../support/stand-in/stand-in-ads.ts';

/** Every fifth company is not identified; all others have ads. */
function ads(company: string) {
  if (/[05]\.com$/.test(company)) return 'no_match';
  const some = Array.from({ length: 20 }, (_, seed) => generateAds(company, seed));
  return some.find((each) => each.length > 0) ?? [];
}

const rowCount = 250;

describeInBrowser('selection of results', (browser) => {
  eachTestConsole(
    (site) => {
      test('is exported, mapped and retried, with its cost named first', async () => {
        const { key, id } = await upload(site(), 20);
        const { page, errors } = await site().open(browser(), `/batches/${id}/results?tab=companies`);
        await select(page, 1).click();
        await select(page, 10).click({ modifiers: ['Shift'] });
        await page.getByText('10 of 20 rows selected').waitFor();
        await select(page, 2).click();
        await page.getByText('9 of 20 rows selected').waitFor();
        await page.getByText('Export', { exact: true }).click();
        await expectAccessible(page, 'selection');
        expect(await linesOf(page, 'NDJSON')).toEqual([1, 3, 4, 5, 6, 7, 8, 9, 10].map((row) => row + 1));
        await page.keyboard.press('Escape');

        await page.getByRole('link', { name: 'Map', exact: true }).click();
        await page.getByText('Companies of the selected rows.').waitFor();
        const cards = page.getByRole('list', { name: 'Companies not identified' }).getByRole('heading');
        await expect.poll(() => cards.allInnerTexts()).toEqual(['brand-10.com', 'brand-5.com']);
        await expectAccessible(page, 'selection-mapped');
        await page.getByRole('link', { name: 'Show all' }).click();
        await expect.poll(() => cards.count()).toBe(4);

        await page.goto(`${site().url}/batches/${id}/results?tab=companies`);
        for (const row of [4, 5, 15]) await select(page, row).click();
        await page.getByRole('button', { name: 'Retry …' }).click();
        const dialog = page.getByRole('dialog');
        await dialog.getByRole('heading', { name: 'Retry 2 lookups?' }).waitFor();
        await dialog.getByText('up to 0.4 credits in all').waitFor();
        await expectAccessible(page, 'selection-retry');
        await dialog.getByRole('button', { name: 'Retry', exact: true }).click();
        await page.getByText('Retrying 2 lookups.').waitFor();
        await waitForState(site(), key, id, 'finished');
        const batch = await site().call('GET', `/v1/batches/${id}`, { key });
        expect(batch.json()).toMatchObject({
          lookups: { found: 16, no_match: 4 },
          credits: { charged: 3.2 },
        });
        expect(errors).toEqual([]);
      });

      test('of all rows that match a filter loads them, and says how many there are', async () => {
        const { id } = await upload(site(), rowCount);
        const path = `/batches/${id}/results?tab=companies&outcome=found`;
        const { page, errors } = await site().open(browser(), path);
        await select(page, 1).click();
        await page.getByText(`1 of ${rowCount} rows selected`).waitFor();
        await page.getByRole('button', { name: 'Select all', exact: true }).click();
        await page.getByText(`200 of ${rowCount} rows selected`).waitFor();
        expect(await page.getByRole('button', { name: 'Select all', exact: true }).count()).toBe(0);
        expect(await page.getByRole('link', { name: 'Map', exact: true }).count()).toBe(0);
        expect(await page.getByRole('button', { name: 'Retry …' }).count()).toBe(0);
        await page.getByText('Export', { exact: true }).click();
        expect(await linesOf(page, 'NDJSON')).toHaveLength(200);
        expect(errors).toEqual([]);
      });
    },
    { ads },
  );
});

async function upload(site: TestConsole, rows: number) {
  const key = await site.createKey();
  const lines = Array.from({ length: rows }, (_, i) => `brand-${i + 1}.com`);
  const id = await uploadBatch(site, key, ['website', ...lines, ''].join('\n'));
  await waitForState(site, key, id, 'finished');
  return { key, id };
}

function select(page: Page, row: number) {
  return page.getByRole('checkbox', { name: `Select row ${row}`, exact: true });
}

/** Downloads the selection as NDJSON. Returns the lines of the file that its rows come from. */
async function linesOf(page: Page, format: string): Promise<readonly number[]> {
  const menu = page.getByRole('group', { name: 'Selected rows' });
  await menu.getByLabel('File format').selectOption({ label: format });
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    menu.getByRole('link', { name: 'Download results' }).click(),
  ]);
  return readFileSync(await file.path(), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => (JSON.parse(line) as { input_line: number }).input_line);
}
