import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { uploadBatch, waitForState } from '../../support/api/uploaded-batch.ts';
import { readAxeFindings } from '../../support/browser/axe.ts';
import { describeInBrowser } from '../../support/browser/browser.ts';
import { expectAccessible } from '../../support/browser/expect-accessible.ts';
import { keepPicture, outsideRequests, useTestConsole } from '../../support/browser/test-console.ts';

const member = { login: 'mia@example.com', role: 'member' as const };

describeInBrowser('link to a report', (browser) => {
  const site = useTestConsole();
  let key: string;
  let batch: string;

  beforeAll(async () => {
    key = await site().createKey();
    batch = await uploadBatch(site(), key, 'domain\nnike.com\nspotify.com\n');
    await waitForState(site(), key, batch, 'finished');
  });

  test('of a batch is created, opened without a session, counted and revoked', async () => {
    const { page, errors } = await site().open(browser(), `/batches/${batch}`, { person: member });
    const dialog = await openDialog(page);
    await dialog.getByText('No links yet').waitFor();
    await expectAccessible(page, 'share-report');
    await dialog.getByLabel('Link expires').selectOption('In 1 day');
    await dialog.getByRole('button', { name: 'Create link' }).click();
    const url = await dialog.locator('pre code').innerText();
    await dialog.getByText('Active').waitFor();
    await expectAccessible(page, 'share-report-link');
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await dialog.getByRole('button', { name: 'Copy link' }).click();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(url);

    for (const colorScheme of ['light', 'dark'] as const) {
      const stranger = await browser().open(url, { colorScheme });
      await stranger.page.getByRole('heading', { name: 'What is new this week' }).waitFor();
      expect(await stranger.page.context().cookies()).toEqual([]);
      expect(await readAxeFindings(stranger.page)).toEqual([]);
      expect(stranger.errors).toEqual([]);
      expect(outsideRequests(stranger, site().url)).toEqual([]);
      expect(await stranger.page.evaluate('document.referrer')).toBe('');
      await keepPicture(stranger.page, `shared-report-${colorScheme}`, { fullPage: false });
    }

    await dialog.getByRole('button', { name: 'Close' }).click();
    expect(await page.content()).not.toContain(url);
    const again = await openDialog(page);
    await again.getByText('2 times').waitFor();
    expect(await again.innerText()).toContain('mia@example.com');
    await again.getByRole('button', { name: 'Revoke' }).click();
    await again.getByText('Revoked').waitFor();
    expect(errors).toEqual([]);
    await expectMissing(url, 'shared-report-missing');
  });

  test('of a schedule expires', async () => {
    const added = await site().call('POST', '/v1/schedules', {
      key,
      json: { name: 'rivals', cron: '0 2 * * *', rows: [{ company_domain: 'nike.com' }] },
    });
    const { id } = added.json() as { id: string };
    const { page } = await site().open(browser(), `/schedules/${id}`, { person: member });
    const dialog = await openDialog(page);
    await dialog.getByRole('button', { name: 'Create link' }).click();
    const url = await dialog.locator('pre code').innerText();
    const stranger = await browser().open(url);
    await stranger.page.getByText('No scan has finished yet. Comparison begins with').waitFor();
    await site().database.owner.pool.query(
      'UPDATE nightshift.report_links SET expires_at = now() WHERE schedule_id IS NOT NULL',
    );
    await expectMissing(url);
    await dialog.getByRole('button', { name: 'Close' }).click();
    await (await openDialog(page)).getByText('Expired').waitFor();
  });

  test('cannot be created by a viewer', async () => {
    const person = { login: 'vic@example.com', role: 'viewer' as const };
    const { page } = await site().open(browser(), `/batches/${batch}`, { person });
    await page.getByRole('link', { name: 'Download report' }).waitFor();
    expect(await page.getByRole('button', { name: 'Share report' }).count()).toBe(0);
  });

  async function openDialog(page: Page) {
    await page.getByRole('button', { name: 'Share report …' }).click();
    return page.getByRole('dialog');
  }

  /** Opens a link that shows no report, without a session. */
  async function expectMissing(url: string, picture?: string): Promise<void> {
    const { page } = await browser().open(`${site().url}/livez`);
    expect((await page.goto(url))?.status()).toBe(404);
    await page.getByRole('heading', { name: 'This report is not available', level: 1 }).waitFor();
    if (picture !== undefined) await expectAccessible(page, picture);
    expect(await readAxeFindings(page)).toEqual([]);
  }
});
