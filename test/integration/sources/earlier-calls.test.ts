import { describe, expect, test } from 'vitest';
import { createDispatchStore } from '../../../db/stores/work/dispatch.ts';
import { createSourceCallExecutor } from '../../../src/core/sources/source-call-executor.ts';
import type { SourceCall } from '../../../src/core/sources/source-call.ts';
import { InDoubt, LeaseLost } from '../../../src/core/errors.ts';
import type { OpenLookup } from '../../../src/core/work/claim.ts';
import {
  begunId,
  callEnd,
  calledSource,
  newCall,
  openSourceCallLog,
} from '../../support/stand-in/call-logs.ts';
import { claimWork } from '../../support/queue/claimed-work.ts';
import { openTestDatabase, type TestDatabase } from '../../support/db/database.ts';
import { fakeAsking } from '../../support/sources/fake-calls.ts';
import { alreadyOver } from '../../support/queue/stepped-dispatcher.ts';
import { takeChunk } from '../../support/db/fixture.ts';

/** A recorded answer without its raw response; null for a call that was started and never ended. */
type Answer = string | null;

test.each<[string, readonly Answer[], readonly string[]]>([
  ['no call', [], []],
  ['a call without an answer, which may have been charged', [null], ['lost']],
  ['a call whose ads were never committed', ['found'], ['lost']],
  ['a call whose candidates were not stored', ['candidates'], ['candidates']],
  ['a call in doubt', ['in_doubt'], ['lost']],
  ['an unreadable answer, which may have been charged', ['source_unreadable'], ['lost']],
  ['a call in doubt after an answer', ['none', 'in_doubt'], ['none', 'lost']],
  ['an answer without ads', ['none'], ['none']],
  ['an answer without a match', ['no_match'], ['no_match']],
  ['an answer without ads, and one without a match', ['no_match', 'none'], ['no_match', 'none']],
  ['a call that the source throttled', ['source_throttled'], []],
  ['a failed call', ['source_unavailable'], []],
  ['a call that the source rejected', ['source_refused'], []],
  ['a recorded call that was not sent', ['not_sent'], []],
  ['failed calls, then one without an answer', ['source_throttled', 'not_sent', null], ['lost']],
])('a claim has the earlier call states for %s', async (_, answers, states) => {
  const { database, lookupId, claimAgain } = await openWork();
  await recordCalls(database, lookupId, answers);
  const [lookup, other] = await claimAgain();
  expect(lookup?.earlier.map(({ state }) => state)).toEqual(states);
  expect(other?.earlier).toEqual([]);
});

test.each(['found', 'none', 'no_match', 'candidates', 'source_unreadable'])(
  'a claim has the stored reply of a call with the answer %s',
  async (answer) => {
    const { database, lookupId, claimAgain } = await openWork();
    const callLog = openSourceCallLog(database);
    const callId = begunId(await callLog.begin(calledSource('upstream'), newCall(lookupId)));
    await callLog.end(calledSource('upstream'), callId, callEnd({ answer, reply: '{"ads":[]}' }));
    const [lookup] = await claimAgain();
    expect(lookup?.earlier).toEqual([{ callId, source: 'upstream', about: 'ads of a.com', state: 'kept' }]);
    expect(await callLog.readReply(callId)).toBe('{"ads":[]}');
  },
);

test('earlier calls are separate by source and subject', async () => {
  const { database, lookupId, claimAgain } = await openWork();
  await recordCalls(database, lookupId, ['none'], 'one');
  await recordCalls(database, lookupId, [null], 'other');
  const [lookup] = await claimAgain();
  expect(lookup?.earlier).toMatchObject([
    { source: 'one', about: 'call 1', state: 'none' },
    { source: 'other', about: 'call 1', state: 'lost' },
  ]);
});

describe('worker that dies', () => {
  const source = calledSource('upstream');

  test('after it stored the reply: the next one uses it without a call', async () => {
    const { database, lookups, claimAgain } = await openWork();
    const sent: string[] = [];
    const call = pageOf(sent);
    await exchangeFor(database, lookups[0])(call);
    const [again] = await claimAgain();
    expect(await exchangeFor(database, again)(call)).toBe('page 1 of ads');
    expect([sent, await countCalls(database)]).toEqual([['page 1'], 1]);
  });

  test('between call and reply: the lookup is in doubt, and the call is not repeated', async () => {
    const { database, lookups, claimAgain } = await openWork();
    const sent: string[] = [];
    const dying: SourceCall<string> = {
      ...pageOf(sent),
      send: () => Promise.reject(new LeaseLost('the process died')),
    };
    await expect(exchangeFor(database, lookups[0])(dying)).rejects.toThrow(LeaseLost);
    const [again] = await claimAgain();
    await expect(exchangeFor(database, again)(pageOf(sent))).rejects.toThrow(InDoubt);
    expect([sent, await countCalls(database)]).toEqual([[], 1]);
  });

  /** Executor of a lookup with the real call log; reservations are granted at once. */
  function exchangeFor(database: TestDatabase, lookup: OpenLookup | undefined) {
    if (lookup === undefined) throw new Error('There is no lookup.');
    const { options } = fakeAsking({ calls: openSourceCallLog(database) });
    return createSourceCallExecutor(source, lookup, options);
  }

  function pageOf(sent: string[]): SourceCall<string> {
    return {
      about: 'page 1',
      unitsMax: 1,
      send: async () => {
        sent.push('page 1');
        return { text: 'page 1 of ads', allowance: null };
      },
      read: (text) => ({ value: text, says: 'found', units: 1 }),
    };
  }
});

/** Two lookups in a chunk whose worker died. */
async function openWork() {
  const database = await openTestDatabase();
  const { claims } = await claimWork(database.app, ['a.com', 'b.com'], { leaseMs: alreadyOver });
  const [claim] = claims;
  if (claim?.operation !== 'ads_search') throw new Error('Nothing was claimed.');
  const claimAgain = async () => {
    const dispatch = createDispatchStore(database.app.sql);
    for (const lapsed of await dispatch.listLapsed(10)) await dispatch.rescue(lapsed);
    return (await takeChunk(database.app, claim.chunkId, claim.generation + 1)).lookups;
  };
  const { lookups } = claim;
  return { database, lookups, lookupId: lookups[0]?.lookupId ?? 0n, claimAgain };
}

async function recordCalls(
  database: TestDatabase,
  lookupId: bigint,
  answers: readonly Answer[],
  name = 'upstream',
): Promise<void> {
  const callLog = openSourceCallLog(database);
  const source = calledSource(name);
  for (const [i, answer] of answers.entries()) {
    const callId = begunId(await callLog.begin(source, newCall(lookupId, { about: `call ${i + 1}` })));
    if (answer !== null) await callLog.end(source, callId, callEnd({ answer, health: null }));
  }
}

async function countCalls({ app }: TestDatabase): Promise<number> {
  const { rows } = await app.pool.query<{ calls: number }>(
    'SELECT count(*)::integer AS calls FROM nightshift.source_calls',
  );
  return rows[0]?.calls ?? 0;
}
