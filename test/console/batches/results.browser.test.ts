import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { readAxeFindings } from '../../support/browser/axe.ts';
import { describeInBrowser } from '../../support/browser/browser.ts';
import { keepPicture, outsideRequests } from '../../support/browser/test-console.ts';
import { openResultFixture, fixtureRows, type ResultFixture } from '../../support/reports/result-fixture.ts';

const jane = { login: 'jane@example.com', role: 'member' as const, account: 'results' };

describeInBrowser('results', (browser) => {
  describe.each(['postgres', 'redis'] as const)('with the queue on %s', (queue) => {
    const isLacking = queue === 'redis' && inject('redisUrl') === null;
    describe.skipIf(isLacking)(isLacking ? '(not run: no Redis)' : 'of a batch', () => {
      let fixture: ResultFixture;
      let path = '';

      beforeAll(async () => {
        fixture = await openResultFixture({ queue });
        path = `/batches/${fixture.batch}/results?tab=companies`;
      });
      afterAll(() => fixture.close());

      test('are filtered, and downloads have the same rows', async () => {
        const opened = await fixture.service.open(browser(), path, { person: jane });
        const { page, errors } = opened;
        await page.getByText(`${fixtureRows} rows in total`).waitFor();
        expect(await readAxeFindings(page)).toEqual([]);
        await keepPicture(page, 'results-companies');

        await page.getByLabel('Outcome').selectOption('found');
        await page.getByLabel('Search', { exact: true }).fill('hanover');
        await page.getByLabel('Search', { exact: true }).press('Enter');
        await expect.poll(() => page.url()).toContain('outcome=found&q=hanover');
        const companies = await countRows(page);
        expect(companies).toBeGreaterThan(1);
        expect(companies).toBeLessThan(fixtureRows);
        expect(await linesOf(page, 'CSV')).toBe(companies + 1);
        expect(await linesOf(page, 'CSV for Excel')).toBe(companies + 1);
        expect(await linesOf(page, 'NDJSON')).toBe(companies);

        await page.getByRole('link', { name: /^Ads/ }).click();
        await page.getByLabel('Ad format').selectOption({ index: 1 });
        await expect.poll(() => page.url()).toContain('ad_format=');
        const ads = await countRows(page);
        expect(ads).toBeGreaterThan(1);
        expect(await linesOf(page, 'NDJSON')).toBe(ads);
        await keepPicture(page, 'results-ads');
        expect(await readAxeFindings(page)).toEqual([]);

        // The URL can be shared: a reload shows the same.
        await page.reload();
        expect(await countRows(page)).toBe(ads);
        expect(await page.getByLabel('Search', { exact: true }).inputValue()).toBe('hanover');
        expect(errors).toEqual([]);
        expect(outsideRequests(opened, fixture.service.url)).toEqual([]);
      });
    });
  });

  /** Counts the rows of the table once it is loaded. All of them fit on one page. */
  async function countRows(page: Page): Promise<number> {
    await page.locator('tbody tr').first().waitFor();
    await page.locator('main .loading').waitFor({ state: 'detached' });
    expect(await page.getByRole('button', { name: 'Show more' }).count()).toBe(0);
    return page.locator('tbody tr').count();
  }

  /** Downloads the filtered results in a format, and counts the lines of the file. */
  async function linesOf(page: Page, format: string): Promise<number> {
    await page.getByLabel('File format').selectOption({ label: format });
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Download results' }).click(),
    ]);
    return readFileSync(await file.path(), 'utf8')
      .trimEnd()
      .split('\n').length;
  }
});
