import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { scopes } from '../../../src/core/accounts/api-key.ts';
import {
  codesOf,
  openTestApi,
  useTestApi,
  type TestApi,
  type ProblemBody,
} from '../../support/api/test-api.ts';
import { openSourceStandIn } from '../../support/stand-in/source-stand-in.ts';
import { waitMsMax } from '../../support/wait-bound.ts';

const searchPath = '/v1/ads/google-ads-search';

interface Entry {
  readonly seq: number;
  readonly kind: string;
  readonly credits: number;
  readonly held: number;
  readonly credits_after: number;
  readonly held_after: number;
  readonly batch: string | null;
  readonly request_id: string | null;
  readonly reason: string | null;
  readonly at: string;
}

interface Page {
  readonly entries: readonly Entry[];
  readonly next: string | null;
}

describe('GET /v1/credits', () => {
  const api = useTestApi();

  test('our choice: returns 0 for a new account', async () => {
    const key = await keyOf(api(), 'fresh');
    const answer = await api().call('GET', '/v1/credits', { key });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toMatch(/^application\/json/);
    expect(answer.json()).toEqual({ credits: 0, held: 0, total: 0 });
  });

  test('our choice: includes a grant', async () => {
    const key = await keyOf(api(), 'granted', 7n);
    expect(await readCredits(api(), key)).toEqual({ credits: 7, held: 0, total: 7 });
  });

  test('§8 decreases by 0.2 with a search that found ads', async () => {
    const key = await keyOf(api(), 'searching', 1n);
    const texts: string[] = [];
    for (let n = 0; n < 5; n += 1) {
      await api().call('POST', searchPath, { key, json: { company_domain: 'nike.com' } });
      texts.push((await api().call('GET', '/v1/credits', { key })).text);
    }
    const left = ['0.8', '0.6', '0.4', '0.2', '0'];
    expect(texts.map((text) => JSON.parse(text) as unknown)).toEqual(
      left.map((amount) => ({ credits: Number(amount), held: 0, total: Number(amount) })),
    );
    for (const [i, amount] of left.entries()) expect(texts[i]).toContain(`"credits":${amount},`);
  });

  test('§8 does not change with a search that found none', async () => {
    const key = await keyOf(api(), 'unlucky', 1n);
    await api().call('POST', searchPath, { key, json: { company_domain: 'no-such-company-anywhere.com' } });
    expect(await readCredits(api(), key)).toEqual({ credits: 1, held: 0, total: 1 });
  });

  test('our choice: does not change with an email validation', async () => {
    const key = await keyOf(api(), 'validating', 1n);
    await api().call('POST', '/v1/people/email-validation', { key, json: { email: 'jane@example.com' } });
    expect(await readCredits(api(), key)).toEqual({ credits: 1, held: 0, total: 1 });
  });

  test('our choice: holds the price of a running search, and releases it when the source fails', async () => {
    const source = await openSourceStandIn({ script: [{ failure: { kind: 'hang' } }] });
    onTestFinished(() => source.close());
    const settings = {
      NIGHTSHIFT_SOURCES: 'upstream',
      NIGHTSHIFT_UPSTREAM_URL: source.url,
      NIGHTSHIFT_UPSTREAM_KEY: source.key,
    };
    const other = await openTestApi({ settings });
    onTestFinished(() => other.close());
    const key = await keyOf(other, 'waiting', 1n);
    const searching = other.call('POST', searchPath, { key, json: { company_domain: 'nike.com' } });
    await vi.waitFor(() => expect(source.log).toHaveLength(1), { timeout: waitMsMax });
    expect(await readCredits(other, key)).toEqual({ credits: 0.8, held: 0.2, total: 1 });
    await source.close();
    expect((await searching).status).not.toBe(200);
    expect(await readCredits(other, key)).toEqual({ credits: 1, held: 0, total: 1 });
  });

  test('our choice: returns 403 with the missing scope for all scopes except credits:read', async () => {
    await expectScopeNeeded(api(), '/v1/credits');
  });

  test('§5.3 returns 401 without a key', async () => {
    const answer = await api().call('GET', '/v1/credits');
    expect([answer.status, codesOf(answer)]).toEqual([401, ['invalid_api_key']]);
  });

  test('every invariant holds', async () => {
    expect(await api().findings()).toEqual([]);
  });
});

