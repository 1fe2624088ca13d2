import { expect, test } from 'vitest';
import { createCallLog } from '../../db/stores/call-log.ts';
import { createDispatchStore } from '../../db/stores/dispatch.ts';
import { claimWork } from '../support/claimed-work.ts';
import { openTestDatabase, type TestDatabase } from '../support/database.ts';
import { alreadyOver } from '../support/stepped-dispatcher.ts';
import { takeChunk } from '../support/world.ts';

/** An answer on record; null for a call that was begun and never ended. */
type Answer = string | null;

test.each<[string, readonly Answer[], string | undefined]>([
  ['no call', [], undefined],
  ['a call without an answer, which may have been charged', [null], 'lost'],
  ['a call whose ads were never committed', ['found'], 'lost'],
  ['a call that was in doubt, so that it is not sent again', ['in_doubt'], 'lost'],
  ['a call in doubt, whatever was answered before', ['none', 'in_doubt'], 'lost'],
  ['an answer without ads', ['none'], 'none'],
  ['an answer that it could not tell the company', ['no_match'], 'no_match'],
  ['an answer without ads, and one that it could not tell', ['no_match', 'none'], 'none'],
  ['a call that the source put off', ['source_throttled'], undefined],
  ['a call that the source says has failed', ['source_unavailable'], undefined],
  ['a call that was put on record and not sent', ['not_sent'], undefined],
  [
    'calls that failed, and then one without an answer',
    ['source_throttled', 'source_unavailable', null],
    'lost',
  ],
])('of %s the next worker learns: %s', async (_, answers, known) => {
  const { database, lookupId, claimAgain } = await openWork();
  await recordCalls(database, lookupId, answers);
  const claim = await claimAgain();
  expect(claim.lookups[0]?.earlier.get('upstream')).toBe(known);
  expect(claim.lookups[1]?.earlier.size).toBe(0);
});

test('calls to different sources are told apart', async () => {
  const { database, lookupId, claimAgain } = await openWork();
  await recordCalls(database, lookupId, ['none'], 'one');
  await recordCalls(database, lookupId, [null], 'other');
  const claim = await claimAgain();
  expect([...(claim.lookups[0]?.earlier ?? [])].sort()).toEqual([
    ['one', 'none'],
    ['other', 'lost'],
  ]);
});

test('calls that begin and end at the same time are each on record with their own answer and charge', async () => {
  const { database, lookupId } = await openWork();
  const calls = createCallLog(database.app.sql);
  await Promise.all(
    Array.from({ length: 50 }, async (_, i) => {
      const callId = await calls.begin({ lookupId, source: `source ${i}`, requestKey: `key ${i}` });
      await calls.end(callId, `answer ${i}`, i % 2 === 0 ? i / 10 : undefined);
    }),
  );
  const { rows } = await database.app.pool.query<Record<string, unknown>>(
    `SELECT source, request_key, answer, source_charge FROM nightshift.source_calls ORDER BY id`,
  );
  const numbers = rows.map(({ source }) => Number(/\d+/.exec(String(source))?.[0]));
  expect([...numbers].sort((a, b) => a - b)).toEqual(Array.from({ length: 50 }, (_, i) => i));
  expect(rows).toEqual(
    numbers.map((i) => ({
      source: `source ${i}`,
      request_key: `key ${i}`,
      answer: `answer ${i}`,
      source_charge: i % 2 === 0 ? String(i / 10) : null,
    })),
  );
});

/** Two lookups in a chunk whose worker died. */
async function openWork() {
  const database = await openTestDatabase();
  const { claims } = await claimWork(database.app, ['a.com', 'b.com'], { leaseMs: alreadyOver });
  const [claim] = claims;
  if (claim === undefined) throw new Error('Nothing was claimed.');
  const claimAgain = async () => {
    const dispatch = createDispatchStore(database.app.sql);
    for (const lapsed of await dispatch.listLapsed(10)) await dispatch.revive(lapsed);
    return takeChunk(database.app, claim.chunkId, claim.generation + 1);
  };
  return { database, lookupId: claim.lookups[0]?.lookupId ?? 0n, claimAgain };
}

async function recordCalls(
  { app }: TestDatabase,
  lookupId: bigint,
  answers: readonly Answer[],
  source = 'upstream',
): Promise<void> {
  const calls = createCallLog(app.sql);
  for (const answer of answers) {
    const callId = await calls.begin({ lookupId, source, requestKey: 'key' });
    if (answer !== null) await calls.end(callId, answer, undefined);
  }
}
