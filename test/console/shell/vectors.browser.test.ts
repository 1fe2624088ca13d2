import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { pictureHosts } from '../../../src/reporter/documents/model/picture.ts';
import { readAxeFindings } from '../../support/browser/axe.ts';
import { describeInBrowser, type TestBrowser } from '../../support/browser/browser.ts';
import { pressTab } from '../../support/browser/press-tab.ts';
import { outsideRequests } from '../../support/browser/test-console.ts';
import { openConsoleFixture, type ConsoleFixture } from '../../support/browser/console-fixture.ts';
import { vectors } from '../../support/xss/vectors.ts';

const texts = vectors.map(({ text }) => text);
/** Vector that any browser executes, to prove that it is on the page. */
const executable = '<img src=x onerror=alert(1)>';
const operator = { login: 'olga@example.com', role: 'operator' as const };

describeInBrowser('console with hostile texts', (browser) => {
  let fixture: ConsoleFixture;

  beforeAll(async () => {
    fixture = await openConsoleFixture({ texts });
  }, 240_000);
  afterAll(() => fixture.close());

  test('has more than 300 vectors', () => {
    expect(texts.length).toBeGreaterThan(300);
    expect(texts).toContain(executable);
  });

  test.each([
    ['batches', () => '/batches'],
    ['a batch', () => `/batches/${fixture.batch}`],
    ['its gallery', () => `/batches/${fixture.batch}/results`],
    ['its rows', () => `/batches/${fixture.batch}/results?tab=companies`],
    ['an ad beside its gallery', () => `/batches/${fixture.batch}/results?ad=${fixture.ad}`],
    ['its ads', () => `/batches/${fixture.batch}/results?tab=ads`],
    ['addresses', () => '/emails'],
    ['schedules', () => '/schedules'],
    ['a schedule', () => `/schedules/${fixture.schedule}`],
    ['the form of a schedule', () => `/schedules/${fixture.schedule}/edit`],
    ['the feed of changes', () => '/changes'],
    ['changes by day', () => '/changes?view=days'],
    ['the list of changes', () => '/changes?view=list'],
    ['uncertain advertisers', () => '/review'],
    ['companies not identified', () => `/batches/${fixture.unidentified}/unidentified`],
    ['the mapping', () => '/mapping'],
    ['charts of a schedule', () => `/charts?schedule=${fixture.schedule}`],
    ['charts of a batch', () => `/charts?batch=${fixture.batch}`],
    ['the ledger', () => '/credits?view=ledger'],
    ['credits by batch', () => '/credits?view=batch'],
    ['keys', () => '/account/keys'],
    ['users', () => '/account/users'],
    ['an account', () => '/operator/accounts/default'],
    ['notifications', () => '/account/notifications'],
    ['a notification target', () => `/account/notifications/${fixture.target}`],
    ['the form of a notification target', () => `/account/notifications/${fixture.target}/edit`],
    ['the audit log', () => '/account/audit'],
    ['an SQL result', () => `/sql?q=${encodeURIComponent('select * from lookups limit 1000')}`],
    ['accounts', () => '/operator/accounts'],
  ])('%s: executes nothing, violates no policy, and calls no other host', async (_what, path) => {
    const { page, seen } = await openHostile(browser(), path());
    await tryEverything(page);
    expect(await seen()).toEqual({ executed: [], errors: [], outside: [] });
  });

  test('details of a verdict on a hostile address: executes nothing', async () => {
    const { page, seen } = await openHostile(browser(), `/emails?q=${encodeURIComponent(executable)}`);
    await page.locator('.open-row').filter({ hasText: executable }).first().click();
    const drawer = page.locator('dialog[open]');
    expect(await drawer.innerText()).toContain(executable);
    await tryEverything(page);
    expect(await seen()).toEqual({ executed: [], errors: [], outside: [] });
  });

  test('upload of a file with hostile names and columns: executes nothing', async () => {
    const { page, seen } = await openHostile(browser(), '/batches/new');
    const cell = (text: string) => `"${text.replaceAll('"', '""')}"`;
    const lines = [
      ['company', 'website', executable].map(cell).join(','),
      ...texts.map((text, i) => [text, `firm-${i}.com`, text].map(cell).join(',')),
    ];
    await page.locator('input[type=file]').setInputFiles({
      name: `${executable}.csv`,
      mimeType: 'text/csv',
      buffer: Buffer.from(lines.join('\n')),
    });
    await page.getByRole('heading', { name: 'Choose columns' }).waitFor();
    expect(await page.locator('main').innerText()).toContain(executable);
    await page.getByRole('button', { name: 'Review cost' }).click();
    await page.getByRole('heading', { name: 'Review and cost' }).waitFor();
    await tryEverything(page);
    expect(await seen()).toEqual({ executed: [], errors: [], outside: [] });
  });

  test('ad with a version of each vector: pictures load on demand from two hosts, and links send no referrer', async () => {
    const { page, seen } = await openHostile(browser(), `/ads/${fixture.ad}`);
    await page.getByRole('button', { name: /^Show the \d+ older versions$/ }).click();
    expect(await page.locator('.versions thead th').count()).toBeGreaterThan(300);
    expect(await page.locator('.versions').textContent()).toContain(executable);
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

  /** Opens a page in a browser that records executed scripts and answers requests to other hosts. */
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
    await page.locator('main .loading').first().waitFor({ state: 'detached' });
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

/** More rows than vectors. */
const rowsMax = 400;

/** Actions of a user: load more, unfold, hover, tab through. */
async function tryEverything(page: Page): Promise<void> {
  const run = page.getByRole('button', { name: 'Run', exact: true });
  if ((await run.count()) > 0) {
    await run.click();
    await page.getByRole('region', { name: 'Result rows' }).waitFor();
  }
  // The page beside an open drawer takes no clicks.
  const drawer = page.locator('dialog[open]');
  const reachable = (await drawer.count()) > 0 ? drawer : page.locator('body');
  // Found by their class: a search by role computes the names of thousands of buttons.
  const more = reachable.locator('.more button');
  while ((await more.count()) > 0 && (await reachable.locator('tbody tr').count()) < rowsMax) {
    await more.first().click();
    await reachable.locator('.more button:disabled').waitFor({ state: 'detached' });
  }
  // The menus open last: they cover rows.
  await page.evaluate("for (const each of document.querySelectorAll('details:not(.pop)')) each.open = true");
  for (const row of (await reachable.locator('tbody tr').all()).slice(0, 5)) await row.hover();
  await page.evaluate("for (const each of document.querySelectorAll('details.pop')) each.open = true");
  await pressTab(page, 25);
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
