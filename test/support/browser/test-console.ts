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

const someone: Person = { login: 'jane@example.com', role: 'admin' };

/** A server with its console, dispatcher and workers, and people who use it. */
export interface TestConsole extends TestApi {
  /** A new session of somebody, who is made a user when they are none; its token. */
  readonly beginSession: (person?: Person) => Promise<string>;
  /** Opens a page of the console as somebody who is signed in. Default: Jane, who may do everything in the account `default`. */
  readonly open: (browser: TestBrowser, path: string, visit?: Visit) => Promise<OpenedPage>;
}

export interface Visit {
  readonly person?: Person;
  /** Such as the size of the window, or the colours. */
  readonly visitor?: BrowserContextOptions;
  /** Does something with the page before anything is loaded. */
  readonly prepare?: (page: Page) => Promise<void>;
}

export interface TestConsoleOptions extends TestApiOptions {
  /** The ads that a stand-in for a source has of a company; default the sample. */
  readonly ads?: (company: string) => readonly StandInAd[];
}

/** Opens the server; whoever opens it closes it. */
export async function openTestConsole({ ads, ...options }: TestConsoleOptions = {}): Promise<TestConsole> {
  const source = ads === undefined ? null : await openSourceStandIn({ shape: 'union', ads });
  const settings = { ...(source === null ? {} : settingsOf(source)), ...options.settings };
  const site = await openTestApi({ workers: true, ...options, settings });
  const begin = (person: Person = someone) => beginSessionOf(site, person);
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

/** As fast as it can answer. */
function settingsOf({ url, key }: SourceStandIn): Environment {
  return {
    NIGHTSHIFT_SOURCES: 'upstream',
    NIGHTSHIFT_UPSTREAM_URL: url,
    NIGHTSHIFT_UPSTREAM_KEY: key,
    NIGHTSHIFT_UPSTREAM_REQUESTS_PER_SECOND: '1000',
  };
}

/** Describes the same tests of the console once for each queue backend; where there is no Redis, that half says that it was not run. */
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

/** A server that all tests of a block share. */
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

/** A browser that has the session of somebody. */
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

/** Keeps a picture of the page, or of what a window shows of it, as output of the tests: `test-output/screenshots/<name>.png`. */
export async function keepPicture(page: Page, name: string, { fullPage = true } = {}): Promise<void> {
  mkdirSync(pictures, { recursive: true });
  await page.screenshot({ path: join(pictures, `${name}.png`), fullPage });
}

/** The requests of a page that went to anywhere but its own server; there must be none. */
export function outsideRequests({ requests }: OpenedPage, url: string): readonly string[] {
  return requests.filter((address) => !address.startsWith(`${url}/`) && !address.startsWith('blob:'));
}
