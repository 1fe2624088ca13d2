import type { Pause } from '../../../../../src/core/work/wait-cause.ts';
import pLimit from 'p-limit';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import type { AdSource } from '../../../../../src/core/sources/ad-source.ts';
import { anySearch } from '../../../../../src/core/ads/ads-answer.ts';
import type { SourceCallLog } from '../../../../../src/core/sources/call-log.ts';
import {
  DatabaseUnavailable,
  LeaseLost,
  Misconfigured,
  SourceBlocked,
  SourcePaused,
  SourceRefused,
  SourceThrottled,
  SourceUnavailable,
} from '../../../../../src/core/errors.ts';
import type { AdsClaim } from '../../../../../src/core/work/claim.ts';
import type { OutcomeStore } from '../../../../../src/core/work/outcomes.ts';
import { createSearchHandler } from '../../../../../src/core/sources/search-handler.ts';
import { deferAfter } from '../../../../../src/core/sources/source-errors.ts';
import type { Reschedule } from '../../../../../src/core/work/reschedule.ts';
import type { LeaseKeeper } from '../../../../../src/core/work/lease-keeper.ts';
import { ShutdownError } from '../../../../../src/core/async/shutdown-error.ts';
import { createClaimReleases, type ClaimReleases } from '../../../../../src/core/work/claim-releases.ts';
import { serverOutage } from '../../../../../src/core/work/retry-policies.ts';
import { workChunk, type ChunkWork } from '../../../../../src/core/work/work-chunk.ts';
import {
  fakeAsking,
  fakeLiveSource,
  fakeLocalSource,
  heldLease,
  lookupsOf,
  refusedWaitMs,
} from '../../../../support/sources/fake-calls.ts';
import { found } from '../../../../support/db/fixture.ts';
import { withoutGate } from '../../../../../src/core/sources/ask-sources.ts';
import { openLines } from '../../../../support/sources/open-lines.ts';

const ads = found(['cr-1']);
const none = { kind: 'none', matchedBy: 'domain' } as const;
const unavailable = new SourceUnavailable('down', { inDoubt: false });

describe('a chunk', () => {
  test('is skipped if it cannot be claimed', async () => {
    const { source, questions } = fakeLiveSource(() => ads);
    const { options, events } = fakeWork([source], { claim: null });
    await workChunk(options, 7, 3);
    expect([events, questions]).toEqual([['claim 7-3'], []]);
  });

  test('of local sources is committed at once', async () => {
    const { source } = fakeLocalSource({ 'company-1.com': none });
    const { options, events } = fakeWork([source]);
    await workChunk(options, 7, 3);
    expect(events).toEqual(['claim 7-3', 'keep', 'commit 1=none 2=no_match 3=no_match', 'release']);
  });

  test('of a live source is committed answer by answer, so that a late one does not delay others', async () => {
    let answerLast: () => void = () => undefined;
    const last = new Promise<void>((resolve) => (answerLast = resolve));
    const { source } = fakeLiveSource(async ({ requestKey }) => {
      if (requestKey === 'key-3') await last;
      return ads;
    });
    const { options, events, committed } = fakeWork([source]);
    const working = workChunk(options, 7, 3);
    await committed(2);
    expect(events.filter((event) => event.startsWith('commit')).join(' ')).not.toContain('3=');
    answerLast();
    await working;
    expect(events.at(-2)).toBe('commit 3=found');
    expect(events.at(-1)).toBe('release');
  });

  test('of a local and a live source is committed answer by answer', async () => {
    const local = fakeLocalSource({
      'company-1.com': {
        kind: 'stored',
        advertisers: [{ key: 1n, relation: 'own' }],
        matchedBy: 'name',
      },
    });
    const live = fakeLiveSource(() => none);
    const { options, events } = fakeWork([local.source, live.source]);
    await workChunk(options, 7, 3);
    expect(events.filter((event) => event.startsWith('commit'))[0]).toBe('commit 1=stored');
    expect(events.join(' ')).toContain('2=none');
  });

  test('without open lookups commits and reschedules nothing', async () => {
    const { source } = fakeLocalSource({});
    const { options, events } = fakeWork([source], { claim: { ...aClaim, lookups: [] } });
    await workChunk(options, 7, 3);
    expect(events).toEqual(['claim 7-3', 'keep', 'release']);
  });
});

