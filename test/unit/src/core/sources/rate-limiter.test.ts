import { setMaxListeners } from 'node:events';
import fc from 'fast-check';
import pLimit from 'p-limit';
import { describe, expect, test } from 'vitest';
import type { Allowance } from '../../../../../src/core/sources/allowance.ts';
import {
  createRateLimiter,
  type RateLimiter,
  type RateLimitStore,
} from '../../../../../src/core/sources/rate-limiter.ts';
import { totalWaitBudget } from '../../../../../src/core/sources/wait-budget.ts';
import { createClock, type FakeClock } from '../../../../support/fake-clock.ts';

const never = new AbortController().signal;
// Every caller of a scenario adds a listener.
setMaxListeners(0, never);
const forAnHour = { waitMsMax: 3_600_000, signal: never };

describe('the rate limiter with stalling processes and a slow store', () => {
  test('allows per window at most the rate plus the burst, and starts every call', async () => {
    await fc.assert(
      fc.asyncProperty(scenarios, async (scenario) => {
        const startsMs = await play(scenario);
        const { requestsPerSecond, burst } = scenario.pace;
        expect(startsMs).toHaveLength(scenario.processes * scenario.callsEach);
        for (const windowMs of [1000, 100, 3000]) {
          const allowed = Math.ceil((requestsPerSecond * windowMs) / 1000) + burst;
          expect(mostWithin(windowMs, startsMs)).toBeLessThanOrEqual(allowed);
        }
      }),
      { numRuns: 150 },
    );
  });

  test('uses every slot in a process that never stalls', async () => {
    const { clock, rateLimiter } = openLimiter();
    const startsMs: number[] = [];
    const calls = Array.from({ length: 20 }, async () => {
      const reservation = await rateLimiter.reserve('a', { requestsPerSecond: 10, burst: 1 }, forAnHour);
      expect(await reservation.comes(never)).toBe(true);
      startsMs.push(clock.nowMs());
    });
    await clock.runUntil(Promise.all(calls));
    const [firstMs = 0] = startsMs;
    expect(startsMs).toEqual(Array.from({ length: 20 }, (_, i) => firstMs + i * 100));
  });
});

describe('a process that is far from the store and from the log of calls', () => {
  const farMs = 200;

  test.each([
    { requestsPerSecond: 10, burst: 10 },
    { requestsPerSecond: 2, burst: 1 },
    { requestsPerSecond: 50, burst: 20 },
  ])('calls all the same, at %o', async (pace) => {
    const clock = createClock();
    const store = createStore(clock, { offsetMs: 77_000, delayMs: () => farMs });
    const rateLimiter = limiterOn(store, clock);
    const startsMs: number[] = [];
    const calls = Array.from({ length: 100 }, async () => {
      for (;;) {
        const reservation = await rateLimiter.reserve('a', pace, forAnHour);
        await clock.sleep(2 * farMs, never);
        if (await reservation.comes(never)) break;
      }
      startsMs.push(clock.nowMs());
    });
    await clock.runUntil(Promise.all(calls));
    const allowed = pace.requestsPerSecond + pace.burst;
    expect(mostWithin(1000, startsMs)).toBeLessThanOrEqual(allowed);
    // Without the first seconds, in which it learns its distance.
    expect(store.taken()).toBeLessThan(startsMs.length + 7 * pace.requestsPerSecond);
  });
});

