import type { Pause } from '../../../../../src/core/work/wait-cause.ts';
import { describe, expect, test } from 'vitest';
import type { CalledSource } from '../../../../../src/core/sources/ad-source.ts';
import type { Begun, SourceCallLog } from '../../../../../src/core/sources/call-log.ts';
import type { CallOptions } from '../../../../../src/core/sources/call-options.ts';
import { createSourceCallExecutor } from '../../../../../src/core/sources/source-call-executor.ts';
import { hasOpenCall } from '../../../../../src/core/sources/open-calls.ts';
import { totalWaitBudget, waitEachTime } from '../../../../../src/core/sources/wait-budget.ts';
import type { SourceCall } from '../../../../../src/core/sources/source-call.ts';
import {
  CompanyRefused,
  HalfOpenRejected,
  LoopDetected,
} from '../../../../../src/core/sources/source-errors.ts';
import {
  DatabaseUnavailable,
  InDoubt,
  Misconfigured,
  QueueUnavailable,
  SourceBlocked,
  SourcePaused,
  SourceRefused,
  SourceThrottled,
  SourceUnavailable,
  SourceUnreadable,
  messageWithVendor,
} from '../../../../../src/core/errors.ts';
import type { Throttle } from '../../../../../src/core/work/wait-cause.ts';
import { sourceFailure } from '../../../../../src/core/work/retry-policies.ts';
import type { EarlierCall, OpenLookup } from '../../../../../src/core/work/claim.ts';
import {
  dueReservation,
  fakeAsking,
  heldLease,
  lookupsOf,
  refusedWaitMs,
} from '../../../../support/sources/fake-calls.ts';
import { noLimits } from '../../../../support/api/no-limits.ts';

const down = new SourceUnavailable('down', { inDoubt: false });
const cutOff = new SourceUnavailable('cut off', { inDoubt: true });
const outage: Pause = { kind: 'failing', reason: 'live gives no answer', delayMs: 60_000 };

describe('a source call', () => {
  test('waits for its slot, is logged before it is sent, and ends with its answer and cost', async () => {
    const { ask, events, ends } = openExecutor();
    expect(await ask({ units: 3, charged: 0.5 })).toBe('page 1');
    expect(events).toEqual([
      'turn at live:bucket',
      'begin key-1',
      'sent page 1',
      'end key-1 as found for 0.5',
    ]);
    const [reply, health] = ['page 1', 'good'];
    expect(ends).toMatchObject([{ answer: 'found', units: 3, charged: 0.5, reply, health }]);
  });

  test('applies the rate limit headers of the source after its reply is stored', async () => {
    const { ask, events } = openExecutor({
      rateLimiter: {
        learn: async (bucket, _pace, allowance) => void events.push(`learn ${allowance?.limit} of ${bucket}`),
      },
    });
    await ask({ allowance: { limit: 30, windowMs: 60_000, remaining: 3, resetMs: null } });
    expect(events.slice(-2)).toEqual(['end key-1 as found', 'learn 30 of live:bucket']);
  });

  test('succeeds even if the rate limit headers cannot be stored, and reports that error', async () => {
    const { ask, replies, unanswered, events } = openExecutor({
      rateLimiter: { learn: () => Promise.reject(new QueueUnavailable('away')) },
    });
    expect(await ask({})).toBe('page 1');
    expect([[...replies.values()], unanswered()]).toEqual([['page 1'], []]);
    expect(events.at(-1)).toContain('away');
  });

  test('stays open if its answer cannot be stored, and is in doubt for the next caller', async () => {
    const { ask, unanswered } = openExecutor({
      calls: { end: () => Promise.reject(new DatabaseUnavailable('away')) },
    });
    await expect(ask({})).rejects.toThrow('away');
    expect(unanswered()).toEqual(['key-1']);
    const next = openExecutor({ earlier: [{ ...earlierCall, state: 'lost' }] });
    await expect(next.ask({})).rejects.toThrow(InDoubt);
    expect(next.events).toEqual([]);
  });

  test('stays open if it is aborted, because its result is unknown', async () => {
    const caller = new AbortController();
    const reason = new Error('stopping');
    const { ask, unanswered } = openExecutor({ lease: heldLease(caller.signal) });
    const asking = ask({
      send: (signal) => {
        caller.abort(reason);
        return Promise.reject(signal.reason as Error);
      },
    });
    await expect(asking).rejects.toBe(reason);
    expect(unanswered()).toEqual(['key-1']);
  });
});

