import { request as httpRequest } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest';
import { fingerprintOf } from '../../../src/api/http/idempotency.ts';
import { anySearch } from '../../../src/core/ads/ads-answer.ts';
import type { Scope } from '../../../src/core/accounts/api-key.ts';
import { LeaseLost } from '../../../src/core/errors.ts';
import type { ReplyClaim } from '../../../src/core/accounts/stored-response.ts';
import {
  codesOf,
  openTestApi,
  type Answer,
  type TestApi,
  type TestApiOptions,
  type Call,
} from '../../support/api/test-api.ts';
import { openSourceStandIn, type SourceStandIn } from '../../support/stand-in/source-stand-in.ts';
import { generateAds } from '../../support/stand-in/stand-in-ads.ts';
import { waitMsMax } from '../../support/wait-bound.ts';

const searchPath = '/v1/ads/google-ads-search';
const price = 200_000n;
const latencyMs = 150;
const leaseSeconds = 3;
const everyScope: readonly Scope[] = [
  'ads:search',
  'email:validate',
  'credits:read',
  'batches:read',
  'batches:write',
  'admin',
];

describe.each([['postgres'], ['redis']] as const)('with the queue on %s', (queue) => {
  const isThere = queue === 'postgres' || inject('redisUrl') !== null;

  describe.skipIf(!isThere)('50 concurrent searches with the same Idempotency-Key', () => {
    const stage = useStage({ queue });

    test('make one lookup, one call and one charge, and return 200 or 409 with Retry-After', async () => {
      const { api, source } = stage();
      const key = await api.createKey();
      const before = await api.balance();
      const search = { key, json: { company_domain: 'once.com' } };
      const answers = await Promise.all(Array.from({ length: 50 }, () => post(api, search, 'fifty')));

      const passed = answers.filter(({ status }) => status === 200);
      const refused = answers.filter(({ status }) => status !== 200);
      const [first] = passed.filter(({ headers }) => !headers.has('idempotency-replayed'));
      expect(first?.json()).toMatchObject({ credits_consumed: 0.2, message: 'Ads found.' });
      expect(passed.filter(({ headers }) => !headers.has('idempotency-replayed'))).toHaveLength(1);
      expect(new Set(passed.map(({ text }) => text))).toEqual(new Set([first?.text]));
      expect(refused.length).toBeGreaterThan(0);
      for (const answer of refused) {
        expect([answer.status, codesOf(answer)]).toEqual([409, ['idempotency_conflict']]);
        expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
      }
      const later = await post(api, search, 'fifty');
      expectReplay(later, first);
      expect(source.log.map(({ body }) => body)).toEqual([{ company_domain: 'once.com' }]);
      expect(await api.countRows()).toMatchObject({ lookups: 1, idempotency_keys: 1 });
      const after = await api.balance();
      expect([before.balanceMicro - after.balanceMicro, after.heldMicro]).toEqual([price, 0n]);
    });

    test('every invariant holds', async () => {
      expect(await stage().api.findings()).toEqual([]);
    });
  });
});

