import type { Pause } from '../../../../../src/core/work/pause.ts';
import { describe, expect, test } from 'vitest';
import type { CalledSource } from '../../../../../src/core/sources/ad-source.ts';
import type { Begun, SourceCallLog } from '../../../../../src/core/sources/call-log.ts';
import {
  createSourceCallExecutor,
  type CallOptions,
} from '../../../../../src/core/sources/source-call-executor.ts';
import { hasOpenCall } from '../../../../../src/core/sources/open-calls.ts';
import { waitEachTime } from '../../../../../src/core/sources/wait-budget.ts';
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
import { sourceFailure } from '../../../../../src/core/work/retry-policies.ts';
import type { EarlierCall, OpenLookup } from '../../../../../src/core/work/claim.ts';
import { fakeAsking, heldLease, lookupsOf, refusedWaitMs } from '../../../../support/sources/fake-calls.ts';
import { noLimits } from '../../../../support/api/no-limits.ts';

const down = new SourceUnavailable('down', { inDoubt: false });
const cutOff = new SourceUnavailable('cut off', { inDoubt: true });
const outage: Pause = { kind: 'failing', reason: 'live gives no answer', delayMs: 60_000 };

describe('a call', () => {
  test('waits for its turn, is on record before it is sent, and ends with what came and what it cost', async () => {
    const { ask, events, ends } = openExchange();
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

  test('has the source’s word on its pace heeded, once its reply is kept', async () => {
    const { ask, events } = openExchange({
      rateLimiter: {
        learn: async (bucket, _pace, allowance) => void events.push(`learn ${allowance?.limit} of ${bucket}`),
      },
    });
    await ask({ allowance: { limit: 30, windowMs: 60_000, remaining: 3, resetMs: null } });
    expect(events.slice(-2)).toEqual(['end key-1 as found', 'learn 30 of live:bucket']);
  });

  test('that was answered is answered although the pace cannot be written down, which is reported', async () => {
    const { ask, replies, unanswered, events } = openExchange({
      rateLimiter: { learn: () => Promise.reject(new QueueUnavailable('away')) },
    });
    expect(await ask({})).toBe('page 1');
    expect([[...replies.values()], unanswered()]).toEqual([['page 1'], []]);
    expect(events.at(-1)).toContain('away');
  });

  test('whose answer cannot be written down stays open, and is in doubt for who comes next', async () => {
    const { ask, unanswered } = openExchange({
      calls: { end: () => Promise.reject(new DatabaseUnavailable('away')) },
    });
    await expect(ask({})).rejects.toThrow('away');
    expect(unanswered()).toEqual(['key-1']);
    const next = openExchange({ earlier: [{ ...earlierCall, state: 'lost' }] });
    await expect(next.ask({})).rejects.toThrow(InDoubt);
    expect(next.events).toEqual([]);
  });

  test('that is called off in the middle stays open: nobody knows what became of it', async () => {
    const caller = new AbortController();
    const reason = new Error('stopping');
    const { ask, unanswered } = openExchange({ lease: heldLease(caller.signal) });
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

describe('secrets in the links of a reply', () => {
  const link = 'https://a.example/?x=1&access_token=S3cret';

  test('are gone before it is read or kept', async () => {
    const { ask, replies } = openExchange();
    const text = await ask({ send: async () => ({ text: link, allowance: null }) });
    expect([text, ...replies.values()]).toEqual(['https://a.example/?x=1', 'https://a.example/?x=1']);
  });

  test('are gone from one that was kept with them', async () => {
    const { ask, replies } = openExchange({
      earlier: [{ callId: 7n, source: 'live', about: 'page 1', state: 'kept' }],
    });
    replies.set(7n, link);
    expect(await ask({})).toBe('https://a.example/?x=1');
  });
});

describe('a call that was made before', () => {
  const kept: EarlierCall = { callId: 7n, source: 'live', about: 'page 1', state: 'kept' };

  test('is read again from its reply: no turn is taken, nothing is sent, nothing costs', async () => {
    const { ask, replies, events } = openExchange({ earlier: [kept] });
    replies.set(7n, 'what came');
    expect(await ask({})).toBe('what came');
    expect(events).toEqual([]);
  });

  test('is told apart by its source and by what it was about', async () => {
    const earlier = [
      { ...kept, source: 'other' },
      { ...kept, about: 'page 2' },
    ];
    const { ask, replies, events } = openExchange({ earlier });
    replies.set(7n, 'what came');
    expect(await ask({})).toBe('page 1');
    expect(events).toContain('sent page 1');
  });

  test('is read again page by page, and only the page that is missing is called', async () => {
    const { ask, replies, events } = openExchange({ earlier: [kept] });
    replies.set(7n, 'page 1 as it was');
    expect(await ask({})).toBe('page 1 as it was');
    expect(await ask({ about: 'page 2' })).toBe('page 2');
    expect(events.filter((event) => event.startsWith('sent'))).toEqual(['sent page 2']);
  });

  test('and cannot be read by today’s adapter is unreadable again, and costs nothing again', async () => {
    const { ask, replies, events } = openExchange({ earlier: [kept] });
    replies.set(7n, 'odd');
    await expect(ask({ unreadable: true })).rejects.toThrow(SourceUnreadable);
    expect(events).toEqual([]);
  });

  test('is never made where only kept replies are to be read', async () => {
    for (const earlier of [[], [{ ...kept, about: 'page 2' }]]) {
      const { ask, events } = openExchange({ earlier, repliesOnly: true });
      await expect(ask({})).rejects.toThrow('is not kept');
      expect(events).toEqual([]);
    }
  });

  test('and was lost is not made again, whatever it was about: it may have been charged', async () => {
    const lost: EarlierCall = { ...kept, state: 'lost', about: 'page 2' };
    const { ask, events } = openExchange({ earlier: [lost] });
    await expect(ask({})).rejects.toThrow(InDoubt);
    expect(events).toEqual([]);
  });

  test('and was lost, and was repeated with an answer, is one order, and is open no more', async () => {
    const earlier: readonly EarlierCall[] = [
      { ...kept, state: 'lost' },
      { ...kept, callId: 8n },
    ];
    expect(
      earlier.map((_, i) => lookupsOf(1, { earlier: earlier.slice(0, i + 1) }).some(hasOpenCall)),
    ).toEqual([true, false]);
  });

  test('and was lost is made again where the source knows a repeat', async () => {
    const { ask } = openExchange({ earlier: [{ ...kept, state: 'lost' }], source: { idempotent: true } });
    expect(await ask({})).toBe('page 1');
  });
});

describe('a source that is not to be asked', () => {
  test('says so instead of beginning the call, with why and for how long', async () => {
    const pause: Pause = { kind: 'budget', reason: 'the budget is spent', delayMs: 5000 };
    const { ask, events } = openExchange({ calls: { begin: async () => ({ kind: 'paused', pause }) } });
    const error = await ask({}).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(SourcePaused);
    const retry = { kind: 'after', delayMs: 5000 };
    expect(error).toMatchObject({ kind: 'budget', message: 'the budget is spent', retry });
    expect(events).toEqual(['turn at live:bucket']);
  });

  test('because it has its fill of calls is asked as soon as there is room, in a new turn', async () => {
    const answers: Begun[] = [
      { kind: 'full' },
      { kind: 'full' },
      { kind: 'begun', callId: 4n, isProbe: false },
    ];
    const { ask, events } = openExchange({
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

  test('because there is no room in sight costs no turn meanwhile', async () => {
    const rooms = [false, false, true];
    const { ask, events } = openExchange({
      source: { limits: oneAtATime },
      calls: { hasRoom: async () => rooms.shift() ?? false },
    });
    await ask({});
    expect(events.slice(0, 3)).toEqual(['sleep 100 ms', 'sleep 100 ms', 'turn at live:bucket']);
  });

  test('because there is no room for as long as anybody waits gives the lookup back', async () => {
    const { ask, events } = openExchange({
      source: { limits: oneAtATime },
      calls: { hasRoom: async () => false },
      waitBudget: waitEachTime(1000),
    });
    await expect(ask({})).rejects.toMatchObject({ code: 'source_throttled', retry: { delayMs: 1000 } });
    expect(events.filter((event) => event !== 'sleep 100 ms')).toEqual([]);
  });
});

describe('a source that asks to wait', () => {
  test('is asked again when it says, on a record of its own each time, which costs nothing', async () => {
    const throttles = [new SourceThrottled('slowly', { delayMs: 7000 }), new SourceThrottled('slowly')];
    const { ask, events, ends } = openExchange();
    expect(await ask({ fails: () => throttles.shift() })).toBe('page 1');
    expect(events.filter((event) => event.startsWith('hold'))).toEqual([
      'hold off live:bucket for 7000 ms',
      'hold off live:bucket for 2000 ms',
    ]);
    const throttled = { answer: 'source_throttled', units: 0, charged: null, reply: null, health: null };
    expect(ends).toMatchObject([throttled, throttled, { answer: 'found' }]);
  });
});

describe('a source that names its pace beside "slow down"', () => {
  test('has it heeded from then on, by everybody', async () => {
    const allowance = { limit: 30, windowMs: 60_000, remaining: null, resetMs: null };
    const throttles = [new SourceThrottled('slowly', { delayMs: 7000, allowance })];
    const { ask, events } = openExchange({
      rateLimiter: {
        learn: async (bucket, _pace, allowance) => void events.push(`learn ${allowance?.limit} of ${bucket}`),
      },
    });
    await ask({ fails: () => throttles.shift() });
    expect(events.slice(4, 6)).toEqual(['learn 30 of live:bucket', 'hold off live:bucket for 7000 ms']);
  });
});

describe('a call that has missed its turn', () => {
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
    ['that tries a source after a pause', {}, true],
  ] as const)('and is one %s goes out once it counts anew', async (_, source, isProbe) => {
    const { renewed, calls } = renewals(isProbe);
    const { ask, events } = openExchange({ source, calls, rateLimiter: { reserve: missedOnce() } });
    expect(await ask({})).toBe('page 1');
    expect(renewed).toEqual([4n, 4n]);
    expect(events.slice(0, 2)).toEqual(['sleep 100 ms', 'sent page 1']);
  });

  test('needs no place of its own elsewhere', async () => {
    const { renewed, calls } = renewals(false);
    const { ask } = openExchange({ calls, rateLimiter: { reserve: missedOnce() } });
    await ask({});
    expect(renewed).toEqual([]);
  });
});

describe('a refusal met by the call that tries the source after a pause', () => {
  const inTrial = { begin: async () => ({ kind: 'begun', callId: 4n, isProbe: true }) as const };

  test.each([403, 404])(
    'with %i pauses the source again, and is told to be a try of its lookup',
    async (status) => {
      const { ask, pauses } = openExchange({ calls: inTrial });
      const refusal = new SourceRefused('no', { status });
      const error: unknown = await ask({ fails: () => refusal }).catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(HalfOpenRejected);
      expect(error).toMatchObject({ lookupId: 1n, status, message: 'no', code: 'source_refused' });
      expect(pauses).toHaveLength(1);
    },
  );

  test.each([403, 404])(
    'with %i for the last time is about the company, and keeps nobody waiting',
    async (status) => {
      const { ask, pauses, ends } = openExchange({ calls: inTrial, tries: sourceFailure.triesMax - 1 });
      const refusal = new SourceRefused('no', { status });
      await expect(ask({ fails: () => refusal })).rejects.toBeInstanceOf(CompanyRefused);
      expect(pauses).toEqual([]);
      expect(ends).toMatchObject([{ answer: 'source_refused', health: null, isProbe: true }]);
    },
  );

  test.each([401, 402])('with %i is about our key or account, however often', async (status) => {
    const { ask, pauses } = openExchange({ calls: inTrial, tries: sourceFailure.triesMax - 1 });
    const refusal = new SourceRefused('no', { status });
    await expect(ask({ fails: () => refusal })).rejects.toBe(refusal);
    expect(pauses).toHaveLength(1);
  });
});

describe('a source that leads back', () => {
  const leadsBack = new LoopDetected('in a circle');

  test('is paused where the question began here', async () => {
    const { ask, pauses } = openExchange();
    await expect(ask({ fails: () => leadsBack })).rejects.toBe(leadsBack);
    expect(pauses).toMatchObject([{ kind: 'declined' }]);
  });

  test('is nobody else’s trouble where the question came with a way behind it, which anybody may write', async () => {
    const { ask, pauses } = openExchange({ via: ['another'] });
    await expect(ask({ fails: () => leadsBack })).rejects.toBe(leadsBack);
    expect(pauses).toEqual([]);
  });
});

describe('trouble that concerns everybody', () => {
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
    const { ask, pauses, ends } = openExchange();
    await expect(ask({ fails: () => error })).rejects.toBe(error);
    expect(pauses).toEqual([{ kind, reason: messageWithVendor(error), delayMs }]);
    expect(ends).toMatchObject([{ answer: error.code, units: 0, charged: null, reply: null, health: null }]);
  });

  test.each([400, 409, 422])('is not a refusal with %i, which is about this company', async (status) => {
    const { ask, pauses, ends } = openExchange();
    await expect(ask({ fails: () => refused(status) })).rejects.toMatchObject({ status });
    expect(pauses).toEqual([]);
    expect(ends).toMatchObject([{ answer: 'source_refused', units: 0, health: null }]);
  });
});

describe('a question that the source declines', () => {
  const declined: Pause = { kind: 'declined', reason: 'what it says', delayMs: 60_000 };
  const refusal = (vendorMessage: string | null, status = 400) =>
    new SourceRefused(`no: ${vendorMessage}`, { status, vendorMessage });
  const trial = async () => ({ kind: 'begun', callId: 4n, isProbe: true }) as const;

  async function likenessOf(error: SourceRefused): Promise<string | undefined> {
    const { ask, ends } = openExchange();
    await expect(ask({ fails: () => error })).rejects.toBe(error);
    expect(ends[0]?.refusal).toMatchObject({
      alikeMax: 3,
      reason: messageWithVendor(error),
      delayMs: refusedWaitMs,
    });
    return ends[0]?.refusal?.likeness;
  }

  test('is like another one by status and words, whichever company and number they name', async () => {
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

  test('alike once too often pauses the source, and the company is not to blame', async () => {
    const { ask } = openExchange({ calls: { end: async () => declined } });
    const asked = ask({ fails: () => refusal('x') });
    await expect(asked).rejects.toMatchObject({
      code: 'source_paused',
      kind: 'declined',
      message: 'what it says',
    });
  });

  test('by the call that tries after such a pause is a try of its lookup', async () => {
    const { ask } = openExchange({ calls: { begin: trial, end: async () => declined } });
    await expect(ask({ fails: () => refusal('x') })).rejects.toBeInstanceOf(HalfOpenRejected);
    const last = openExchange({ calls: { begin: trial }, tries: sourceFailure.triesMax - 1 });
    await expect(last.ask({ fails: () => refusal('x') })).rejects.toMatchObject({ status: 400 });
    expect(last.ends).toMatchObject([{ refusal: null }]);
  });
});

describe('a source that gives no answer', () => {
  const paused = { end: async () => outage };

  test('has not charged where it says itself that it failed', async () => {
    const { ask, ends } = openExchange();
    await expect(ask({ fails: () => down })).rejects.toBe(down);
    expect(ends).toMatchObject([
      { answer: 'source_unavailable', units: 0, charged: null, reply: null, health: 'down' },
    ]);
  });

  test('may have charged all that the call can cost where the call was cut off, which is in doubt', async () => {
    const { ask, ends } = openExchange();
    await expect(ask({ fails: () => cutOff, unitsMax: 4 })).rejects.toThrow(InDoubt);
    expect(ends).toMatchObject([{ answer: 'in_doubt', units: 4, health: 'down' }]);
  });

  test('is tried again after a cut where it knows a repeat, and may have charged for it meanwhile', async () => {
    const { ask, ends } = openExchange({ source: { idempotent: true } });
    await expect(ask({ fails: () => cutOff, unitsMax: 4 })).rejects.toBe(cutOff);
    expect(ends).toMatchObject([{ answer: 'in_doubt', units: 4, health: 'down' }]);
  });

  test('to anybody is paused, and the company is not to blame', async () => {
    for (const [error, idempotent] of [
      [down, false],
      [cutOff, true],
    ] as const) {
      const { ask } = openExchange({ calls: paused, source: { idempotent } });
      await expect(ask({ fails: () => error })).rejects.toMatchObject({
        code: 'source_paused',
        kind: 'failing',
        retry: { kind: 'after', delayMs: 60_000 },
      });
    }
  });

  test('to anybody leaves a call in doubt as it is: it must not be sent again', async () => {
    const { ask } = openExchange({ calls: paused });
    await expect(ask({ fails: () => cutOff })).rejects.toThrow(InDoubt);
  });
});

describe('an answer that cannot be read', () => {
  test('is kept, counts with all that it can cost, and speaks against the source', async () => {
    const { ask, ends } = openExchange();
    await expect(ask({ unreadable: true, unitsMax: 4 })).rejects.toThrow(SourceUnreadable);
    expect(ends).toMatchObject([
      { answer: 'source_unreadable', units: 4, charged: null, reply: 'page 1', health: 'unreadable' },
    ]);
  });

  test('ends the lookup although the source is paused for it: the reply is paid and kept', async () => {
    const { ask } = openExchange({ calls: { end: async () => outage } });
    await expect(ask({ unreadable: true })).rejects.toThrow(SourceUnreadable);
  });
});

const oneAtATime = { ...noLimits, concurrency: 1, deadlineMs: 1000 };
const earlierCall: EarlierCall = { callId: 7n, source: 'live', about: 'page 1', state: 'kept' };

interface ExchangeChanges extends Partial<Pick<CallOptions, 'lease' | 'waitBudget' | 'via'>> {
  readonly earlier?: OpenLookup['earlier'];
  readonly repliesOnly?: boolean;
  readonly tries?: number;
  readonly source?: Partial<CalledSource>;
  readonly rateLimiter?: Partial<CallOptions['rateLimiter']>;
  readonly calls?: Partial<SourceCallLog>;
}

/** Changes to a call; its reply is its subject, unless it is sent or parsed in another way. */
interface CallChanges {
  readonly about?: string;
  readonly unitsMax?: number;
  readonly units?: number;
  readonly charged?: number;
  readonly allowance?: Awaited<ReturnType<SourceCall<string>['send']>>['allowance'];
  readonly unreadable?: boolean;
  /** Error of the call, each time it is sent. */
  readonly fails?: () => Error | undefined;
  readonly send?: SourceCall<string>['send'];
}

function openExchange({ earlier = [], repliesOnly = false, tries = 0, ...changes }: ExchangeChanges = {}) {
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
