import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { chromium, type Browser, type BrowserContextOptions, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, onTestFinished } from 'vitest';

/** Timeout for a part of a page: less than that of a test, so that the failure names the part. */
const waitMsMax = 10_000;

const notRun =
  'NOT RUN: the tests of pages in a browser. No Chromium was found: install chromium, or set CHROMIUM_PATH.';

/** A page, and what it has done since it was opened. */
export interface OpenedPage {
  readonly page: Page;
  /** Errors on the console, errors that nobody caught, and what the content security policy refused, in their order. */
  readonly errors: readonly string[];
  /** The address of every request, its own first, those that were refused included. */
  readonly requests: readonly string[];
}

/** A running Chromium. */
export interface TestBrowser {
  /**
   * Opens a page as a visitor who was never there before, and waits until it is loaded. It is closed when the test ends. `prepare` does
   * something with the page before anything is loaded.
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

/** `CHROMIUM_PATH`, else Chromium or Chrome on the path; null where there is none. */
function findChromium(): string | null {
  const given = process.env['CHROMIUM_PATH'];
  if (given !== undefined) return given;
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  const names = ['chromium', 'chromium-browser', 'google-chrome'];
  return names.flatMap((name) => folders.map((folder) => join(folder, name))).find(existsSync) ?? null;
}

/**
 * Describes tests that share one browser. Where there is no Chromium they say that they were not run; with `CI=true` that is an
 * error, so that nothing is left out there without anybody noticing.
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

/** Headless, and without the sandbox, which root may not have: it is shown nobody's pages but our own. */
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
  onTestFinished(() => context.close());
  context.setDefaultTimeout(waitMsMax);
  const page = await context.newPage();
  const errors: string[] = [];
  const requests: string[] = [];
  page.on('console', (message) => void (message.type() === 'error' && errors.push(message.text())));
  page.on('pageerror', (error) => void errors.push(String(error)));
  page.on('request', (request) => void requests.push(request.url()));
  await page.addInitScript(sayViolations);
  await prepare?.(page);
  const answer = await page.goto(url);
  if (answer?.ok() !== true) throw new Error(`${url} answered ${answer?.status()}`);
  await page.evaluate(letEventsPass);
  return { page, errors, requests };
}

/** Within the page: what the policy refuses or only reports is said on the console as well, whatever the browser makes of it. */
const sayViolations = `document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
  console.error('Policy violated:', violatedDirective, blockedURI))`;

/** Within the page: what happened while it loaded may still wait to be told. */
const letEventsPass = 'new Promise((resolve) => setTimeout(resolve))';