describe('Idempotency-Key', () => {
  const stage = useStage({ settings: { NIGHTSHIFT_LEASE_SECONDS: String(leaseSeconds) }, workers: true });

  test('with another body or on another route is rejected with 422', async () => {
    const { api } = stage();
    const key = await api.createKey();
    const first = await post(api, { key, json: { company_domain: 'a.com' } }, 'reused');
    expect(first.status).toBe(200);
    const before = await api.countRows();
    const others = [
      await post(api, { key, json: { company_domain: 'b.com' } }, 'reused'),
      await post(api, { key, json: { company_domain: 'a.com', company_name: 'A' } }, 'reused'),
      await post(api, { key, body: '{"company_domain": "a.com"}', headers: jsonType }, 'reused'),
      await post(api, { key, json: { company_domain: 'a.com' } }, 'reused', `${searchPath}?x=1`),
      await post(api, { key, json: { email: 'a@b.com' } }, 'reused', '/v1/people/email-validation'),
      await post(api, { key, json: { rows: [{ company_domain: 'a.com' }] } }, 'reused', '/v1/batches'),
    ];
    for (const answer of others) {
      expect([answer.status, codesOf(answer)]).toEqual([422, ['idempotency_key_reused']]);
    }
    expect(await api.countRows()).toEqual(before);
    expectReplay(await post(api, { key, json: { company_domain: 'a.com' } }, 'reused'), first);
  });

  test('with another body while the first request runs is rejected with 422', async () => {
    const { api } = stage();
    const key = await api.createKey();
    const first = post(api, { key, json: { company_domain: 'under-way.com' } }, 'under-way');
    await untilClaimed(api, 'under-way');
    const other = await post(api, { key, json: { company_domain: 'other.com' } }, 'under-way');
    expect([other.status, codesOf(other)]).toEqual([422, ['idempotency_key_reused']]);
    expect((await first).status).toBe(200);
  });

  test('is scoped to its account', async () => {
    const { api } = stage();
    await api.createAccount('stranger', 1n);
    const [own, strange] = [await api.createKey(), await api.createKey({ account: 'stranger' })];
    const first = await post(api, { key: own, json: { company_domain: 'own.com' } }, 'shared');
    const second = await post(api, { key: strange, json: { company_domain: 'strange.com' } }, 'shared');
    const same = await post(api, { key: strange, json: { company_domain: 'strange.com' } }, 'shared');
    expect([first.status, second.status]).toEqual([200, 200]);
    expect(second.headers.has('idempotency-replayed')).toBe(false);
    expect(second.text).not.toBe(first.text);
    expectReplay(same, second);
    expect(await api.balance('stranger')).toEqual({ balanceMicro: 1_000_000n - price, heldMicro: 0n });
  });

  test('is shared by all API keys of an account', async () => {
    const { api } = stage();
    const [one, other] = [await api.createKey(), await api.createKey()];
    const first = await post(api, { key: one, json: { company_domain: 'shared.com' } }, 'two-keys');
    expectReplay(await post(api, { key: other, json: { company_domain: 'shared.com' } }, 'two-keys'), first);
  });

  test('is released after 402, and works once there are credits', async () => {
    const { api, source } = stage();
    const accountId = await api.createAccount('empty');
    const search = { key: await api.createKey({ account: 'empty' }), json: { company_domain: 'paid.com' } };
    const calls = source.log.length;
    expect((await post(api, search, 'after-402')).status).toBe(402);
    expect((await post(api, search, 'after-402')).status).toBe(402);
    expect(await isKept(api, 'after-402')).toBe(false);
    await api.app.credits.ledger.grant(accountId, [{ key: null, amountMicro: 1_000_000n, reason: 'test' }]);
    const paid = await post(api, search, 'after-402');
    expect([paid.status, paid.headers.has('idempotency-replayed')]).toEqual([200, false]);
    expectReplay(await post(api, search, 'after-402'), paid);
    expect(source.log.length - calls).toBe(1);
  });

  test('is released after 400, also for another body', async () => {
    const { api } = stage();
    const key = await api.createKey();
    const bad: readonly Call[] = [
      { json: {} },
      { json: { company_domain: 5 } },
      { body: '{"company', headers: jsonType },
    ];
    for (const call of bad) {
      expect((await post(api, { key, ...call }, 'after-400')).status).toBe(400);
      expect(await isKept(api, 'after-400')).toBe(false);
    }
    const good = await post(api, { key, json: { company_domain: 'good.com' } }, 'after-400');
    expect(good.status).toBe(200);
    expectReplay(await post(api, { key, json: { company_domain: 'good.com' } }, 'after-400'), good);
  });

  test('is released after the 503 of an unavailable source, which is not charged', async () => {
    const { api, source } = stage();
    const search = { key: await api.createKey(), json: { company_domain: 'away.com' } };
    const before = await api.balance();
    source.setBehaviour(() => ({ kind: 'status', status: 500 }));
    const away = await post(api, search, 'after-503').finally(() => source.setBehaviour(() => undefined));
    expect([away.status, codesOf(away)]).toEqual([503, ['source_unavailable']]);
    expect(Number(away.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await isKept(api, 'after-503')).toBe(false);
    expect(await api.balance()).toEqual(before);
    const back = await post(api, search, 'after-503');
    expect([back.status, back.headers.has('idempotency-replayed')]).toEqual([200, false]);
    expectReplay(await post(api, search, 'after-503'), back);
    expect(before.balanceMicro - (await api.balance()).balanceMicro).toBe(price);
  });

  test('expires after 24 hours, and not a minute before', async () => {
    const { api } = stage();
    const search = { key: await api.createKey(), json: { company_domain: 'old.com' } };
    const first = await post(api, search, 'aged');
    await age(api, 'aged', '23 hours 59 minutes');
    expectReplay(await post(api, search, 'aged'), first);
    await age(api, 'aged', '24 hours 1 minute');
    const before = await api.balance();
    const anew = await post(api, search, 'aged');
    expect([anew.status, anew.headers.has('idempotency-replayed')]).toEqual([200, false]);
    expect(before.balanceMicro - (await api.balance()).balanceMicro).toBe(price);
    expectReplay(await post(api, search, 'aged'), anew);
    await age(api, 'aged', '24 hours 1 minute');
    const other = await post(api, { ...search, json: { company_domain: 'other-old.com' } }, 'aged');
    expect(other.status).toBe(200);
  });

  test('may have 1 to 255 visible ASCII characters', async () => {
    const { api } = stage();
    const search = { key: await api.createKey(), json: { company_domain: 'long-key.com' } };
    const longest = '~'.repeat(255);
    const first = await post(api, search, longest);
    expectReplay(await post(api, search, longest), first);
  });

  test.each([
    ['empty', ''],
    ['256 characters', 'k'.repeat(256)],
    ['Latin-1', 'schlüssel'],
    ['UTF-8 bytes', Buffer.from('ключ').toString('latin1')],
    ['a space inside', 'two words'],
    ['a tab inside', 'two\twords'],
  ])('that is %s is rejected with 400 on every kind of route, without effect', async (_case, form) => {
    const { api } = stage();
    const key = await api.createKey({ scopes: everyScope });
    const before = await api.countRows();
    for (const [path, json] of [
      [searchPath, { company_domain: 'nobody.com' }],
      ['/v1/people/email-validation', { email: 'a@b.com' }],
      ['/v1/batches', { rows: [{ company_domain: 'nobody.com' }] }],
      ['/v1/account/api-keys', { name: 'nobody' }],
    ] as const) {
      const { status, codes } = await postRaw(`${api.url}${path}`, key, [form], json);
      expect([path, status, codes]).toEqual([path, 400, ['validation_error']]);
    }
    expect(await api.countRows()).toEqual(before);
  });

  test('that occurs twice in a request is rejected with 400', async () => {
    const { api } = stage();
    const key = await api.createKey();
    const json = { company_domain: 'twice.com' };
    expect((await postRaw(`${api.url}${searchPath}`, key, ['one', 'two'], json)).status).toBe(400);
  });

  test('of a dead process returns 409 until its lease expires, and is taken over then', async () => {
    const { api } = stage();
    const search = { key: await api.createKey(), json: { company_domain: 'orphan.com' } };
    const orphan = await claimElsewhere(api, 'orphan', search.json, 60_000);
    const early = await post(api, search, 'orphan');
    expect([early.status, codesOf(early)]).toEqual([409, ['idempotency_conflict']]);
    expect(early.headers.get('retry-after')).not.toBeNull();

    await lapse(api, 'orphan');
    const other = await post(api, { ...search, json: { company_domain: 'not-it.com' } }, 'orphan');
    expect(other.status).toBe(422);
    const answers = await Promise.all(Array.from({ length: 10 }, () => post(api, search, 'orphan')));
    const done = answers.filter(
      ({ status, headers }) => status === 200 && !headers.has('idempotency-replayed'),
    );
    expect(done).toHaveLength(1);
    expect(answers.every(({ status }) => status === 200 || status === 409)).toBe(true);

    // The previous holder returns: it can neither renew, store nor release its lost claim.
    const {
      accounts: { storedResponses: idempotency },
    } = api.app;
    const reply = { status: 200, headers: {}, body: Buffer.from('{"stale":true}') };
    expect(await idempotency.renew(orphan, 60_000)).toBe(false);
    await expect(idempotency.keep(orphan, reply)).rejects.toThrow(LeaseLost);
    await idempotency.release(orphan);
    expectReplay(await post(api, search, 'orphan'), done[0]);
  });

  test('that was taken over rejects the effect of its first holder: its search is not charged', async () => {
    const { api, source } = stage();
    const json = { company_domain: 'overtaken.com' };
    const search = { key: await api.createKey(), json };
    const before = await api.balance();
    const calls = source.log.length;
    const stale = await claimElsewhere(api, 'overtaken', json, 60_000);
    await lapse(api, 'overtaken');
    const answer = await post(api, search, 'overtaken');
    expect(answer.status).toBe(200);
    const searching = api.app.lookups.searchAds({
      accountId: api.app.accounts.defaultId,
      company: { key: 'd:overtaken.com', domain: 'overtaken.com', name: null },
      sources: ['upstream'],
      search: anySearch,
      via: [],
      requestId: 'req_overtaken',
      kept: {
        claim: stale,
        toReply: () => ({ status: 200, headers: {}, body: Buffer.from('{"stale":true}') }),
      },
    });
    await expect(searching).rejects.toThrow(LeaseLost);
    expectReplay(await post(api, search, 'overtaken'), answer);
    expect(source.log.length - calls).toBe(2);
    await untilNothingIsHeld(api);
    expect(before.balanceMicro - (await api.balance()).balanceMicro).toBe(price);
  });

  test('that two servers hold one after the other has one effect and one response', async () => {
    const { api, source } = stage();
    const search = { key: await api.createKey(), json: { company_domain: 'two-holders.com' } };
    const before = await api.balance();
    let asked = 0;
    // The first one is delayed until its claim expires.
    source.setBehaviour(({ company }) =>
      company === 'two-holders.com' && asked++ === 0
        ? { kind: 'status', status: 429, retryAfter: '1' }
        : undefined,
    );
    const first = post(api, search, 'two-holders');
    await untilClaimed(api, 'two-holders');
    await lapse(api, 'two-holders');
    const second = await post(api, search, 'two-holders');
    const answers = [await first, second];
    source.setBehaviour(() => undefined);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 503]);
    const refused = answers.find(({ status }) => status === 503);
    expect(refused?.headers.get('retry-after')).not.toBeNull();
    expectReplay(
      await post(api, search, 'two-holders'),
      answers.find(({ status }) => status === 200),
    );
    await untilNothingIsHeld(api);
    expect(before.balanceMicro - (await api.balance()).balanceMicro).toBe(price);
  });

  test('is renewed by a request that takes longer than its lease', async () => {
    const { api, source } = stage();
    const search = { key: await api.createKey(), json: { company_domain: 'long.com' } };
    const calls = source.log.length;
    let isSlow = true;
    source.setBehaviour(({ company }) =>
      company === 'long.com' && isSlow
        ? { kind: 'status', status: 429, retryAfter: String(leaseSeconds + 1) }
        : undefined,
    );
    const first = post(api, search, 'long');
    await vi.waitUntil(() => source.log.length > calls, { timeout: waitMsMax });
    isSlow = false;
    await sleep(leaseSeconds * 1000 + 300);
    expect((await post(api, search, 'long')).status).toBe(409);
    const answer = await first;
    source.setBehaviour(() => undefined);
    expect(answer.status).toBe(200);
    expectReplay(await post(api, search, 'long'), answer);
  });

  test('every invariant holds', async () => {
    await untilNothingIsHeld(stage().api);
    expect(await stage().api.findings()).toEqual([]);
  });
});

