import type { Pause } from '../../../src/core/work/wait-cause.ts';
import { describe, expect, test } from 'vitest';
import type { CalledSource } from '../../../src/core/sources/ad-source.ts';
import type {
  Begun,
  CallRefusal,
  SourceCallLog,
  CallEnd,
  NewCall,
  SourceHealth,
} from '../../../src/core/sources/call-log.ts';
import {
  begunId,
  callEnd,
  calledSource,
  failureWaitMs,
  freeCaller,
  newCall,
  openSourceCallLog,
} from '../../support/stand-in/call-logs.ts';
import { claimWork } from '../../support/queue/claimed-work.ts';
import { openTestDatabase, type TestDatabase } from '../../support/db/database.ts';
import { untilOneWaits } from '../../support/lock-waits.ts';

const free = calledSource('free');

describe('call log', () => {
  test('records concurrent calls with their own answer and charge', async () => {
    const { callLog, lookupId, readCalls } = await openCallLog();
    await Promise.all(
      Array.from({ length: 50 }, async (_, i) => {
        const source = calledSource(`source ${i % 3}`);
        const call = newCall(lookupId, { requestKey: `key ${i}`, about: `page ${i}`, unitsMax: 100 });
        const callId = begunId(await callLog.begin(source, call));
        await callLog.end(
          source,
          callId,
          callEnd({ answer: `answer ${i}`, units: i / 4, charged: i % 2 === 0 ? i / 10 : null }),
        );
      }),
    );
    const calls = await readCalls();
    const numbers = calls.map(({ about }) => Number(/\d+/.exec(about)?.[0]));
    expect([...numbers].sort((a, b) => a - b)).toEqual(Array.from({ length: 50 }, (_, i) => i));
    expect(calls).toEqual(
      numbers.map((i) => ({
        source: `source ${i % 3}`,
        bucket: `source ${i % 3}:bucket`,
        request_key: `key ${i}`,
        about: `page ${i}`,
        answer: `answer ${i}`,
        units: i / 4,
        charged: i % 2 === 0 ? i / 10 : null,
      })),
    );
  });

  test('returns the ids of concurrent calls in order', async () => {
    const { callLog, lookupId, readCalls } = await openCallLog();
    const begun = await Promise.all(
      Array.from({ length: 50 }, (_, i) => callLog.begin(free, newCall(lookupId, { about: `page ${i}` }))),
    );
    const ids = begun.map(begunId);
    for (const [i, callId] of ids.entries())
      await callLog.end(free, callId, callEnd({ answer: `answer ${i}` }));
    for (const { about, answer } of await readCalls()) expect(answer).toBe(about.replace('page', 'answer'));
  });

  test('records the maximum cost of a call until its answer is known', async () => {
    const { callLog, lookupId, readCalls } = await openCallLog();
    const callId = begunId(await callLog.begin(free, newCall(lookupId, { unitsMax: 7 })));
    expect(await readCalls()).toMatchObject([{ units: 7, answer: null }]);
    await callLog.end(free, callId, callEnd({ units: 2 }));
    expect(await readCalls()).toMatchObject([{ units: 2, answer: 'found' }]);
  });
});

describe('repeat of an interrupted call', () => {
  const cutOff = callEnd({ answer: 'in_doubt', units: 3, health: 'down' });

  async function repeat(idempotent: boolean, change: Partial<NewCall>, end = callEnd({ units: 2 })) {
    const { callLog, lookupId, readCalls } = await openCallLog();
    const source = calledSource('paid', {}, { idempotent });
    const begin = async (changes: Partial<NewCall> = {}) =>
      begunId(await callLog.begin(source, newCall(lookupId, { unitsMax: 3, ...changes })));
    await callLog.end(source, await begin(), cutOff);
    await begin();
    await callLog.end(source, await begin(change), end);
    return (await readCalls()).map((call) => call.units);
  }

  test('costs once if the source recognises the repeat', async () => {
    expect(await repeat(true, {})).toEqual([0, 0, 2]);
  });

  test.each<[string, boolean, Partial<NewCall>, CallEnd]>([
    ['the source does not recognise a repeat', false, {}, callEnd({ units: 2 })],
    ['the repeat has another subject', true, { about: 'page 2' }, callEnd({ units: 2 })],
    ['the repeat has another key', true, { requestKey: 'another' }, callEnd({ units: 2 })],
    [
      'the repeat got no answer either',
      true,
      {},
      callEnd({ answer: 'source_unavailable', units: 2, health: 'down' }),
    ],
  ])('may cost twice if %s', async (_, idempotent, change, end) => {
    expect(await repeat(idempotent, change, end)).toEqual([3, 3, 2]);
  });
});