describe('secrets in links of a reply', () => {
  const link = 'https://a.example/?x=1&access_token=S3cret';

  test('are removed before the reply is parsed or stored', async () => {
    const { ask, replies } = openExecutor();
    const text = await ask({ send: async () => ({ text: link, allowance: null }) });
    expect([text, ...replies.values()]).toEqual(['https://a.example/?x=1', 'https://a.example/?x=1']);
  });

  test('are removed from a stored reply', async () => {
    const { ask, replies } = openExecutor({
      earlier: [{ callId: 7n, source: 'live', about: 'page 1', state: 'kept' }],
    });
    replies.set(7n, link);
    expect(await ask({})).toBe('https://a.example/?x=1');
  });
});

describe('an earlier call', () => {
  const kept: EarlierCall = { callId: 7n, source: 'live', about: 'page 1', state: 'kept' };

  test('is parsed again from its stored reply without a reservation, a request or a cost', async () => {
    const { ask, replies, events } = openExecutor({ earlier: [kept] });
    replies.set(7n, 'what came');
    expect(await ask({})).toBe('what came');
    expect(events).toEqual([]);
  });

  test('is identified by its source and its subject', async () => {
    const earlier = [
      { ...kept, source: 'other' },
      { ...kept, about: 'page 2' },
    ];
    const { ask, replies, events } = openExecutor({ earlier });
    replies.set(7n, 'what came');
    expect(await ask({})).toBe('page 1');
    expect(events).toContain('sent page 1');
  });

  test('is parsed again page by page, and only a missing page is requested', async () => {
    const { ask, replies, events } = openExecutor({ earlier: [kept] });
    replies.set(7n, 'page 1 as it was');
    expect(await ask({})).toBe('page 1 as it was');
    expect(await ask({ about: 'page 2' })).toBe('page 2');
    expect(events.filter((event) => event.startsWith('sent'))).toEqual(['sent page 2']);
  });

  test('without a parsable reply is unreadable again at no cost', async () => {
    const { ask, replies, events } = openExecutor({ earlier: [kept] });
    replies.set(7n, 'odd');
    await expect(ask({ unreadable: true })).rejects.toThrow(SourceUnreadable);
    expect(events).toEqual([]);
  });

  test('is never repeated if only stored replies may be used', async () => {
    for (const earlier of [[], [{ ...kept, about: 'page 2' }]]) {
      const { ask, events } = openExecutor({ earlier, repliesOnly: true });
      await expect(ask({})).rejects.toThrow('is not stored');
      expect(events).toEqual([]);
    }
  });

  test('that was lost is not repeated, because it may have been charged', async () => {
    const lost: EarlierCall = { ...kept, state: 'lost', about: 'page 2' };
    const { ask, events } = openExecutor({ earlier: [lost] });
    await expect(ask({})).rejects.toThrow(InDoubt);
    expect(events).toEqual([]);
  });

  test('that was lost is settled by an answered repeat', async () => {
    const earlier: readonly EarlierCall[] = [
      { ...kept, state: 'lost' },
      { ...kept, callId: 8n },
    ];
    expect(
      earlier.map((_, i) => lookupsOf(1, { earlier: earlier.slice(0, i + 1) }).some(hasOpenCall)),
    ).toEqual([true, false]);
  });

  test('that was lost is repeated if the source is idempotent', async () => {
    const { ask } = openExecutor({ earlier: [{ ...kept, state: 'lost' }], source: { idempotent: true } });
    expect(await ask({})).toBe('page 1');
  });
});

