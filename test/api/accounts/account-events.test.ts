import { describe, expect, test, vi } from 'vitest';
import { startApi } from '../../../src/api/start-api.ts';
import { scopes } from '../../../src/core/accounts/api-key.ts';
import { followEvents, type Follower, type StreamEvent } from '../../support/api/follow-events.ts';
import { sessionHeaders, signInAs } from '../../support/api/session-calls.ts';
import { codesOf, useTestApi, type TestApi } from '../../support/api/test-api.ts';
import { uploadBatch, waitForState } from '../../support/api/uploaded-batch.ts';
import { waitMsMax } from '../../support/wait-bound.ts';

const path = '/v1/events';
const by = { actor: 'test', address: null };

/** A port without a listener. */
const hookUrl = 'http://127.0.0.1:65000/';

/** Time after which the server reads revisions again. */
const shareMsMax = 1000;

type Revisions = Readonly<Record<string, string>>;

/** A new account with its own key of every scope. */
async function openAccount(api: TestApi, name: string) {
  const accountId = await api.createAccount(name, 10n);
  return { accountId, key: await api.createKey({ account: name, scopes }) };
}

/** Current revisions. */
async function readRevisions(api: TestApi, key: string): Promise<Revisions> {
  const { next } = await follow(api, key, '?follow=false');
  const event = await next();
  expect(await next()).toBeNull();
  return revisionsOf(event);
}

function revisionsOf(event: StreamEvent | null): Revisions {
  expect(event).toMatchObject({ event: 'revisions', id: expect.stringMatching(/^\S+$/) as string });
  return event?.data as Revisions;
}

function follow({ url }: TestApi, key: string, query = '', headers = {}): Promise<Follower> {
  return followEvents(`${url}${path}${query}`, { 'X-API-Key': key, ...headers });
}

/** Follows as soon as a stream is free: the server detects closed connections a moment later. */
async function followOnceFree(api: TestApi, key: string): Promise<Follower> {
  return vi.waitFor(
    async () => {
      const follower = await follow(api, key);
      if (follower.response.status !== 200) follower.leave();
      expect(follower.response.status).toBe(200);
      return follower;
    },
    { timeout: waitMsMax, interval: 250 },
  );
}

/** Parts whose revision differs, in order. */
function changedParts(before: Revisions, after: Revisions): readonly string[] {
  return Object.keys(after).filter((part) => before[part] !== after[part]);
}

/** Reads events until the revision of a part differs. */
async function nextWithout(follower: Follower, part: string, before: Revisions): Promise<Revisions> {
  for (;;) {
    const now = revisionsOf(await follower.next());
    if (now[part] !== before[part]) return now;
  }
}

