import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { anySearch } from '../../../../../src/core/ads/ads-answer.ts';
import { DatabaseUnavailable, LeaseLost } from '../../../../../src/core/errors.ts';
import type { Claim } from '../../../../../src/core/work/claim.ts';
import {
  createLeaseKeeper,
  type Lease,
  type LeaseKeeper,
} from '../../../../../src/core/work/lease-keeper.ts';
import { serverOutage } from '../../../../../src/core/work/retry-policies.ts';
import { ShutdownError } from '../../../../../src/core/async/shutdown-error.ts';
import type { Renewal, WorkStore } from '../../../../../src/core/work/work-store.ts';

const leaseMs = 30_000;

describe('a lease keeper', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  test('renews all claims together every second until they are released', async () => {
    const { keeper, renewals } = openKeeper();
    keep(keeper, 'a');
    const second = keep(keeper, 'b');
    await vi.advanceTimersByTimeAsync(3000);
    expect(renewals).toEqual(['a,b', 'a,b', 'a,b']);
    second.release();
    await vi.advanceTimersByTimeAsync(1000);
    expect(renewals.slice(3)).toEqual(['a']);
  });

  test('renews a short lease after every third of its duration', async () => {
    const { keeper, renewals } = openKeeper(undefined, 1200);
    keep(keeper, 'a');
    await vi.advanceTimersByTimeAsync(1200);
    expect(renewals).toHaveLength(3);
  });

  test('lets running calls finish and starts no others after a batch was halted', async () => {
    const { keeper } = openKeeper(() => Promise.resolve({ ...noneLost, halted: ['a'] }));
    const [halted, other] = [keep(keeper, 'a'), keep(keeper, 'b')];
    await vi.advanceTimersByTimeAsync(1000);
    expect([halted.turnSignal.aborted, halted.signal.aborted, other.turnSignal.aborted]).toEqual([
      true,
      false,
      false,
    ]);
    expect(halted.turnSignal.reason).toBeInstanceOf(ShutdownError);
    expect(halted.assertHeld).toThrow(ShutdownError);
    expect(other.assertHeld).not.toThrow();
  });

  test('sends the recorded calls of a batch that waits for its source, and lets no others be recorded', async () => {
    const { keeper } = openKeeper(() => Promise.resolve({ ...noneLost, waiting: ['a'] }));
    const waiting = keep(keeper, 'a');
    await vi.advanceTimersByTimeAsync(1000);
    expect([waiting.turnSignal.aborted, waiting.sendSignal.aborted]).toEqual([true, false]);
    expect(waiting.assertHeld).not.toThrow();
    keeper.stopAccepting(new Error('stopping'));
    expect(waiting.sendSignal.aborted).toBe(true);
  });

  test.each([
    ['the database was unavailable', new DatabaseUnavailable('away'), true],
    ['a renewal failed otherwise', new TypeError('a defect'), false],
  ])(
    'reports the outage of the database as the cause of a lost lease only if %s',
    async (_, error, isCause) => {
      const { keeper } = openKeeper(() => Promise.reject(error));
      const lease = keep(keeper, 'a');
      await vi.advanceTimersByTimeAsync(leaseMs + 1000);
      expect(lease.signal.reason).toMatchObject({ code: 'lease_lost', cause: isCause ? error : null });
    },
  );

  test('reports no outage as the cause if the database answered before the lease was lost', async () => {
    const answers = [() => Promise.reject(new DatabaseUnavailable('away')), async () => noneLost];
    const never = () => new Promise<Renewal>(() => undefined);
    const { keeper } = openKeeper(() => (answers.shift() ?? never)());
    const lease = keep(keeper, 'a');
    await vi.advanceTimersByTimeAsync(leaseMs + 3000);
    expect(lease.signal.reason).toMatchObject({ code: 'lease_lost', cause: null });
  });

  test('forgets the outages of a chunk that ends without giving it back', async () => {
    const { keeper } = openKeeper();
    let lease = keep(keeper, 'a');
    const meetOutage = async () => {
      const errors = [new DatabaseUnavailable('away')];
      const met = lease.releaseClaim(async () => {
        for (const error of errors.splice(0)) throw error;
      });
      const isBack = met.then(
        () => true,
        () => false,
      );
      await vi.advanceTimersByTimeAsync(1000);
      lease.release();
      lease = keep(keeper, 'a');
      return isBack;
    };
    for (let outage = 0; outage < serverOutage.outagesMax; outage += 1) expect(await meetOutage()).toBe(true);
    expect(await meetOutage()).toBe(false);
    lease.release();
    lease = keep(keeper, 'a');
    expect(await meetOutage()).toBe(true);
  });

  test('starts no call after the lease expired, even before a timer fires', () => {
    const { keeper } = openKeeper();
    const lease = keeper.keep(claimOf('a'), performance.now() - leaseMs);
    expect(lease.signal.aborted).toBe(false);
    expect(lease.assertHeld).toThrow(LeaseLost);
  });

  test('sends no renewal without claims or after it is closed', async () => {
    const { keeper, renewals } = openKeeper();
    await vi.advanceTimersByTimeAsync(leaseMs);
    keep(keeper, 'a');
    await keeper.close();
    await vi.advanceTimersByTimeAsync(leaseMs);
    expect(renewals).toEqual([]);
  });

  test('waits for a running renewal before it is closed', async () => {
    let answer: ((renewal: Renewal) => void) | undefined;
    const { keeper } = openKeeper(() => new Promise((resolve) => (answer = resolve)));
    keep(keeper, 'a');
    await vi.advanceTimersByTimeAsync(leaseMs / 2);
    let isClosed = false;
    const closing = keeper.close().then(() => (isClosed = true));
    await vi.advanceTimersByTimeAsync(10);
    expect(isClosed).toBe(false);
    answer?.(noneLost);
    await closing;
  });

  test('aborts the work on a lost claim only', async () => {
    const { keeper } = openKeeper((tokens) =>
      Promise.resolve({ ...noneLost, lost: tokens.filter((token) => token === 'a') }),
    );
    const [lost, kept] = [keep(keeper, 'a'), keep(keeper, 'b')];
    await vi.advanceTimersByTimeAsync(leaseMs / 3);
    expect([lost.signal.aborted, lost.turnSignal.aborted, kept.signal.aborted]).toEqual([true, true, false]);
    expect(lost.signal.reason).toBeInstanceOf(LeaseLost);
  });

  test('keeps claims during a short outage of the database', async () => {
    let isAway = true;
    const { keeper } = openKeeper(() =>
      isAway ? Promise.reject(new DatabaseUnavailable('away')) : Promise.resolve(noneLost),
    );
    const lease = keep(keeper, 'a');
    await vi.advanceTimersByTimeAsync(leaseMs * 0.6);
    isAway = false;
    await vi.advanceTimersByTimeAsync(leaseMs * 5);
    expect(lease.signal.aborted).toBe(false);
  });

  test.each(['rejects', 'does not answer'])(
    'aborts the work before the lease expires if the database %s',
    async (how) => {
      const { keeper } = openKeeper(() =>
        how === 'rejects' ? Promise.reject(new DatabaseUnavailable('away')) : new Promise(() => undefined),
      );
      const lease = keep(keeper, 'a');
      await vi.advanceTimersByTimeAsync(leaseMs - 1);
      expect(lease.signal.aborted).toBe(false);
      await vi.advanceTimersByTimeAsync(1);
      expect(lease.signal.reason).toBeInstanceOf(LeaseLost);
    },
  );

  test('counts a lease from the time before its renewal was sent, however late the answer arrives', async () => {
    let answer: () => void = () => undefined;
    let asked = 0;
    const { keeper } = openKeeper(() => {
      asked += 1;
      return new Promise((resolve) => (answer = () => resolve(noneLost)));
    });
    const lease = keep(keeper, 'a');
    await vi.advanceTimersByTimeAsync(20_000);
    answer();
    // Claimed in the first second, so it ends one second after the other claim would have.
    await vi.advanceTimersByTimeAsync(leaseMs - 20_000 + 999);
    expect([asked > 0, lease.signal.aborted]).toEqual([true, false]);
    await vi.advanceTimersByTimeAsync(1);
    expect(lease.signal.aborted).toBe(true);
  });

  test('sends no renewal while one is running', async () => {
    const { keeper, renewals } = openKeeper(() => new Promise(() => undefined));
    keep(keeper, 'a');
    await vi.advanceTimersByTimeAsync(leaseMs * 0.9);
    expect(renewals).toHaveLength(1);
  });

  test('ignores the loss of a claim that was released during its renewal', async () => {
    let answer: (renewal: Renewal) => void = () => undefined;
    const { keeper } = openKeeper(() => new Promise((resolve) => (answer = resolve)));
    const lease = keep(keeper, 'a');
    await vi.advanceTimersByTimeAsync(leaseMs / 3);
    lease.release();
    answer({ ...noneLost, lost: ['a'] });
    await vi.advanceTimersByTimeAsync(leaseMs * 2);
    expect(lease.signal.aborted).toBe(false);
  });

  test('stops new calls of running and later work first, and aborts running calls on request', () => {
    const { keeper } = openKeeper();
    const reason = new Error('stopping');
    const running = keep(keeper, 'a');
    keeper.stopAccepting(reason);
    const later = keep(keeper, 'b');
    expect([running.turnSignal.reason, later.turnSignal.reason]).toEqual([reason, reason]);
    expect([running.signal.aborted, later.signal.aborted]).toEqual([false, false]);
    keeper.abortAll(reason);
    expect([running.signal.reason, later.signal.reason]).toEqual([reason, reason]);
  });
});

const noneLost: Renewal = { lost: [], waiting: [], halted: [] };

/** Keeps a claim from the current time. */
function keep(keeper: LeaseKeeper, token: string): Lease {
  return keeper.keep(claimOf(token), performance.now());
}

function openKeeper(renew: WorkStore['renew'] = () => Promise.resolve(noneLost), ownLeaseMs = leaseMs) {
  const renewals: string[] = [];
  const work: WorkStore = {
    claim: () => Promise.resolve(null),
    release: () => Promise.resolve(),
    deferBatch: () => Promise.resolve(),
    renew: (tokens, ms) => {
      expect(ms).toBe(ownLeaseMs);
      renewals.push(tokens.join(','));
      return renew(tokens, ms);
    },
  };
  const keeper = createLeaseKeeper(work, ownLeaseMs);
  // In some tests a renewal never resolves.
  onTestFinished(() => void keeper.close());
  return { keeper, renewals };
}

function claimOf(token: string): Claim {
  return {
    chunkId: 1,
    generation: 1,
    token,
    accountId: 1,
    batchId: 1,
    priceMicro: 0n,
    attempt: 1,
    operation: 'ads_search',
    sources: [],
    search: anySearch,
    lookups: [],
  };
}