describe('GET /v1/ledger', () => {
  const api = useTestApi();

  test('our choice: is empty for a new account', async () => {
    const key = await keyOf(api(), 'fresh');
    expect(await readPage(api(), key)).toEqual({ entries: [], next: null });
  });

  test('our choice: lists the entries of a grant and a search that found ads, newest first', async () => {
    const key = await keyOf(api(), 'spender', 2n);
    const search = await api().call('POST', searchPath, { key, json: { company_domain: 'nike.com' } });
    const requestId = search.headers.get('x-request-id');
    const of = {
      ...{ batch: null, request_id: requestId, reason: null, at: expect.any(String) as string },
      ...{ operation: 'ads_search', company_domain: 'nike.com', company_name: null, email: null },
      ...{ outcome: null, email_status: null },
    };
    const ended = { ...of, outcome: 'found' };
    expect(await readPage(api(), key)).toEqual({
      entries: [
        { seq: 3, kind: 'settle', credits: 0, held: -0.2, credits_after: 1.8, held_after: 0, ...ended },
        { seq: 2, kind: 'reserve', credits: -0.2, held: 0.2, credits_after: 1.8, held_after: 0.2, ...of },
        {
          seq: 1,
          kind: 'grant',
          credits: 2,
          held: 0,
          credits_after: 2,
          held_after: 0,
          ...of,
          request_id: null,
          reason: 'test',
          operation: null,
          company_domain: null,
        },
      ],
      next: null,
    });
  });

  test('our choice: lists the full release of a search that found none', async () => {
    const key = await keyOf(api(), 'unlucky', 1n);
    await api().call('POST', searchPath, { key, json: { company_domain: 'no-such-company-anywhere.com' } });
    const { entries } = await readPage(api(), key);
    expect(entries.map(({ kind, credits, held }) => ({ kind, credits, held }))).toEqual([
      { kind: 'release', credits: 0.2, held: -0.2 },
      { kind: 'reserve', credits: -0.2, held: 0.2 },
      { kind: 'grant', credits: 1, held: 0 },
    ]);
  });

  test('our choice: adds up to the available credits', async () => {
    const key = await keyOf(api(), 'adding', 3n);
    for (const domain of ['nike.com', 'no-such-company-anywhere.com', 'nike.com']) {
      await api().call('POST', searchPath, { key, json: { company_domain: domain } });
    }
    const { entries } = await readPage(api(), key);
    const micro = (amount: number) => Math.round(amount * 1_000_000);
    const sum = entries.reduce((total, { credits }) => total + micro(credits), 0);
    const { credits } = await readCredits(api(), key);
    expect([sum, micro(entries[0]?.credits_after ?? 0)]).toEqual([micro(credits), micro(credits)]);
  });

  test.each([1, 2, 3, 6, 7, 8, 1000])(
    'our choice: returns every entry once, newest first, in pages of %i up to next: null',
    async (limit) => {
      const key = await api().createKey({ account: await grantedAccount(api(), `paged-${limit}`, 7) });
      const pages = await readAllPages(api(), key, limit);
      expect(pages.flatMap(({ entries }) => entries.map(({ seq }) => seq))).toEqual([7, 6, 5, 4, 3, 2, 1]);
      expect(pages.length).toBe(Math.ceil(7 / limit));
      expect(pages.slice(0, -1).every(({ entries }) => entries.length === limit)).toBe(true);
    },
  );

  test('our choice: neither repeats nor omits entries when new ones are added between pages', async () => {
    const name = await grantedAccount(api(), 'busy', 6);
    const key = await api().createKey({ account: name });
    const accountId = await api().app.accounts.store.find(name);
    const seen: number[] = [];
    let after: string | null = null;
    do {
      const page: Page = await readPage(api(), key, `?limit=2${after === null ? '' : `&after=${after}`}`);
      seen.push(...page.entries.map(({ seq }) => seq));
      await api().app.credits.ledger.grant(accountId, [{ key: null, amountMicro: 1n, reason: 'meanwhile' }]);
      after = page.next;
    } while (after !== null);
    expect(seen).toEqual([6, 5, 4, 3, 2, 1]);
  });

  test('our choice: returns a hundred entries by default', async () => {
    const key = await api().createKey({ account: await grantedAccount(api(), 'long', 101) });
    const first = await readPage(api(), key);
    expect([first.entries.length, first.entries[0]?.seq]).toEqual([100, 101]);
    const second = await readPage(api(), key, `?after=${first.next}`);
    expect([second.entries.map(({ seq }) => seq), second.next]).toEqual([[1], null]);
  });

  test.each([
    'after=',
    'after=abc',
    'after=-1',
    'after=1.5',
    'after=1e3',
    'after=0x10',
    'after=%00',
    "after='%20OR%201=1",
    `after=${'9'.repeat(19)}`,
    `after=${'9'.repeat(400)}`,
    'after=5&after=6',
    'limit=0',
    'limit=-1',
    'limit=1.5',
    'limit=1001',
    'limit=many',
    'limit=',
    'limit=NaN',
    'limit=Infinity',
    'limit=5&limit=6',
    'offset=5',
    'page=2',
    'Limit=5',
    'limit=5&kind=grant',
  ])('our choice: returns 400 for ?%s', async (query) => {
    const answer = await api().call('GET', `/v1/ledger?${query}`, { key: await api().createKey() });
    expect([answer.status, [...new Set(codesOf(answer))]]).toEqual([400, ['validation_error']]);
  });

  test('our choice: returns one error for each of two invalid parameters', async () => {
    const key = await api().createKey();
    const answer = await api().call('GET', `/v1/ledger?limit=0&after=${'9'.repeat(400)}`, { key });
    const titles = (answer.json() as ProblemBody).errors.map(({ title }) => title);
    expect(titles.map((title) => title.split(':')[0]).sort()).toEqual(['after', 'limit']);
  });

  test('our choice: returns 403 with the missing scope for all scopes except credits:read', async () => {
    await expectScopeNeeded(api(), '/v1/ledger');
  });

  test('§5.3 returns 401 without a key', async () => {
    const answer = await api().call('GET', '/v1/ledger');
    expect([answer.status, codesOf(answer)]).toEqual([401, ['invalid_api_key']]);
  });

  test('every invariant holds', async () => {
    expect(await api().findings()).toEqual([]);
  });
});

