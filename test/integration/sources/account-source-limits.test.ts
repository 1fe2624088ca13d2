import { describe, expect, test } from 'vitest';
import { createAccountLimitStore } from '../../../db/stores/accounts/account-limits.ts';
import { createAccountService } from '../../../db/stores/accounts/account-service.ts';
import { findAccount } from '../../../db/stores/accounts/accounts.ts';
import { createWorkStore } from '../../../db/stores/work/work.ts';
import type { AccountSourceLimits } from '../../../src/core/accounts/account-limits.ts';
import type { CalledSource } from '../../../src/core/sources/ad-source.ts';
import type { Begun, BegunCall, Caller, SourceCallLog } from '../../../src/core/sources/call-log.ts';
import { SourcePaused } from '../../../src/core/errors.ts';
import type { WaitCause } from '../../../src/core/work/wait-cause.ts';
import { openTestDatabase } from '../../support/db/database.ts';
import { claimWork } from '../../support/queue/claimed-work.ts';
import {
  begunId,
  calledSource,
  callEnd,
  newCall,
  openSourceCallLog,
} from '../../support/stand-in/call-logs.ts';

const by = { actor: 'test', address: null };
const source = calledSource('shared');
const notSent = callEnd({ answer: 'not_sent', units: 0, health: null });

describe('limit of the calls in flight of an account at a source', () => {
  test('applies to all its calls and to no other account', async () => {
    const { callLog, begin, batch, other } = await openLimits({ concurrency: 2 });
    const begun = await begin(batch, 5);
    expect(kindsOf(begun)).toEqual(['begun', 'begun', 'full', 'full', 'full']);
    expect(await callLog.hasRoom(source, batch)).toBe(false);
    expect(await callLog.hasRoom(source, other)).toBe(true);
    expect(kindsOf(await begin(other, 5))).toEqual(Array<string>(5).fill('begun'));
    await callLog.end(source, firstId(begun), callEnd());
    expect(await callLog.hasRoom(source, batch)).toBe(true);
    expect(kindsOf(await begin(batch, 2))).toEqual(['begun', 'full']);
  });

  test('applies again to a call that was delayed beyond its deadline', async () => {
    const { callLog, begin, batch, age } = await openLimits({ concurrency: 1 });
    const late = callOf(await begin(batch, 1));
    await age('2 minutes');
    const next = callOf(await begin(batch, 1));
    expect(await callLog.renew(source, late, batch)).toBe(false);
    await callLog.end(source, next.callId, callEnd());
    expect(await callLog.renew(source, late, batch)).toBe(true);
    expect(kindsOf(await begin(batch, 1))).toEqual(['full']);
  });

  test('changes at once, also for a call that was delayed', async () => {
    const { callLog, begin, batch, setLimits, age } = await openLimits({ concurrency: 1 });
    const late = callOf(await begin(batch, 1));
    await age('2 minutes');
    await begin(batch, 1);
    expect(await callLog.hasRoom(source, batch)).toBe(false);
    await setLimits({ concurrency: 3 });
    expect(await callLog.renew(source, late, batch)).toBe(true);
    expect(await callLog.hasRoom(source, batch)).toBe(true);
    expect(kindsOf(await begin(batch, 2))).toEqual(['begun', 'full']);
    await setLimits({ concurrency: null });
    expect(await callLog.hasRoom(source, batch)).toBe(true);
    expect(kindsOf(await begin(batch, 5))).toEqual(Array<string>(5).fill('begun'));
  });
});

