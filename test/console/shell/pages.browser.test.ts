import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { roles, type Role } from '../../../src/core/accounts/roles.ts';
import { pagePaths } from '../../../src/console/paths.ts';
import { readAxeFindings } from '../../support/browser/axe.ts';
import { describeInBrowser } from '../../support/browser/browser.ts';
import { keepPicture, outsideRequests } from '../../support/browser/test-console.ts';
import { openConsoleFixture, type ConsoleFixture } from '../../support/browser/console-fixture.ts';

type PagePath = (typeof pagePaths)[number];

/** Part of all data of the account, and of no text of the console. */
const secret = 'Quokka';
const texts = Array.from({ length: 12 }, (_, i) => `${secret} ${i + 1} & Sons`);
const phone = { width: 360, height: 740 };
const operator = { login: 'olga@example.com', role: 'operator' as const };

/** Further addresses of a page to check. */
const alsoChecked: Partial<Record<PagePath, readonly string[]>> = {
  '/batches/:id/results': ['?tab=companies', '?tab=ads'],
  '/changes': ['?view=days', '?view=list'],
  '/charts': ['?batch=BATCH'],
  '/credits': ['?view=batch', '?view=operation', '?view=ledger'],
  '/sql': ['?q=select%20*%20from%20lookups'],
};

/** Pages that only admins see. */
const ofAdmins: readonly PagePath[] = [
  ...(['/account/keys', '/account/users', '/account/audit', '/destinations'] as const),
  ...(['/destinations/:id', '/destinations/:id/edit'] as const),
  ...(['/account/notifications', '/account/notifications/new', '/account/notifications/:id'] as const),
  '/account/notifications/:id/edit',
];
/** Pages that a role cannot see. */
const forbidden: Readonly<Record<Role, readonly PagePath[]>> = {
  viewer: [...ofAdmins, '/operator/accounts', '/operator/accounts/:name'],
  member: [...ofAdmins, '/operator/accounts', '/operator/accounts/:name'],
  admin: ['/operator/accounts', '/operator/accounts/:name'],
  operator: [],
};
/** Pages without texts of the account at first. */
const bare: readonly PagePath[] = [
  ...([
    '/batches/new',
    '/schedules/new',
    '/inboxes/new',
    '/destinations/new',
    '/credits',
    '/sources',
    '/sql',
    '/account',
    '/account/users',
    '/sign-in',
    '/sign-in/password',
    '/account/notifications/new',
  ] as const),
  ...(['/operator/accounts', '/operator/accounts/:name'] as const),
];
/** Buttons that viewers do not get. */
const memberButtons = [
  'New batch',
  'Name and tags …',
  'New schedule',
  'New inbox',
  'Look now',
  'Run now …',
  'Pause',
  'Delete …',
  'Accept',
  'Add mapping',
  'Agency',
];
/** Pages with such buttons. */
const memberPages: readonly PagePath[] = [
  '/',
  '/batches',
  '/batches/:id',
  '/schedules',
  '/schedules/:id',
  '/inboxes',
  '/inboxes/:id',
  '/review',
  '/mapping',
  '/batches/:id/unidentified',
];