/** Creates an account. Returns its key. */
async function keyOf(api: TestApi, account: string, credits = 0n): Promise<string> {
  await api.createAccount(account, credits);
  return api.createKey({ account });
}

/** Creates an account whose ledger has this many entries. */
async function grantedAccount(api: TestApi, name: string, entries: number): Promise<string> {
  const accountId = await api.createAccount(name);
  const grants = Array.from({ length: entries }, () => ({ key: null, amountMicro: 1_000n, reason: 'test' }));
  await api.app.credits.ledger.grant(accountId, grants);
  return name;
}

async function readCredits(api: TestApi, key: string) {
  const answer = await api.call('GET', '/v1/credits', { key });
  return answer.json() as { readonly credits: number; readonly held: number; readonly total: number };
}

async function readPage(api: TestApi, key: string, query = ''): Promise<Page> {
  const answer = await api.call('GET', `/v1/ledger${query}`, { key });
  expect(answer.status).toBe(200);
  return answer.json() as Page;
}

async function readAllPages(api: TestApi, key: string, limit: number): Promise<readonly Page[]> {
  const pages: Page[] = [await readPage(api, key, `?limit=${limit}`)];
  for (let next = pages[0]?.next; typeof next === 'string' && pages.length < 20; next = pages.at(-1)?.next) {
    pages.push(await readPage(api, key, `?limit=${limit}&after=${encodeURIComponent(next)}`));
  }
  return pages;
}

async function expectScopeNeeded(api: TestApi, path: string): Promise<void> {
  const key = await api.createKey({ scopes: scopes.filter((scope) => scope !== 'credits:read') });
  const answer = await api.call('GET', path, { key });
  expect([answer.status, codesOf(answer)]).toEqual([403, ['insufficient_scope']]);
  expect((answer.json() as ProblemBody).errors[0]?.title).toContain('credits:read');
  const only = await api.createKey({ scopes: ['credits:read'] });
  expect((await api.call('GET', path, { key: only })).status).toBe(200);
}
