import { afterAll, beforeAll, expect, test } from 'vitest';
import { readAxeFindings } from '../../support/browser/axe.ts';
import { describeInBrowser } from '../../support/browser/browser.ts';
import { openTestConsole, outsideRequests, type TestConsole } from '../../support/browser/test-console.ts';
import { addDetails, runDetailedBatch } from '../../support/reports/detailed-batch.ts';
import { generateAds } from '../../support/stand-in/stand-in-ads.ts';

describeInBrowser('details of ads', (browser) => {
  let service: TestConsole;
  let batch = '';

  beforeAll(async () => {
    service = await openTestConsole({ ads: () => addDetails(generateAds('acme.com', 4)) });
    batch = await runDetailedBatch(service, await service.createKey());
  });
  afterAll(() => service.close());

  test('are on the page of the ad, and an ad without a picture has a link to its preview', async () => {
    const opened = await service.open(browser(), `/batches/${batch}/results?tab=ads`);
    const { page, errors } = opened;
    const first = page.locator('tbody tr').first();
    const link = first.getByRole('link', { name: /Open preview/ });
    expect(await link.getAttribute('href')).toBe('https://preview.example/ad.html');
    expect(await link.getAttribute('rel')).toContain('noopener noreferrer');
    expect(await page.getByRole('link', { name: /Open preview/ }).count()).toBe(1);
    expect(await first.locator('td[data-label="Platform"]').textContent()).toBe('google');

    await first.getByRole('link').first().click();
    await page.getByRole('heading', { name: 'Details' }).waitFor();
    const terms = await page.locator('dl.terms').last().innerText();
    const words = ['12', '=Payer SE', 'Health', 'shop.example', 'Shop Societas', 'DE', 'VERIFIED'];
    for (const word of [...words, 'CRITERIA_INCLUDED', 'No']) expect(terms).toContain(word);
    const regions = page.getByRole('table', { name: 'Regions in which the ad was shown' });
    const cells = await regions.locator('tbody tr').first().locator('th, td').allInnerTexts();
    expect(cells.slice(0, 4)).toEqual(['FR', '2026-01-05', '2026-01-20', '3,000,000,000 – 4,000,000,000']);
    expect(cells[4]).toMatch(/^YOUTUBE: 1 – 2\s+MAPS$/);
    expect(await page.getByRole('link', { name: /Open preview/ }).count()).toBe(2);
    expect(await readAxeFindings(page)).toEqual([]);
    expect(errors).toEqual([]);
    expect(outsideRequests(opened, service.url)).toEqual([]);
  });
});