describe('a source without permission for a call', () => {
  test('rejects the call with the reason and the delay of its pause', async () => {
    const pause: Pause = { kind: 'budget', reason: 'the budget is spent', delayMs: 5000 };
    const { ask, events } = openExecutor({ calls: { begin: async () => ({ kind: 'paused', pause }) } });
    const error = await ask({}).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(SourcePaused);
    const retry = { kind: 'after', delayMs: 5000 };
    expect(error).toMatchObject({ kind: 'budget', message: 'the budget is spent', retry });
    expect(events).toEqual(['turn at live:bucket']);
  });

  test('is called in a new slot when its calls in flight fall below the limit', async () => {
    const answers: Begun[] = [
      { kind: 'full' },
      { kind: 'full' },
      { kind: 'begun', callId: 4n, isProbe: false },
    ];
    const { ask, events } = openExecutor({
      calls: { begin: async () => answers.shift() ?? { kind: 'full' } },
    });
    await ask({});
    const reserve = 'turn at live:bucket';
    expect(events.slice(0, 6)).toEqual([
      reserve,
      'sleep 100 ms',
      reserve,
      'sleep 100 ms',
      reserve,
      'sent page 1',
    ]);
  });

  test('takes no slot as long as its calls in flight are at the limit', async () => {
    const rooms = [false, false, true];
    const { ask, events } = openExecutor({
      source: { limits: oneAtATime },
      calls: { hasRoom: async () => rooms.shift() ?? false },
    });
    await ask({});
    expect(events.slice(0, 3)).toEqual(['sleep 100 ms', 'sleep 100 ms', 'turn at live:bucket']);
  });

  test('reschedules the lookup if its calls in flight stay at the limit for the wait budget', async () => {
    const { ask, events } = openExecutor({
      source: { limits: oneAtATime },
      calls: { hasRoom: async () => false },
      waitBudget: waitEachTime(1000),
    });
    await expect(ask({})).rejects.toMatchObject({ code: 'source_throttled', retry: { delayMs: 1000 } });
    expect(events.filter((event) => event !== 'sleep 100 ms')).toEqual([]);
  });
});

describe('a search at a source with a call in 20 seconds', () => {
  const limits = { ...noLimits, deadlineMs: 1000, pace: { requestsPerSecond: 0.05, burst: 1 } };

  test('waits for the first slot that batches leave, and for no second one', async () => {
    const waitsMs: number[] = [];
    const { ask } = openExecutor({
      source: { limits },
      waitBudget: totalWaitBudget(10_000, () => 0),
      rateLimiter: {
        reserve: async (_bucket, _pace, { waitMsMax }) => {
          waitsMs.push(waitMsMax);
          return dueReservation;
        },
      },
    });
    await ask({});
    await ask({ about: 'page 2' });
    expect(waitsMs).toEqual([22_000, 10_000]);
  });
});

describe('a source that throttles', () => {
  test('is called again after its delay, with a free log entry for each try', async () => {
    const throttles = [new SourceThrottled('slowly', { delayMs: 7000 }), new SourceThrottled('slowly')];
    const { ask, events, ends } = openExecutor();
    expect(await ask({ fails: () => throttles.shift() })).toBe('page 1');
    expect(events.filter((event) => event.startsWith('hold'))).toEqual([
      'hold off live:bucket for 7000 ms',
      'hold off live:bucket for 2000 ms',
    ]);
    const throttled = { answer: 'source_throttled', units: 0, charged: null, reply: null, health: null };
    expect(ends).toMatchObject([throttled, throttled, { answer: 'found' }]);
  });
});

