import type { BrowserContextOptions, Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { problemKinds } from '../../../src/api/http/problem.ts';
import { useTestApi } from '../../support/api/test-api.ts';
import { readAxeFindings } from '../../support/browser/axe.ts';
import { describeInBrowser } from '../../support/browser/browser.ts';
import { pressTab } from '../../support/browser/press-tab.ts';
import { contrastOf, luminanceOf, readTexts } from '../../support/reports/contrast.ts';
import { listOperations, nameOf, type Document } from '../../support/openapi/document.ts';

const pages = ['/docs', ...Object.keys(problemKinds).map((code) => `/errors/${code}`)];
/** One page of each kind: pages of errors differ only in their text. */
const kinds = ['/docs', '/errors/invalid_api_key'];

describeInBrowser('the pages of the API in a browser', (browser) => {
  const api = useTestApi();
  const open = (path: string, visitor?: BrowserContextOptions) =>
    browser().open(`${api().url}${path}`, visitor);

  test('table of contents of /docs links to every operation of /openapi.json', async () => {
    const operations = listOperations((await api().call('GET', '/openapi.json')).json() as Document);
    expect(operations.length).toBeGreaterThan(20);
    const { page } = await open('/docs', { viewport: { width: 1280, height: 720 } });
    for (const operation of operations) {
      const name = page.getByText(nameOf(operation), { exact: true });
      await page.locator('nav li').filter({ has: name }).getByRole('link').click();
      const { headings, line, y } = await readTarget(page);
      expect([headings, line]).toEqual([[operation.reported.summary], nameOf(operation)]);
      expect(y, nameOf(operation)).toSatisfy((at: number) => at >= 0 && at < 720);
    }
  });

  test.each(pages)(
    '%s has no errors, sends no requests to other origins, and fits screens of 360 and 800 pixels',
    async (path) => {
      const visitor = { viewport: { width: 360, height: 740 }, isMobile: true };
      const { page, errors, requests } = await open(path, visitor);
      await openAnswers(page);
      expect(await readWidths(page)).toEqual({ clientWidth: 360, scrollWidth: 360 });
      await page.setViewportSize({ width: 800, height: 740 });
      expect(await readWidths(page)).toEqual({ clientWidth: 800, scrollWidth: 800 });
      expect(errors).toEqual([]);
      expect(requests).toContain(`${api().url}${path}`);
      expect(requests.filter((url) => new URL(url).origin !== api().url)).toEqual([]);
    },
  );

  describe.each(kinds)('%s', (path) => {
    test('has readable contrast for text and code in light and dark mode', async () => {
      const { page } = await open(path);
      await openAnswers(page);
      for (const scheme of ['light', 'dark'] as const) await expectReadable(page, scheme);
    });

    async function expectReadable(page: Page, scheme: 'light' | 'dark'): Promise<void> {
      await page.emulateMedia({ colorScheme: scheme });
      const texts = await readTexts(page);
      expect(texts.map(({ element }) => element)).toEqual(expect.arrayContaining(['p', 'code', 'a', 'th']));
      const faint = texts.filter(({ color, background }) => contrastOf(color, background) < 4.5);
      expect(faint).toEqual([]);
      const isDark = texts.map(({ color, background }) => luminanceOf(color) > luminanceOf(background));
      expect(new Set(isDark)).toEqual(new Set([scheme === 'dark']));
    }

    test('shows focus on every link and answer, in order', async () => {
      const { page } = await open(path);
      const stops = await page.locator('a:visible, summary:visible').allTextContents();
      expect(stops.length).toBeGreaterThan(10);
      await page.evaluate(recordFocus);
      await pressTab(page, stops.length);
      const reached = await page.evaluate<readonly Stop[]>('reached');
      expect(reached.map(({ text }) => text)).toEqual(stops);
      expect(reached.filter(({ outline }) => outline === 'none')).toEqual([]);
    });

    test('has a language, a title, and headings in order below one h1', async () => {
      const { page } = await open(path);
      expect(await page.locator('html').getAttribute('lang')).toBe('en');
      expect(await page.title()).toContain('Nightshift');
      const levels = await readHeadings(page);
      expect(levels.filter((level) => level === 1)).toEqual([1]);
      expect(levels.filter((level, i) => level > (levels[i - 1] ?? 0) + 1)).toEqual([]);
    });

    test('has no serious findings of axe', async () => {
      // Only the light scheme: axe assumes a white background for pages without a colour. Another test measures the contrast of
      // the dark scheme.
      const { page } = await open(path, { colorScheme: 'light' });
      await openAnswers(page);
      expect(await readAxeFindings(page)).toEqual([]);
    });
  });
});

async function openAnswers(page: Page): Promise<void> {
  await page.locator('details').evaluateAll((answers: { open: boolean }[]) => {
    for (const answer of answers) answer.open = true;
  });
}

async function readWidths(page: Page) {
  return page
    .locator('html')
    .evaluate(({ clientWidth, scrollWidth }: { clientWidth: number; scrollWidth: number }) => {
      return { clientWidth, scrollWidth };
    });
}

/** Focused element: its text and its outline. */
interface Stop {
  readonly text: string;
  readonly outline: string;
}

/** Script of the page: records every focused element in order, as `reached`. */
const recordFocus = `globalThis.reached = [];
  document.addEventListener('focusin', ({ target }) => {
    reached.push({ text: target.textContent, outline: getComputedStyle(target).outlineStyle });
  })`;

/** Section that is the target of the URL. */
interface Target {
  readonly headings: readonly string[];
  /** Its first line. */
  readonly line: string;
  /** Pixels from the top of the viewport to its heading; -1 if it is not visible. */
  readonly y: number;
}

async function readTarget(page: Page): Promise<Target> {
  return page.evaluate(`(() => {
    const target = document.querySelector('section:target');
    const headings = [...target.querySelectorAll('h2')];
    const y = headings[0]?.checkVisibility({ visibilityProperty: true }) ? headings[0].getBoundingClientRect().y : -1;
    return { headings: headings.map((each) => each.innerText), line: target.querySelector('p').innerText, y };
  })()`);
}

/** Levels of the headings, from 1 to 6, in order. */
async function readHeadings(page: Page): Promise<readonly number[]> {
  const names = await page
    .locator('h1, h2, h3, h4, h5, h6')
    .evaluateAll((headings: { localName: string }[]) => headings.map(({ localName }) => localName));
  return names.map((name) => Number(name.slice(1)));
}