describe('GET /v1/events', () => {
  const api = useTestApi({ settings: { NIGHTSHIFT_ALLOWED_HOSTS: '127.0.0.1:65000' } });

  test('returns text/event-stream, with the revisions of all parts that the caller may read', async () => {
    const { key } = await openAccount(api(), 'parts');
    const { response, next } = await follow(api(), key);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toMatch(/^text\/event-stream/);
    expect(response.headers.get('cache-control')).toMatch(/no-(store|cache)/);
    const parts = ['batches', 'schedules', 'changes', 'balance', 'notifications', 'sources'];
    const revisions = revisionsOf(await next());
    expect(Object.keys(revisions)).toEqual(parts);
    expect(Object.values(revisions).every((revision) => /^[0-9a-f]{16}$/.test(revision))).toBe(true);

    const reader = await api().createKey({ account: 'parts', scopes: ['batches:read'] });
    const { balance, notifications, ...readable } = revisions;
    expect([balance, notifications]).not.toContain(undefined);
    expect(await readRevisions(api(), reader)).toEqual(readable);
    const other = await api().createKey({ account: 'parts', scopes: ['credits:read'] });
    const denied = await api().call('GET', path, { key: other });
    expect([denied.status, codesOf(denied)]).toEqual([403, ['insufficient_scope']]);
  });

  test('has another revision of exactly the part that a change concerns, and the same ones without a change', async () => {
    const { accountId, key } = await openAccount(api(), 'changing');
    const create = async (at: string, json: object) => {
      const answer = await api().call('POST', at, { key, json });
      expect(answer.status, answer.text).toBeLessThan(300);
      return (answer.json() as { readonly id: string }).id;
    };
    let batch = '';
    let schedule = '';
    const rows = [{ company_domain: 'nike.com' }];
    const changes: readonly (readonly [parts: readonly string[], change: () => Promise<unknown>])[] = [
      [['batches'], async () => (batch = await create('/v1/batches', { rows }))],
      [['batches'], () => api().call('PATCH', `/v1/batches/${batch}`, { key, json: { name: 'Rivals' } })],
      [['batches'], () => create(`/v1/batches/${batch}/pause`, {})],
      [
        ['schedules'],
        async () => (schedule = await create('/v1/schedules', { name: 'nightly', cron: '0 2 * * *', rows })),
      ],
      [['schedules'], () => create(`/v1/schedules/${schedule}/pause`, {})],
      [['schedules'], () => create(`/v1/schedules/${schedule}/run`, {})],
      [
        ['balance'],
        () => api().app.credits.ledger.grant(accountId, [{ key: null, amountMicro: 1n, reason: 'test' }]),
      ],
      [['notifications'], () => create('/v1/webhooks', { name: 'hook', url: hookUrl })],
      [['sources'], () => pauseSource(api())],
    ];
    let before = await readRevisions(api(), key);
    for (const [parts, change] of changes) {
      await change();
      before = await vi.waitFor(
        async () => {
          const after = await readRevisions(api(), key);
          expect(changedParts(before, after)).toEqual(parts);
          return after;
        },
        { timeout: waitMsMax, interval: 300 },
      );
    }
    await pause(shareMsMax);
    expect(await readRevisions(api(), key)).toEqual(before);
  });

  test('sends an event after a change, and does not repeat events up to Last-Event-ID', async () => {
    const { accountId, key } = await openAccount(api(), 'resumed');
    const grant = () =>
      api().app.credits.ledger.grant(accountId, [{ key: null, amountMicro: 1n, reason: 'test' }]);
    const follower = await follow(api(), key);
    const first = await follower.next();
    await grant();
    const second = await follower.next();
    expect(second?.id).not.toBe(first?.id);
    expect(changedParts(revisionsOf(first), revisionsOf(second))).toEqual(['balance']);
    follower.leave();

    const resumed = await follow(api(), key, '', { 'Last-Event-ID': second?.id ?? '' });
    expect(resumed.response.status).toBe(200);
    await grant();
    const third = await resumed.next();
    expect([first?.id, second?.id]).not.toContain(third?.id);
    const late = await follow(api(), key, '', { 'Last-Event-ID': first?.id ?? '' });
    expect(await late.next()).toEqual(third);
  });

  test('has the same events for all streams of an account', async () => {
    const { key } = await openAccount(api(), 'shared');
    const followers = [await follow(api(), key), await follow(api(), key)];
    const [one, other] = await Promise.all(followers.map(({ next }) => next()));
    expect(one).toEqual(other);
  });

  test('reveals nothing about another account', async () => {
    const [here, there] = [await openAccount(api(), 'here'), await openAccount(api(), 'there')];
    const before = await readRevisions(api(), here.key);
    const rows = [{ company_domain: 'nike.com' }];
    for (const [at, json] of [
      ['/v1/batches', { rows }],
      ['/v1/schedules', { name: 'nightly', cron: '0 2 * * *', rows }],
      ['/v1/webhooks', { name: 'hook', url: hookUrl }],
      ['/v1/ads/google-ads-search', { company_domain: 'nike.com' }],
    ] as const)
      expect((await api().call('POST', at, { key: there.key, json })).status).toBeLessThan(300);
    await pause(shareMsMax);
    expect(await readRevisions(api(), here.key)).toEqual(before);
  });

  test('is not opened by HEAD', async () => {
    const { key } = await openAccount(api(), 'heads');
    for (let round = 0; round < 6; round += 1)
      await Promise.all(Array.from({ length: 25 }, () => api().call('HEAD', path, { key })));
    expect((await follow(api(), key)).response.status).toBe(200);
  });
});

