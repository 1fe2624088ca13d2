import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { readAxeFindings } from '../support/browser/axe.ts';
import { describeInBrowser } from '../support/browser/browser.ts';
import { keepPicture, outsideRequests } from '../support/browser/test-console.ts';
import { openResultFixture, fixtureRows, type ResultFixture } from '../support/reports/result-fixture.ts';

const jane = { login: 'jane@example.com', role: 'member' as const, account: 'results' };

describeInBrowser('results', (browser) => {
  describe.each(['postgres', 'redis'] as const)('with the queue on %s', (queue) => {
    const isLacking = queue === 'redis' && inject('redisUrl') === null;
    describe.skipIf(isLacking)(isLacking ? '(not run: no Redis)' : 'of a list', () => {
      let fixture: ResultFixture;
      let path = '';

      beforeAll(async () => {
        fixture = await openResultFixture({ queue });
        path = `/batches/${fixture.batch}/results`;
      });
      afterAll(() => fixture.close());

      test('are narrowed down, and downloaded as they are shown', async () => {
        const opened = await fixture.service.open(browser(), path, { person: jane });
        const { page, errors } = opened;
        await page.getByText(`${fixtureRows} rows in all`).waitFor();
        expect(await readAxeFindings(page)).toEqual([]);
        await keepPicture(page, 'results-companies');

        await page.getByLabel('Outcome').selectOption('found');
        await page.getByLabel('Search', { exact: true }).fill('hanover');
        await page.getByLabel('Search', { exact: true }).press('Enter');
        await expect.poll(() => page.url()).toContain('outcome=found&q=hanover');
        await page.getByText('That is all.').waitFor();
        const companies = await page.locator('tbody tr').count();
        expect(companies).toBeGreaterThan(1);
        expect(companies).toBeLessThan(fixtureRows);
        expect(await linesOf(page, 'CSV')).toBe(companies + 1);
        expect(await linesOf(page, 'NDJSON')).toBe(companies);

        await page.getByRole('link', { name: /^Ads/ }).click();
        await page.getByLabel('Format').selectOption({ index: 1 });
        await expect.poll(() => page.url()).toContain('ad_format=');
        await page.getByText('That is all.').waitFor();
        const ads = await page.locator('tbody tr').count();
        expect(ads).toBeGreaterThan(1);
        expect(await linesOf(page, 'NDJSON')).toBe(ads);
        await keepPicture(page, 'results-ads');
        expect(await readAxeFindings(page)).toEqual([]);

        // What the address says can be shared: a reload shows the same.
        await page.reload();
        await page.getByText('That is all.').waitFor();
        expect(await page.locator('tbody tr').count()).toBe(ads);
        expect(await page.getByLabel('Search', { exact: true }).inputValue()).toBe('hanover');
        expect(errors).toEqual([]);
        expect(outsideRequests(opened, fixture.service.url)).toEqual([]);
      });
    });
  });

  /** Downloads what is shown, in a form, and counts the lines of the file. */
  async function linesOf(page: Page, format: string): Promise<number> {
    await page.getByLabel('As', { exact: true }).selectOption({ label: format });
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Download what is shown' }).click(),
    ]);
    return readFileSync(await file.path(), 'utf8')
      .trimEnd()
      .split('\n').length;
  }
});