describe('calls a day of an account at a source', () => {
  test('pause its batches until the next day, with the cause, and no other account', async () => {
    const { callLog, begin, batch, other, database } = await openLimits({ callsPerDay: 3 });
    const begun = await begin(batch, 4);
    expect(kindsOf(begun)).toEqual(['begun', 'begun', 'begun', 'paused']);
    expect(begun[3]).toMatchObject({
      pause: {
        kind: 'budget',
        cause: 'account_day_calls',
        bound: '3 calls',
        reason: 'the 3 calls a day of this account to shared are used up',
      },
    });
    expect(kindsOf(await begin(other, 4))).toEqual(Array<string>(4).fill('begun'));
    await callLog.end(source, firstId(begun), notSent);
    expect(kindsOf(await begin(batch, 2))).toEqual(['begun', 'paused']);
    await database.owner.pool.query('UPDATE nightshift.account_source_limits SET day = day - 1');
    expect(kindsOf(await begin(batch, 4))).toEqual(['begun', 'begun', 'begun', 'paused']);
  });

  test('count searches, and change at once', async () => {
    const { begin, search, batch, setLimits } = await openLimits({ callsPerDay: 2 });
    expect(kindsOf(await begin(search, 1))).toEqual(['begun']);
    expect(kindsOf(await begin(batch, 2))).toEqual(['begun', 'paused']);
    await setLimits({ callsPerDay: 4 });
    expect(kindsOf(await begin(batch, 3))).toEqual(['begun', 'begun', 'paused']);
    expect(await setLimits({ callsPerDay: null })).toBeNull();
    expect(kindsOf(await begin(batch, 5))).toEqual(Array<string>(5).fill('begun'));
  });

  test.each([
    ['of the account', source, { callsPerDay: 3 }],
    ['of the source', calledSource('shared', { callsPerDay: 3 }), {}],
  ])(
    '%s count a call that was delayed past midnight on the day of its renewal, too',
    async (_, called, limits) => {
      const { callLog, beginAt, batch, age, forgetDay } = await openLimits(limits);
      const late = callOf(await beginAt(called, batch, 1));
      await age('1 day');
      await forgetDay();
      expect(await callLog.renew(called, late, batch)).toBe(true);
      const others = await beginAt(called, batch, 3);
      expect(kindsOf(others)).toEqual(['begun', 'begun', 'paused']);
      await callLog.end(called, late.callId, notSent);
      expect(kindsOf(await beginAt(called, batch, 2))).toEqual(['begun', 'paused']);
      await age('1 day');
      await expect(callLog.renew(called, callOf(others), batch)).rejects.toThrow(SourcePaused);
    },
  );

  test('continue the batches that wait for them, as soon as they are changed', async () => {
    const { database, batchId, batch, setLimits } = await openLimits({});
    const { rows } = await database.owner.pool.query<{ source: string }>(
      'SELECT sources[1] AS source FROM nightshift.batches',
    );
    const [{ source: used } = { source: '' }] = rows;
    const work = createWorkStore(database.app.sql);
    const waits = async (cause: WaitCause) => {
      await work.deferBatch(batchId, { kind: 'budget', reason: 'used up', delayMs: 3_600_000, cause });
      return readState();
    };
    const readState = async () =>
      (await database.owner.pool.query<{ state: string }>('SELECT state FROM nightshift.batches')).rows[0]
        ?.state;
    expect(batch.limits).toBeNull();
    expect(await waits('account_day_calls')).toBe('waiting_for_source');
    await setLimits({ callsPerDay: 9 });
    await setLimits({ concurrency: 9 }, used);
    expect(await readState()).toBe('waiting_for_source');
    await setLimits({ callsPerDay: 9 }, used);
    expect(await readState()).toBe('running');
    await waits('day_calls');
    await setLimits({ callsPerDay: 10 }, used);
    expect(await readState()).toBe('waiting_for_source');
  });
});