describe('a reservation', () => {
  test('is due at once without a rate limit and never expires', async () => {
    const { clock, rateLimiter } = openLimiter();
    const reservations = await clock.runUntil(
      Promise.all(Array.from({ length: 500 }, () => rateLimiter.reserve('a', null, forAnHour))),
    );
    expect(clock.nowMs()).toBe(0);
    clock.moveTo(1_000_000);
    expect(await Promise.all(reservations.map((reservation) => reservation.comes(never)))).not.toContain(
      false,
    );
    expect(clock.nowMs()).toBe(1_000_000);
  });

  test('expires once its call could exceed the rate limit together with later ones', async () => {
    const { clock, rateLimiter } = openLimiter();
    const pace = { requestsPerSecond: 10, burst: 5 };
    const [early, late] = await clock.runUntil(
      Promise.all([rateLimiter.reserve('a', pace, forAnHour), rateLimiter.reserve('b', pace, forAnHour)]),
    );
    expect(await clock.runUntil(early.comes(never))).toBe(true);
    clock.moveTo(clock.nowMs() + 500);
    expect(await late.comes(never)).toBe(false);
  });

  test('beyond the wait budget is rejected with the delay and takes no slot', async () => {
    const { clock, rateLimiter, store } = openLimiter();
    await rateLimiter.pauseUntil('a', 60_000);
    const reservation = rateLimiter.reserve(
      'a',
      { requestsPerSecond: 1, burst: 1 },
      { waitMsMax: 59_000, signal: never },
    );
    await expect(clock.runUntil(reservation)).rejects.toMatchObject({
      code: 'source_throttled',
      retry: { kind: 'after', delayMs: 60_000 },
    });
    expect([store.taken(), clock.nowMs()]).toEqual([0, 0]);
  });

  test('that would be due after the wait budget because of others is rejected', async () => {
    const { clock, rateLimiter, store } = openLimiter();
    const pace = { requestsPerSecond: 1, burst: 1 };
    const ends = Array.from({ length: 100 }, async () => {
      const end = await rateLimiter
        .reserve('a', pace, { waitMsMax: 10_000, signal: never })
        .catch((error: unknown) => error);
      return { waitedMs: clock.nowMs(), isRefused: end instanceof Error };
    });
    const waits = await clock.runUntil(Promise.all(ends));
    expect(Math.max(...waits.map(({ waitedMs }) => waitedMs))).toBeLessThan(2 * 10_000);
    expect(waits.filter(({ isRefused }) => !isRefused)).toHaveLength(store.taken());
    expect(store.taken()).toBeGreaterThanOrEqual(10);
  });

  test('respects a pause of the source even without a rate limit', async () => {
    const { clock, rateLimiter } = openLimiter();
    await rateLimiter.pauseUntil('a', 7000);
    const reservation = await clock.runUntil(rateLimiter.reserve('a', null, forAnHour));
    await clock.runUntil(reservation.comes(never));
    expect(clock.nowMs()).toBe(7000);
    await clock.runUntil(rateLimiter.reserve('b', null, forAnHour));
    expect(clock.nowMs()).toBe(7000);
  });

  test('reports the distance of a later slot, also of one that is too far away', async () => {
    const { clock, rateLimiter } = openLimiter();
    const pace = { requestsPerSecond: 0.1, burst: 1 };
    const waits: unknown[] = [];
    const onWait = async (wait: unknown) => void waits.push(wait);
    await clock.runUntil(rateLimiter.reserve('a', pace, { ...forAnHour, onWait }));
    expect(waits).toEqual([]);
    await clock.runUntil(rateLimiter.reserve('a', pace, { ...forAnHour, onWait }));
    expect(waits).toEqual([{ delayMs: 10_000, intervalMs: 10_000 }]);
    const far = rateLimiter.reserve('a', pace, { ...forAnHour, waitMsMax: 1000, onWait });
    await clock.runUntil(far.catch(() => undefined));
    expect(waits).toHaveLength(2);
  });

  test('rejects when the work is aborted, while others still become due', async () => {
    const { clock, rateLimiter } = openLimiter();
    await rateLimiter.pauseUntil('a', 7000);
    const caller = new AbortController();
    const pace = { requestsPerSecond: 1, burst: 1 };
    const reason = new Error('stopping');
    const called = expect(
      rateLimiter.reserve('a', pace, { ...forAnHour, signal: caller.signal }),
    ).rejects.toBe(reason);
    const other = rateLimiter.reserve('a', pace, forAnHour);
    caller.abort(reason);
    await called;
    await clock.runUntil(other);
  });

  test('is requested from the store together with concurrent ones', async () => {
    const { clock, rateLimiter, store } = openLimiter();
    const pace = { requestsPerSecond: 1000, burst: 10 };
    await clock.runUntil(
      Promise.all(Array.from({ length: 50 }, () => rateLimiter.reserve('a', pace, forAnHour))),
    );
    expect(store.trips()).toBeLessThan(10);
  });
});

