import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { exampleQueries } from '../../../src/console/pages/sql/example-queries.ts';
import { readAxeFindings } from '../../support/browser/axe.ts';
import { describeInBrowser } from '../../support/browser/browser.ts';
import { expectAccessible } from '../../support/browser/expect-accessible.ts';
import { keepPicture, useTestConsole } from '../../support/browser/test-console.ts';
import { uploadBatch, waitForState } from '../../support/api/uploaded-batch.ts';

const site = useTestConsole();

beforeAll(async () => {
  const key = await site().createKey();
  await waitForState(site(), key, await uploadBatch(site(), key, 'website\nnike.com\n'), 'finished');
});

const editor = (page: Page) => page.getByLabel('Query', { exact: true });
const suggestions = (page: Page) => page.getByRole('listbox', { name: 'Suggestions' });
const menu = (page: Page, name: string) => page.locator('summary', { hasText: new RegExp(`^${name}$`) });

describeInBrowser('SQL editor', (browser) => {
  test('suggests views, columns and keywords while the user types, and takes them by keyboard and by click', async () => {
    const { page, errors } = await site().open(browser(), '/sql');
    await page.getByRole('button', { name: 'Columns of lookups', exact: true }).waitFor();
    const box = editor(page);
    await box.focus();
    await page.keyboard.type('selec');
    await suggestions(page).waitFor();
    await page.keyboard.press('Tab');
    await page.keyboard.type(' * from lookup');
    await suggestions(page).getByRole('option').first().waitFor();
    expect(await suggestions(page).getByRole('option').allInnerTexts()).toEqual([
      expect.stringMatching(/^lookup_sources\s+view$/),
      expect.stringMatching(/^lookups\s+view$/),
      expect.stringMatching(/^purged_lookups\s+view$/),
    ]);
    await page.keyboard.press('ArrowDown');
    const active = await box.getAttribute('aria-activedescendant');
    expect(await page.locator(`[id="${active}"]`).getAttribute('aria-selected')).toBe('true');
    await expectAccessible(page, 'sql-suggestions');
    await box.press('Backspace');
    await box.press('p');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    expect(await box.inputValue()).toBe('select * from lookups');
    await page.keyboard.type(' l where l.outc');
    await suggestions(page).getByText('outcome', { exact: true }).click();
    expect(await box.inputValue()).toBe('select * from lookups l where l.outcome');
    // The caret stays in the editor, which undoes the suggestion as one step.
    await page.keyboard.press('Control+z');
    expect(await box.inputValue()).not.toContain('outcome');
    expect(errors).toEqual([]);
  });

  test('opens suggestions with Ctrl+Space, closes them with Escape, and lets Tab and Enter alone without them', async () => {
    const { page, errors } = await site().open(browser(), '/sql');
    await page.getByRole('button', { name: 'Columns of lookups', exact: true }).waitFor();
    const box = editor(page);
    await box.fill('select 1 from ');
    await box.press('End');
    await box.press('Control+Space');
    await suggestions(page).getByText('credit_balances', { exact: true }).waitFor();
    expect(await readAxeFindings(page)).toEqual([]);
    await box.press('Escape');
    expect(await suggestions(page).count()).toBe(0);
    await box.press('Enter');
    expect(await box.inputValue()).toBe('select 1 from \n');
    await page.keyboard.type("'comment");
    expect(await suggestions(page).count()).toBe(0);
    await box.press('Tab');
    expect(await page.evaluate("document.activeElement.tagName === 'TEXTAREA'")).toBe(false);
    expect(errors).toEqual([]);
  });

  test('inserts the names of views and columns at the caret, and finds them', async () => {
    const { page, errors } = await site().open(browser(), '/sql');
    const box = editor(page);
    await box.fill('select  from');
    await box.press('End');
    await page.getByRole('button', { name: 'lookups', exact: true }).click();
    expect(await box.inputValue()).toBe('select  from lookups');
    await page.getByLabel('Search views and columns').fill('ads_count');
    await page
      .getByRole('button', { name: /^ads_count/ })
      .first()
      .waitFor();
    expect(await page.getByRole('button', { name: 'credit_balances' }).count()).toBe(0);
    await box.press('Home');
    for (let i = 0; i < 'select '.length; i += 1) await box.press('ArrowRight');
    const lookups = page.getByRole('button', { name: 'lookups', exact: true });
    const found = page.locator('.view-list > li').filter({ has: lookups });
    await found.getByRole('button', { name: /^ads_count/ }).click();
    expect(await box.inputValue()).toBe('select ads_count from lookups');
    await page.getByLabel('Search views and columns').fill('no such thing');
    await page.getByText('No view or column matches.').waitFor();
    expect(errors).toEqual([]);
  });

  test('has examples, and saves queries under names that can be changed', async () => {
    const { page, errors } = await site().open(browser(), '/sql');
    const box = editor(page);
    await menu(page, 'Examples').click();
    for (const { question } of exampleQueries)
      expect(await page.getByRole('button', { name: question }).count()).toBe(1);
    await keepPicture(page, 'sql-examples', { fullPage: false });
    const [example] = exampleQueries;
    await page.getByRole('button', { name: example?.question ?? '' }).click();
    expect(await box.inputValue()).toBe(example?.query);
    await box.press('Control+Enter');
    await page.getByRole('region', { name: 'Result rows' }).waitFor();

    const name = '<img src=x onerror=alert(1)>';
    await menu(page, 'Saved queries').click();
    await page.getByLabel('Name of the query').fill(name);
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name, exact: true }).waitFor();
    await box.fill('select 1');
    await page.reload();
    await menu(page, 'Saved queries').click();
    await page.getByRole('button', { name, exact: true }).click();
    expect(await box.inputValue()).toBe(example?.query);
    await menu(page, 'Saved queries').click();
    await page.getByRole('button', { name: `Rename ${name}` }).click();
    await page.getByLabel(`New name of ${name}`).fill('Top advertisers');
    await page.getByRole('button', { name: 'Rename', exact: true }).click();
    await page.getByRole('button', { name: 'Top advertisers', exact: true }).waitFor();
    await expectAccessible(page, 'sql-saved');
    await page.getByRole('button', { name: 'Delete Top advertisers' }).click();
    expect(await page.getByRole('button', { name: /Top advertisers/ }).count()).toBe(0);
    await page.reload();
    await menu(page, 'Saved queries').click();
    await page.getByText('Save the query in the editor under a name.').waitFor();
    expect(errors).toEqual([]);
  });

  test('copies the query for psql, curl and Metabase', async () => {
    const permissions = ['clipboard-read', 'clipboard-write'];
    const { page, errors } = await site().open(browser(), '/sql?q=select%20%27a%27%3B', {
      visitor: { permissions },
    });
    const copied = async (name: string) => {
      await menu(page, 'Copy as').click();
      await page.getByRole('button', { name, exact: true }).click();
      await page.getByText(`Query for ${name} copied.`).waitFor();
      return page.evaluate<string>('navigator.clipboard.readText()');
    };
    expect(await copied('psql')).toBe(`psql "$DATABASE_URL" -c 'select '\\''a'\\'';'`);
    expect(await copied('curl')).toContain(`'${site().url}/v1/sql'`);
    expect(await copied('Metabase')).toMatch(/^-- Metabase: .*\nselect 'a'$/);
    expect(errors).toEqual([]);
  });

  test('stacks the panes on a phone, with the views folded', async () => {
    const { page, errors } = await site().open(browser(), '/sql', {
      visitor: { viewport: { width: 360, height: 740 } },
    });
    const box = editor(page);
    expect(await page.getByLabel('Search views and columns').isVisible()).toBe(false);
    await page.getByRole('heading', { name: 'Views' }).click();
    await page.getByRole('button', { name: 'Columns of lookups', exact: true }).waitFor();
    const [views, query] = [await page.locator('.sql-views').boundingBox(), await box.boundingBox()];
    expect((views?.y ?? 0) + (views?.height ?? 0)).toBeLessThanOrEqual(query?.y ?? 0);
    await box.focus();
    await page.keyboard.type('select * from look');
    await suggestions(page).waitFor();
    expect(await page.evaluate('document.documentElement.scrollWidth > innerWidth')).toBe(false);
    await expectAccessible(page, 'sql-phone');
    expect(errors).toEqual([]);
  });
});
