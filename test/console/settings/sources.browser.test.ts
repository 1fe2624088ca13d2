import { afterAll, beforeAll, expect, test } from 'vitest';
import { readAxeFindings } from '../../support/browser/axe.ts';
import { describeInBrowser } from '../../support/browser/browser.ts';
import { keepPicture, openTestConsole, type TestConsole } from '../../support/browser/test-console.ts';
import { openSourceStandIn, type SourceStandIn } from '../../support/stand-in/source-stand-in.ts';
import { generateAds } from '../../support/stand-in/stand-in-ads.ts';

const operator = { login: 'olga@example.com', role: 'operator' as const };

describeInBrowser('sources', (browser) => {
  let standIn: SourceStandIn;
  let site: TestConsole;

  beforeAll(async () => {
    standIn = await openSourceStandIn({ ads: (company) => generateAds(company, 2) });
    site = await openTestConsole({
      settings: {
        NIGHTSHIFT_SOURCES: 'upstream',
        NIGHTSHIFT_UPSTREAM_URL: standIn.url,
        NIGHTSHIFT_UPSTREAM_KEY: standIn.key,
      },
    });
  });
  afterAll(async () => {
    await site.close();
    await standIn.close();
  });

  test('are tested by an operator with one real request', async () => {
    const { page, errors } = await site.open(browser(), '/sources', { person: operator });
    const upstream = page.getByRole('row').filter({ hasText: 'upstream' });
    await upstream.getByText('Ready, default').waitFor();
    await upstream.getByRole('button', { name: 'Test' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Company website').fill('acme.com');
    expect(await readAxeFindings(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Send request' }).click();
    await dialog.getByText('The source answers as recorded').waitFor();
    expect(standIn.log.length).toBe(1);
    await keepPicture(page, 'sources-smoke-test');
    await dialog.getByRole('button', { name: 'Close' }).click();
    await upstream.locator('[data-label="Last test"]').getByText('found').waitFor();
    expect(await readAxeFindings(page)).toEqual([]);
    expect(errors).toEqual([]);
  });

  test('and other options of a search are chosen for a batch, and kept by its steps', async () => {
    const { page, errors } = await site.open(browser(), '/batches/new');
    const file = { name: 'options.csv', mimeType: 'text/csv', buffer: Buffer.from('website\nacme.com\n') };
    await page.locator('input[type=file]').setInputFiles(file);
    await page.getByRole('button', { name: 'Review cost' }).click();
    await page.getByText('Options', { exact: true }).click();
    const source = page.getByLabel('Ad source');
    await expect
      .poll(() => source.locator('option').allInnerTexts())
      .toEqual([
        'Default: upstream',
        'upstream: 0.2 credits per search that found ads',
        'sample: generated ads',
      ]);
    await page.getByLabel('Country').fill('DE');
    await page.getByRole('button', { name: 'Apply options' }).click();
    await page.getByText('the source upstream cannot search by region').waitFor();
    await page.getByLabel('Country').fill('');
    await page.getByLabel('Maximum ads per company').fill('1');
    await source.selectOption('upstream');
    await page.getByRole('button', { name: 'Apply options' }).click();
    await page.getByText('Your balance covers').waitFor();
    expect(await readAxeFindings(page)).toEqual([]);
    await keepPicture(page, 'new-batch-options');
    await page.getByRole('button', { name: 'Back' }).click();
    await page.getByRole('button', { name: 'Review cost' }).click();
    expect(await page.getByLabel('Maximum ads per company').inputValue()).toBe('1');
    await page.getByRole('button', { name: 'Start batch' }).click();
    await page.getByRole('heading', { name: 'options.csv' }).waitFor();
    const { rows } = await site.database.app.pool.query<{ search: { adsMax: number } }>(
      'SELECT search FROM nightshift.batches',
    );
    expect(rows.map(({ search }) => search.adsMax)).toEqual([1]);
    expect(errors.filter((error) => !/status of 400/.test(error))).toEqual([]);
  });
});