describe('a lookup without an answer', () => {
  test('is rescheduled with a growing, jittered delay and uses up a try, after others are committed', async () => {
    const { source } = fakeLiveSource(({ requestKey }) => {
      if (requestKey === 'key-2') throw unavailable;
      return ads;
    });
    const delays = await Promise.all(
      [0, 1, 2, 3].map(async (tries) => {
        const { options, events, rescheduled } = fakeWork([source], {
          claim: { ...aClaim, lookups: lookupsOf(3, { tries }) },
        });
        await workChunk(options, 7, 3);
        expect(events.findIndex((event) => event.startsWith('commit'))).toBeLessThan(
          events.indexOf('reschedule'),
        );
        expect(rescheduled[0]?.failedTries).toEqual([2n]);
        return rescheduled[0]?.delayMs;
      }),
    );
    expect(delays).toEqual([500, 2000, 8000, 32_000]);
  });

  test('is rescheduled until the source has a free slot and uses up no try', async () => {
    const tooFar = new SourceThrottled('no free slot', { delayMs: 90_000 });
    const { source } = fakeLiveSource(() => ads);
    const { options, rescheduled } = fakeWork([source], { reserve: () => Promise.reject(tooFar) });
    await workChunk(options, 7, 3);
    expect(rescheduled).toMatchObject([{ delayMs: 90_000, failedTries: [] }]);
  });
});