describeInBrowser('page', (browser) => {
  let fixture: ConsoleFixture;

  beforeAll(async () => {
    fixture = await openConsoleFixture({ texts });
    await fixture.site.createAccount('other', 5n);
  });
  afterAll(() => fixture.close());

  test.each(pagePaths)('%s is accessible in light and dark mode and on a phone', async (path) => {
    for (const extra of extrasOf(path)) {
      const opened = await fixture.site.open(browser(), addressOf(path, extra), { person: operator });
      const { page } = opened;
      await allLoaded(page);
      expect(await page.title()).toMatch(/· Nightshift$/);
      expect(await page.locator('h1').count()).toBe(1);
      expect([extra, await readAxeFindings(page)]).toEqual([extra, []]);
      if (extra === '') await keepPicture(page, `page${path.replaceAll(/[/:]+/g, '-')}`);
      await page.setViewportSize(phone);
      await page.emulateMedia({ colorScheme: 'dark' });
      // Charts redraw a moment later.
      await expect.poll(() => isTooWide(page), { message: `${path}${extra}` }).toBe(false);
      await page.getByRole('button', { name: 'Menu' }).click();
      expect([extra, await readAxeFindings(page)]).toEqual([extra, []]);
      if (extra === '') await keepPicture(page, `page${path.replaceAll(/[/:]+/g, '-')}-phone-dark`);
      expect(opened.errors).toEqual([]);
      expect(outsideRequests(opened, fixture.site.url)).toEqual([]);
    }
  });

  test.each(roles)('shows a %s only what the role permits', async (role) => {
    const person = { login: `${role}@example.com`, role };
    // The latest entry of the audit log, which has one for every session of these tests.
    await fixture.site.createKey({ name: secret });
    const { page, errors } = await fixture.site.open(browser(), '/batches', { person });
    for (const path of pagePaths) {
      await visit(page, addressOf(path));
      const text = await page.locator('main').innerText();
      if (forbidden[role].includes(path)) {
        expect(text, path).toMatch(/are for (admins|operators)/);
        expect(text, path).not.toContain(secret);
      } else {
        expect(await page.getByRole('alert').count(), path).toBe(0);
        expect(text.includes(secret), path).toBe(!bare.includes(path));
      }
      const items = await page.getByRole('banner').getByRole('link').allInnerTexts();
      expect(items.slice(1, 6), path).toEqual(['Batches', 'Watch', 'E-mail', 'Data', 'Settings']);
      expect(items.includes('Accounts'), path).toBe(role === 'operator' && isSetting(path));
      const buttons = await page
        .locator('main')
        .getByRole('button')
        .or(page.locator('main a.button'))
        .allInnerTexts();
      const shown = memberButtons.filter((name) => buttons.includes(name));
      expect(shown.length > 0, path).toBe(role !== 'viewer' && memberPages.includes(path));
    }
    expect(errors).toEqual([]);
  });

  test('shows users of another account nothing of this one', async () => {
    const person = { login: 'sam@example.org', role: 'admin' as const, account: 'other' };
    const { page } = await fixture.site.open(browser(), '/batches', { person });
    for (const path of pagePaths) {
      for (const extra of extrasOf(path)) {
        await visit(page, addressOf(path, extra));
        const run = page.getByRole('button', { name: 'Run', exact: true });
        if (extra !== '' && (await run.count()) > 0) {
          await run.click();
          await page.getByText('The query returned no rows').waitFor();
        }
        expect(await page.content(), `${path}${extra}`).not.toContain(secret);
        if (forbidden[person.role].includes(path)) await page.getByText(/are for operators/).waitFor();
        else if (path.includes(':')) await page.getByRole('alert').first().waitFor();
      }
    }
  });

  async function visit(page: Page, address: string): Promise<void> {
    await page.goto(`${fixture.site.url}${address}`);
    await allLoaded(page);
  }

  function addressOf(path: PagePath, extra = ''): string {
    const { batch, unidentified, ad, schedule, inbox, destination, target } = fixture;
    const ofBatch = path.endsWith('/unidentified') ? unidentified : batch;
    const places = { '/inboxes': inbox, '/destinations': destination, '/account/notifications': target };
    const ids = { '/batches': ofBatch, '/ads': ad, '/schedules': schedule, ...places };
    const id = Object.entries(ids).find(([start]) => path.startsWith(start))?.[1] ?? '';
    return path.replace(':id', id).replace(':name', 'default') + extra.replace('BATCH', batch);
  }
});

/** True for a page of the settings, whose tabs include the accounts. */
function isSetting(path: string): boolean {
  return /^\/(account|credits|operator|sources)/.test(path);
}

function extrasOf(path: PagePath): readonly string[] {
  return ['', ...(alsoChecked[path] ?? [])];
}

async function allLoaded(page: Page): Promise<void> {
  await page.locator('h1').first().waitFor();
  await page.locator('main .loading').first().waitFor({ state: 'detached' });
}

async function isTooWide(page: Page): Promise<boolean> {
  return page.evaluate<boolean>('document.documentElement.scrollWidth > innerWidth');
}