describe('limit of concurrent calls', () => {
  const source = calledSource('narrow', { concurrency: 3 });

  test('applies to all processes together', async () => {
    const { database, callLog, lookupId } = await openCallLog();
    const other = openSourceCallLog(database);
    const begun = await Promise.all(
      Array.from({ length: 20 }, (_, i) => (i % 2 === 0 ? callLog : other).begin(source, newCall(lookupId))),
    );
    expect(kindsOf(begun)).toEqual({ begun: 3, full: 17 });
  });

  test('is released by every call that ends, also by one that was not sent', async () => {
    const { callLog, lookupId } = await openCallLog();
    expect(await callLog.hasRoom(source, freeCaller)).toBe(true);
    const begun = await beginAll(callLog, source, lookupId, 3);
    expect(await callLog.hasRoom(source, freeCaller)).toBe(false);
    for (const answer of ['found', 'not_sent']) {
      await callLog.end(source, begun.pop() ?? 0n, callEnd({ answer, health: null }));
      expect(await callLog.hasRoom(source, freeCaller)).toBe(true);
      begun.push(begunId(await callLog.begin(source, newCall(lookupId))));
      expect(await callLog.hasRoom(source, freeCaller)).toBe(false);
    }
  });

  test('is released by calls of dead processes after the deadline', async () => {
    const { database, callLog, lookupId } = await openCallLog();
    await beginAll(callLog, source, lookupId, 3);
    expect(await callLog.begin(source, newCall(lookupId))).toEqual({ kind: 'full' });
    await ageCalls(database, source.limits.deadlineMs + 1000);
    expect(await callLog.hasRoom(source, freeCaller)).toBe(true);
    await beginAll(callLog, source, lookupId, 3);
  });

  test('counts a delayed call from its renewal, if there is room', async () => {
    const { database, callLog, lookupId } = await openCallLog();
    const [late, ...others] = await beginAll(callLog, source, lookupId, 3);
    const call = { callId: late ?? 0n, isProbe: false };
    await ageCalls(database, source.limits.deadlineMs + 1000);
    await beginAll(callLog, source, lookupId, 3);
    expect(await callLog.renew(source, call, freeCaller)).toBe(false);
    for (const callId of others) await callLog.end(source, callId, callEnd());
    await ageCalls(database, source.limits.deadlineMs + 1000);
    expect(await callLog.renew(source, call, freeCaller)).toBe(true);
    await beginAll(callLog, source, lookupId, 2);
    expect(await callLog.hasRoom(source, freeCaller)).toBe(false);
  });

  test('is not taken again at a source that was paused meanwhile', async () => {
    const { callLog, lookupId } = await openCallLog();
    const [callId = 0n] = await beginAll(callLog, source, lookupId, 1);
    const call = { callId, isProbe: false };
    const pause = { kind: 'blocked', reason: 'a wall', delayMs: 60_000 } as const;
    await callLog.pause(source, pause);
    await expect(callLog.renew(source, call, freeCaller)).rejects.toMatchObject({
      code: 'source_paused',
      pause: { kind: 'blocked', reason: 'a wall' },
      retry: { delayMs: expect.toSatisfy((ms: number) => ms > 50_000 && ms <= 60_000) as number },
    });
  });

  test('applies per credential', async () => {
    const { callLog, lookupId } = await openCallLog();
    await beginAll(callLog, source, lookupId, 3);
    const other = { ...source, bucket: 'another credential' };
    expect(await callLog.hasRoom(other, freeCaller)).toBe(true);
    await beginAll(callLog, other, lookupId, 3);
  });
});

