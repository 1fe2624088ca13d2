import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { readAxeFindings } from '../../support/browser/axe.ts';
import { expectAccessible } from '../../support/browser/expect-accessible.ts';
import { describeInBrowser } from '../../support/browser/browser.ts';
import { keepPicture, outsideRequests, useTestConsole } from '../../support/browser/test-console.ts';
import { uploadBatch, waitForState } from '../../support/api/uploaded-batch.ts';

const site = useTestConsole();

beforeAll(async () => {
  const key = await site().createKey();
  await waitForState(
    site(),
    key,
    await uploadBatch(site(), key, 'website\nnike.com\nairbnb.com\nnobody-one.com\n'),
    'finished',
  );
  await site().createAccount('other', 5n);
});

/** Text that is selected in the editor. */
function selected(page: Page): Promise<string> {
  return page.evaluate<string>(
    "(({ value, selectionStart, selectionEnd }) => value.slice(selectionStart, selectionEnd))(document.querySelector('.editor textarea'))",
  );
}

describeInBrowser('SQL query', (browser) => {
  test('runs with Ctrl+Enter, is kept in the URL, and downloads as CSV', async () => {
    const opened = await site().open(browser(), '/sql');
    const { page, errors } = opened;
    await page.getByRole('button', { name: 'Columns of lookups', exact: true }).click();
    await page.getByText('One row per distinct company or address').waitFor();
    const box = page.getByLabel('Query', { exact: true });
    const query = 'select company_domain, ads_count > 0 as found, outcome from lookups order by 1';
    await box.fill(query);
    await box.press('Control+Enter');
    const result = page.getByRole('region', { name: 'Result rows' });
    await result.waitFor();
    expect(await result.locator('tbody tr').allInnerTexts()).toEqual([
      'airbnb.com\ttrue\tfound',
      'nike.com\ttrue\tfound',
      'nobody-one.com\tfalse\tno_match',
    ]);
    expect(await readAxeFindings(page)).toEqual([]);
    await keepPicture(page, 'sql-result');
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download CSV' }).click(),
    ]);
    expect(
      readFileSync(await file.path(), 'utf8')
        .split(/\r?\n/)
        .slice(0, 2),
    ).toEqual(['company_domain,found,outcome', 'airbnb.com,true,found']);
    await page.reload();
    await expect.poll(() => box.inputValue()).toBe(query);

    await page.getByLabel('Row limit').selectOption('100');
    await box.fill('select generate_series(1, 101) as n, null as n');
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await page.getByText('Only the first 100 rows are shown.').waitFor();
    expect(await result.locator('tbody tr').count()).toBe(100);
    expect(errors).toEqual([]);
    expect(outsideRequests(opened, site().url)).toEqual([]);
  });

  test('shows the error of Postgres, and cannot change data', async () => {
    const { page } = await site().open(browser(), '/sql');
    const box = page.getByLabel('Query', { exact: true });
    const run = page.getByRole('button', { name: 'Run', exact: true });
    for (const [query, message] of [
      ['select * from nowhere', 'relation "nowhere" does not exist'],
      ['selec 1', 'syntax error at or near "selec"'],
      ['delete from lookups', 'This login only reads.'],
      ['update ads set headline = null', 'This login only reads.'],
      ['select * from nightshift.accounts', 'permission denied'],
    ] as const) {
      await box.fill(query);
      await run.click();
      await page.getByRole('alert').getByText(message).waitFor();
      expect(await page.getByRole('alert').innerText()).not.toContain('trigger');
      expect(await page.getByRole('region', { name: 'Result rows' }).count()).toBe(0);
    }
  });

  test('shows the place of an error, and selects it', async () => {
    const { page, errors } = await site().open(browser(), '/sql');
    const box = page.getByLabel('Query', { exact: true });
    await box.fill("select '<b>😀</b>' as x,\n  nothing\nfrom ads");
    await box.press('Control+Enter');
    const place = page.getByRole('button', { name: 'Line 2, column 3' });
    await place.waitFor();
    expect(await box.getAttribute('aria-invalid')).toBe('true');
    await expectAccessible(page, 'sql-error');
    await place.click();
    expect(await selected(page)).toBe('nothing');
    await box.press('Backspace');
    // The place belongs to the text that ran.
    await place.waitFor({ state: 'detached' });
    expect(errors.filter((error) => !error.includes('400'))).toEqual([]);
  });

  test('start of every view runs unchanged', async () => {
    const { page, errors } = await site().open(browser(), '/sql');
    const views = page.locator('.view-list > li');
    await views.first().waitFor();
    const count = await views.count();
    expect(count).toBeGreaterThan(15);
    const run = page.locator('.query button[type="submit"]');
    for (let i = 0; i < count; i += 1) {
      const view = views.nth(i);
      await view.locator('.icon').click();
      await view.locator('.view-columns > button').click();
      await run.click();
      await page.locator('.sql-query h2', { hasText: 'Result' }).waitFor();
      // Few columns at a time keep the page quick.
      await view.locator('.icon').click();
    }
    expect(errors).toEqual([]);
  });

  test('of another account returns nothing of this one', async () => {
    const person = { login: 'sam@example.org', role: 'member' as const, account: 'other' };
    const { page } = await site().open(browser(), '/sql?q=select+*+from+lookups', { person });
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await page.getByText('The query returned no rows').waitFor();
    expect(await page.content()).not.toContain('nike');
  });
});