describe('the cause of a wait', () => {
  async function waitsOf(changes: Parameters<typeof openExecutor>[0], fails: () => Error | undefined) {
    const waits: (Pause | Throttle)[] = [];
    const { ask } = openExecutor({ ...changes, onWait: async (_source, wait) => void waits.push(wait) });
    await ask({ fails }).catch(() => undefined);
    return waits;
  }
  const once = (error: Error) => {
    const errors = [error];
    return () => errors.shift();
  };

  test('is the rate limit after a 429, with its delay', async () => {
    const waits = await waitsOf({}, once(new SourceThrottled('slowly', { delayMs: 7000 })));
    expect(waits).toEqual([{ cause: 'rate_limit', bound: null, reason: 'slowly', delayMs: 7000 }]);
  });

  test('is the rate limit when the headers leave no call', async () => {
    const allowance = { limit: 30, windowMs: 60_000, remaining: 0, resetMs: 9000 };
    const [wait] = await waitsOf({}, once(new SourceThrottled('slowly', { delayMs: 100, allowance })));
    expect(wait).toMatchObject({ cause: 'rate_limit', delayMs: 9000 });
  });

  test.each([
    [10_000, 'pace'],
    [20_000, 'rate_limit'],
  ])('of a slot every %i ms at a configured interval of 10 s is %s', async (intervalMs, cause) => {
    const reserve: CallOptions['rateLimiter']['reserve'] = async (_bucket, _pace, { onWait }) => {
      await onWait?.({ delayMs: 5000, intervalMs });
      await onWait?.({ delayMs: 50, intervalMs });
      return { comes: async () => true };
    };
    const limits = { ...noLimits, deadlineMs: 1000, pace: { requestsPerSecond: 0.1, burst: 1 } };
    const waits = await waitsOf({ rateLimiter: { reserve }, source: { limits } }, () => undefined);
    const bound = `${60_000 / intervalMs} calls a minute`;
    expect(waits).toEqual([{ cause, bound, reason: null, delayMs: 5000 }]);
  });

  test('is the pause of the source, before a call and after one that opens the circuit breaker', async () => {
    const budget: Pause = { kind: 'budget', reason: 'spent', delayMs: 1, cause: 'day_spend', bound: '5 USD' };
    const begin = async (): Promise<Begun> => ({ kind: 'paused', pause: budget });
    expect(await waitsOf({ calls: { begin } }, () => undefined)).toEqual([budget]);
    expect(await waitsOf({ calls: { end: async () => outage } }, () => down)).toEqual([outage]);
  });
});

describe('a source that throttles with rate limit headers', () => {
  test('has its rate limit applied to all callers', async () => {
    const allowance = { limit: 30, windowMs: 60_000, remaining: null, resetMs: null };
    const throttles = [new SourceThrottled('slowly', { delayMs: 7000, allowance })];
    const { ask, events } = openExecutor({
      rateLimiter: {
        learn: async (bucket, _pace, allowance) => void events.push(`learn ${allowance?.limit} of ${bucket}`),
      },
    });
    await ask({ fails: () => throttles.shift() });
    expect(events.slice(4, 6)).toEqual(['learn 30 of live:bucket', 'hold off live:bucket for 7000 ms']);
  });
});

describe('a call that missed its slot', () => {
  const missedOnce = () => {
    const comes = [false, true, true];
    return async () => ({ comes: async () => comes.shift() ?? true });
  };
  const renewals = (isProbe: boolean) => {
    const answers = [false, true];
    const renewed: bigint[] = [];
    const calls: Partial<SourceCallLog> = {
      begin: async () => ({ kind: 'begun', callId: 4n, isProbe }),
      renew: async (_source, { callId }) => {
        renewed.push(callId);
        return answers.shift() ?? true;
      },
    };
    return { renewed, calls };
  };

  test.each([
    ['of a source with a limit of calls in flight', { limits: oneAtATime }, false],
    ['that probes a source after a pause', {}, true],
  ] as const)('is sent after its log entry is renewed if it is one %s', async (_, source, isProbe) => {
    const { renewed, calls } = renewals(isProbe);
    const { ask, events } = openExecutor({ source, calls, rateLimiter: { reserve: missedOnce() } });
    expect(await ask({})).toBe('page 1');
    expect(renewed).toEqual([4n, 4n]);
    expect(events.slice(0, 2)).toEqual(['sleep 100 ms', 'sent page 1']);
  });

  test('and finds no room within the wait budget is not sent, and its lookup is rescheduled', async () => {
    const { ask, events, ends } = openExecutor({
      source: { limits: oneAtATime },
      calls: { renew: async () => false },
      rateLimiter: { reserve: missedOnce() },
      waitBudget: waitEachTime(1000),
      nowMs: () => 100 * events.filter((event) => event === 'sleep 100 ms').length,
    });
    await expect(ask({})).rejects.toMatchObject({ code: 'source_throttled', retry: { delayMs: 1000 } });
    expect(ends).toMatchObject([{ answer: 'not_sent', units: 0 }]);
  });

  test('and misses each other one for the wait budget is not sent, so that a far process does not hold the probe', async () => {
    let nowMs = 0;
    const { ask, ends } = openExecutor({
      rateLimiter: {
        reserve: async () => ({
          comes: async () => {
            nowMs += 300;
            return false;
          },
        }),
      },
      waitBudget: waitEachTime(1000),
      nowMs: () => nowMs,
    });
    await expect(ask({})).rejects.toMatchObject({ code: 'source_throttled' });
    expect([ends, nowMs]).toMatchObject([[{ answer: 'not_sent' }], 1200]);
  });

  test.each([
    [500, []],
    [501, [1n]],
  ])('by %i ms is renewed in the log beyond half a second', async (lateMs, wanted) => {
    const renewed: bigint[] = [];
    const moments = [0, 0, 0, lateMs];
    const { ask } = openExecutor({
      calls: { renew: async (_source, { callId }) => renewed.push(callId) > 0 },
      rateLimiter: { reserve: missedOnce() },
      nowMs: () => moments.shift() ?? lateMs,
    });
    await ask({});
    expect(renewed).toEqual(wanted);
  });
});