describe('daily budget', () => {
  const source = calledSource('dear', { callsPerDay: 5 });

  test('applies to all processes together, with the start of the next day', async () => {
    const { database, callLog, lookupId } = await openCallLog();
    const other = openSourceCallLog(database);
    const begun = await Promise.all(
      Array.from({ length: 12 }, (_, i) => (i % 2 === 0 ? callLog : other).begin(source, newCall(lookupId))),
    );
    expect(kindsOf(begun)).toEqual({ begun: 5, paused: 7 });
    const refused = begun.find((each) => each.kind === 'paused');
    expect(refused).toMatchObject({
      pause: { kind: 'budget', reason: 'the daily budget of 5 calls to dear is spent' },
    });
    const dayMs = 86_400_000;
    const untilMidnightMs = dayMs - (Date.now() % dayMs);
    const delayMs = refused?.kind === 'paused' ? refused.pause.delayMs : 0;
    // The test's clock is the server's; a minute of tolerance is for a slow machine.
    expect(Math.abs(((delayMs - untilMidnightMs + 1.5 * dayMs) % dayMs) - dayMs / 2)).toBeLessThan(60_000);
  });

  test('resets on the next day', async () => {
    const { database, callLog, lookupId } = await openCallLog();
    await beginAll(callLog, source, lookupId, 5);
    expect(await callLog.begin(source, newCall(lookupId))).toMatchObject({ kind: 'paused' });
    await database.owner.pool.query('UPDATE nightshift.source_states SET day = day - 1');
    await beginAll(callLog, source, lookupId, 5);
    expect(await callLog.begin(source, newCall(lookupId))).toMatchObject({ kind: 'paused' });
  });

  test('is restored by a call that was not sent, on the day it began', async () => {
    const { database, callLog, lookupId } = await openCallLog();
    const [first, second] = await beginAll(callLog, source, lookupId, 5);
    const notSent = callEnd({ answer: 'not_sent', units: 0, health: null });
    await callLog.end(source, first ?? 0n, notSent);
    await beginAll(callLog, source, lookupId, 1);
    await ageCalls(database, 86_400_000);
    await callLog.end(source, second ?? 0n, notSent);
    expect(await callLog.begin(source, newCall(lookupId))).toMatchObject({ kind: 'paused' });
  });

  test('is not restored on a day that begins while the call ends', async () => {
    const { database, callLog, lookupId } = await openCallLog();
    const [callId = 0n] = await beginAll(callLog, source, lookupId, 5);
    const other = await database.owner.pool.connect();
    try {
      await other.query('BEGIN; UPDATE nightshift.source_states SET day = day + 1');
      const ended = callLog.end(source, callId, callEnd({ answer: 'not_sent', units: 0, health: null }));
      await untilOneWaits(database);
      await other.query('COMMIT');
      await ended;
    } finally {
      other.release(true);
    }
    const { rows } = await database.owner.pool.query('SELECT day_calls FROM nightshift.source_states');
    expect(rows).toEqual([{ day_calls: 5 }]);
  });

  test('does not count calls beyond the limit of concurrent calls', async () => {
    const { callLog, lookupId } = await openCallLog();
    const both = calledSource('both', { callsPerDay: 2, concurrency: 1 });
    const [first] = await beginAll(callLog, both, lookupId, 1);
    for (let i = 0; i < 5; i += 1)
      expect(await callLog.begin(both, newCall(lookupId))).toEqual({ kind: 'full' });
    await callLog.end(both, first ?? 0n, callEnd());
    await beginAll(callLog, both, lookupId, 1);
  });
});