describe('a caller without a bound for its slot, beside callers with one', () => {
  const pace = { requestsPerSecond: 5, burst: 2 };
  const slotMsMax = 1000;

  test('waits for at most that bound and one interval, and no slot is lost', async () => {
    const { clock, store, rateLimiter } = openLimiter();
    const startsMs: number[] = [];
    const call = async (limiter: RateLimiter, options: object) => {
      const reservation = await limiter.reserve('a', pace, { ...forAnHour, ...options });
      expect(await reservation.comes(never)).toBe(true);
      startsMs.push(clock.nowMs());
    };
    const batches = Array.from({ length: 20 }, () => {
      const limiter = limiterOn(store, clock);
      return Promise.all(Array.from({ length: 10 }, () => call(limiter, { slotMsMax })));
    });
    await clock.runUntil(new Promise<void>((resolve) => void clock.sleep(5000, never).then(resolve)));
    const askedMs = clock.nowMs();
    await clock.runUntil(call(rateLimiter, {}));
    expect(clock.nowMs() - askedMs).toBeLessThanOrEqual(slotMsMax + 200 + 25);
    await clock.runUntil(Promise.all(batches));
    const [firstMs = 0] = startsMs;
    expect(startsMs.toSorted((a, b) => a - b)).toEqual(startsMs.map((_, i) => firstMs + i * 200));
  });

  test('gets a slot of a source with a call in 20 seconds within its wait budget', async () => {
    const { clock, rateLimiter } = openLimiter();
    const slow = { requestsPerSecond: 0.05, burst: 1 };
    const batch = Array.from({ length: 5 }, () =>
      rateLimiter.reserve('a', slow, { ...forAnHour, slotMsMax }),
    );
    await clock.runUntil(Promise.all(batch.slice(0, 2)));
    const waitMsMax = totalWaitBudget(10_000, clock.nowMs).leftMs(slow);
    await clock.runUntil(rateLimiter.reserve('a', slow, { waitMsMax, signal: never }));
    await clock.runUntil(Promise.all(batch));
  });

  test('lets a caller with a bound ask again if its slot has come near while the store answered', async () => {
    const clock = createClock();
    const rateLimiter = limiterOn(createStore(clock, { offsetMs: 0, delayMs: () => 30 }), clock);
    await rateLimiter.pauseUntil('a', 1040);
    const options = { waitMsMax: 60_000, slotMsMax, signal: never };
    const reservation = await clock.runUntil(rateLimiter.reserve('a', pace, options));
    expect(await clock.runUntil(reservation.comes(never))).toBe(true);
    expect(clock.nowMs()).toBe(1060);
  });

  test('lets a caller with a bound hold its place only while its slot is near', async () => {
    const { clock, rateLimiter } = openLimiter();
    await rateLimiter.pauseUntil('a', 60_000);
    const held: (readonly [string, number])[] = [];
    const place = {
      take: async () => void held.push(['take', clock.nowMs()]),
      release: () => void held.push(['release', clock.nowMs()]),
    };
    await clock.runUntil(rateLimiter.reserve('a', pace, { ...forAnHour, slotMsMax, place }));
    expect(held).toEqual([
      ['take', 0],
      ['release', 0],
      ['take', 59_000],
    ]);
  });

  test('rejects a caller with a bound whose slot is beyond its wait budget', async () => {
    const { clock, rateLimiter } = openLimiter();
    await rateLimiter.pauseUntil('a', 60_000);
    const reserve = (waitMsMax: number) =>
      clock.runUntil(rateLimiter.reserve('a', pace, { waitMsMax, slotMsMax, signal: never }));
    await expect(reserve(59_000)).rejects.toMatchObject({ retry: { kind: 'after', delayMs: 60_000 } });
    expect(clock.nowMs()).toBe(0);
    await reserve(61_000);
    expect(clock.nowMs()).toBe(60_000);
  });
});

