import type { Locator } from 'playwright-core';
import { expect, test } from 'vitest';
import { readAxeFindings } from '../../support/browser/axe.ts';
import { describeInBrowser } from '../../support/browser/browser.ts';
import {
  keepPicture,
  outsideRequests,
  useTestConsole,
  type TestConsole,
} from '../../support/browser/test-console.ts';
import { generateAds } from '../../support/stand-in/stand-in-ads.ts';

describeInBrowser('sample data', (browser) => {
  const withSample = useTestConsole();
  const withAds = useTestConsole({ ads: (company) => generateAds(company, 2) });

  test('is marked on every page that shows generated ads', async () => {
    const at = await openAll(withSample());
    const { page, errors } = await withSample().open(browser(), '/batches');
    for (const path of ['/batches', '/schedules']) {
      await page.goto(`${withSample().url}${path}`);
      await page.locator('tbody tr').getByText('Sample data').first().waitFor();
    }
    for (const path of at) {
      await page.goto(`${withSample().url}${path}`);
      await page.getByText('These ads are generated.').waitFor();
      expect(await readAxeFindings(page), path).toEqual([]);
    }
    await page.goto(`${withSample().url}${at.find((path) => path.endsWith('tab=ads')) ?? ''}`);
    const row = page.locator('tbody tr').first();
    await row.getByText('Sample data').waitFor();
    expect(await row.innerText()).toMatch(/\d{4}, \d\d:\d\d/);
    await keepPicture(page, 'sample-data');
    expect(errors).toEqual([]);
  });

  test('has drawn pictures in the gallery and the details of an ad, which need no choice and no other server', async () => {
    const key = await withSample().createKey({ scopes: ['batches:read', 'batches:write'] });
    const opened = await withSample().open(
      browser(),
      `/batches/${await runBatch(withSample(), key)}/results`,
    );
    const { page, errors } = opened;
    const first = page.locator('.gallery img').first();
    await expect.poll(() => widthOf(first)).toBeGreaterThan(300);
    expect(await first.getAttribute('src')).toMatch(/^\/sample-creatives\/CR\d{20}-\d+\.svg$/);
    expect(await page.locator('.gallery li').count()).toBe(await page.locator('.gallery img').count());
    expect(await page.getByLabel('Show pictures').count()).toBe(0);
    await keepPicture(page, 'sample-gallery');

    await page.locator('.gallery a').first().click();
    await expect
      .poll(() => widthOf(page.locator('dialog img, [role=dialog] img').first()))
      .toBeGreaterThan(300);
    expect(await readAxeFindings(page)).toEqual([]);
    expect(outsideRequests(opened, withSample().url)).toEqual([]);
    expect(errors).toEqual([]);
  });

  test('is marked before the start of a batch', async () => {
    const { page } = await withSample().open(browser(), '/batches/new');
    const file = { name: 'first.csv', mimeType: 'text/csv', buffer: Buffer.from('website\nnike.com\n') };
    await page.locator('input[type=file]').setInputFiles(file);
    await page.getByRole('button', { name: 'Review cost' }).click();
    await page.getByText('These ads are generated.').waitFor();
  });

  test('is not marked with a real source, whose name and date the results show', async () => {
    const at = await openAll(withAds());
    const { page } = await withAds().open(browser(), '/batches');
    for (const path of ['/batches', '/schedules', ...at]) {
      await page.goto(`${withAds().url}${path}`);
      await page.locator('h1').first().waitFor();
      await expect.poll(() => page.getByText('Loading …').count()).toBe(0);
      expect(await page.getByText(/generated|Sample data/).count(), path).toBe(0);
    }
    await page.goto(`${withAds().url}${at.find((path) => path.endsWith('tab=companies')) ?? ''}`);
    expect(await page.locator('tbody tr').first().innerText()).toMatch(/upstream\s+\d+ \w+ \d{4}, \d\d:\d\d/);
  });
});

/** Width of a picture once it is loaded, in pixels; 0 before. */
function widthOf(picture: Locator): Promise<number> {
  return picture.evaluate((image: { readonly naturalWidth: number }) => image.naturalWidth);
}

/** Runs a batch and returns its id. */
async function runBatch(site: TestConsole, key: string): Promise<string> {
  const { id } = (
    await site.call('POST', '/v1/batches', { key, json: { rows: [{ company_domain: 'nike.com' }] } })
  ).json() as { readonly id: string };
  await expect
    .poll(async () => (await site.call('GET', `/v1/batches/${id}`, { key })).json())
    .toMatchObject({ state: 'finished' });
  return id;
}

/** Runs a batch and a schedule, and returns the paths of all pages that show their ads. */
async function openAll(site: TestConsole): Promise<readonly string[]> {
  const key = await site.createKey({ scopes: ['batches:read', 'batches:write'] });
  const batch = await runBatch(site, key);
  const { ads } = (await site.call('GET', `/v1/ads?batch=${batch}`, { key })).json() as {
    readonly ads: readonly { readonly id: string }[];
  };
  const terms = { name: 'rivals', cron: '0 2 * * *', rows: [{ company_domain: 'nike.com' }] };
  const { id: schedule } = (await site.call('POST', '/v1/schedules', { key, json: terms })).json() as {
    readonly id: string;
  };
  expect((await site.call('POST', `/v1/schedules/${schedule}/run`, { key })).status).toBe(201);
  await expect
    .poll(async () => (await site.call('GET', `/v1/schedules/${schedule}`, { key })).json())
    .toMatchObject({ last_scan: { state: 'finished' } });
  return [
    `/batches/${batch}`,
    `/batches/${batch}/results`,
    `/batches/${batch}/results?tab=companies`,
    `/batches/${batch}/results?tab=ads`,
    `/ads/${encodeURIComponent(ads[0]?.id ?? '')}`,
    `/charts?batch=${batch}`,
    `/charts?schedule=${schedule}`,
    `/schedules/${schedule}`,
    `/changes?schedule=${schedule}`,
  ];
}
