import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { describeInBrowser } from '../../support/browser/browser.ts';
import { keepPicture, useTestConsole } from '../../support/browser/test-console.ts';

const root = join(import.meta.dirname, '../../..');
const site = useTestConsole();

describeInBrowser('pictures of the console', (browser) => {
  test('are taken from the current console', async () => {
    const visitor = { viewport: { width: 1200, height: 760 }, deviceScaleFactor: 1 };
    const { page, errors } = await site().open(browser(), '/batches/new', { visitor });
    await page.locator('input[type=file]').setInputFiles(join(root, 'examples/companies.csv'));
    await page.getByRole('heading', { name: 'Choose columns' }).waitFor();
    await page.getByRole('button', { name: 'Review cost' }).click();
    await page.getByRole('heading', { name: 'Review and cost' }).waitFor();
    await take(page, 'readme-estimate');
    await page.getByRole('button', { name: 'Start batch' }).click();
    await page.getByText('Finished', { exact: true }).first().waitFor();
    await page.locator('.timeline').getByText('Finished').waitFor();
    await take(page, 'readme-batch');
    const path = new URL(page.url()).pathname;
    await page.getByRole('link', { name: 'Results' }).click();
    await drawn(page);
    await page.getByText(/^Running/).waitFor({ state: 'detached' });
    await take(page, 'readme-gallery');
    await page.setViewportSize({ width: 390, height: 760 });
    await drawn(page);
    await take(page, 'design-phone');
    await page.setViewportSize(visitor.viewport);
    await page.getByRole('link', { name: /^Companies/ }).click();
    await page.getByRole('region', { name: 'Rows of the batch' }).waitFor();
    await take(page, 'readme-results');
    await page.emulateMedia({ colorScheme: 'dark' });
    await page.locator('html[data-theme=dark]').waitFor();
    await take(page, 'design-dark');
    await page.emulateMedia({ colorScheme: 'light' });
    await page.goto(`${site().url}/charts?batch=${path.split('/').at(-1)}&days=366`);
    await page.locator('.plot .line').first().waitFor();
    await take(page, 'readme-charts', 'Active ads over time');
    expect(errors).toEqual([]);
  });

  test('are the ones that the guide and the page about the design show', () => {
    const texts = ['guides/console.md', 'contributing/design.md'].map((name) =>
      readFileSync(join(root, 'docs', name), 'utf8'),
    );
    const links = texts.join('').matchAll(/\(\.\.\/pictures\/([\w-]+)\.png\)/g);
    const shown = new Set([...links].map(([, name]) => name ?? ''));
    expect(shown).toEqual(taken);
    for (const name of shown) {
      const kept = readFileSync(join(root, `docs/pictures/${name}.png`));
      // The same size in pixels as the picture just taken.
      expect(sizeOf(kept)).toEqual(sizeOf(readFileSync(join(root, `test-output/screenshots/${name}.png`))));
    }
  });
});

const taken = new Set<string>();

/** Waits for the pictures of the ads on the screen. */
async function drawn(page: Page): Promise<void> {
  await page.locator('.gallery img').first().waitFor();
  await page.waitForFunction(
    '[...document.images].filter((each) => each.getBoundingClientRect().top < innerHeight).every((each) => each.complete && each.naturalWidth > 0)',
  );
}

/** Takes a picture of the window, scrolled to the top or to a heading. */
async function take(page: Page, name: string, heading?: string): Promise<void> {
  taken.add(name);
  await page.evaluate('scrollTo(0, 0)');
  if (heading !== undefined)
    await page
      .getByRole('heading', { name: heading })
      .evaluate((found: { scrollIntoView: () => void }) => found.scrollIntoView());
  await keepPicture(page, name, { fullPage: false });
}

/** Reads width and height from the header of a PNG. */
function sizeOf(png: Buffer): readonly [width: number, height: number] {
  return [png.readUInt32BE(16), png.readUInt32BE(20)];
}