describe('interrupted work', () => {
  test('writes and reschedules nothing if another worker has claimed the chunk', async () => {
    const { source } = fakeLiveSource(() => ads);
    const { options, events } = fakeWork([source], { commit: () => Promise.reject(new LeaseLost('lost')) });
    await workChunk(options, 7, 3);
    expect(events).not.toContain('reschedule');
    expect(events.at(-1)).toBe('release');
  });

  test('writes no outcome if its lease was lost', async () => {
    const lease = new AbortController();
    const { source } = fakeLiveSource((_question, signal) => {
      lease.abort(new LeaseLost('lost'));
      throw signal.reason;
    });
    const { options, events } = fakeWork([source], { lease: lease.signal });
    await workChunk(options, 7, 3);
    expect(events).toEqual(['claim 7-3', 'keep', 'release']);
  });

  test('commits the answers and reschedules the rest at once if the process stops', async () => {
    const lease = new AbortController();
    const { source } = fakeLiveSource(({ requestKey }, signal) => {
      if (requestKey === 'key-1') return ads;
      lease.abort(new ShutdownError('stopping'));
      throw signal.reason;
    });
    const { options, events, rescheduled } = fakeWork([source], { lease: lease.signal, commit: someTurns });
    await workChunk(options, 7, 3);
    expect(events.slice(2)).toEqual(['commit 1=found', 'reschedule', 'release']);
    expect(rescheduled).toMatchObject([{ delayMs: 0, failedTries: [] }]);
  });

  test('lets running calls finish if the process starts no more', async () => {
    const turns = new AbortController();
    const { source, questions } = fakeLiveSource(() => {
      turns.abort(new ShutdownError('stopping'));
      return ads;
    });
    const { options, events, rescheduled } = fakeWork([source], { turns: turns.signal, oneByOne: true });
    await workChunk(options, 7, 3);
    expect(questions).toHaveLength(1);
    expect(events).toContain('commit 1=found');
    expect(rescheduled).toMatchObject([{ delayMs: 0, failedTries: [] }]);
  });

  test.each([new SourceRefused('the key was refused', { status: 401 }), new Misconfigured('no such source')])(
    'holds the batch before it reschedules the chunk if the source rejects all calls: $code',
    async (error) => {
      const { source } = fakeLiveSource(() => {
        throw error;
      });
      const { options, events, rescheduled } = fakeWork([source]);
      await workChunk(options, 7, 3);
      expect(events.slice(2)).toEqual([`hold batch 5: ${error.message}`, 'reschedule', 'release']);
      expect(rescheduled).toMatchObject([{ delayMs: 0, failedTries: [] }]);
    },
  );

  test.each<[SourceRefused | SourceBlocked | SourcePaused, Omit<Pause, 'reason'>]>([
    [new SourceRefused('the key was refused', { status: 401 }), { kind: 'refused', delayMs: refusedWaitMs }],
    [new SourceBlocked('a wall', { delayMs: 1_800_000 }), { kind: 'blocked', delayMs: 1_800_000 }],
    [
      new SourcePaused({ kind: 'budget', reason: 'the budget is spent', delayMs: 7000 }),
      { kind: 'budget', delayMs: 7000 },
    ],
    [
      new SourcePaused({ kind: 'failing', reason: 'it gives no answer', delayMs: 60_000 }),
      { kind: 'failing', delayMs: 60_000 },
    ],
  ])('holds the batch for the pause of its source and uses up no try: $code', async (error, pause) => {
    const { source } = fakeLiveSource(({ requestKey }) => {
      if (requestKey === 'key-2') throw error;
      return ads;
    });
    const { options, events, held, rescheduled } = fakeWork([source], { oneByOne: true });
    await workChunk(options, 7, 3);
    expect(held).toEqual([{ ...pause, reason: error.message }]);
    expect(rescheduled).toMatchObject([{ delayMs: 0, failedTries: [] }]);
    expect(events).toContain('commit 1=found');
  });

  test('uses up a try only of the lookup whose half-open probe was rejected', async () => {
    const calls = [false, true, false];
    const { source } = fakeLiveSource(() => {
      throw new SourceRefused('no', { status: 404 });
    });
    const begin: SourceCallLog['begin'] = async (_source, { lookupId }) =>
      calls[Number(lookupId) - 1] === true
        ? { kind: 'begun', callId: lookupId, isProbe: true }
        : { kind: 'paused', pause: { kind: 'failing', reason: 'it is being tried', delayMs: 1000 } };
    const { options, rescheduled } = fakeWork([source], { begin });
    await workChunk(options, 7, 3);
    expect(rescheduled).toMatchObject([{ delayMs: 0, failedTries: [2n] }]);
  });

  test.each([
    new SourceRefused('no key', { status: 401 }),
    new DatabaseUnavailable('away'),
    new ShutdownError('stop'),
  ])('keeps the answers of other sources: $name', async (error) => {
    const { source: first } = fakeLiveSource(() => none, { name: 'first' });
    const { source: second } = fakeLiveSource(() => {
      throw error;
    });
    const { options, rescheduled } = fakeWork([first, second]);
    await workChunk(options, 7, 3);
    const partialAnswers = [{ source: 'first', reported: 'none', matchedBy: 'domain' }];
    expect(rescheduled.map(({ reported }) => [...(reported ?? [])])).toEqual([
      [
        [1n, partialAnswers],
        [2n, partialAnswers],
        [3n, partialAnswers],
      ],
    ]);
  });

  test('holds the batch if its source is not configured', async () => {
    const sources = Promise.reject(new Misconfigured('the source upstream is not configured'));
    const { options, events } = fakeWork(sources);
    await workChunk(options, 7, 3);
    expect(events.slice(2)).toEqual([
      'hold batch 5: the source upstream is not configured',
      'reschedule',
      'release',
    ]);
  });

  test('reschedules without a start or a try if the database is unavailable', async () => {
    const { source } = fakeLiveSource(() => ads);
    const { options, rescheduled } = fakeWork([source], {
      commit: () => Promise.reject(new DatabaseUnavailable('away')),
    });
    await workChunk(options, 7, 3);
    expect(rescheduled).toMatchObject([{ failedTries: [] }]);
  });

  test.each([
    ['met an outage of the database', new DatabaseUnavailable('away')],
    ['lost its lease in one', new LeaseLost('lost', { cause: new DatabaseUnavailable('away') })],
  ])('is released as soon as the database is there again if it %s', async (_, error) => {
    const { source } = fakeLiveSource(() => ads);
    const { options, events, rescheduled } = fakeWork([source], {
      commit: () => Promise.reject(error),
      outages: 2,
    });
    await workChunk(options, 7, 3);
    expect(events.slice(-4)).toEqual(['away', 'away', 'reschedule', 'release']);
    expect(rescheduled).toMatchObject([{ failedTries: [] }]);
  });

  test('is released once if the process stops', async () => {
    const { source } = fakeLiveSource(() => ads);
    const { options, events } = fakeWork([source], {
      commit: () => Promise.reject(new DatabaseUnavailable('away')),
      outages: 1,
      stop: AbortSignal.abort(),
    });
    await expect(workChunk(options, 7, 3)).rejects.toThrow('away');
    expect(events.slice(-2)).toEqual(['away', 'release']);
  });

  test('expires at further outages if it was in work at twenty, because it may be their cause', async () => {
    const releases = createClaimReleases();
    const meetOutage = async () => {
      const { source } = fakeLiveSource(() => ads);
      const commit = () => Promise.reject(new DatabaseUnavailable('away'));
      const { options, rescheduled } = fakeWork([source], { commit, outages: 1, releases });
      await workChunk(options, 7, 3);
      return rescheduled.length;
    };
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    for (let outage = 0; outage < serverOutage.outagesMax; outage += 1) {
      const met = meetOutage();
      await vi.advanceTimersByTimeAsync(1000);
      expect(await met).toBe(1);
    }
    await expect(meetOutage()).rejects.toThrow('away');
    releases.forget(7);
    const met = meetOutage();
    await vi.advanceTimersByTimeAsync(1000);
    expect(await met).toBe(1);
  });

  test('throws a defect and lets the claim expire, so that the start counts', async () => {
    const defect = new TypeError('a defect');
    const { source } = fakeLiveSource(() => {
      throw defect;
    });
    const { options, events } = fakeWork([source]);
    await expect(workChunk(options, 7, 3)).rejects.toBe(defect);
    expect(events).toEqual(['claim 7-3', 'keep', 'release']);
  });
});

