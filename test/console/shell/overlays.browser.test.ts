import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { readAxeFindings } from '../../support/browser/axe.ts';
import { describeInBrowser, type OpenedPage } from '../../support/browser/browser.ts';
import { keepPicture, useTestConsole } from '../../support/browser/test-console.ts';
import { uploadBatch, waitForState } from '../../support/api/uploaded-batch.ts';

const desktop = { width: 1280, height: 800 };
const phone = { width: 390, height: 844 };

describeInBrowser('overlay', (browser) => {
  const site = useTestConsole();
  let results = '';

  beforeAll(async () => {
    const key = await site().createKey();
    const batch = await uploadBatch(site(), key, 'website\nnike.com\nairbnb.com\n');
    await waitForState(site(), key, batch, 'finished');
    results = `/batches/${batch}/results`;
  });

  test('drawer of an ad is accessible, and gives the focus back to the card', async () => {
    const { page, errors } = await openResults('');
    const card = page.getByRole('list', { name: 'Ads of the batch' }).getByRole('link').first();
    const href = await card.getAttribute('href');
    await card.click();
    const drawer = page.getByRole('dialog');
    await drawer.getByRole('heading', { name: 'Content' }).waitFor();
    await expectAccessibleOverlay(page, 'overlay-ad');
    await page.keyboard.press('Escape');
    await drawer.waitFor({ state: 'detached' });
    await expect.poll(() => focused(page, 'href')).toBe(href);
    expect(new URL(page.url()).searchParams.get('ad')).toBeNull();
    expect(errors).toEqual([]);
  });

  test.each(['Columns', 'Views'])(
    'menu "%s" of a table is accessible, and Escape closes it',
    async (name) => {
      const { page, errors } = await openResults('?tab=companies');
      const menu = page.locator('main details.pop', { hasText: name });
      await menu.locator('summary').click();
      await menu.locator('.pop-panel').waitFor();
      await expectAccessibleOverlay(page, `overlay-${name.toLowerCase()}`);
      await menu.getByRole('button').first().focus();
      await page.keyboard.press('Escape');
      await menu.locator('.pop-panel').waitFor({ state: 'detached' });
      expect(await page.evaluate('document.activeElement.textContent')).toBe(name);
      expect(errors).toEqual([]);
    },
  );

  test('command bar is accessible with and without matches, and opens the chosen page', async () => {
    const { page, errors } = await openResults('');
    await page.keyboard.press('Control+k');
    const bar = page.getByRole('dialog', { name: 'Go to' });
    const text = bar.getByRole('combobox');
    expect(await focused(page, 'role')).toBe('combobox');
    await bar.getByRole('option', { name: 'Today' }).waitFor();
    await expectAccessibleOverlay(page, 'overlay-commands');
    await text.fill('nothing has this name');
    await bar.getByText('Nothing matches').waitFor();
    await expectAccessibleOverlay(page, 'overlay-no-command');
    await text.fill('schedules');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Schedules', level: 1 }).waitFor();
    expect(await bar.count()).toBe(0);
    expect(errors).toEqual([]);
  });

  async function openResults(search: string): Promise<OpenedPage> {
    const opened = await site().open(browser(), `${results}${search}`, { visitor: { viewport: desktop } });
    await opened.page.locator('main .loading').first().waitFor({ state: 'detached' });
    return opened;
  }
});

/** Checks what is open over the page, in both colour schemes, at the widths of a laptop and of a phone. */
async function expectAccessibleOverlay(page: Page, picture: string): Promise<void> {
  for (const viewport of [phone, desktop]) {
    await page.setViewportSize(viewport);
    for (const colorScheme of ['dark', 'light'] as const) {
      await page.emulateMedia({ colorScheme });
      const where = `${viewport.width} px, ${colorScheme}`;
      expect([where, ...(await readAxeFindings(page))]).toEqual([where]);
    }
    expect(await page.evaluate('document.documentElement.scrollWidth > innerWidth')).toBe(false);
    await keepPicture(page, `${picture}-${viewport.width}`, { fullPage: false });
  }
}

/** Reads an attribute of the focused element. */
function focused(page: Page, attribute: string): Promise<string | null> {
  return page.evaluate<string | null>(`document.activeElement.getAttribute(${JSON.stringify(attribute)})`);
}