describe('replay on every POST route returns the same bytes and has no second effect', () => {
  const stage = useStage();
  let key = '';
  beforeAll(async () => {
    key = await stage().api.createKey({ scopes: everyScope });
  });

  /** Sends the request twice with one key. Returns the first response, and the contents of the database after each. */
  async function twice(call: Call, idempotencyKey: string, path: string): Promise<Answer> {
    const { api } = stage();
    const first = await post(api, { key, ...call }, idempotencyKey, path);
    expect([path, first.status < 300, first.headers.has('idempotency-replayed')]).toEqual([
      path,
      true,
      false,
    ]);
    const between = await api.countRows();
    const second = await post(api, { key, ...call }, idempotencyKey, path);
    expectReplay(second, first);
    expect(second.headers.get('content-type')).toBe(first.headers.get('content-type'));
    expect(second.headers.get('location')).toBe(first.headers.get('location'));
    expect(second.headers.get('x-request-id')).not.toBe(first.headers.get('x-request-id'));
    expect(await api.countRows()).toEqual(between);
    return first;
  }

  test('POST /v1/people/email-validation', async () => {
    const answer = await twice({ json: { email: 'a@b.com' } }, 'email', '/v1/people/email-validation');
    expect(answer.status).toBe(200);
  });

  test('POST /v1/batches with rows, CSV and a form', async () => {
    const { api } = stage();
    const before = (await api.countRows())['batches'] ?? 0;
    const rows = await twice({ json: { rows: [{ company_domain: 'a.com' }] } }, 'rows', '/v1/batches');
    const csv = { body: 'company_domain\na.com\n', headers: { 'Content-Type': 'text/csv' } };
    const list = await twice(csv, 'csv', '/v1/batches');
    const form = await twice(formOf('company_domain\na.com\n'), 'form', '/v1/batches');
    expect([rows, list, form].map(({ status }) => status)).toEqual([201, 201, 201]);
    expect(new Set([rows, list, form].map(idIn)).size).toBe(3);
    expect((await api.countRows())['batches']).toBe(before + 3);
    const other = await post(api, { key, ...csv, body: 'company_domain\nb.com\n' }, 'csv', '/v1/batches');
    expect([other.status, codesOf(other)]).toEqual([422, ['idempotency_key_reused']]);
    const options = await post(api, { key, ...csv }, 'csv', '/v1/batches?limit=1');
    expect([options.status, codesOf(options)]).toEqual([422, ['idempotency_key_reused']]);
  });

  test('POST /v1/batches 20 times concurrently with one key: one batch', async () => {
    const { api } = stage();
    const before = (await api.countRows())['batches'] ?? 0;
    const csv = { key, body: 'company_domain\nonce.com\n', headers: { 'Content-Type': 'text/csv' } };
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => post(api, csv, 'one-batch', '/v1/batches')),
    );
    const made = answers.filter(({ status }) => status === 201);
    expect(answers.every(({ status }) => status === 201 || status === 409)).toBe(true);
    expect(new Set(made.map(({ text }) => text)).size).toBe(1);
    expect((await api.countRows())['batches']).toBe(before + 1);
  });

  test('POST /v1/batches that is rejected: the key is released, without a batch', async () => {
    const { api } = stage();
    const before = await api.countRows();
    const bad = { key, body: '\n', headers: { 'Content-Type': 'text/csv' } };
    expect((await post(api, bad, 'bad-list', '/v1/batches')).status).toBe(400);
    expect(await api.countRows()).toEqual(before);
    const good = { ...bad, body: 'company_domain\ngood.com\n' };
    expect((await post(api, good, 'bad-list', '/v1/batches')).status).toBe(201);
  });

  test('POST /v1/batches/{id}/pause, resume, cancel and retry', async () => {
    const rows = await twice({ json: { rows: [{ company_domain: 'c.com' }] } }, 'moved', '/v1/batches');
    const path = `/v1/batches/${idIn(rows)}`;
    const paused = await twice({}, 'pause', `${path}/pause`);
    const resumed = await twice({ json: {} }, 'resume', `${path}/resume`);
    // The original response, although the batch has changed since.
    expectReplay(await post(stage().api, { key }, 'pause', `${path}/pause`), paused);
    const cancelled = await twice({}, 'cancel', `${path}/cancel`);
    const states = [paused, resumed, cancelled].map((answer) => (answer.json() as { state: string }).state);
    expect(states).toEqual(
      ['paused', 'queued', 'cancelled'].map(
        (state) => expect.stringMatching(new RegExp(`^(${state}|running)$`)) as string,
      ),
    );
    const retried = await post(stage().api, { key, json: {} }, 'retry', `${path}/retry`);
    expect(retried.status).toBe(409);
    expect(codesOf(retried)).toEqual(['conflict']);
    expect(await isKept(stage().api, 'retry')).toBe(false);
  });

  test('POST /v1/account/api-keys, regenerate and revoke', async () => {
    const { api } = stage();
    const created = await twice({ json: { name: 'made once' } }, 'create', '/v1/account/api-keys');
    const made = created.json() as { id: string; key: string };
    expect(made.key).toMatch(/^ns_live_/);
    const path = `/v1/account/api-keys/${made.id}`;
    const regenerated = await twice({}, 'regenerate', `${path}/regenerate`);
    const successor = regenerated.json() as { id: string; key: string };
    expect(successor.key).not.toBe(made.key);
    expect((await api.call('GET', '/v1/credits', { key: successor.key })).status).toBe(200);
    await twice({}, 'revoke', `/v1/account/api-keys/${successor.id}/revoke`);
    expect((await api.call('GET', '/v1/credits', { key: successor.key })).status).toBe(401);
  });

  test('a replayed API key is not stored, and is returned only to the API key that created it', async () => {
    const { api } = stage();
    const call = { json: { name: 'sealed' } };
    const created = await post(api, { key, ...call }, 'sealed', '/v1/account/api-keys');
    const { key: secret } = created.json() as { key: string };
    const { pool } = api.database.owner;
    const kept = await pool.query<{ body: Buffer }>(
      `SELECT body FROM nightshift.idempotency_keys WHERE key = 'sealed'`,
    );
    expect(kept.rows[0]?.body.includes(secret.slice('ns_live_'.length))).toBe(false);
    const another = await api.createKey({ scopes: ['admin'] });
    const answer = await post(api, { key: another, ...call }, 'sealed', '/v1/account/api-keys');
    expect([answer.status, codesOf(answer)]).toEqual([409, ['idempotency_conflict']]);
    expect(answer.text).not.toContain(secret);
    expectReplay(await post(api, { key, ...call }, 'sealed', '/v1/account/api-keys'), created);
  });

  test('requires a valid key with the scope of the route', async () => {
    const { api } = stage();
    const search = { json: { company_domain: 'guarded.com' } };
    expect((await post(api, { key, ...search }, 'guarded')).status).toBe(200);
    const poor = await api.createKey({ scopes: ['credits:read'] });
    expect((await post(api, { key: poor, ...search }, 'guarded')).status).toBe(403);
    expect((await post(api, { key: 'none', ...search }, 'guarded')).status).toBe(401);
  });

  test('every invariant holds', async () => {
    expect(await stage().api.findings()).toEqual([]);
  });
});