describe('a rate limit that the source reports', () => {
  const pace = { requestsPerSecond: 10, burst: 1 };
  const perSecond = (limit: number): Allowance => ({ limit, windowMs: 1000, remaining: 1, resetMs: null });

  test('applies from then on if it is slower than the configured one', async () => {
    const { clock, rateLimiter } = openLimiter();
    await rateLimiter.learn('a', pace, perSecond(2));
    const startsMs: number[] = [];
    const calls = Array.from({ length: 6 }, async () => {
      const reservation = await rateLimiter.reserve('a', pace, forAnHour);
      await reservation.comes(never);
      startsMs.push(clock.nowMs());
    });
    await clock.runUntil(Promise.all(calls));
    const [firstMs = 0] = startsMs;
    expect(startsMs).toEqual(Array.from({ length: 6 }, (_, i) => firstMs + i * 500));
  });

  test('changes nothing if it is faster or missing', async () => {
    const { clock, rateLimiter, store } = openLimiter();
    await rateLimiter.learn('a', pace, perSecond(1000));
    await rateLimiter.learn('a', pace, null);
    await clock.runUntil(rateLimiter.reserve('a', pace, forAnHour));
    expect([store.learnedMs, clock.nowMs()]).toEqual([[], 0]);
  });

  test('is stored once and after changes only', async () => {
    const { rateLimiter, store } = openLimiter();
    for (const limit of [2, 2, 2, 4, 4]) await rateLimiter.learn('a', pace, perSecond(limit));
    expect(store.learnedMs).toEqual([500, 250]);
  });

  test('is stored again every hour', async () => {
    const { clock, rateLimiter, store } = openLimiter();
    for (const waitMs of [0, 3_000_000, 700_000]) {
      await clock.runUntil(clock.sleep(waitMs, never));
      await rateLimiter.learn('a', pace, perSecond(2));
    }
    expect(store.learnedMs).toEqual([500, 500]);
  });

  test('pauses the source if its window is exhausted', async () => {
    const { clock, rateLimiter } = openLimiter();
    await rateLimiter.learn('a', null, { limit: null, windowMs: null, remaining: 0, resetMs: 7000 });
    const reservation = await clock.runUntil(rateLimiter.reserve('a', null, forAnHour));
    await clock.runUntil(reservation.comes(never));
    expect(clock.nowMs()).toBe(7000);
  });
});

function openLimiter() {
  const clock = createClock();
  const store = createStore(clock, { offsetMs: 0, delayMs: () => 0 });
  return { clock, store, rateLimiter: limiterOn(store, clock) };
}

function limiterOn(slots: RateLimitStore, { nowMs, sleep }: FakeClock): RateLimiter {
  return createRateLimiter({ slots, nowMs, sleep, openGate: (places) => pLimit(places) });
}

interface Scenario {
  readonly pace: { readonly requestsPerSecond: number; readonly burst: number };
  readonly processes: number;
  readonly callsEach: number;
  /** Interval at which a process stalls: everything due during a stall happens at its end. */
  readonly stallEveryMs: number;
  readonly stallShare: number;
  readonly seed: number;
}

const scenarios: fc.Arbitrary<Scenario> = fc.record({
  pace: fc.record({
    requestsPerSecond: fc.constantFrom(1, 7, 20, 50, 60),
    burst: fc.constantFrom(1, 2, 5, 10, 20),
  }),
  processes: fc.constantFrom(1, 2, 4),
  callsEach: fc.integer({ min: 1, max: 80 }),
  stallEveryMs: fc.constantFrom(60, 300, 700, 2500),
  stallShare: fc.constantFrom(0, 0.1, 0.3, 0.6),
  seed: fc.integer({ min: 1, max: 2 ** 30 }),
});