describe('a rejection of the half-open probe', () => {
  const asProbe = { begin: async () => ({ kind: 'begun', callId: 4n, isProbe: true }) as const };

  test.each([403, 404])(
    'with %i pauses the source again and counts as a try of its lookup',
    async (status) => {
      const { ask, pauses } = openExecutor({ calls: asProbe });
      const refusal = new SourceRefused('no', { status });
      const error: unknown = await ask({ fails: () => refusal }).catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(HalfOpenRejected);
      expect(error).toMatchObject({ lookupId: 1n, status, message: 'no', code: 'source_refused' });
      expect(pauses).toHaveLength(1);
    },
  );

  test.each([403, 404])(
    'with %i on the last try concerns the company and does not pause the source',
    async (status) => {
      const { ask, pauses, ends } = openExecutor({ calls: asProbe, tries: sourceFailure.triesMax - 1 });
      const refusal = new SourceRefused('no', { status });
      await expect(ask({ fails: () => refusal })).rejects.toBeInstanceOf(CompanyRefused);
      expect(pauses).toEqual([]);
      expect(ends).toMatchObject([{ answer: 'source_refused', health: null, isProbe: true }]);
    },
  );

  test.each([401, 402])('with %i always concerns the key or account', async (status) => {
    const { ask, pauses } = openExecutor({ calls: asProbe, tries: sourceFailure.triesMax - 1 });
    const refusal = new SourceRefused('no', { status });
    await expect(ask({ fails: () => refusal })).rejects.toBe(refusal);
    expect(pauses).toHaveLength(1);
  });
});

describe('a source that leads back to this installation', () => {
  const loop = new LoopDetected('in a circle');

  test('is paused if the request started here', async () => {
    const { ask, pauses } = openExecutor();
    await expect(ask({ fails: () => loop })).rejects.toBe(loop);
    expect(pauses).toMatchObject([{ kind: 'declined' }]);
  });

  test('is not paused if the request came with a Via header, which any caller can set', async () => {
    const { ask, pauses } = openExecutor({ via: ['another'] });
    await expect(ask({ fails: () => loop })).rejects.toBe(loop);
    expect(pauses).toEqual([]);
  });
});

describe('an error that concerns every company', () => {
  const refused = (status: number, vendorMessage: string | null = null) =>
    new SourceRefused('no', { status, vendorMessage });
  const blocked = new SourceBlocked('a wall', { delayMs: 1_800_000 });

  test.each([
    [refused(401), 'refused', refusedWaitMs],
    [refused(402), 'unpaid', refusedWaitMs],
    [refused(403), 'refused', refusedWaitMs],
    [refused(403, 'This key may not search'), 'refused', refusedWaitMs],
    [refused(403, 'Not in your country'), 'declined', refusedWaitMs],
    [refused(404), 'declined', refusedWaitMs],
    [new Misconfigured('leads back here'), 'declined', refusedWaitMs],
    [blocked, 'blocked', 1_800_000],
  ] as const)('pauses the source: $code $status', async (error, kind, delayMs) => {
    const { ask, pauses, ends } = openExecutor();
    await expect(ask({ fails: () => error })).rejects.toBe(error);
    expect(pauses).toEqual([{ kind, reason: messageWithVendor(error), delayMs }]);
    expect(ends).toMatchObject([{ answer: error.code, units: 0, charged: null, reply: null, health: null }]);
  });

  test.each([400, 409, 422])(
    'does not include a rejection with %i, which concerns one company',
    async (status) => {
      const { ask, pauses, ends } = openExecutor();
      await expect(ask({ fails: () => refused(status) })).rejects.toMatchObject({ status });
      expect(pauses).toEqual([]);
      expect(ends).toMatchObject([{ answer: 'source_refused', units: 0, health: null }]);
    },
  );
});

