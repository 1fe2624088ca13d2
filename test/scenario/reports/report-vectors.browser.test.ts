import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Page } from 'playwright-core';
import { describe, expect, onTestFinished, test } from 'vitest';
import { pictureHosts } from '../../../src/reporter/documents/model/picture.ts';
import { batchPage } from '../../../src/reporter/documents/html/batch-page.ts';
import { schedulePage } from '../../../src/reporter/documents/html/schedule-page.ts';
import { describeInBrowser } from '../../support/browser/browser.ts';
import { batchFixture, scheduleFixture, type FixtureTexts } from '../../support/reports/report-fixture.ts';
import { vectors } from '../../support/xss/vectors.ts';

const texts = vectors.map(({ text }) => text);
/** Includes a URL, so that there is a link. */
const harmless = texts.map((_, i) => (i === 0 ? 'https://plain.example/' : `plain ${i}`));

const reports = {
  schedule: (texts: FixtureTexts, withPictures: boolean) =>
    schedulePage(scheduleFixture(texts), { withPictures }),
  batch: (texts: FixtureTexts, withPictures: boolean) => batchPage(batchFixture(texts), { withPictures }),
};

test('has more than 300 vectors, of every family', () => {
  expect(vectors.length).toBeGreaterThan(300);
  expect(new Set(vectors.map(({ family }) => family)).size).toBe(6);
});

describeInBrowser('report with hostile texts', (browser) => {
  describe.each(['schedule', 'batch'] as const)('of a %s', (kind) => {
    test.each([false, true])(
      'executes nothing, makes no requests and has only its own elements; with pictures: %s',
      async (withPictures) => {
        const hostile = await openReport(reports[kind]({ texts }, withPictures));
        await tryEverything(hostile.page);
        expect(await readExecuted(hostile.page)).toEqual([]);
        expect(hostile.errors).toEqual([]);
        expect(hostile.requests.slice(1)).toEqual([]);

        const plain = await openReport(reports[kind]({ texts: harmless }, withPictures));
        // Texts decide only whether a URL becomes a link; everything else equals the harmless report.
        expect(await readStructure(hostile.page)).toEqual(await readStructure(plain.page));
      },
    );

    test('links lead only to the web, without a referrer', async () => {
      const { page } = await openReport(reports[kind]({ texts }, false));
      const links = await page
        // The contents of the report link to its own sections.
        .locator('main a:not([href^="#"])')
        .evaluateAll((all: Link[]) =>
          all.map(({ href, rel, target }) => ({ scheme: href.split(':')[0], rel, target })),
        );
      expect(links.length).toBeGreaterThan(2);
      for (const { scheme, ...others } of links) {
        expect(scheme).toMatch(/^https?$/);
        expect(others).toEqual({ rel: 'noreferrer noopener', target: '_blank' });
      }
    });

    test('pictures load only from the hosts of the policy, with known attributes only', async () => {
      const markup = (text: string) =>
        `<img src="https://${pictureHosts[text.length % 2]}/simgad/${text.length}" height="209" width="348">`;
      const hostile = { texts, markup };
      const { page, requests, errors } = await openReport(reports[kind](hostile, true));
      await page.locator('img').last().scrollIntoViewIfNeeded();
      const isShown = () => page.evaluate('[...document.images].some((image) => image.naturalWidth > 0)');
      await expect.poll(isShown).toBe(true);
      expect(errors).toEqual([]);
      const hosts = new Set(requests.slice(1).map((url) => new URL(url).host));
      expect([...hosts].sort()).toEqual([...pictureHosts].sort());
      const attributes = await page
        .locator('img')
        .evaluateAll((all: Named[]) => [
          ...new Set(all.map((image) => image.getAttributeNames().sort().join(' '))),
        ]);
      expect(attributes).toEqual(['alt class decoding height loading referrerpolicy src width']);

      const without = await openReport(reports[kind](hostile, false));
      expect(await without.page.locator('img').count()).toBe(0);
      expect(without.requests.slice(1)).toEqual([]);
    });
  });

  /** Opens a report from a file in a browser that records executed scripts and answers all requests. */
  async function openReport(text: string) {
    const folder = mkdtempSync(join(tmpdir(), 'nightshift-report-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const path = join(folder, 'report.html');
    writeFileSync(path, text);
    return browser().open(pathToFileURL(path).href, {}, async (page) => {
      await page.addInitScript(noteExecuted);
      await page.route(/^https?:/, (route) => route.fulfill({ contentType: 'image/png', body: onePixel }));
    });
  }
});

/** Actions of a visitor: hover, unfold, tab through, filter, print. */
async function tryEverything(page: Page): Promise<void> {
  for (const summary of await page.locator('summary').all()) await summary.click();
  for (const row of (await page.locator('tbody tr').all()).slice(0, 8)) await row.hover();
  for (let i = 0; i < 25; i += 1) await page.keyboard.press('Tab');
  const search = page.getByRole('searchbox').last();
  await search.fill('<script>alert(1)</script>');
  await search.press('Enter');
  await page.getByRole('button', { name: 'Clear filters' }).last().click();
  await page.emulateMedia({ media: 'print' });
  await page.emulateMedia({ media: 'screen' });
  for (const summary of await page.locator('summary').all()) await summary.click();
}

const noteExecuted = `globalThis.executed = [];
for (const name of ['alert', 'confirm', 'prompt', 'open']) globalThis[name] = (...args) => executed.push([name, ...args]);`;

async function readExecuted(page: Page): Promise<unknown> {
  return page.evaluate('globalThis.executed');
}

/** Counts elements by name and attributes, without links, which depend on the texts. */
async function readStructure(page: Page): Promise<unknown> {
  return page.evaluate(`(() => {
    const counts = {};
    for (const element of document.querySelectorAll('*:not(a):not(p.links *)')) {
      const key = element.localName + ' ' + element.getAttributeNames().sort().join(' ');
      counts[key] = element.localName === 'option' ? 1 : (counts[key] ?? 0) + 1;
    }
    for (const element of document.querySelectorAll('a, p.links *')) {
      counts['linked: ' + element.localName + ' ' + element.getAttributeNames().sort().join(' ')] = 1;
    }
    return counts;
  })()`);
}

interface Link {
  readonly href: string;
  readonly rel: string;
  readonly target: string;
}

interface Named {
  readonly getAttributeNames: () => string[];
}

const onePixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
