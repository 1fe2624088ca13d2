import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, inject } from 'vitest';
import type { Role } from '../../../src/core/accounts/roles.ts';
import { beginSession } from '../../../src/core/accounts/sign-in.ts';
import { openTestApi, type TestApi, type TestApiOptions } from '../api/test-api.ts';
import type { OpenedPage, TestBrowser } from './browser.ts';
import type { Environment } from '../cli/nightshift-process.ts';
import { openSourceStandIn, type SourceStandIn } from '../stand-in/source-stand-in.ts';
import type { StandInAd } from '../stand-in/stand-in-ads.ts';

/** User of the console. */
export interface Person {
  readonly login: string;
  readonly role: Role;
  /** Default: `default`. */
  readonly account?: string;
}

const jane: Person = { login: 'jane@example.com', role: 'admin' };

/** Server with console, dispatcher, workers and users. */
export interface TestConsole extends TestApi {
  /** Starts a session, creates the user if needed, and returns the token. */
  readonly beginSession: (person?: Person) => Promise<string>;
  /** Opens a page of the console as a signed-in user. Default: Jane, an admin of the account `default`. */
  readonly open: (browser: TestBrowser, path: string, visit?: Visit) => Promise<OpenedPage>;
}

/** Options of a visit. */
export interface Visit {
  readonly person?: Person;
  /** Options of the browser, such as the window size or colour scheme. */
  readonly visitor?: BrowserContextOptions;
  /** Runs before the page loads. */
  readonly prepare?: (page: Page) => Promise<void>;
}

/** Options of the server. */
export interface TestConsoleOptions extends TestApiOptions {
  /** Ads of a company at the stand-in source. Default: the sample source. */
  readonly ads?: (company: string) => readonly StandInAd[] | 'no_match';
}

/** Opens the server. The caller closes it. */
export async function openTestConsole({ ads, ...options }: TestConsoleOptions = {}): Promise<TestConsole> {
  const source = ads === undefined ? null : await openSourceStandIn({ shape: 'union', ads });
  const settings = { ...(source === null ? {} : settingsOf(source)), ...options.settings };
  const site = await openTestApi({ workers: true, ...options, settings });
  const begin = (person: Person = jane) => beginSessionOf(site, person);
  return {
    ...site,
    beginSession: begin,
    close: async () => {
      await site.close();
      await source?.close();
    },
    open: async (browser, path, { person, visitor, prepare } = {}) => {
      const token = await begin(person);
      const seen = { ...visitor, ...signedIn(site.url, token) };
      const opened = await browser.open(`${site.url}${path}`, seen, prepare);
      await opened.page.locator('h1').first().waitFor();
      return opened;
    },
  };
}

/** Settings of the stand-in source, without a rate limit. */
function settingsOf({ url, key }: SourceStandIn): Environment {
  return {
    NIGHTSHIFT_SOURCES: 'upstream',
    NIGHTSHIFT_UPSTREAM_URL: url,
    NIGHTSHIFT_UPSTREAM_KEY: key,
    NIGHTSHIFT_UPSTREAM_REQUESTS_PER_SECOND: '1000',
  };
}

/** Describes the same tests for each queue backend. Without Redis, its half is skipped. */
export function eachTestConsole(
  define: (site: () => TestConsole) => void,
  options: TestConsoleOptions = {},
): void {
  describe('with the queue on postgres', () => define(useTestConsole({ ...options, queue: 'postgres' })));
  if (inject('redisUrl') === null)
    describe.skip('with the queue on redis (not run: no Redis)', () => define(noTestApi));
  else describe('with the queue on redis', () => define(useTestConsole({ ...options, queue: 'redis' })));
}

function noTestApi(): never {
  throw new Error('There is no Redis.');
}

/** Opens a server that all tests of a block share. */
export function useTestConsole(options: TestConsoleOptions = {}): () => TestConsole {
  let site: TestConsole | undefined;
  beforeAll(async () => {
    site = await openTestConsole(options);
  });
  afterAll(() => site?.close());
  return () => {
    if (site === undefined) throw new Error('The console is there once the tests run.');
    return site;
  };
}

async function beginSessionOf(
  { app }: TestApi,
  { login, role, account = 'default' }: Person,
): Promise<string> {
  const known = (await app.accounts.users.list()).find((user) => user.login === login);
  const user =
    known ??
    (await app.accounts.users.add(
      { login, role, accountId: await app.accounts.store.find(account) },
      { actor: 'test', address: null },
    ));
  return beginSession(app.accounts.sessions, user.userId, {
    method: 'link',
    address: '127.0.0.1',
    agent: 'test',
  });
}

/** Browser options with the cookie of a session. */
export function signedIn(url: string, token: string): BrowserContextOptions {
  const cookie = {
    name: 'nightshift_session',
    value: token,
    domain: new URL(url).hostname,
    path: '/',
    expires: -1,
    httpOnly: true,
    secure: false,
    sameSite: 'Strict' as const,
  };
  return { storageState: { cookies: [cookie], origins: [] } };
}

const pictures = join(import.meta.dirname, '../../../test-output/screenshots');

/** Keeps a screenshot of the page or its visible part as `test-output/screenshots/<name>.png`. */
export async function keepPicture(page: Page, name: string, { fullPage = true } = {}): Promise<void> {
  mkdirSync(pictures, { recursive: true });
  await page.screenshot({ path: join(pictures, `${name}.png`), fullPage });
}

/** Lists the requests of a page to other servers. */
export function outsideRequests({ requests }: OpenedPage, url: string): readonly string[] {
  return requests.filter((address) => !address.startsWith(`${url}/`) && !address.startsWith('blob:'));
}
