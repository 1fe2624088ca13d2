import { describe, expect, test } from 'vitest';
import { createAccountLimitStore } from '../../../db/stores/accounts/account-limits.ts';
import { createAccountService } from '../../../db/stores/accounts/account-service.ts';
import { findAccount } from '../../../db/stores/accounts/accounts.ts';
import type { AccountSourceLimits } from '../../../src/core/accounts/account-limits.ts';
import type { Begun, Caller, SourceCallLog } from '../../../src/core/sources/call-log.ts';
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
    const raised = await setLimits({ callsPerDay: 4 });
    expect(kindsOf(await begin({ ...batch, limits: raised }, 3))).toEqual(['begun', 'begun', 'paused']);
    expect(await setLimits({ callsPerDay: null })).toBeNull();
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
  const { claims } = await claimWork(database.app, ['a.com']);
  const lookupId = claims[0]?.lookups[0]?.lookupId ?? 0n;
  const callLog: SourceCallLog = openSourceCallLog(database);
  const accountId = await findAccount(db, 'default');
  const setLimits = async (changes: Partial<AccountSourceLimits>) => {
    const atSources = new Map([[source.name, changes]]);
    await createAccountService(db).setLimits('default', { atSources }, by);
    return (await createAccountLimitStore(db).readAtSources(accountId)).get(source.name) ?? null;
  };
  const batch: Caller = { accountId, limits: await setLimits(limits), isSearch: false };
  const begin = (caller: Caller, calls: number): Promise<readonly Begun[]> =>
    Promise.all(Array.from({ length: calls }, () => callLog.begin(source, newCall(lookupId, { caller }))));
  return {
    database,
    callLog,
    setLimits,
    begin,
    batch,
    search: { ...batch, isSearch: true },
    other: { accountId: accountId + 1000, limits: null, isSearch: false },
  };
}

function kindsOf(begun: readonly Begun[]): readonly string[] {
  return begun.map(({ kind }) => kind);
}

function firstId([first]: readonly Begun[]): bigint {
  if (first === undefined) throw new Error('No call was begun.');
  return begunId(first);
}