describe('source that declines calls', () => {
  const refusal = (likeness: string): CallRefusal => ({
    likeness,
    alikeMax: 3,
    reason: `it says ${likeness}`,
    delayMs: 60_000,
  });

  /** Ends a call for each: with an answer (null), or declined for this reason. Returns the effect of the last. */
  async function endsOf(...likenesses: readonly (string | null)[]) {
    const { database, callLog, lookupId } = await openCallLog();
    let pause: Pause | null = null;
    for (const likeness of likenesses) {
      const [callId = 0n] = await beginAll(callLog, free, lookupId, 1);
      const declined = { answer: 'source_refused', health: null };
      pause = await callLog.end(
        free,
        callId,
        callEnd(likeness === null ? {} : { ...declined, refusal: refusal(likeness) }),
      );
    }
    return { database, callLog, lookupId, pause };
  }

  test('opens the circuit breaker after three equal rejections, with the reason', async () => {
    const { callLog, lookupId, pause } = await endsOf('no plan', 'no plan', 'no plan');
    expect(pause).toEqual({ kind: 'declined', reason: 'it says no plan', delayMs: 60_000 });
    expect(await callLog.begin(free, newCall(lookupId))).toMatchObject({
      kind: 'paused',
      pause: { kind: 'declined', reason: 'it says no plan' },
    });
  });

  test.each([
    ['twice in a row', ['no plan', 'no plan']],
    ['with an answer in between', ['no plan', 'no plan', null, 'no plan']],
    ['for different reasons', ['no plan', 'bad domain', 'no plan', 'bad domain']],
  ])('keeps the circuit breaker closed for rejections %s', async (_, likenesses) => {
    const { callLog, lookupId, pause } = await endsOf(...likenesses);
    expect(pause).toBeNull();
    expect(await callLog.begin(free, newCall(lookupId))).toMatchObject({ kind: 'begun', isProbe: false });
  });

  test('doubles the open interval when it declines the probe, and closes the circuit breaker with an answer', async () => {
    const { database, callLog, lookupId } = await endsOf('no plan', 'no plan', 'no plan');
    const declined = { answer: 'source_refused', health: null, refusal: refusal('no plan'), isProbe: true };
    await endPause(database);
    const probe = await callLog.begin(free, newCall(lookupId));
    expect(await callLog.end(free, begunId(probe), callEnd(declined))).toMatchObject({ delayMs: 120_000 });
    await endPause(database);
    const next = await callLog.begin(free, newCall(lookupId));
    await callLog.end(free, begunId(next), callEnd({ isProbe: true }));
    const [after = 0n] = await beginAll(callLog, free, lookupId, 2);
    expect(await callLog.end(free, after, callEnd({ ...declined, isProbe: false }))).toBeNull();
  });
});

