import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { uploadBatch, waitForState } from '../../support/api/uploaded-batch.ts';
import { expectAccessible } from '../../support/browser/expect-accessible.ts';
import { describeInBrowser } from '../../support/browser/browser.ts';
import { keepPicture, outsideRequests, useTestConsole } from '../../support/browser/test-console.ts';

const zone = {
  'acme.com': { MX: [[10, 'mx.acme.com']], TXT: ['v=spf1 mx -all'] },
  'mx.acme.com': { A: ['93.184.216.34'] },
} as const;

const invalidCount = 25;
const list = [
  'email',
  'jane@acme.com',
  'info@acme.com',
  ...Array.from({ length: invalidCount }, (_, i) => `p${i}@gone.example-tld`),
].join('\n');
const laptop = { width: 1440, height: 900 };

const site = useTestConsole({ zone });

beforeAll(async () => {
  const key = await site().createKey();
  for (const body of [list, 'email\nbob@acme.com\n'])
    await waitForState(site(), key, await uploadBatch(site(), key, body), 'finished');
});

describeInBrowser('page of e-mail verdicts', (browser) => {
  test('has totals that filter, and one line for each verdict', async () => {
    const opened = await site().open(browser(), '/emails', { visitor: { viewport: laptop } });
    const { page, errors } = opened;
    await page.getByText('28 verdicts', { exact: true }).waitFor();
    expect(await totalsOf(page)).toEqual(['All 28', 'Valid 0', 'Invalid 25', 'Catch-all 0', 'Unknown 3']);
    expect(await rowsOnScreen(page)).toBeGreaterThanOrEqual(17);
    await page.setViewportSize({ width: 1440, height: 1000 });
    expect(await rowsOnScreen(page)).toBeGreaterThanOrEqual(20);
    await expectAccessible(page, 'emails');

    await page.getByRole('button', { name: /^Unknown/ }).click();
    await page.getByText('3 of 28 verdicts', { exact: true }).waitFor();
    expect(new URL(page.url()).search).toBe('?status=unknown');
    // The totals cover all verdicts under the other filters.
    expect(await totalsOf(page)).toContain('Invalid 25');
    await page.getByLabel('Search', { exact: true }).fill('info');
    await page.getByRole('button', { name: 'Search', exact: true }).click();
    await page.getByText('1 verdict', { exact: true }).waitFor();
    expect(await totalsOf(page)).toEqual(['All 1', 'Valid 0', 'Invalid 0', 'Catch-all 0', 'Unknown 1']);
    expect(errors).toEqual([]);
    expect(outsideRequests(opened, site().url)).toEqual([]);
  });

  test('filters by batch and reason, and downloads what matches', async () => {
    const { page, errors } = await site().open(browser(), '/emails');
    await page.getByText('28 verdicts', { exact: true }).waitFor();
    const batches = page.getByLabel('Batch', { exact: true });
    const newest = await batches.locator('option').nth(1).getAttribute('value');
    await batches.selectOption(newest);
    await page.getByText('1 verdict', { exact: true }).waitFor();
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Download' }).click(),
    ]);
    expect(file.suggestedFilename()).toMatch(/^emails-.*\.csv$/);
    const lines = readFileSync(await file.path(), 'utf8')
      .trimEnd()
      .split('\n');
    expect(lines.map((line) => line.split(',').slice(0, 2))).toEqual([
      ['email', 'email_status'],
      ['bob@acme.com', 'unknown'],
    ]);
    await page.getByLabel('File format').selectOption('xlsx');
    const [workbook] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Download' }).click(),
    ]);
    expect(workbook.suggestedFilename()).toMatch(/^emails-.*\.xlsx$/);

    await page.goto(`${site().url}/emails?status=valid`);
    await page.getByText('No addresses match the filters.').waitFor();
    await page.getByRole('link', { name: 'Clear filters' }).click();
    await page.getByText('28 verdicts', { exact: true }).waitFor();
    expect(errors).toEqual([]);
  });

  test('shows what was checked beside the page, by click and by keyboard', async () => {
    const { page, errors } = await site().open(browser(), '/emails?q=info');
    await page.getByRole('button', { name: 'info@acme.com' }).click();
    const drawer = page.getByRole('dialog', { name: 'info@acme.com' });
    const text = await drawer.innerText();
    expect(text).toContain('Review before you send.');
    expect(text).toMatch(/SPF\s+Yes/);
    expect(text).toMatch(/DMARC\s+No/);
    expect(text).toMatch(/Role address\s+Yes/);
    expect(text).toContain('mx.acme.com');
    expect(text).toContain('The mail server was not asked.');
    await expectAccessible(page, 'emails-drawer');
    await page.keyboard.press('Escape');
    await drawer.waitFor({ state: 'detached' });
    await page.getByRole('region', { name: 'Verdicts on addresses' }).focus();
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await drawer.waitFor();
    await drawer.getByRole('link', { name: /The address belongs to a role/ }).click();
    await drawer.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: /^Role account/ }).waitFor();
    expect(new URL(page.url()).searchParams.get('reason')).toBe('role_account');
    expect(errors).toEqual([]);
  });

  test('checks one address, and lists its verdict first', async () => {
    const { page, errors } = await site().open(browser(), '/emails');
    await page.getByText('28 verdicts', { exact: true }).waitFor();
    await page.getByLabel('Address to check').fill('<b>nobody</b>@acme');
    await page.getByRole('button', { name: 'Check address' }).click();
    const result = page.getByRole('status').filter({ hasText: '<b>nobody</b>@acme' });
    await result.waitFor();
    expect(await result.innerText()).toMatch(/Invalid.*Do not send\./s);
    await expect.poll(() => page.locator('tbody tr').first().innerText()).toContain('<b>nobody</b>@acme');
    expect(await page.locator('tbody tr').first().innerText()).toContain('Single check');
    await keepPicture(page, 'emails-check');
    expect(errors).toEqual([]);
  });

  test('has no check of an address for viewers', async () => {
    const person = { login: 'vera@example.com', role: 'viewer' as const };
    const { page } = await site().open(browser(), '/emails', { person });
    await page.getByRole('button', { name: /^All/ }).waitFor();
    expect(await page.getByLabel('Address to check').count()).toBe(0);
    await page.getByRole('link', { name: 'Download' }).waitFor();
  });
});

async function totalsOf(page: Page): Promise<readonly string[]> {
  const texts = await page.getByRole('group', { name: 'Verdicts' }).getByRole('button').allInnerTexts();
  return texts.map((text) => text.replace(/\s+/g, ' '));
}

/** Number of rows that are completely visible, without scrolling. */
function rowsOnScreen(page: Page): Promise<number> {
  return page.evaluate<number>(`(() => {
    const grid = document.querySelector('.grid').getBoundingClientRect();
    const bottom = Math.min(innerHeight, grid.bottom);
    return [...document.querySelectorAll('.grid tbody tr[data-index]')]
      .filter((row) => row.getBoundingClientRect().bottom <= bottom).length;
  })()`);
}
