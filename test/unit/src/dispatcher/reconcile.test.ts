import { describe, expect, test } from 'vitest';
import { anySearch } from '../../../../src/core/ads/ads-answer.ts';
import type { Drain } from '../../../../src/core/batches/batch-control.ts';
import type { OpenLookup } from '../../../../src/core/work/claim.ts';
import type { LookupResult } from '../../../../src/core/work/outcomes.ts';
import type { LapsedChunk, QueuedChunk } from '../../../../src/core/work/work-store.ts';
import {
  reconcile,
  requeueLostJobs,
  type ReconcileOptions,
  type RequeueOptions,
} from '../../../../src/dispatcher/reconcile.ts';
import { lookupsOf } from '../../../support/sources/fake-calls.ts';
import { emptyDispatchStore } from '../../../support/queue/fake-dispatch.ts';

describe('a chunk with an expired lease', () => {
  test.each<[string, Partial<LapsedChunk>, string]>([
    ['is rescued the first time', { lookups: 25, starts: 1 }, 'rescue 7'],
    ['is split the second time', { lookups: 25, starts: 2 }, 'split 7'],
    ['of one lookup is rescued the second time', { lookups: 1, starts: 2 }, 'rescue 7'],
    ['of one lookup is rescued the fourth time', { lookups: 1, starts: 4 }, 'rescue 7'],
    ['of one lookup is a dead letter the fifth time', { lookups: 1, starts: 5 }, 'commit 1=dead_letter'],
    ['of a single request is interrupted', { batchId: null, lookups: 1, starts: 1 }, 'commit 1=interrupted'],
  ])('%s', async (_, chunk, event) => {
    const { options, events } = fakeReconcile({ lapsed: [lapsedChunk(chunk)] });
    await reconcile(options);
    expect(events).toEqual([event, 'wake']);
  });

  test('with an open call ends in doubt, because the call may have been charged', async () => {
    const lost = { callId: 1n, source: 'live', about: 'ads', state: 'lost' as const };
    const { options, events } = fakeReconcile({
      lapsed: [lapsedChunk({ lookups: 1, starts: 5 })],
      lookups: lookupsOf(1, { earlier: [lost] }),
    });
    await reconcile(options);
    expect(events).toEqual(['commit 1=in_doubt', 'wake']);
  });

  test('is left to its worker for a time after an outage, also if its batch is paused', async () => {
    const { options, events } = fakeReconcile({ lapsed: [lapsedChunk({})], unsettled: [{ kind: 'more' }] });
    await reconcile(options, { rescues: false });
    expect(events).toEqual(['wake']);
  });

  test('is skipped if its worker has renewed it meanwhile', async () => {
    const { options, events } = fakeReconcile({
      lapsed: [lapsedChunk({ lookups: 1, starts: 5 })],
      takeOver: () => Promise.resolve(null),
    });
    await reconcile(options);
    expect(events).toEqual(['wake']);
  });
});

describe('queued chunks without a claim', () => {
  test('are queued again if the queue has lost their jobs, and checked later otherwise', async () => {
    const waiting = [queuedChunk(1), queuedChunk(2), queuedChunk(3)];
    const { options, events } = fakeReconcile({ waiting, missing: [1, 3] });
    await requeueLostJobs(options);
    expect(events).toEqual(['asked after 30000 ms', 'requeue 1,3', 'seen 2']);
  });

  test('need no query of the queue if there are none', async () => {
    const { options, events } = fakeReconcile({});
    await requeueLostJobs({ ...options, queue: { listMissing: () => Promise.reject(new Error('asked')) } });
    expect(events).toEqual([]);
  });
});

test('a paused batch is drained step by step; one with calls in flight waits for the next round', async () => {
  const { options, events } = fakeReconcile({
    unsettled: [{ kind: 'more' }, { kind: 'more' }, { kind: 'calls', chunks: 1 }, { kind: 'more' }],
  });
  await reconcile(options);
  expect(events).toEqual(['drain 8', 'drain 8', 'drain 8', 'wake']);
});

function lapsedChunk(changes: Partial<LapsedChunk>): LapsedChunk {
  return { chunkId: 7, token: 'token', batchId: 5, starts: 1, lookups: 25, ...changes };
}

function queuedChunk(chunkId: number): QueuedChunk {
  return { chunkId, generation: 1, delayMs: 0, turn: 1, isQuarantined: false };
}

interface FakeState {
  readonly lapsed?: readonly LapsedChunk[];
  readonly waiting?: readonly QueuedChunk[];
  readonly missing?: readonly number[];
  /** Remaining work of batch 8, step by step. */
  readonly unsettled?: Drain[];
  readonly lookups?: readonly OpenLookup[];
  readonly takeOver?: ReconcileOptions['dispatch']['takeOver'];
}

/** A store with this state; its changes are in `events`, in order. */
function fakeReconcile({
  lapsed = [],
  waiting = [],
  missing = [],
  unsettled = [],
  lookups = lookupsOf(1),
  takeOver,
}: FakeState) {
  const events: string[] = [];
  const idsOf = (chunks: readonly QueuedChunk[]) => chunks.map(({ chunkId }) => chunkId).join(',');
  const options: ReconcileOptions & RequeueOptions = {
    dispatch: {
      ...emptyDispatchStore,
      listLapsed: () => Promise.resolve(lapsed),
      listWaitingLong: async (olderThanMs) => {
        if (waiting.length > 0) events.push(`asked after ${olderThanMs} ms`);
        return waiting;
      },
      requeue: async (chunks) => void events.push(`requeue ${idsOf(chunks)}`),
      markQueued: async (chunks) => void events.push(`seen ${idsOf(chunks)}`),
      rescue: async ({ chunkId }) => events.push(`rescue ${chunkId}`) > 0,
      split: async ({ chunkId }) => events.push(`split ${chunkId}`) > 0,
      takeOver:
        takeOver ??
        (async ({ chunkId, batchId }) => ({
          chunkId,
          generation: 1,
          token: 'another token',
          accountId: 1,
          batchId,
          priceMicro: 200_000n,
          attempt: 1,
          operation: 'ads_search' as const,
          sources: [],
          search: anySearch,
          lookups,
        })),
      wakeBatches: async () => events.push('wake') - events.length,
    },
    control: {
      listUnsettled: () => Promise.resolve(unsettled.length > 0 ? [8] : []),
      drain: async (batchId) => {
        events.push(`drain ${batchId}`);
        return unsettled.shift() ?? { kind: 'at_rest' };
      },
    },
    outcomes: {
      commit: async (claim, results) => {
        expect(claim.token).toBe('another token');
        events.push(`commit ${results.map(resultText).join(' ')}`);
      },
    },
    queue: { listMissing: async (chunks) => chunks.filter(({ chunkId }) => missing.includes(chunkId)) },
    queuedMsMax: 30_000,
    leaseMs: 30_000,
    onClockSetBack: (backMs) => events.push(`clock set back by ${backMs}`),
  };
  return { options, events };
}

function resultText({ lookupId, answer }: LookupResult): string {
  return `${lookupId}=${answer.kind === 'failed' ? answer.reason : answer.kind}`;
}