describe('event streams of an account', () => {
  const api = useTestApi();

  test('are limited, and leave room when clients close them', async () => {
    const [{ key }, other] = [await openAccount(api(), 'many'), await openAccount(api(), 'few')];
    const followers: Follower[] = [];
    for (let n = 0; n < 100; n += 1) followers.push(await followOnceFree(api(), key));
    const { response } = await follow(api(), key);
    expect([response.status, response.headers.get('retry-after')]).toEqual([429, '10']);
    expect((await follow(api(), other.key)).response.status).toBe(200);
    for (const { leave } of followers) leave();
    expect(revisionsOf(await (await followOnceFree(api(), key)).next())).toBeDefined();
  });

  test('end when their key is revoked', async () => {
    const { key } = await openAccount(api(), 'revoked');
    const made = await api().call('POST', '/v1/account/api-keys', { key, json: { name: 'second' } });
    const { id, key: second } = made.json() as { readonly id: string; readonly key: string };
    const [ended, lasting] = [await follow(api(), second), await follow(api(), key)];
    for (const { next } of [ended, lasting]) await next();
    expect((await api().call('POST', `/v1/account/api-keys/${id}/revoke`, { key })).status).toBe(200);
    expect(await ended.next()).toBeNull();
    expect((await follow(api(), second)).response.status).toBe(401);
    // The stream of the other key goes on.
    await uploadBatch(api(), key, 'website\nnike.com\n');
    expect(revisionsOf(await lasting.next())).toBeDefined();
  });

  test('end with the session, and when its user loses a permission', async () => {
    const headers = await sessionHeaders(api(), 'admin', 'default');
    const follower = await followEvents(`${api().url}${path}`, headers);
    expect(Object.keys(revisionsOf(await follower.next()))).toContain('notifications');
    expect((await api().call('DELETE', '/v1/session', { headers })).status).toBeLessThan(300);
    expect(await follower.next()).toBeNull();
    expect((await followEvents(`${api().url}${path}`, headers)).response.status).toBe(401);

    const again = await sessionHeaders(api(), 'admin', 'default');
    const demoted = await followEvents(`${api().url}${path}`, again);
    await demoted.next();
    await api().app.accounts.users.setRole('admin-of-default@example.com', 'viewer', by);
    expect(await demoted.next()).toBeNull();
  });

  test('end when an operator begins or stops to view an account', async () => {
    await openAccount(api(), 'viewed');
    const operator = await signInAs(api(), 'operator');
    const headers = await sessionHeaders(api(), 'operator', 'default');
    const own = await followEvents(`${api().url}${path}`, headers);
    await own.next();
    await api().call('POST', '/v1/operator/accounts/viewed/view', { headers, json: {} });
    expect(await own.next()).toBeNull();
    const viewed = await followEvents(`${api().url}${path}`, headers);
    expect(Object.keys(revisionsOf(await viewed.next()))).not.toContain('notifications');
    await api().call('DELETE', '/v1/session/view', { headers });
    expect(await viewed.next()).toBeNull();
    expect((await operator('GET', '/v1/credits')).status).toBe(200);
  });

  test('end when the server stops', async () => {
    const { app } = api();
    const server = await startApi({ ...app, config: { ...app.config, api: { ...app.config.api, port: 0 } } });
    const { key } = await openAccount(api(), 'stopped');
    const { next } = await followEvents(`${server.url}${path}`, { 'X-API-Key': key });
    expect(revisionsOf(await next())).toBeDefined();
    const closed = server.close();
    expect(await next()).toBeNull();
    await closed;
  });
});

describe('event stream of a batch', () => {
  const api = useTestApi();

  test('ends when its key is revoked', async () => {
    const { key } = await openAccount(api(), 'batch');
    const id = await uploadBatch(api(), key, 'website\nnike.com\n');
    const made = await api().call('POST', '/v1/account/api-keys', { key, json: { name: 'second' } });
    const second = made.json() as { readonly id: string; readonly key: string };
    const { next } = await followEvents(`${api().url}/v1/batches/${id}/events`, { 'X-API-Key': second.key });
    await next();
    await api().call('POST', `/v1/account/api-keys/${second.id}/revoke`, { key });
    expect(await next()).toBeNull();
  });
});

describe.each(['postgres', 'redis'] as const)('event stream of a working account, queue on %s', (queue) => {
  const api = useTestApi({ workers: true, queue });

  test('reports the progress and the end of a batch, and its charges', async () => {
    const { key } = await openAccount(api(), 'batch');
    const follower = await follow(api(), key);
    const before = revisionsOf(await follower.next());
    const id = await uploadBatch(api(), key, 'website\nnike.com\nairbnb.com\nno-ads-here.com\n');
    const loaded = await nextWithout(follower, 'batches', before);
    expect(loaded['schedules']).toBe(before['schedules']);
    await waitForState(api(), key, id, 'finished');
    await pause(shareMsMax);
    // The stream reaches the revisions of the finished batch.
    let reported = loaded;
    while (reported['batches'] !== (await readRevisions(api(), key))['batches'])
      reported = revisionsOf(await follower.next());
    expect(changedParts(before, reported)).toEqual(expect.arrayContaining(['batches', 'balance']));
  });

  test('reports a scan, its end, and its changes', async () => {
    const { key } = await openAccount(api(), 'scan');
    const json = { name: 'nightly', cron: '0 2 * * *', rows: [{ company_domain: 'nike.com' }] };
    const added = await api().call('POST', '/v1/schedules', { key, json });
    const { id } = added.json() as { readonly id: string };
    const follower = await follow(api(), key);
    const before = revisionsOf(await follower.next());
    await api().call('POST', `/v1/schedules/${id}/run`, { key });
    await nextWithout(follower, 'schedules', before);
    const second = await follow(api(), key);
    await nextWithout(second, 'changes', before);
    const { scans } = (await api().call('GET', `/v1/schedules/${id}/scans`, { key })).json() as {
      readonly scans: readonly { readonly state: string; readonly changes: object | null }[];
    };
    expect(scans).toMatchObject([{ state: 'finished', changes: {} }]);
  });
});

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

async function pauseSource({ database }: TestApi): Promise<void> {
  await database.owner.pool.query(
    `INSERT INTO nightshift.source_states (bucket, source, paused_until, pause_reason, pause_kind)
      VALUES ('serpapi:test', 'serpapi', now() + interval '1 hour', 'SerpApi answers 500.', 'failing')`,
  );
}