describe('pause of a source', () => {
  const reason = 'the key was refused';

  test('applies to all processes for its duration, with the reason', async () => {
    const { database, callLog, lookupId } = await openCallLog();
    await callLog.pause(free, { kind: 'refused', reason, delayMs: 90_000 });
    for (const each of [callLog, openSourceCallLog(database)]) {
      const begun = await each.begin(free, newCall(lookupId));
      expect(begun).toMatchObject({ kind: 'paused', pause: { kind: 'refused', reason } });
      const delayMs = begun.kind === 'paused' ? begun.pause.delayMs : 0;
      expect(delayMs).toBeGreaterThan(30_000);
      expect(delayMs).toBeLessThanOrEqual(90_000);
    }
    const other = calledSource('other');
    expect(await callLog.begin(other, newCall(lookupId))).toMatchObject({ kind: 'begun' });
  });

  test('is not shortened by a later one', async () => {
    const { callLog, lookupId } = await openCallLog();
    await callLog.pause(free, { kind: 'blocked', reason, delayMs: 3_600_000 });
    await callLog.pause(free, { kind: 'blocked', reason, delayMs: 1000 });
    const begun = await callLog.begin(free, newCall(lookupId));
    expect(begun.kind === 'paused' ? begun.pause.delayMs : 0).toBeGreaterThan(3_000_000);
  });

  test('after a block is kept when a rejection follows, because only the latter can be lifted by an operator', async () => {
    const { database, callLog, lookupId } = await openCallLog();
    await callLog.pause(free, { kind: 'blocked', reason: 'a wall', delayMs: 3_600_000 });
    await callLog.pause(free, { kind: 'refused', reason, delayMs: 7_200_000 });
    expect(await callLog.begin(free, newCall(lookupId))).toMatchObject({
      pause: { kind: 'blocked', reason: 'a wall' },
    });
    await endPause(database);
    await callLog.pause(free, { kind: 'refused', reason, delayMs: 7_200_000 });
    expect(await callLog.begin(free, newCall(lookupId))).toMatchObject({
      pause: { kind: 'refused', reason },
    });
  });

  test.each(['not_sent', 'source_throttled', 'source_refused'])(
    'allows another probe at once when the first one is inconclusive: %s',
    async (answer) => {
      const { database, callLog, lookupId } = await openCallLog();
      await pauseThatIsOver(database, callLog, free);
      const trial = await callLog.begin(free, newCall(lookupId));
      expect(trial).toMatchObject({ kind: 'begun', isProbe: true });
      await callLog.end(free, begunId(trial), callEnd({ answer, units: 0, health: null, isProbe: true }));
      expect(await callLog.begin(free, newCall(lookupId))).toMatchObject({ kind: 'begun', isProbe: true });
    },
  );

  test('is followed by one probe, and other calls wait', async () => {
    const { database, callLog, lookupId } = await openCallLog();
    await pauseThatIsOver(database, callLog, free);
    const begun = await Promise.all([
      ...Array.from({ length: 5 }, () => callLog.begin(free, newCall(lookupId))),
      openSourceCallLog(database).begin(free, newCall(lookupId)),
    ]);
    expect(kindsOf(begun)).toEqual({ begun: 1, paused: 5 });
  });

  test('ends with the first good answer', async () => {
    const { database, callLog, lookupId } = await openCallLog();
    await pauseThatIsOver(database, callLog, free);
    const [trial] = await beginAll(callLog, free, lookupId, 1);
    await callLog.end(free, trial ?? 0n, callEnd({ health: 'good' }));
    await beginAll(callLog, free, lookupId, 5);
  });

  test('after a block is not ended by an answer to an earlier call', async () => {
    const { callLog, lookupId } = await openCallLog();
    const [before] = await beginAll(callLog, free, lookupId, 1);
    await callLog.pause(free, { kind: 'blocked', reason, delayMs: 3_600_000 });
    await callLog.end(free, before ?? 0n, callEnd({ health: 'good' }));
    expect(await callLog.begin(free, newCall(lookupId))).toMatchObject({ kind: 'paused' });
  });

  test('allows another probe when the first one is lost', async () => {
    const { database, callLog, lookupId } = await openCallLog();
    await pauseThatIsOver(database, callLog, free);
    await beginAll(callLog, free, lookupId, 1);
    expect(await callLog.begin(free, newCall(lookupId))).toMatchObject({ kind: 'paused' });
    await database.owner.pool.query('UPDATE nightshift.source_states SET probe_until = now()');
    await beginAll(callLog, free, lookupId, 1);
  });

  test('does not use its probe for a call without room', async () => {
    const { database, callLog, lookupId } = await openCallLog();
    const narrow = calledSource('narrow', { concurrency: 1 });
    const [before] = await beginAll(callLog, narrow, lookupId, 1);
    await pauseThatIsOver(database, callLog, narrow);
    expect(await callLog.begin(narrow, newCall(lookupId))).toEqual({ kind: 'full' });
    await callLog.end(narrow, before ?? 0n, callEnd({ answer: 'source_refused', health: null }));
    await beginAll(callLog, narrow, lookupId, 1);
  });
});

