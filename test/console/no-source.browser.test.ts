import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { readAxeFindings } from '../support/browser/axe.ts';
import { describeInBrowser } from '../support/browser/browser.ts';
import { keepPicture, useTestConsole } from '../support/browser/test-console.ts';

const operator = { login: 'root@example.com', role: 'operator' as const };

describeInBrowser('a service without a source of ads', (browser) => {
  const site = useTestConsole({ settings: { NIGHTSHIFT_SOURCES: '' } });

  test('claims no cost and starts nothing, says what to do, and lets the sample be tried', async () => {
    const { page, errors } = await site().open(browser(), '/lists/new', { person: operator });
    await review(page, 'website\nnike.com\nnobody-at-all.com\n');
    await page.getByText('There is nowhere to look the companies up yet').waitFor();
    await page.getByText('NIGHTSHIFT_SOURCES').waitFor();
    expect(await page.getByRole('button', { name: 'Start the list' }).isDisabled()).toBe(true);
    for (const claim of ['covers all of it', 'What it costs'])
      expect(await page.getByText(claim).count()).toBe(0);
    expect(await readAxeFindings(page)).toEqual([]);
    await keepPicture(page, 'new-list-no-source');

    await page.getByRole('button', { name: 'Try it with the sample' }).click();
    await page.getByText('These ads are generated.').waitFor();
    await page.getByText('That covers all of it').waitFor();
    await page.getByRole('button', { name: 'Start the list' }).click();
    await page.getByText('Finished', { exact: true }).first().waitFor();
    await page.getByText('Sample data').first().waitFor();
    expect(errors).toEqual([]);
  });

  test('tells who does not run it who does, and that addresses need none', async () => {
    const { page } = await site().open(browser(), '/lists/new');
    await review(page, 'website,email\nnike.com,jane@example.com\n');
    await page.getByText('Whoever runs this Nightshift has to set up a source of ads first.').waitFor();
    await page.getByText('Addresses need no source').waitFor();
    await page.getByRole('button', { name: 'Back' }).click();
    await page.getByLabel('Look up the ads of the companies').uncheck();
    await page.getByRole('button', { name: 'See what will become of it' }).click();
    await page.getByText('That covers all of it').waitFor();
    expect(await page.getByRole('button', { name: 'Start the list' }).isDisabled()).toBe(false);
  });

  test('claims no cost of a scan', async () => {
    const { page } = await site().open(browser(), '/schedules/new');
    await page.getByLabel('Or type them in').fill('acme.com\nglobex.com');
    await page.getByRole('button', { name: 'Take these' }).click();
    await page.getByText('2 companies. There is nowhere to look them up yet').waitFor();
    expect(await page.getByText('A scan costs').count()).toBe(0);
  });
});

/** Hands in a list and goes to its last step. */
async function review(page: Page, text: string): Promise<void> {
  const file = { name: 'list.csv', mimeType: 'text/csv', buffer: Buffer.from(text) };
  await page.locator('input[type=file]').setInputFiles(file);
  await page.getByRole('button', { name: 'See what will become of it' }).click();
}
