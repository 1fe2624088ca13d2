import { expect, test } from 'vitest';
import { setTimeout as sleep } from 'node:timers/promises';
import { createSourcePrices } from '../../../db/stores/sources/source-prices.ts';
import { DatabaseUnavailable } from '../../../src/core/errors.ts';
import type { SourceCallLog } from '../../../src/core/sources/call-log.ts';
import type { SourceCall } from '../../../src/core/sources/source-call.ts';
import { createSourceCallExecutor } from '../../../src/core/sources/source-call-executor.ts';
import { openTestDatabase, openTestPool, type TestDatabase } from '../../support/db/database.ts';
import { openPostgresProxy } from '../../support/db/postgres-proxy.ts';
import { claimWork } from '../../support/queue/claimed-work.ts';
import { fakeAsking, heldLease } from '../../support/sources/fake-calls.ts';
import { calledSource, newCall, openSourceCallLog } from '../../support/stand-in/call-logs.ts';

/** Room for three calls a day at its price. */
const source = calledSource('dear', { spendPerDay: { amount: '1', currency: 'USD' } });

test('the answer of a call is stored although the database was away when it came', async () => {
  const { proxy, ask, readCalls, countCallsLeft } = await openOutage();
  const answer = await ask(() => {
    proxy.setAway(true);
    void sleep(700).then(() => proxy.setAway(false));
  });
  expect(answer).toBe('a page of ads');
  expect(await readCalls()).toEqual([{ answer: 'found', units: 1, reply: 'a page of ads' }]);
  expect(await countCallsLeft()).toBe(2);
});

test('an answer whose COMMIT was not confirmed is stored once, and costs once', async () => {
  const { proxy, ask, readCalls, countCallsLeft } = await openOutage();
  expect(await ask(() => proxy.cutNextAnswer('record_results'))).toBe('a page of ads');
  expect(proxy.cuts()).toBe(1);
  expect(await readCalls()).toEqual([{ answer: 'found', units: 1, reply: 'a page of ads' }]);
  expect(await countCallsLeft()).toBe(2);
});

test('a call that was not sent is recorded as such, although the database was away', async () => {
  const { proxy, ask, readCalls } = await openOutage({
    ...heldLease(),
    assertHeld: () => {
      proxy.cutNextAnswer('record_results');
      throw new Error('The batch no longer runs.');
    },
  });
  await expect(ask(() => undefined)).rejects.toThrow('no longer runs');
  expect(await readCalls()).toEqual([{ answer: 'not_sent', units: 0, reply: null }]);
});

test('an answer is given up with the lease of its work', async () => {
  const lease = new AbortController();
  const { proxy, ask, readCalls } = await openOutage(heldLease(lease.signal));
  const asking = ask(() => {
    proxy.setAway(true);
    void sleep(300).then(() => lease.abort());
  });
  await expect(asking).rejects.toThrow(DatabaseUnavailable);
  expect(await readCalls()).toEqual([{ answer: null, units: 1, reply: null }]);
});

/** A lookup whose source is paid for each call, and a proxy between the caller and Postgres. */
async function openOutage(lease = heldLease()) {
  const database = await openTestDatabase();
  const { claims } = await claimWork(database.app, ['a.com']);
  const [claim] = claims;
  if (claim?.operation !== 'ads_search') throw new Error('Nothing was claimed.');
  const [lookup] = claim.lookups;
  if (lookup === undefined) throw new Error('There is no lookup.');
  await createSourcePrices(database.app.sql).set({
    source: source.name,
    amount: '0.3',
    currency: 'USD',
    unit: 'call',
    note: null,
  });
  const proxy = await openPostgresProxy(database.url);
  const calls = openSourceCallLog({ app: openTestPool(proxy.url) });
  const { options } = fakeAsking({ calls, lease });
  return {
    proxy,
    /** Calls the source, which answers after `onSent`. */
    ask: (onSent: () => void) => createSourceCallExecutor(source, lookup, options)(pageOf(onSent)),
    readCalls: () => readCalls(database, openSourceCallLog(database)),
    /** Number of calls for which the cost of the day leaves room. */
    countCallsLeft: () => countCallsLeft(openSourceCallLog(database), lookup.lookupId),
  };
}

function pageOf(onSent: () => void): SourceCall<string> {
  return {
    about: 'page 1',
    unitsMax: 1,
    send: async () => {
      onSent();
      return { text: 'a page of ads', allowance: null };
    },
    read: (text) => ({ value: text, says: 'found', units: 1 }),
  };
}

async function readCalls({ owner }: TestDatabase, calls: SourceCallLog) {
  const { rows } = await owner.pool.query<{ id: string; answer: string | null; units: number }>(
    'SELECT id, answer, units::integer AS units FROM nightshift.source_calls ORDER BY id',
  );
  return Promise.all(
    rows.map(async ({ id, ...call }) => ({ ...call, reply: await calls.readReply(BigInt(id)) })),
  );
}

async function countCallsLeft(calls: SourceCallLog, lookupId: bigint): Promise<number> {
  for (let count = 0; ; count += 1) {
    const begun = await calls.begin(source, newCall(lookupId, { about: `page ${count + 2}` }));
    if (begun.kind !== 'begun') return count;
  }
}