describe('circuit breaker', () => {
  test.each([
    ['down', 10, 'free gives no answer'],
    ['unreadable', 3, 'free returns replies that cannot be parsed: its format may have changed'],
  ] as const)('opens after failures of kind %s, %i in a row', async (health, times, reason) => {
    const { callLog, fail, lookupId } = await openCallLog();
    for (let i = 1; i < times; i += 1) expect(await fail(health)).toBeNull();
    expect(await fail(health)).toEqual({ kind: 'failing', reason, delayMs: failureWaitMs });
    expect(await callLog.begin(free, newCall(lookupId))).toMatchObject({
      kind: 'paused',
      pause: { kind: 'failing', reason },
    });
  });

  test('counts failures over all processes, also concurrent ones', async () => {
    const { database, callLog, lookupId } = await openCallLog();
    const other = openSourceCallLog(database);
    const ids = await beginAll(callLog, free, lookupId, 10);
    const pauses = await Promise.all(
      ids.map((callId, i) =>
        (i % 2 === 0 ? callLog : other).end(
          free,
          callId,
          callEnd({ answer: 'source_unavailable', health: 'down' }),
        ),
      ),
    );
    expect(pauses.filter((pause) => pause !== null)).toHaveLength(1);
  });

  test('stays closed after a good answer as long as most of the last 20 calls succeed', async () => {
    const { fail, succeed } = await openCallLog();
    for (let i = 1; i < 10; i += 1) await fail('down');
    await succeed();
    for (let i = 1; i < 10; i += 1) expect(await fail('down')).toBeNull();
    expect(await fail('unreadable')).toMatchObject({ kind: 'failing' });
  });

  test.each<[string, readonly (SourceHealth | null)[], boolean]>([
    ['two kinds in turn', ['down', 'unreadable'], true],
    ['two times out of three', ['down', 'unreadable', 'good'], true],
    ['every other time', ['down', 'good'], false],
    ['with rate limits and rejections in between', ['down', null, null], true],
  ])('opens by the share of failures in the last 20 calls: %s', async (_, turns, isPaused) => {
    const { fail, succeed } = await openCallLog();
    let hasPaused = false;
    for (let i = 0; i < 60 && !hasPaused; i += 1) {
      const health = turns[i % turns.length] ?? null;
      const pause = health === 'good' ? await succeed() : await fail(health);
      hasPaused = pause !== null;
    }
    expect(hasPaused).toBe(isPaused);
  });

  test('stores no failures after 20 good answers', async () => {
    const { database, fail, succeed } = await openCallLog();
    await fail('down');
    for (let i = 0; i < 20; i += 1) await succeed();
    const { rows } = await database.owner.pool.query(
      `SELECT recent FROM nightshift.source_states WHERE bucket = 'free:bucket'`,
    );
    expect(rows).toEqual([{ recent: '' }]);
  });

  test('is not closed by an answer to an earlier call', async () => {
    const { callLog, fail, succeed, lookupId } = await openCallLog();
    for (let i = 1; i <= 10; i += 1) await fail('down');
    await succeed();
    expect(await callLog.begin(free, newCall(lookupId))).toMatchObject({ kind: 'paused' });
  });

  test('does not count results that are unrelated to the health of the source', async () => {
    const { fail } = await openCallLog();
    for (let i = 0; i < 20; i += 1) expect(await fail(null)).toBeNull();
  });

  test('doubles the open interval up to 15 minutes, until the source answers', async () => {
    const { database, fail, succeed } = await openCallLog();
    const delaysMs: (number | undefined)[] = [];
    for (let i = 1; i < 10; i += 1) await fail('down');
    for (let i = 0; i < 7; i += 1) {
      delaysMs.push((await fail('down'))?.delayMs);
      await endPause(database);
    }
    expect(delaysMs).toEqual([60_000, 120_000, 240_000, 480_000, 900_000, 900_000, 900_000]);
    await succeed();
    for (let i = 1; i < 10; i += 1) expect(await fail('down')).toBeNull();
    expect(await fail('down')).toMatchObject({ delayMs: 60_000 });
  });

  test('opens for unreadable answers without a time limit, because they are charged', async () => {
    const { database, fail } = await openCallLog();
    for (let i = 1; i <= 3; i += 1) await fail('unreadable');
    await endPause(database);
    await database.owner.pool.query(
      `UPDATE nightshift.source_states SET failing_since = now() - interval '25 hours'`,
    );
    expect(await fail('unreadable')).toMatchObject({ kind: 'failing' });
  });

  test('stays closed after a day of failures, so that lookups end', async () => {
    const { database, callLog, fail, lookupId } = await openCallLog();
    const ids = await beginAll(callLog, free, lookupId, 3);
    for (let i = 1; i <= 10; i += 1) await fail('down');
    await endPause(database);
    await database.owner.pool.query(
      `UPDATE nightshift.source_states SET failing_since = now() - interval '25 hours'`,
    );
    for (const callId of ids)
      expect(
        await callLog.end(free, callId, callEnd({ answer: 'source_unavailable', health: 'down' })),
      ).toBeNull();
    await beginAll(callLog, free, lookupId, 5);
  });
});

