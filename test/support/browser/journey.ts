import type { BrowserContextOptions, Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import { tableRowsOf } from '../docs/markdown.ts';
import type { OpenedPage, TestBrowser } from './browser.ts';
import { outsideRequests, signedIn, type Person, type TestConsole } from './test-console.ts';

/** Document with the published clicks of all journeys. */
const published = 'docs/contributing/console-journeys.md';

/** Server whose console a journey opens: a whole test console, or one more server of it. */
export type JourneySite = Pick<TestConsole, 'url' | 'beginSession'>;

/**
 * Task of one or more people in the console, from the start page to its result. Their browsers count the clicks.
 *
 * A journey has one `goto`, which opens the start page or a link that somebody received. From there on it clicks and types.
 */
export interface Journey {
  /** Opens the start page as a signed-in user. Default: Jane, an admin. */
  readonly begin: (site: JourneySite, person?: Person, visitor?: BrowserContextOptions) => Promise<Page>;
  /** Opens a link that somebody received, in a browser without a session. */
  readonly openLink: (url: string) => Promise<Page>;
  /** Chooses a file with the button of a form. */
  readonly chooseFile: (button: Locator, name: string, text: string) => Promise<void>;
  /**
   * Ends the journey: no page had an error or a request to another server, and the document has its clicks.
   *
   * @param expected errors that the browser itself logs, such as those of a server that is away.
   */
  readonly end: (expected?: RegExp) => Promise<void>;
}

/** A counted action: the text of its control, and its number of clicks. */
interface Step {
  readonly name: string;
  readonly clicks: number;
}

interface Visit {
  readonly origin: string;
  readonly opened: OpenedPage;
  readonly steps: readonly Step[];
}

/** Starts a journey with the name under which the document lists it. */
export function startJourney(browser: TestBrowser, name: string): Journey {
  const visits: Visit[] = [];

  async function visit(url: string, visitor: BrowserContextOptions): Promise<Page> {
    const steps: Step[] = [];
    const opened = await browser.open(url, visitor, async (page) => {
      await page.exposeBinding('noteClicks', (_source, control: string, clicks: number) => {
        steps.push({ name: control, clicks });
      });
      await page.addInitScript(countClicks);
    });
    visits.push({ origin: new URL(url).origin, opened, steps });
    await opened.page.locator('h1').first().waitFor();
    return opened.page;
  }

  return {
    begin: async (site, person, visitor = {}) =>
      visit(`${site.url}/`, { ...visitor, ...signedIn(site.url, await site.beginSession(person)) }),
    openLink: (url) => visit(url, {}),
    chooseFile: async (button, file, text) => {
      const chooser = button.page().waitForEvent('filechooser');
      await button.click();
      await (await chooser).setFiles({ name: file, mimeType: 'text/csv', buffer: Buffer.from(text) });
    },
    end: async (expected) => {
      for (const { opened, origin } of visits) {
        // Clicks are noted before the page answers.
        await opened.page.evaluate('0');
        expect(opened.errors.filter((error) => expected?.test(error) !== true)).toEqual([]);
        expect(outsideRequests(opened, origin)).toEqual([]);
      }
      expectPublished(name, visits);
    },
  };
}

/** Pastes a text as a spreadsheet leaves it on the clipboard: as text and as a table in HTML. */
export async function pasteText(page: Page, text: string): Promise<void> {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.evaluate(
    `navigator.clipboard.write([new ClipboardItem({
      'text/plain': new Blob([${JSON.stringify(text)}], { type: 'text/plain' }),
      'text/html': new Blob(['<table><tr><td>cells</td></tr></table>'], { type: 'text/html' }),
    })])`,
  );
  await page.keyboard.press('Control+V');
}

/** Compares the clicks of a journey with those of the document. */
function expectPublished(name: string, visits: readonly Visit[]): void {
  const clicks = visits.flatMap(({ steps }) => steps).reduce((sum, { clicks: ofStep }) => sum + ofStep, 0);
  const taken = visits.map(({ steps }) => stepsText(steps)).filter((text) => text !== '');
  const row = `| ${name} | ${clicks} | ${taken.join('; ')} |`;
  const found = tableRowsOf(published).find((each) => each.startsWith(`| ${name} |`));
  const [, , before = 'no'] = found?.split('|').map((cell) => cell.trim()) ?? [];
  expect(
    found,
    `${published} publishes ${before} clicks for “${name}”, which takes ${clicks} clicks. Publish this line:\n${row}\n`,
  ).toBe(row);
}

/** Formats steps: `Menu → Map (5)`. The number is that of the clicks, unless it is one. */
function stepsText(steps: readonly Step[]): string {
  const merged = steps.reduce<readonly Step[]>((all, step) => {
    const last = all.at(-1);
    if (last?.name !== step.name) return [...all, step];
    return [...all.slice(0, -1), { name: step.name, clicks: last.clicks + step.clicks }];
  }, []);
  return merged.map(({ name, clicks }) => (clicks === 1 ? name : `${name} (${clicks})`)).join(' → ');
}

/**
 * Script of the page: notes every click of a mouse once, by the press before it: the browser clicks the input of a clicked label as well,
 * and the button of a form on Enter. The list of a select is not part of the page, so a choice is two clicks: one opens the list.
 */
const countClicks = `{
  let isPressed = false;
  const textOf = (element) => {
    const copy = element.cloneNode(true);
    for (const part of copy.querySelectorAll('.hidden, [aria-hidden=true], select')) part.remove();
    return (copy.textContent.trim() || element.getAttribute('aria-label') || element.localName).replace(/\\s+/g, ' ');
  };
  addEventListener('pointerdown', ({ isTrusted }) => (isPressed = isTrusted), true);
  addEventListener('click', ({ isTrusted, target }) => {
    if (!isTrusted || !isPressed) return;
    isPressed = false;
    window.noteClicks(textOf(target.closest('a, button, label, summary, [role=option]') ?? target), 1);
  }, true);
  addEventListener('change', ({ target }) => {
    if (!(target instanceof HTMLSelectElement)) return;
    const [label] = target.labels;
    const name = label === undefined ? target.getAttribute('aria-label') : textOf(label);
    window.noteClicks(name + ': ' + target.selectedOptions[0].textContent.trim(), 2);
  }, true);
}`;