/** A server with a slow live source, whose log shows the calls. All companies have ads there. */
interface Stage {
  readonly api: TestApi;
  readonly source: SourceStandIn;
}

function useStage(options: TestApiOptions = {}): () => Stage {
  let stage: Stage | undefined;
  beforeAll(async () => {
    const source = await openSourceStandIn({
      ads: (company) => generateAds('acme.com', 4).map((ad) => ({ ...ad, advertiser_name: company })),
      latencyMs: { min: latencyMs, max: latencyMs },
      idempotent: false,
    });
    const settings = {
      NIGHTSHIFT_SOURCES: 'upstream',
      NIGHTSHIFT_UPSTREAM_URL: source.url,
      NIGHTSHIFT_UPSTREAM_KEY: source.key,
      NIGHTSHIFT_UPSTREAM_REQUESTS_PER_SECOND: '1000',
      ...options.settings,
    };
    stage = { source, api: await openTestApi({ ...options, settings }) };
  });
  afterAll(async () => {
    await stage?.api.close();
    await stage?.source.close();
  });
  return () => {
    if (stage === undefined) throw new Error('The server is there once the tests run.');
    return stage;
  };
}

const jsonType = { 'Content-Type': 'application/json' };

function post(api: TestApi, call: Call, idempotencyKey: string, path = searchPath): Promise<Answer> {
  return api.call('POST', path, {
    ...call,
    headers: { ...call.headers, 'Idempotency-Key': idempotencyKey },
  });
}