describe('a lookup that the source rejects', () => {
  const declined: Pause = { kind: 'declined', reason: 'what it says', delayMs: 60_000 };
  const refusal = (vendorMessage: string | null, status = 400) =>
    new SourceRefused(`no: ${vendorMessage}`, { status, vendorMessage });
  const beginProbe = async () => ({ kind: 'begun', callId: 4n, isProbe: true }) as const;

  async function likenessOf(error: SourceRefused): Promise<string | undefined> {
    const { ask, ends } = openExecutor();
    await expect(ask({ fails: () => error })).rejects.toBe(error);
    expect(ends[0]?.refusal).toMatchObject({
      alikeMax: 3,
      reason: messageWithVendor(error),
      delayMs: refusedWaitMs,
    });
    return ends[0]?.refusal?.likeness;
  }

  test('resembles another one by status and message, regardless of companies and numbers in it', async () => {
    const [one, ...others] = await Promise.all(
      [
        refusal('No plan for company-1.com (request 8f3a-12)'),
        refusal('no plan for Company-1.com (request 77)'),
        refusal('Unknown region', 400),
        refusal('No plan for company-1.com (request 8f3a-12)', 422),
      ].map(likenessOf),
    );
    expect(others.map((other) => other === one)).toEqual([true, false, false]);
  });

  test('pauses the source after too many similar ones, without a failure of the lookup', async () => {
    const { ask } = openExecutor({ calls: { end: async () => declined } });
    const asked = ask({ fails: () => refusal('x') });
    await expect(asked).rejects.toMatchObject({
      code: 'source_paused',
      kind: 'declined',
      message: 'what it says',
    });
  });

  test('counts as a try of its lookup if the call is a half-open probe', async () => {
    const { ask } = openExecutor({ calls: { begin: beginProbe, end: async () => declined } });
    await expect(ask({ fails: () => refusal('x') })).rejects.toBeInstanceOf(HalfOpenRejected);
    const last = openExecutor({ calls: { begin: beginProbe }, tries: sourceFailure.triesMax - 1 });
    await expect(last.ask({ fails: () => refusal('x') })).rejects.toMatchObject({ status: 400 });
    expect(last.ends).toMatchObject([{ refusal: null }]);
  });
});

describe('a source that does not answer', () => {
  const paused = { end: async () => outage };

  test('has charged nothing if it reports its failure itself', async () => {
    const { ask, ends } = openExecutor();
    await expect(ask({ fails: () => down })).rejects.toBe(down);
    expect(ends).toMatchObject([
      { answer: 'source_unavailable', units: 0, charged: null, reply: null, health: 'down' },
    ]);
  });

  test('may have charged the maximum of an interrupted call, which is in doubt', async () => {
    const { ask, ends } = openExecutor();
    await expect(ask({ fails: () => cutOff, unitsMax: 4 })).rejects.toThrow(InDoubt);
    expect(ends).toMatchObject([{ answer: 'in_doubt', units: 4, health: 'down' }]);
  });

  test('may have charged an interrupted call that is retried because the source is idempotent', async () => {
    const { ask, ends } = openExecutor({ source: { idempotent: true } });
    await expect(ask({ fails: () => cutOff, unitsMax: 4 })).rejects.toBe(cutOff);
    expect(ends).toMatchObject([{ answer: 'in_doubt', units: 4, health: 'down' }]);
  });

  test('is paused without a failure of the lookup if it answers no caller', async () => {
    for (const [error, idempotent] of [
      [down, false],
      [cutOff, true],
    ] as const) {
      const { ask } = openExecutor({ calls: paused, source: { idempotent } });
      await expect(ask({ fails: () => error })).rejects.toMatchObject({
        code: 'source_paused',
        kind: 'failing',
        retry: { kind: 'after', delayMs: 60_000 },
      });
    }
  });

  test('leaves a call in doubt even if it is paused, because it must not be sent again', async () => {
    const { ask } = openExecutor({ calls: paused });
    await expect(ask({ fails: () => cutOff })).rejects.toThrow(InDoubt);
  });
});