describe('raw responses', () => {
  test('are stored with any content, and read by their call', async () => {
    const { callLog, answerWith } = await openCallLog();
    for (const reply of ['{"ads":[]}', '', 'a\0b 😀', '<html>'.repeat(100_000)]) {
      expect(await callLog.readReply(await answerWith(reply))).toBe(reply);
    }
  });

  test('with equal content are stored once', async () => {
    const { database, callLog, answerWith } = await openCallLog();
    const ids = await Promise.all(Array.from({ length: 30 }, (_, i) => answerWith(`reply ${i % 3}`)));
    const { rows } = await database.owner.pool.query('SELECT hash FROM nightshift.raw_responses');
    expect(rows).toHaveLength(3);
    expect(await Promise.all(ids.map((callId) => callLog.readReply(callId)))).toEqual(
      ids.map((_, i) => `reply ${i % 3}`),
    );
  });

  test('are missing for calls without a response and for unknown calls', async () => {
    const { callLog, answerWith } = await openCallLog();
    expect(await callLog.readReply(await answerWith(null))).toBeNull();
    expect(await callLog.readReply(99n)).toBeNull();
  });

  test('are not stored if the operator disables it', async () => {
    const { database, lookupId, readCalls } = await openCallLog();
    const callLog = openSourceCallLog(database, { storesResponses: false });
    const callId = begunId(await callLog.begin(free, newCall(lookupId)));
    await callLog.end(free, callId, callEnd({ reply: 'secret' }));
    expect(await callLog.readReply(callId)).toBeNull();
    expect((await database.owner.pool.query('SELECT 1 FROM nightshift.raw_responses')).rowCount).toBe(0);
    expect(await readCalls()).toMatchObject([{ answer: 'found', units: 1 }]);
  });
});

async function openCallLog() {
  const database = await openTestDatabase();
  const { claims } = await claimWork(database.app, ['a.com']);
  const lookupId = claims[0]?.lookups[0]?.lookupId ?? 0n;
  const callLog = openSourceCallLog(database);
  const finish = async (answer: string, health: SourceHealth | null) => {
    const callId = begunId(await openSourceCallLog(database).begin(unpaused, newCall(lookupId)));
    return callLog.end(free, callId, callEnd({ answer, units: 0, health }));
  };
  const answerWith = async (reply: string | null) => {
    const callId = begunId(await callLog.begin(free, newCall(lookupId)));
    await callLog.end(free, callId, callEnd({ reply }));
    return callId;
  };
  return {
    database,
    callLog,
    lookupId,
    answerWith,
    /** A call that was sent before the pause was known, and failed. */
    fail: (health: SourceHealth | null) => finish('source_unavailable', health),
    succeed: () => finish('found', 'good'),
    readCalls: () => readCalls(database),
  };
}

/** Source whose calls start regardless of the state in which they end. */
const unpaused = calledSource('unpaused');

async function beginAll(
  callLog: SourceCallLog,
  source: CalledSource,
  lookupId: bigint,
  count: number,
): Promise<bigint[]> {
  const begun = await Promise.all(
    Array.from({ length: count }, () => callLog.begin(source, newCall(lookupId))),
  );
  return begun.map(begunId);
}

function kindsOf(begun: readonly Begun[]): Readonly<Record<string, number>> {
  const kinds: Record<string, number> = {};
  for (const each of begun) kinds[each.kind] = (kinds[each.kind] ?? 0) + 1;
  return kinds;
}

async function pauseThatIsOver(
  database: TestDatabase,
  callLog: SourceCallLog,
  source: CalledSource,
): Promise<void> {
  await callLog.pause(source, { kind: 'refused', reason: 'the key was refused', delayMs: 60_000 });
  await endPause(database);
}

async function endPause({ owner }: TestDatabase): Promise<void> {
  await owner.pool.query(`UPDATE nightshift.source_states SET paused_until = now() - interval '1 second'`);
}

async function ageCalls({ owner }: TestDatabase, byMs: number): Promise<void> {
  await owner.pool.query(
    `UPDATE nightshift.source_calls SET sent_at = sent_at - $1 * interval '1 millisecond'`,
    [byMs],
  );
}

interface CallRow {
  readonly source: string;
  readonly about: string;
  readonly answer: string | null;
  readonly units: number;
}

async function readCalls({ app }: TestDatabase): Promise<readonly CallRow[]> {
  const { rows } = await app.pool.query<CallRow>(
    `SELECT source, bucket, request_key, description AS about, answer, units::float8 AS units, source_charge::float8 AS charged
      FROM nightshift.source_calls ORDER BY id`,
  );
  return rows;
}
