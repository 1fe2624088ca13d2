import pLimit from 'p-limit';
import { afterEach, expect, test } from 'vitest';
import { createDispatchStore } from '../../../db/stores/work/dispatch.ts';
import { createPostgresRateLimitStore } from '../../../db/stores/sources/rate-limits.ts';
import { createSerpapiSource } from '../../../src/sources/serpapi/source.ts';
import { createHttpClient } from '../../../src/adapters/http/http.ts';
import { askSources, type AskOptions } from '../../../src/core/sources/ask-sources.ts';
import { createRateLimiter } from '../../../src/core/sources/rate-limiter.ts';
import type { SourceLimits } from '../../../src/core/sources/source-call.ts';
import { SourcePaused, SourceThrottled } from '../../../src/core/errors.ts';
import { sleep } from '../../../src/core/async/wait.ts';
import { openSourceCallLog } from '../../support/stand-in/call-logs.ts';
import { claimWork } from '../../support/queue/claimed-work.ts';
import { openTestDatabase } from '../../support/db/database.ts';
import { fakeAsking, fakeLiveSource } from '../../support/sources/fake-calls.ts';
import { noLimits } from '../../support/api/no-limits.ts';
import { openSerpapiStandIn } from '../../support/sources/serpapi.ts';
import { alreadyOver } from '../../support/queue/stepped-dispatcher.ts';
import { found, takeChunk } from '../../support/db/fixture.ts';

const key = 'secret-of-serpapi';
/** One call; the next reservation is beyond any wait budget. */
const onePage: Partial<SourceLimits> = { pace: { requestsPerSecond: 1 / 3600, burst: 1 } };
const closers: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

test('a later page beyond the rate limit defers the lookup, and the earlier page is not requested again', async () => {
  const { standIn, ask, reschedule } = await openWork();
  const first = await ask(onePage);
  expect(first).toEqual({ deferred: [expect.any(SourceThrottled)], results: [] });
  await reschedule();
  const { deferred, results } = await ask({});
  expect(deferred).toEqual([]);
  expect(results).toMatchObject([{ answer: { kind: 'found', extent: { partial: false } } }]);
  expect(standIn.calls.map(({ query }) => query.has('next_page_token'))).toEqual([false, true]);
});

test('no other source is called meanwhile, because the first ads are charged', async () => {
  const { ask } = await openWork();
  const other = fakeLiveSource(() => found(['cr-1']), { name: 'other', bucket: 'other:bucket' });
  const { deferred, results } = await ask(onePage, {}, [other.source]);
  expect([deferred, results, other.questions]).toEqual([[expect.any(SourceThrottled)], [], []]);
});

test('a later page beyond the daily budget defers the lookup', async () => {
  const { standIn, ask, reschedule } = await openWork();
  await expect(ask({ callsPerDay: 1 })).rejects.toThrow(SourcePaused);
  await reschedule();
  expect((await ask({})).results).toMatchObject([{ answer: { extent: { partial: false } } }]);
  expect(standIn.calls).toHaveLength(2);
});

test('details of ads are calls like pages: deferred beyond the rate limit, recorded, and not requested again', async () => {
  const { standIn, ask, reschedule, calls } = await openWork({ detailsMax: 2 });
  const first = await ask({ pace: { requestsPerSecond: 1 / 3600, burst: 3 } });
  expect(first).toEqual({ deferred: [expect.any(SourceThrottled)], results: [] });
  await reschedule();
  const { deferred, results } = await ask({});
  expect(deferred).toEqual([]);
  expect(results).toMatchObject([{ answer: { kind: 'found', extent: { partial: false } } }]);
  const requested = standIn.calls.flatMap(({ query }) => query.get('creative_id') ?? []);
  expect([standIn.calls.length, new Set(requested).size]).toEqual([4, 2]);
  const recorded = await calls();
  expect(recorded.map(({ answer, units }) => [answer, Number(units)])).toEqual(
    Array.from({ length: 4 }, () => ['found', 1]),
  );
  expect(recorded.filter(({ about }) => about.startsWith('details of CR'))).toHaveLength(2);
});

test.each([
  ['a caller waits for the answer', { comesBack: false }, true],
  ['raw responses are not stored', {}, false],
])('if %s, the answer has the pages so far, marked as partial', async (_, changes, storesResponses) => {
  const { ask } = await openWork({ storesResponses });
  const { deferred, results } = await ask(onePage, changes);
  expect(deferred).toEqual([]);
  expect(results).toMatchObject([{ answer: { kind: 'found', extent: { partial: true } } }]);
});

/** One company with two pages of ads, claimed from a batch, with the real rate limiter and the real call log. */
async function openWork({ storesResponses = true, detailsMax = 0 } = {}) {
  const database = await openTestDatabase();
  const standIn = await openSerpapiStandIn({ key, rowsPerPage: 25, isSpent: false });
  const http = createHttpClient({ allowedHosts: ['127.0.0.1'] });
  closers.push(standIn.close, () => http.close());
  const { claims } = await claimWork(database.app, ['acme.com'], { leaseMs: alreadyOver });
  let [claim] = claims;
  const slots = createPostgresRateLimitStore(database.app.sql);

  async function ask(limits: Partial<SourceLimits>, changes: Partial<AskOptions> = {}, others = noSources) {
    if (claim?.operation !== 'ads_search') throw new Error('Nothing was claimed.');
    const all = { ...noLimits, deadlineMs: 5_000, ...limits };
    const serpapi = createSerpapiSource({ http, url: standIn.url, key, limits: all, detailsMax });
    const { options, results } = fakeAsking({
      rateLimiter: createRateLimiter({ slots, nowMs: () => performance.now(), sleep, openGate: pLimit }),
      calls: openSourceCallLog(database, { storesResponses }),
      ...changes,
    });
    const deferred = await askSources([serpapi, ...others], claim.lookups, options);
    return { deferred: deferred.map(({ error }) => error), results };
  }

  /** The next worker claims the chunk after the reserved slot has passed. */
  async function reschedule(): Promise<void> {
    if (claim === undefined) throw new Error('Nothing was claimed.');
    const dispatch = createDispatchStore(database.app.sql);
    for (const lapsed of await dispatch.listLapsed(10)) await dispatch.rescue(lapsed);
    claim = await takeChunk(database.app, claim.chunkId, claim.generation + 1);
    await database.owner.pool.query('DELETE FROM nightshift.source_buckets');
  }
  /** The recorded calls, in order. */
  async function calls() {
    const { rows } = await database.owner.pool.query<RecordedCall>(
      'SELECT description AS about, answer, units FROM nightshift.source_calls ORDER BY id',
    );
    return rows;
  }
  return { standIn, ask, reschedule, calls };
}

interface RecordedCall {
  readonly about: string;
  readonly answer: string;
  readonly units: number;
}

const noSources: readonly ReturnType<typeof fakeLiveSource>['source'][] = [];
