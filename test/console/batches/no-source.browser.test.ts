import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { readAxeFindings } from '../../support/browser/axe.ts';
import { describeInBrowser } from '../../support/browser/browser.ts';
import { keepPicture, useTestConsole } from '../../support/browser/test-console.ts';

const operator = { login: 'root@example.com', role: 'operator' as const };

describeInBrowser('installation without an ad source', (browser) => {
  const site = useTestConsole({ settings: { NIGHTSHIFT_SOURCES: '' } });

  test('shows no cost, cannot start a batch, and offers the sample', async () => {
    const { page, errors } = await site().open(browser(), '/batches/new', { person: operator });
    await page.getByText('No ad source is set up').waitFor();
    expect(await readAxeFindings(page)).toEqual([]);
    await review(page, 'website\nnike.com\nnobody-at-all.com\n');
    await page.getByText('No ad source is set up').waitFor();
    await page.getByText('NIGHTSHIFT_SOURCES').waitFor();
    expect(await page.getByRole('button', { name: 'Start batch' }).isDisabled()).toBe(true);
    expect(await page.getByText('Your balance covers').count()).toBe(0);
    expect(await page.getByRole('heading', { name: 'Cost', exact: true }).count()).toBe(0);
    expect(await readAxeFindings(page)).toEqual([]);
    await keepPicture(page, 'new-batch-no-source');

    await page.getByRole('button', { name: 'Use sample data' }).click();
    await page.getByText('These ads are generated.').waitFor();
    await page.getByText('Your balance covers').waitFor();
    await page.getByRole('heading', { name: 'Cost', exact: true }).waitFor();
    await page.getByRole('button', { name: 'Start batch' }).click();
    await page.getByText('Finished', { exact: true }).first().waitFor();
    await page.getByText('Sample data').first().waitFor();
    expect(errors).toEqual([]);
  });

  test('refers members to the operator, and validates e-mail addresses without a source', async () => {
    const { page } = await site().open(browser(), '/batches/new');
    await review(page, 'website,email\nnike.com,jane@example.com\n');
    await page.getByText('Ask your operator to set up an ad source.').waitFor();
    await page.getByText('E-mail validation needs no source').waitFor();
    await page.getByRole('button', { name: 'Back' }).click();
    await page.getByLabel('Find ads of companies').uncheck();
    await page.getByRole('button', { name: 'Review cost' }).click();
    await page.getByText('Your balance covers').waitFor();
    expect(await page.getByRole('button', { name: 'Start batch' }).isDisabled()).toBe(false);
  });

  test('starts a batch of sample companies with sample data', async () => {
    const { page, errors } = await site().open(browser(), '/batches/new');
    await page.getByRole('button', { name: 'Try it with sample data' }).click();
    await page.getByRole('button', { name: 'Review cost' }).click();
    await page.getByText('These ads are generated.').waitFor();
    await page.getByRole('button', { name: 'Start batch' }).click();
    await page.getByText('Finished', { exact: true }).first().waitFor();
    expect(errors).toEqual([]);
  });

  test('lists the sources with what they need, for operators', async () => {
    const { page, errors } = await site().open(browser(), '/sources', { person: operator });
    const serpapi = page.getByRole('row').filter({ hasText: 'serpapi' });
    await serpapi.getByText('Not set up').waitFor();
    expect(await serpapi.innerText()).toContain('NIGHTSHIFT_SERPAPI_KEY');
    expect(await page.getByRole('button', { name: /^Test/ }).count()).toBe(0);
    expect(await readAxeFindings(page)).toEqual([]);
    await keepPicture(page, 'sources');
    expect(errors).toEqual([]);
  });

  test('shows no cost of a scan', async () => {
    const { page } = await site().open(browser(), '/schedules/new');
    await page.getByRole('button', { name: 'Paste rows' }).click();
    await page.getByLabel('Rows', { exact: true }).fill('acme.com\nglobex.com');
    await page.getByRole('button', { name: 'Use these rows' }).click();
    await page.getByText('2 companies. No ad source is set up.').waitFor();
    expect(await page.getByText('A scan costs').count()).toBe(0);
  });
});

/** Uploads a file and opens the last step. */
async function review(page: Page, text: string): Promise<void> {
  const file = { name: 'companies.csv', mimeType: 'text/csv', buffer: Buffer.from(text) };
  await page.locator('input[type=file]').setInputFiles(file);
  await page.getByRole('button', { name: 'Review cost' }).click();
}