/** Sends raw headers, which `fetch` would reject; several values as several lines. */
function postRaw(
  url: string,
  key: string,
  idempotencyKeys: readonly string[],
  json: object,
): Promise<{ readonly status: number; readonly codes: readonly string[] }> {
  const body = JSON.stringify(json);
  return new Promise((resolve, reject) => {
    const sent = httpRequest(url, { method: 'POST', headers: { 'X-API-Key': key, ...jsonType } });
    sent.setHeader(
      'Idempotency-Key',
      idempotencyKeys.length === 1 ? (idempotencyKeys[0] ?? '') : idempotencyKeys,
    );
    sent.on('error', reject).on('response', (incoming) => {
      let text = '';
      incoming.setEncoding('utf8').on('data', (part: string) => (text += part));
      incoming.on('end', () => {
        const { errors } = JSON.parse(text) as { errors?: readonly { code: string }[] };
        resolve({ status: incoming.statusCode ?? 0, codes: (errors ?? []).map(({ code }) => code) });
      });
    });
    sent.end(body);
  });
}

function expectReplay(answer: Answer, first: Answer | undefined): void {
  expect([answer.status, answer.text]).toEqual([first?.status, first?.text]);
  expect(answer.headers.get('idempotency-replayed')).toBe('true');
}

function formOf(csv: string): Call {
  const boundary = 'nightshift-test-boundary';
  return {
    body:
      `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="list.csv"\r\n` +
      `Content-Type: text/csv\r\n\r\n${csv}\r\n--${boundary}--\r\n`,
    headers: { 'Content-Type': `multipart/form-data; boundary=${boundary}` },
  };
}