/** Simulates a slow commit. */
async function someTurns(): Promise<void> {
  for (let turn = 0; turn < 50; turn += 1) await Promise.resolve();
}

const aClaim: AdsClaim = {
  chunkId: 7,
  generation: 3,
  token: 'token',
  accountId: 1,
  batchId: 5,
  priceMicro: 200_000n,
  attempt: 1,
  operation: 'ads_search',
  sources: ['live'],
  search: anySearch,
  lookups: lookupsOf(3),
};

interface FakeWorkOptions {
  readonly claim?: AdsClaim | null;
  readonly lease?: AbortSignal;
  readonly turns?: AbortSignal;
  readonly reserve?: () => Promise<never>;
  readonly begin?: SourceCallLog['begin'];
  readonly commit?: () => Promise<void>;
  readonly oneByOne?: boolean;
  /** Number of outages of the database that meet the release of the claim. */
  readonly outages?: number;
  readonly releases?: ClaimReleases;
  readonly stop?: AbortSignal;
}

/** A worker on fake stores; `events` records what it does, in order. */
function fakeWork(sources: readonly AdSource[] | Promise<never>, given: FakeWorkOptions = {}) {
  const events: string[] = [];
  const held: Pause[] = [];
  const rescheduled: Reschedule[] = [];
  let countCommitted = 0;
  let noteCommitted: () => void = () => undefined;
  const { options: asking } = fakeAsking();
  const lease = given.lease ?? new AbortController().signal;
  const releases = given.releases ?? createClaimReleases();
  const outages = Array.from({ length: given.outages ?? 0 }, () => new DatabaseUnavailable('away'));
  const leases: LeaseKeeper = {
    keep: () => {
      events.push('keep');
      return {
        ...heldLease(lease),
        turnSignal: given.turns ?? lease,
        sendSignal: given.turns ?? lease,
        releaseClaim: (releaseClaim) =>
          releases.run(7, releaseClaim, given.stop ?? new AbortController().signal),
        release: () => void events.push('release'),
      };
    },
    stopAccepting: () => undefined,
    abortAll: () => undefined,
    close: async () => undefined,
  };
  const gate = pLimit(given.oneByOne === true ? 1 : Infinity);
  const outcomes: OutcomeStore = {
    commit: async (_claim, results) => {
      await given.commit?.();
      events.push(`commit ${results.map(({ lookupId, answer }) => `${lookupId}=${answer.kind}`).join(' ')}`);
      countCommitted += results.length;
      noteCommitted();
    },
  };
  const options: ChunkWork = {
    work: {
      claim: async (chunkId, generation) => {
        events.push(`claim ${chunkId}-${generation}`);
        return given.claim === undefined ? aClaim : given.claim;
      },
      renew: () => Promise.resolve({ lost: [], waiting: [], halted: [] }),
      release: async (_claim, back) => {
        for (const error of outages.splice(0, 1)) {
          events.push('away');
          throw error;
        }
        events.push('reschedule');
        rescheduled.push(back);
      },
      deferBatch: async (batchId, pause) => {
        events.push(`hold batch ${batchId}: ${pause.reason}`);
        held.push(pause);
      },
    },
    leases,
    leaseMs: 30_000,
    handlers: {
      adsSearch: createSearchHandler({
        outcomes,
        sourcesFor: async () => sources,
        mappings: { find: async () => new Map() },
        callerLimits: async () => ({ weight: 1, atSources: new Map() }),
        lines: { ...openLines, withRoom: (_, call) => gate(call) },
        reparses: withoutGate,
        asking: {
          ...asking,
          calls: { ...asking.calls, ...(given.begin === undefined ? {} : { begin: given.begin }) },
          rateLimiter: {
            ...asking.rateLimiter,
            ...(given.reserve === undefined ? {} : { reserve: given.reserve }),
          },
        },
        random: () => 0.5,
        commitLimit: (commit) => commit(),
      }),
      emailValidation: () => Promise.reject(new Error('There is no address to validate.')),
    },
    deferAfter: (error) => deferAfter(error, refusedWaitMs),
  };
  /** Resolves when this many answers are committed. */
  const committed = (count: number) =>
    new Promise<void>((resolve) => {
      noteCommitted = () => {
        if (countCommitted >= count) resolve();
      };
      noteCommitted();
    });
  return { options, events, rescheduled, held, committed };
}
