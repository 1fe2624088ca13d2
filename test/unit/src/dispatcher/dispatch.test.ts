import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { LeaderLock } from '../../../../src/core/work/leader-lock.ts';
import type { QueuedChunk } from '../../../../src/core/work/work-store.ts';
import { startDispatcher, type DispatcherOptions } from '../../../../src/dispatcher/dispatch.ts';
import { emptyDispatchStore, emptyQueue, emptyControl } from '../../../support/queue/fake-dispatch.ts';

describe('a dispatcher', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  test('does nothing before it has the seat', async () => {
    const countOpen = vi.fn(() => Promise.resolve(0));
    const finishBatches = vi.fn(() => Promise.resolve(0));
    const { options } = fakeDispatcher({ dispatch: { ...emptyDispatchStore, countOpen, finishBatches } });
    const dispatcher = startDispatcher({
      ...options,
      openLeaderLock: () => fakeLeaderLock({ take: untilAborted }),
    });
    await vi.advanceTimersByTimeAsync(60_000);
    expect(countOpen).not.toHaveBeenCalled();
    await dispatcher.close();
    expect(finishBatches).not.toHaveBeenCalled();
  });

  test('cuts as much as the window has room for, and nothing when it is full', async () => {
    const rooms: number[] = [];
    let open = 120;
    const dispatch = {
      ...emptyDispatchStore,
      countOpen: () => Promise.resolve(open),
      cutChunks: async ({ chunksMax }: { chunksMax: number }) => rooms.push(chunksMax),
    };
    const { options, round } = fakeDispatcher({ dispatch });
    const dispatcher = startDispatcher(options);
    await round();
    open = 128;
    await round();
    expect(rooms).toEqual([8]);
    await dispatcher.close();
  });

  test('notes chunks as queued only after the queue took them', async () => {
    const events: string[] = [];
    const chunks: readonly QueuedChunk[] = [
      { chunkId: 1, generation: 1, delayMs: 0, position: 1, isQuarantined: false },
    ];
    const dispatch = {
      ...emptyDispatchStore,
      listUnqueued: () => Promise.resolve(chunks),
      markQueued: async () => void events.push('noted'),
    };
    let isAway = true;
    const queue = {
      ...emptyQueue,
      enqueue: async () => {
        if (isAway) throw new Error('away');
        events.push('taken');
      },
    };
    const { options, round, errors } = fakeDispatcher({ dispatch, queue });
    const dispatcher = startDispatcher(options);
    await round();
    expect([events, errors.length > 0]).toEqual([[], true]);
    isAway = false;
    await round();
    expect(events).toEqual(['taken', 'noted']);
    await dispatcher.close();
  });

  test('gives a seat that it lost back, takes another one, and tells of it', async () => {
    const events: string[] = [];
    let leaderLocks = 0;
    const openLeaderLock = () => {
      leaderLocks += 1;
      const name = `seat ${leaderLocks}`;
      return fakeLeaderLock({
        take: async () => void events.push(`take ${name}`),
        wait:
          name === 'seat 1' ? () => Promise.reject(new Error('lost')) : (_ms, signal) => untilAborted(signal),
        leave: async () => void events.push(`leave ${name}`),
      });
    };
    const { options, errors } = fakeDispatcher({});
    const dispatcher = startDispatcher({ ...options, openLeaderLock });
    await vi.advanceTimersByTimeAsync(1000);
    expect(events).toEqual(['take seat 1', 'leave seat 1', 'take seat 2']);
    expect(errors).toMatchObject([{ message: 'lost' }]);
    await dispatcher.close();
    expect(events.at(-1)).toBe('leave seat 2');
  });

  test('ends without a word when it is closed, and leaves its seat', async () => {
    let left = 0;
    const { options, errors } = fakeDispatcher({});
    const dispatcher = startDispatcher({
      ...options,
      openLeaderLock: () => fakeLeaderLock({ leave: async () => void (left += 1) }),
    });
    await vi.advanceTimersByTimeAsync(10);
    await dispatcher.close();
    expect([left, errors]).toEqual([1, []]);
    expect(vi.getTimerCount()).toBe(0);
  });

  test('finishes batches once more when it is closed: the last row may have been committed meanwhile', async () => {
    let finished = 0;
    const dispatch = { ...emptyDispatchStore, finishBatches: async () => (finished += 1) };
    const { options, round } = fakeDispatcher({ dispatch });
    const dispatcher = startDispatcher(options);
    await round();
    const before = finished;
    await dispatcher.close();
    expect(finished - before).toBe(1);
  });

  test('reconciles at first and then whenever it is time, however often it is rung', async () => {
    let reconciled = 0;
    const dispatch = {
      ...emptyDispatchStore,
      listLapsed: async () => {
        reconciled += 1;
        return [];
      },
    };
    let nowMs = 0;
    const { options, round } = fakeDispatcher({ dispatch });
    const dispatcher = startDispatcher({ ...options, reconcileEveryMs: 1000, nowMs: () => nowMs });
    for (nowMs = 0; nowMs < 3000; nowMs += 300) await round();
    expect(reconciled).toBe(3);
    await dispatcher.close();
  });

  test('tidies once in its time, and goes on after an error', async () => {
    let tidied = 0;
    const housekeeping = {
      tidy: () => {
        tidied += 1;
        return tidied === 1 ? Promise.reject(new Error('away')) : Promise.resolve();
      },
    };
    let nowMs = 0;
    const { options, errors, round } = fakeDispatcher({ housekeeping });
    const dispatcher = startDispatcher({ ...options, tidyEveryMs: 60_000, nowMs: () => nowMs });
    for (nowMs = 0; nowMs < 180_000; nowMs += 20_000) await round();
    expect([tidied, errors.length]).toEqual([4, 1]);
    await dispatcher.close();
  });
});

function fakeDispatcher(changes: Partial<DispatcherOptions>) {
  const errors: unknown[] = [];
  let ring: () => void = () => undefined;
  const options: DispatcherOptions = {
    dispatch: emptyDispatchStore,
    control: emptyControl,
    outcomes: { commit: () => Promise.resolve() },
    queue: emptyQueue,
    openLeaderLock: () =>
      fakeLeaderLock({
        wait: (_ms, signal) =>
          Promise.race([untilAborted(signal), new Promise<void>((resolve) => (ring = resolve))]),
      }),
    windowChunks: 128,
    sizeOf: () => 25,
    leaseMs: 30_000,
    queuedMsMax: 30_000,
    reconcileEveryMs: 1000,
    housekeeping: { tidy: () => Promise.resolve() },
    queueRechecks: () => Promise.resolve(),
    keepScans: () => Promise.resolve(),
    startPreparing: () => undefined,
    tidyEveryMs: 60_000,
    nowMs: () => 0,
    onError: (error) => errors.push(error),
    ...changes,
  };
  /** Lets it go round once, and past the pause after an error. */
  const round = async () => {
    ring();
    await vi.advanceTimersByTimeAsync(600);
  };
  return { options, errors, round };
}

function fakeLeaderLock(changes: Partial<LeaderLock>): LeaderLock {
  return {
    take: () => Promise.resolve(),
    wait: (_ms, signal) => untilAborted(signal),
    leave: () => Promise.resolve(),
    ...changes,
  };
}

function untilAborted(signal: AbortSignal): Promise<void> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(new Error('stopped')), { once: true });
  });
}