describe('a search that finds no room', () => {
  const narrow = calledSource('narrow', { concurrency: 2 });

  test('gets the next one, before calls of batches', async () => {
    const { callLog, other, database } = await openLimits({});
    const search = { ...other, isSearch: true };
    const lookupId = 1n;
    const call = (caller: Caller) => callLog.begin(narrow, newCall(lookupId, { caller }));
    const [first] = [await call(other), await call(other)];
    expect(await callLog.hasRoom(narrow, other)).toBe(false);
    await callLog.end(narrow, begunId(first), callEnd());
    expect(await callLog.hasRoom(narrow, other)).toBe(true);
    expect(await call(other)).toMatchObject({ kind: 'begun' });
    expect(await callLog.hasRoom(narrow, search)).toBe(false);
    await callLog.end(narrow, begunId(first) + 1n, callEnd());
    expect(await callLog.hasRoom(narrow, other)).toBe(false);
    expect(await call(other)).toEqual({ kind: 'full' });
    expect(await callLog.hasRoom(narrow, search)).toBe(true);
    expect(await call(search)).toMatchObject({ kind: 'begun' });
    await database.owner.pool.query(
      "UPDATE nightshift.source_states SET search_until = now() - interval '1 second'",
    );
    await callLog.end(narrow, begunId(first) + 2n, callEnd());
    expect(await callLog.hasRoom(narrow, other)).toBe(true);
  });

  test('gets one, and batches get the others that are free meanwhile', async () => {
    const { callLog, other } = await openLimits({});
    const wide = calledSource('wide', { concurrency: 4 });
    const call = (caller: Caller) => callLog.begin(wide, newCall(1n, { caller }));
    const begun = [await call(other), await call(other), await call(other), await call(other)];
    const search = { ...other, isSearch: true };
    expect(await callLog.hasRoom(wide, search)).toBe(false);
    for (const ended of begun.slice(0, 2)) await callLog.end(wide, begunId(ended), callEnd());
    expect(await callLog.hasRoom(wide, other)).toBe(true);
    expect(kindsOf([await call(other), await call(other), await call(search)])).toEqual([
      'begun',
      'full',
      'begun',
    ]);
  });

  test('gets the next one of its account, before the batches of the account', async () => {
    const { callLog, begin, batch, search } = await openLimits({ concurrency: 1 });
    const begun = await begin(batch, 1);
    expect(await callLog.hasRoom(source, search)).toBe(false);
    await callLog.end(source, firstId(begun), callEnd());
    expect(await callLog.hasRoom(source, batch)).toBe(false);
    expect(kindsOf(await begin(batch, 1))).toEqual(['full']);
    expect(kindsOf(await begin(search, 1))).toEqual(['begun']);
  });
});

async function openLimits(limits: Partial<AccountSourceLimits>) {
  const database = await openTestDatabase();
  const db = database.app.sql;
  const { batch: loaded, claims } = await claimWork(database.app, ['a.com']);
  const lookupId = claims[0]?.lookups[0]?.lookupId ?? 0n;
  const callLog: SourceCallLog = openSourceCallLog(database);
  const accountId = await findAccount(db, 'default');
  const setLimits = async (changes: Partial<AccountSourceLimits>, name = source.name) => {
    const atSources = new Map([[name, changes]]);
    await createAccountService(db).setLimits('default', { atSources }, by);
    return (await createAccountLimitStore(db).readOfCaller(accountId)).atSources.get(name) ?? null;
  };
  const batch: Caller = { accountId, limits: await setLimits(limits), isSearch: false };
  const beginAt = (called: CalledSource, caller: Caller, calls: number): Promise<readonly Begun[]> =>
    Promise.all(Array.from({ length: calls }, () => callLog.begin(called, newCall(lookupId, { caller }))));
  const { pool } = database.owner;
  return {
    database,
    batchId: loaded.batchId,
    callLog,
    setLimits,
    beginAt,
    begin: (caller: Caller, calls: number) => beginAt(source, caller, calls),
    /** Makes the recorded calls older. */
    age: (by: string) =>
      pool.query('UPDATE nightshift.source_calls SET sent_at = sent_at - $1::interval', [by]),
    /** The days so far are over. */
    forgetDay: async () => {
      await pool.query('UPDATE nightshift.source_states SET day = day - 1');
      await pool.query('UPDATE nightshift.account_source_limits SET day = day - 1');
    },
    batch,
    search: { ...batch, isSearch: true },
    other: { accountId: accountId + 1000, limits: null, isSearch: false },
  };
}

function kindsOf(begun: readonly Begun[]): readonly string[] {
  return begun.map(({ kind }) => kind);
}

function callOf(begun: readonly Begun[]): BegunCall {
  return { callId: firstId(begun), isProbe: false };
}

function firstId([first]: readonly Begun[]): bigint {
  if (first === undefined) throw new Error('No call was begun.');
  return begunId(first);
}