function idIn(answer: Answer): string {
  return (answer.json() as { id: string }).id;
}

async function isKept({ database }: TestApi, key: string): Promise<boolean> {
  const { rowCount } = await database.owner.pool.query(
    'SELECT 1 FROM nightshift.idempotency_keys WHERE key = $1',
    [key],
  );
  return rowCount !== 0;
}

async function age({ database }: TestApi, key: string, by: string): Promise<void> {
  await database.owner.pool.query(
    'UPDATE nightshift.idempotency_keys SET created_at = now() - $2::interval WHERE key = $1',
    [key, by],
  );
}

/** Expires a claim, as after missing renewals; its holder can no longer store anything. */
async function lapse({ database }: TestApi, key: string): Promise<void> {
  await database.owner.pool.query(
    `UPDATE nightshift.idempotency_keys SET token = gen_random_uuid(), lease_until = now() - interval '1 second'
      WHERE key = $1 AND token IS NOT NULL`,
    [key],
  );
}

function untilClaimed(api: TestApi, key: string): Promise<boolean> {
  return vi.waitUntil(() => isKept(api, key), { timeout: waitMsMax, interval: 5 });
}

/** Claims the key in another process for a search with this body, and never continues. */
async function claimElsewhere(
  { app }: TestApi,
  key: string,
  json: object,
  leaseMs: number,
): Promise<ReplyClaim> {
  const body = Buffer.from(JSON.stringify(json));
  const claimed = await app.accounts.storedResponses.claim({
    accountId: app.accounts.defaultId,
    key,
    requestId: `req_elsewhere_${key}`,
    fingerprint: fingerprintOf(['POST', searchPath, '', body]),
    leaseMs,
  });
  if (claimed.kind !== 'claimed') throw new Error(`The key ${key} is ${claimed.kind}.`);
  return claimed.claim;
}

/** Waits until the dispatcher has released the holds of a search that lost its claim. */
async function untilNothingIsHeld(api: TestApi): Promise<void> {
  await vi.waitUntil(async () => (await api.balance()).heldMicro === 0n, {
    timeout: leaseSeconds * 1000 + 15_000,
    interval: 100,
  });
}