describe('an unreadable answer', () => {
  test('is stored, costs the maximum of the call and counts as a failure of the source', async () => {
    const { ask, ends } = openExecutor();
    await expect(ask({ unreadable: true, unitsMax: 4 })).rejects.toThrow(SourceUnreadable);
    expect(ends).toMatchObject([
      { answer: 'source_unreadable', units: 4, charged: null, reply: 'page 1', health: 'unreadable' },
    ]);
  });

  test('ends the lookup even if the source is paused for it, because the reply is paid and stored', async () => {
    const { ask } = openExecutor({ calls: { end: async () => outage } });
    await expect(ask({ unreadable: true })).rejects.toThrow(SourceUnreadable);
  });
});

const oneAtATime = { ...noLimits, concurrency: 1, deadlineMs: 1000 };
const earlierCall: EarlierCall = { callId: 7n, source: 'live', about: 'page 1', state: 'kept' };

interface ExchangeChanges extends Partial<
  Pick<CallOptions, 'lease' | 'waitBudget' | 'via' | 'nowMs' | 'onWait'>
> {
  readonly earlier?: OpenLookup['earlier'];
  readonly repliesOnly?: boolean;
  readonly tries?: number;
  readonly source?: Partial<CalledSource>;
  readonly rateLimiter?: Partial<CallOptions['rateLimiter']>;
  readonly calls?: Partial<SourceCallLog>;
}

/** Changes to a call; by default, its reply is its subject. */
interface CallChanges {
  readonly about?: string;
  readonly unitsMax?: number;
  readonly units?: number;
  readonly charged?: number;
  readonly allowance?: Awaited<ReturnType<SourceCall<string>['send']>>['allowance'];
  readonly unreadable?: boolean;
  /** Error of the call on each attempt. */
  readonly fails?: () => Error | undefined;
  readonly send?: SourceCall<string>['send'];
}

function openExecutor({ earlier = [], repliesOnly = false, tries = 0, ...changes }: ExchangeChanges = {}) {
  const { options, events, ...record } = fakeAsking();
  const source: CalledSource = {
    name: 'live',
    bucket: 'live:bucket',
    limits: { ...noLimits, deadlineMs: 1000 },
    idempotent: false,
    ...changes.source,
  };
  const [lookup] = lookupsOf(1, { earlier, repliesOnly, tries });
  if (lookup === undefined) throw new Error('There is no lookup.');
  const exchange = createSourceCallExecutor(source, lookup, {
    ...options,
    lease: changes.lease ?? options.lease,
    waitBudget: changes.waitBudget ?? options.waitBudget,
    via: changes.via ?? [],
    nowMs: changes.nowMs ?? options.nowMs,
    ...(changes.onWait === undefined ? {} : { onWait: changes.onWait }),
    rateLimiter: { ...options.rateLimiter, ...changes.rateLimiter },
    calls: { ...options.calls, ...changes.calls },
  });
  const ask = (call: CallChanges) => exchange(callOf(call, events));
  return { ask, events, ...record };
}

function callOf(call: CallChanges, events: string[]): SourceCall<string> {
  const { about = 'page 1', unitsMax = 1, units = 1, charged, allowance = null } = call;
  return {
    about,
    unitsMax,
    send:
      call.send ??
      (async () => {
        events.push(`sent ${about}`);
        const error = call.fails?.();
        if (error !== undefined) throw error;
        return { text: about, allowance };
      }),
    read: (text) => {
      if (call.unreadable === true) throw new SourceUnreadable('odd');
      return { value: text, says: 'found', units, ...(charged === undefined ? {} : { charged }) };
    },
  };
}
