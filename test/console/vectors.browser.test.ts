import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { pictureHosts } from '../../src/reporter/documents/html/creative-picture.ts';
import { readAxeFindings } from '../support/browser/axe.ts';
import { describeInBrowser, type TestBrowser } from '../support/browser/browser.ts';
import { outsideRequests } from '../support/browser/test-console.ts';
import { openConsoleFixture, type ConsoleFixture } from '../support/browser/console-fixture.ts';
import { vectors } from '../support/xss/vectors.ts';

const texts = vectors.map(({ text }) => text);
/** One that any browser would run, to see that it got there. */
const telling = '<img src=x onerror=alert(1)>';
const operator = { login: 'olga@example.com', role: 'operator' as const };

describeInBrowser('the console full of hostile texts', (browser) => {
  let fixture: ConsoleFixture;

  beforeAll(async () => {
    fixture = await openConsoleFixture({ texts });
  }, 240_000);
  afterAll(() => fixture.close());

  test('there are more than 300 of them', () => {
    expect(texts.length).toBeGreaterThan(300);
    expect(texts).toContain(telling);
  });

  test.each([
    ['the lists', () => '/lists'],
    ['a list', () => `/batches/${fixture.batch}`],
    ['its rows', () => `/batches/${fixture.batch}/results`],
    ['its ads', () => `/batches/${fixture.batch}/results?tab=ads`],
    ['addresses', () => '/emails'],
    ['schedules', () => '/schedules'],
    ['a schedule', () => `/schedules/${fixture.schedule}`],
    ['a schedule to be changed', () => `/schedules/${fixture.schedule}/edit`],
    ['changes by day', () => '/changes'],
    ['changes one by one', () => '/changes?view=list'],
    ['charts of a schedule', () => `/charts?schedule=${fixture.schedule}`],
    ['charts of a list', () => `/charts?batch=${fixture.batch}`],
    ['the ledger', () => '/credits?view=ledger'],
    ['credits by list', () => '/credits?view=batch'],
    ['keys', () => '/account/keys'],
    ['the audit log', () => '/account/audit'],
    ['an answer in SQL', () => `/sql?q=${encodeURIComponent('select * from lookups limit 1000')}`],
    ['accounts', () => '/operator/accounts'],
  ])('%s: nothing is executed, nothing refused by the policy, nobody else asked', async (_what, path) => {
    const { page, seen } = await openHostile(browser(), path());
    await tryEverything(page);
    expect(await seen()).toEqual({ executed: [], errors: [], outside: [] });
  });

  test('a file with such names and columns on its way in', async () => {
    const { page, seen } = await openHostile(browser(), '/lists/new');
    const cell = (text: string) => `"${text.replaceAll('"', '""')}"`;
    const lines = [
      ['company', 'website', telling].map(cell).join(','),
      ...texts.map((text, i) => [text, `firm-${i}.com`, text].map(cell).join(',')),
    ];
    await page.locator('input[type=file]').setInputFiles({
      name: `${telling}.csv`,
      mimeType: 'text/csv',
      buffer: Buffer.from(lines.join('\n')),
    });
    await page.getByRole('heading', { name: 'Which column is which?' }).waitFor();
    expect(await page.locator('main').innerText()).toContain(telling);
    await page.getByRole('button', { name: 'See what will become of it' }).click();
    await page.getByRole('heading', { name: 'What will become of it' }).waitFor();
    await tryEverything(page);
    expect(await seen()).toEqual({ executed: [], errors: [], outside: [] });
  });

  test('an ad with a version of each: its pictures, once they are wanted, come from two hosts, and its links tell nobody where from', async () => {
    const { page, seen } = await openHostile(browser(), `/ads/${fixture.ad}`);
    await page.getByRole('button', { name: /^Show the \d+ older versions$/ }).click();
    expect(await page.locator('.versions thead th').count()).toBeGreaterThan(300);
    expect(await page.locator('.versions').textContent()).toContain(telling);
    expect(await seen()).toEqual({ executed: [], errors: [], outside: [] });
    expect(await readAxeFindings(page)).toEqual([]);

    const links = await page
      .locator('main a[href]')
      .evaluateAll((all: Link[]) => all.map(({ href, rel, target }) => ({ href, rel, target })));
    const outside = links.filter(({ href }) => !href.startsWith(fixture.site.url));
    expect(outside.length).toBeGreaterThan(2);
    for (const { href, rel, target } of outside) {
      expect(href).toMatch(/^https?:/);
      expect({ rel, target }).toEqual({ rel: 'noopener noreferrer nofollow ugc', target: '_blank' });
    }

    await page.getByRole('switch', { name: 'Show pictures' }).check();
    await page.locator('main img').last().scrollIntoViewIfNeeded();
    const after = await seen();
    expect([after.executed, after.errors]).toEqual([[], []]);
    const hosts = new Set(after.outside.map((address) => new URL(address).host));
    expect(hosts.size).toBeGreaterThan(0);
    for (const host of hosts) expect(pictureHosts).toContain(host);
    await tryEverything(page);
    expect((await seen()).executed).toEqual([]);
  });

  /** Opens a page in a browser that notes what is executed, and answers by itself what is asked of others. */
  async function openHostile(opened: TestBrowser, path: string) {
    const { page, errors, requests } = await fixture.site.open(opened, path, {
      person: operator,
      prepare: async (blank) => {
        await blank.addInitScript(noteExecuted);
        await blank.route(
          (url) => url.origin !== fixture.site.url,
          (route) => route.fulfill({ contentType: 'image/png', body: onePixel }),
        );
      },
    });
    await page.locator('main .waiting').first().waitFor({ state: 'detached' });
    return {
      page,
      seen: async () => ({
        executed: await page.evaluate('globalThis.executed'),
        errors,
        outside: outsideRequests({ page, errors, requests }, fixture.site.url),
      }),
    };
  }
});

/** There are as many texts, and a few. */
const rowsMax = 400;

/** Actions of a user: load more, unfold, hover, step through. */
async function tryEverything(page: Page): Promise<void> {
  const run = page.getByRole('button', { name: 'Run', exact: true });
  if ((await run.count()) > 0) {
    await run.click();
    await page.getByRole('region', { name: 'Rows of the answer' }).waitFor();
  }
  const more = page.getByRole('button', { name: 'Show more' });
  while ((await more.count()) > 0 && (await page.locator('tbody tr').count()) < rowsMax) {
    await more.first().click();
    await page.getByRole('button', { name: 'Loading …' }).waitFor({ state: 'detached' });
  }
  await page.evaluate("for (const each of document.querySelectorAll('details')) each.open = true");
  for (const row of (await page.locator('tbody tr').all()).slice(0, 5)) await row.hover();
  for (let i = 0; i < 25; i += 1) await page.keyboard.press('Tab');
}

const noteExecuted = `globalThis.executed = [];
for (const name of ['alert', 'confirm', 'prompt', 'open']) globalThis[name] = (...args) => executed.push([name, ...args]);`;

const onePixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

interface Link {
  readonly href: string;
  readonly rel: string;
  readonly target: string;
}
