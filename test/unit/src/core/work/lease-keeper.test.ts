import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { anySearch } from '../../../../../src/core/ads/ads-answer.ts';
import { DatabaseUnavailable, LeaseLost } from '../../../../../src/core/errors.ts';
import type { Claim } from '../../../../../src/core/work/claim.ts';
import {
  createLeaseKeeper,
  type Lease,
  type LeaseKeeper,
} from '../../../../../src/core/work/lease-keeper.ts';
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

  test('renews all claims together, every second, for as long as they are kept', async () => {
    const { keeper, renewals } = openKeeper();
    keep(keeper, 'a');
    const second = keep(keeper, 'b');
    await vi.advanceTimersByTimeAsync(3000);
    expect(renewals).toEqual(['a,b', 'a,b', 'a,b']);
    second.release();
    await vi.advanceTimersByTimeAsync(1000);
    expect(renewals.slice(3)).toEqual(['a']);
  });

  test('renews a short lease every third of it', async () => {
    const { keeper, renewals } = openKeeper(undefined, 1200);
    keep(keeper, 'a');
    await vi.advanceTimersByTimeAsync(1200);
    expect(renewals).toHaveLength(3);
  });

  test('lets calls under way end and no other begin once a batch runs no more', async () => {
    const { keeper } = openKeeper(() => Promise.resolve({ lost: [], halted: ['a'] }));
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

  test('lets no call begin in a process that slept through its lease, before any timer has noticed', () => {
    const { keeper } = openKeeper();
    const lease = keeper.keep(claimOf('a'), performance.now() - leaseMs);
    expect(lease.signal.aborted).toBe(false);
    expect(lease.assertHeld).toThrow(LeaseLost);
  });

  test('asks nothing while nothing is kept, and nothing once it is closed', async () => {
    const { keeper, renewals } = openKeeper();
    await vi.advanceTimersByTimeAsync(leaseMs);
    keep(keeper, 'a');
    await keeper.close();
    await vi.advanceTimersByTimeAsync(leaseMs);
    expect(renewals).toEqual([]);
  });

  test('is closed once no renewal is under way', async () => {
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

  test('ends the work on a claim that is no longer ours, and no other', async () => {
    const { keeper } = openKeeper((tokens) =>
      Promise.resolve({ ...noneLost, lost: tokens.filter((token) => token === 'a') }),
    );
    const [lost, kept] = [keep(keeper, 'a'), keep(keeper, 'b')];
    await vi.advanceTimersByTimeAsync(leaseMs / 3);
    expect([lost.signal.aborted, lost.turnSignal.aborted, kept.signal.aborted]).toEqual([true, true, false]);
    expect(lost.signal.reason).toBeInstanceOf(LeaseLost);
  });

  test('keeps claims through a short absence of the database', async () => {
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

  test.each(['refuses', 'is silent'])(
    'ends the work before the lease can be another’s when the database %s',
    async (how) => {
      const { keeper } = openKeeper(() =>
        how === 'refuses' ? Promise.reject(new DatabaseUnavailable('away')) : new Promise(() => undefined),
      );
      const lease = keep(keeper, 'a');
      await vi.advanceTimersByTimeAsync(leaseMs - 1);
      expect(lease.signal.aborted).toBe(false);
      await vi.advanceTimersByTimeAsync(1);
      expect(lease.signal.reason).toBeInstanceOf(LeaseLost);
    },
  );

  test('counts a lease from before its renewal was sent, however late the answer comes', async () => {
    let answer: () => void = () => undefined;
    let asked = 0;
    const { keeper } = openKeeper(() => {
      asked += 1;
      return new Promise((resolve) => (answer = () => resolve(noneLost)));
    });
    const lease = keep(keeper, 'a');
    await vi.advanceTimersByTimeAsync(20_000);
    answer();
    // Asked for in the first second, so it ends a second after the claim would have.
    await vi.advanceTimersByTimeAsync(leaseMs - 20_000 + 999);
    expect([asked > 0, lease.signal.aborted]).toEqual([true, false]);
    await vi.advanceTimersByTimeAsync(1);
    expect(lease.signal.aborted).toBe(true);
  });

  test('does not send a renewal while one is under way', async () => {
    const { keeper, renewals } = openKeeper(() => new Promise(() => undefined));
    keep(keeper, 'a');
    await vi.advanceTimersByTimeAsync(leaseMs * 0.9);
    expect(renewals).toHaveLength(1);
  });

  test('minds no claim that was released while its renewal was under way', async () => {
    let answer: (renewal: Renewal) => void = () => undefined;
    const { keeper } = openKeeper(() => new Promise((resolve) => (answer = resolve)));
    const lease = keep(keeper, 'a');
    await vi.advanceTimersByTimeAsync(leaseMs / 3);
    lease.release();
    answer({ ...noneLost, lost: ['a'] });
    await vi.advanceTimersByTimeAsync(leaseMs * 2);
    expect(lease.signal.aborted).toBe(false);
  });

  test('stops new calls first, of work under way and of work to come, and the calls under way when told', () => {
    const { keeper } = openKeeper();
    const reason = new Error('stopping');
    const underWay = keep(keeper, 'a');
    keeper.stopAccepting(reason);
    const toCome = keep(keeper, 'b');
    expect([underWay.turnSignal.reason, toCome.turnSignal.reason]).toEqual([reason, reason]);
    expect([underWay.signal.aborted, toCome.signal.aborted]).toEqual([false, false]);
    keeper.abortAll(reason);
    expect([underWay.signal.reason, toCome.signal.reason]).toEqual([reason, reason]);
  });
});

const noneLost: Renewal = { lost: [], halted: [] };

/** Keeps a claim that was asked for just now. */
function keep(keeper: LeaseKeeper, token: string): Lease {
  return keeper.keep(claimOf(token), performance.now());
}

function openKeeper(renew: WorkStore['renew'] = () => Promise.resolve(noneLost), ownLeaseMs = leaseMs) {
  const renewals: string[] = [];
  const work: WorkStore = {
    claim: () => Promise.resolve(null),
    release: () => Promise.resolve(),
    holdBatch: () => Promise.resolve(),
    renew: (tokens, ms) => {
      expect(ms).toBe(ownLeaseMs);
      renewals.push(tokens.join(','));
      return renew(tokens, ms);
    },
  };
  const keeper = createLeaseKeeper(work, ownLeaseMs);
  // In some tests a renewal never comes back.
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
