import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { sleep } from '../../../../src/core/async/wait.ts';
import type { LeaderLock } from '../../../../src/core/work/leader-lock.ts';
import { dispatcherFailure } from '../../../../src/core/work/retry-policies.ts';
import type { QueuedChunk } from '../../../../src/core/work/work-store.ts';
import { startDispatcher, type DispatcherOptions } from '../../../../src/dispatcher/dispatch.ts';
import { emptyDispatchStore, emptyQueue, emptyControl } from '../../../support/queue/fake-dispatch.ts';

describe('the dispatcher', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  test('does nothing before it holds the leader lock', async () => {
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

  test('cuts as many chunks as the window has room for, and with a full window only those of accounts without any', async () => {
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
    expect(rooms).toEqual([8, 0]);
    await dispatcher.close();
  });

  test('marks chunks as queued only after the queue accepted them', async () => {
    const events: string[] = [];
    const dispatch = {
      ...emptyDispatchStore,
      listUnqueued: () => Promise.resolve([chunk]),
      markQueued: async () => void events.push('marked'),
    };
    let isAway = true;
    const queue = {
      ...emptyQueue,
      enqueue: async () => {
        if (isAway) throw new Error('away');
        events.push('queued');
      },
    };
    const { options, round, errors } = fakeDispatcher({ dispatch, queue });
    const dispatcher = startDispatcher(options);
    await round();
    expect([events, errors.length > 0]).toEqual([[], true]);
    isAway = false;
    await round();
    expect(events).toEqual(['queued', 'marked']);
    await dispatcher.close();
  });

  test('releases a lost leader lock, takes another one, forgets the turns that another process may have continued, and reports the error', async () => {
    const events: string[] = [];
    let leaderLocks = 0;
    const openLeaderLock = () => {
      leaderLocks += 1;
      const name = `lock ${leaderLocks}`;
      return fakeLeaderLock({
        take: async () => void events.push(`take ${name}`),
        wait:
          name === 'lock 1' ? () => Promise.reject(new Error('lost')) : (_ms, signal) => untilAborted(signal),
        leave: async () => void events.push(`leave ${name}`),
      });
    };
    const dispatch = { ...emptyDispatchStore, forgetTurns: () => void events.push('forget turns') };
    const { options, errors } = fakeDispatcher({ dispatch });
    const dispatcher = startDispatcher({ ...options, openLeaderLock });
    await vi.advanceTimersByTimeAsync(1000);
    expect(events).toEqual(['take lock 1', 'forget turns', 'leave lock 1', 'take lock 2', 'forget turns']);
    expect(errors).toMatchObject([{ message: 'lost' }]);
    await dispatcher.close();
    expect(events.at(-1)).toBe('leave lock 2');
  });

  test('releases the leader lock without an error when it is closed', async () => {
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

  test('finishes batches once more when it is closed, because the last row may have been committed', async () => {
    let finished = 0;
    const dispatch = { ...emptyDispatchStore, finishBatches: async () => (finished += 1) };
    const { options, round } = fakeDispatcher({ dispatch });
    const dispatcher = startDispatcher(options);
    await round();
    const before = finished;
    await dispatcher.close();
    expect(finished - before).toBe(1);
  });

  test('does what Postgres alone needs before it calls a queue that is unreachable', async () => {
    const events: string[] = [];
    const note = <T>(event: string, result: T) => {
      events.push(event);
      return Promise.resolve(result);
    };
    const dispatch = {
      ...emptyDispatchStore,
      listLapsed: () => note('lapsed leases', []),
      cutChunks: () => note('chunks', 0),
      finishBatches: () => note('batches', 0),
      listWaitingLong: () => note('waiting chunks', [chunk]),
    };
    const queue = { ...emptyQueue, listMissing: () => Promise.reject(new Error('away')) };
    const { options, errors } = fakeDispatcher({
      dispatch,
      queue,
      housekeeping: { tidy: () => note('housekeeping', undefined) },
      settleScans: () => note('scans', undefined),
      startPreparing: () => events.push('indexes'),
    });
    const dispatcher = startDispatcher(options);
    await vi.advanceTimersByTimeAsync(1);
    expect(events).toEqual([
      'lapsed leases',
      'indexes',
      'housekeeping',
      'chunks',
      'batches',
      'scans',
      'waiting chunks',
    ]);
    expect(errors).toMatchObject([{ message: 'away' }]);
    await dispatcher.close();
  });

  test('leaves a call to the queue that gets no answer when it is closed, and finishes batches still', async () => {
    let finished = 0;
    const dispatch = {
      ...emptyDispatchStore,
      listUnqueued: () => Promise.resolve([chunk]),
      finishBatches: async () => (finished += 1),
    };
    const queue = { ...emptyQueue, enqueue: () => new Promise<never>(() => undefined) };
    const { options, errors } = fakeDispatcher({ dispatch, queue });
    const dispatcher = startDispatcher(options);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(finished).toBe(1);
    const closed = dispatcher.close();
    await vi.advanceTimersByTimeAsync(2000);
    await closed;
    expect([finished, errors]).toEqual([2, []]);
    expect(vi.getTimerCount()).toBe(0);
  });

  test('reconciles at the start and then at its interval, regardless of notifications', async () => {
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

  test.each([
    ['two seconds after its connection was lost, because workers release their chunks', ['lock'], 2000],
    ['as late if another connection that broke then fails afterwards', ['lock', 'queue'], 2000],
    ['at once after an error of the queue', ['queue'], 0],
  ])('rescues chunks %s', async (_, failing, lateMs) => {
    const rescuedAtMs: number[] = [];
    const startedAtMs = performance.now();
    const dispatch = {
      ...emptyDispatchStore,
      listLapsed: async () => {
        rescuedAtMs.push(performance.now() - startedAtMs);
        return [];
      },
    };
    const failures = [...failing];
    const failIfNext = async (part: string) => {
      if (failures[0] === part) throw new Error(`${failures.shift()} away`);
    };
    const openLeaderLock = () =>
      fakeLeaderLock({
        wait: async (waitMs, signal) => {
          await failIfNext('lock');
          await sleep(waitMs, signal);
        },
      });
    const { options, errors } = fakeDispatcher({ dispatch, keepTicks: () => failIfNext('queue') });
    const dispatcher = startDispatcher({
      ...options,
      openLeaderLock,
      nowMs: () => performance.now(),
      reconcileEveryMs: 100,
    });
    await vi.advanceTimersByTimeAsync(5000);
    expect(errors).toMatchObject(failing.map((part) => ({ message: `${part} away` })));
    const [first, second = Number.NaN] = rescuedAtMs;
    expect(first).toBe(0);
    expect(second - dispatcherFailure.delayMs - lateMs).toBeLessThan(200);
    expect(second - dispatcherFailure.delayMs).toBeGreaterThanOrEqual(lateMs);
    await dispatcher.close();
  });

  test('settles scans when a batch has finished, without waiting for the interval', async () => {
    const finished = [0, 1, 0];
    const dispatch = { ...emptyDispatchStore, finishBatches: async () => finished.shift() ?? 0 };
    const settleScans = vi.fn(() => Promise.resolve());
    const { options, round } = fakeDispatcher({ dispatch, settleScans });
    const dispatcher = startDispatcher({ ...options, nowMs: () => 0 });
    await vi.advanceTimersByTimeAsync(1);
    const calls = [settleScans.mock.calls.length];
    for (let i = 0; i < 2; i += 1) {
      await round();
      calls.push(settleScans.mock.calls.length);
    }
    // At the start, and after the batch.
    expect(calls).toEqual([1, 2, 2]);
    await dispatcher.close();
  });

  test('runs housekeeping at its interval and continues after an error', async () => {
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

const chunk: QueuedChunk = { chunkId: 1, generation: 1, delayMs: 0, turn: 1, isQuarantined: false };

function fakeDispatcher(changes: Partial<DispatcherOptions>) {
  const errors: unknown[] = [];
  let notify: () => void = () => undefined;
  const options: DispatcherOptions = {
    dispatch: emptyDispatchStore,
    control: emptyControl,
    outcomes: { commit: () => Promise.resolve() },
    queue: emptyQueue,
    openLeaderLock: () =>
      fakeLeaderLock({
        wait: (_ms, signal) =>
          Promise.race([untilAborted(signal), new Promise<void>((resolve) => (notify = resolve))]),
      }),
    windowChunks: 128,
    sizeOf: () => 25,
    leaseMs: 30_000,
    queuedMsMax: 30_000,
    reconcileEveryMs: 1000,
    housekeeping: { tidy: () => Promise.resolve() },
    queueRechecks: () => Promise.resolve(),
    settleScans: () => Promise.resolve(),
    keepTicks: () => Promise.resolve(),
    keepInboxes: () => Promise.resolve(),
    startPreparing: () => undefined,
    tidyEveryMs: 60_000,
    nowMs: () => 0,
    onError: (error) => errors.push(error),
    onClockSetBack: () => undefined,
    ...changes,
  };
  /** Runs one iteration, including the delay after an error. */
  const round = async () => {
    notify();
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

async function untilAborted(signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  await new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(new Error('stopped')), { once: true });
  });
}