/** Simulates processes with separate clocks on one store. Returns the real start time of each call. */
async function play(scenario: Scenario): Promise<readonly number[]> {
  const clock = createClock();
  const random = createRandom(scenario.seed);
  const store = createStore(clock, { offsetMs: -123_456, delayMs: () => random() * 2 });
  const startsMs: number[] = [];

  async function stalled(delayMs: number, signal: AbortSignal): Promise<void> {
    const { stallEveryMs, stallShare } = scenario;
    const dueMs = clock.nowMs() + delayMs + random() * 0.05;
    const phaseMs = dueMs % stallEveryMs;
    const stallMs = stallShare * stallEveryMs;
    await clock.sleep(dueMs - clock.nowMs() + (phaseMs < stallMs ? stallMs - phaseMs : 0), signal);
  }

  async function call(rateLimiter: RateLimiter): Promise<void> {
    let reservation = await rateLimiter.reserve('a', scenario.pace, forAnHour);
    // Recording the call takes a moment.
    await stalled(random() * 2, never);
    while (!(await reservation.comes(never)))
      reservation = await rateLimiter.reserve('a', scenario.pace, forAnHour);
    startsMs.push(clock.nowMs());
  }

  const calls = Array.from({ length: scenario.processes }, (_, i) => {
    const rateLimiter = createRateLimiter({
      slots: {
        delay: store.delay,
        learn: store.learn,
        take: async (...asked) => {
          const answer = await store.take(...asked);
          await stalled(0, never);
          return answer;
        },
      },
      nowMs: () => clock.nowMs() + i * 1e6,
      sleep: stalled,
      openGate: (places) => pLimit(places),
    });
    return Array.from({ length: scenario.callsEach }, () => call(rateLimiter));
  });
  await clock.runUntil(Promise.all(calls.flat()));
  return startsMs.sort((a, b) => a - b);
}

/** A rate limit store in memory with its own delay and clock. */
function createStore(clock: FakeClock, { offsetMs, delayMs }: { offsetMs: number; delayMs: () => number }) {
  const next = new Map<string, number>();
  const learned = new Map<string, number>();
  const learnedMs: number[] = [];
  const nowMs = () => clock.nowMs() + offsetMs;
  let trips = 0;
  let allTaken = 0;
  const slots: RateLimitStore = {
    take: async (bucket, asked) => {
      const { waitMsMax, count } = asked;
      const intervalMs = Math.max(asked.intervalMs, learned.get(bucket) ?? 0);
      trips += 1;
      await clock.sleep(delayMs(), never);
      const slotMs = Math.max(next.get(bucket) ?? -Infinity, nowMs());
      const bookMs = nowMs();
      const waitMs = slotMs - bookMs;
      const fit = intervalMs === 0 ? count : Math.floor((waitMsMax - waitMs) / intervalMs) + 1;
      const taken = waitMs > waitMsMax ? 0 : Math.min(count, fit);
      if (taken > 0) next.set(bucket, slotMs + taken * intervalMs);
      allTaken += taken;
      await clock.sleep(delayMs(), never);
      return { taken, waitMs, intervalMs, bookMs };
    },
    delay: async (bucket, ms) => void next.set(bucket, Math.max(next.get(bucket) ?? -Infinity, nowMs() + ms)),
    learn: async (bucket, intervalMs) => {
      learnedMs.push(intervalMs);
      learned.set(bucket, intervalMs);
    },
  };
  return { ...slots, trips: () => trips, taken: () => allTaken, learnedMs };
}

/** Maximum number of these times within one window, half open. */
function mostWithin(windowMs: number, momentsMs: readonly number[]): number {
  return Math.max(
    ...momentsMs.map((from) => momentsMs.filter((at) => at >= from && at < from + windowMs).length),
  );
}

/** Deterministic numbers from 0 up to 1 for a seed (mulberry32). */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
