import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import {
  chromium,
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  type Page,
} from 'playwright-core';
import { afterAll, beforeAll, describe, onTestFinished } from 'vitest';

/** Timeout for a part of a page: less than that of a test, so that the failure names the part. */
const waitMsMax = 60_000;

const notRun =
  'NOT RUN: the tests of pages in a browser. No Chromium was found: install chromium, or set CHROMIUM_PATH.';

/** Page with its errors and requests since it was opened. */
export interface OpenedPage {
  readonly page: Page;
  /** Errors on the console, uncaught errors, and violations of the content security policy, in order. */
  readonly errors: readonly string[];
  /** URLs of all requests, including blocked ones, the page first. */
  readonly requests: readonly string[];
}

/** Running Chromium. */
export interface TestBrowser {
  /**
   * Opens a page in a new browser context and waits until it is loaded. The end of the test closes it. `prepare` runs before the page
   * loads.
   *
   * @throws Error when the server answers with an error.
   */
  readonly open: (
    url: string,
    visitor?: BrowserContextOptions,
    prepare?: (page: Page) => Promise<void>,
  ) => Promise<OpenedPage>;
  readonly close: () => Promise<void>;
}

/** Finds Chromium: `CHROMIUM_PATH`, else Chromium or Chrome on the path, else null. */
function findChromium(): string | null {
  const given = process.env['CHROMIUM_PATH'];
  if (given !== undefined) return given;
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  const names = ['chromium', 'chromium-browser', 'google-chrome'];
  return names.flatMap((name) => folders.map((folder) => join(folder, name))).find(existsSync) ?? null;
}

/**
 * Describes tests that share one browser. Without Chromium the tests are skipped; with `CI=true` that is an error, so that CI never
 * skips them silently.
 */
export function describeInBrowser(title: string, define: (browser: () => TestBrowser) => void): void {
  const program = findChromium();
  if (program !== null) return void describe(title, () => define(useBrowser(program)));
  if (process.env['CI'] === 'true') throw new Error(notRun);
  process.stderr.write(`\n${notRun}\n\n`);
  describe.skip(`${title} (not run: no Chromium)`, () => define(() => noBrowser));
}

const noBrowser: TestBrowser = {
  open: () => Promise.reject(new Error('There is no Chromium.')),
  close: () => Promise.resolve(),
};

function useBrowser(program: string): () => TestBrowser {
  let browser: TestBrowser | undefined;
  beforeAll(async () => {
    browser = await openBrowser(program);
  });
  afterAll(() => browser?.close());
  return () => {
    if (browser === undefined) throw new Error('The browser is there once the tests run.');
    return browser;
  };
}

/** Launches Chromium, headless and without the sandbox, which root cannot use: it opens only pages of the tests. */
async function openBrowser(program: string): Promise<TestBrowser> {
  const browser = await chromium.launch({ executablePath: program, chromiumSandbox: false });
  return {
    open: (url, visitor, prepare) => openPage(browser, url, { visitor, prepare }),
    close: () => browser.close(),
  };
}

async function openPage(
  browser: Browser,
  url: string,
  {
    visitor,
    prepare,
  }: {
    readonly visitor: BrowserContextOptions | undefined;
    readonly prepare: ((page: Page) => Promise<void>) | undefined;
  },
): Promise<OpenedPage> {
  const context = await browser.newContext(visitor);
  onTestFinished(async ({ task }) => {
    if (task.result?.state === 'fail') await tellWhatIsShown(context);
    await context.close();
  });
  context.setDefaultTimeout(waitMsMax);
  const page = await context.newPage();
  const errors: string[] = [];
  const requests: string[] = [];
  page.on('console', (message) => void (message.type() === 'error' && errors.push(message.text())));
  page.on('pageerror', (error) => void errors.push(String(error)));
  page.on('request', (request) => void requests.push(request.url()));
  await page.addInitScript(logViolations);
  await prepare?.(page);
  const answer = await page.goto(url);
  if (answer?.ok() !== true) throw new Error(`${url} answered ${answer?.status()}`);
  await page.evaluate(flushEvents);
  return { page, errors, requests };
}

/** Writes what the pages of a failed test show. */
async function tellWhatIsShown(context: BrowserContext): Promise<void> {
  for (const page of context.pages()) {
    const text = await page
      .locator('body')
      .innerText({ timeout: 5000 })
      .catch((error: unknown) => String(error));
    process.stderr.write(`${page.url()} shows:\n${text.slice(0, 4000)}\n`);
  }
}

/** Script of the page: logs policy violations to the console. */
const logViolations = `document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
  console.error('Policy violated:', violatedDirective, blockedURI))`;

/** Script of the page: waits for events of the load. */
const flushEvents = 'new Promise((resolve) => setTimeout(resolve))';
