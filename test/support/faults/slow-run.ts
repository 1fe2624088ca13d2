import { vi } from 'vitest';
import type { OpenedBackend } from '../queue/backends.ts';
import type { SpawnedStandIn } from '../stand-in/spawn-source-stand-in.ts';
import { finalRateLimit } from '../storm/storm.ts';
import { faultWaitMsMax } from '../wait-bound.ts';
import { expectNothingLostOrBoughtTwice } from './batch-audit.ts';
import type { ListedRow } from './listed-companies.ts';
import { openBatchRun, type BatchRun } from './loaded-batch.ts';
import { openLoggedSource } from './logged-source.ts';

/** A batch at ten calls a second, which leaves time for faults in its middle. */
export interface SlowRun {
  readonly run: BatchRun;
  readonly standIn: SpawnedStandIn;
  /** Resolves when the source has had this many calls. */
  readonly untilCalls: (count: number) => Promise<unknown>;
  /** Checks the finished batch against the log of the source. */
  readonly audit: () => Promise<void>;
}

/** Loads the batch; the test starts its workers. */
export async function openSlowRun(opened: OpenedBackend, rows: readonly ListedRow[]): Promise<SlowRun> {
  const standIn = await openLoggedSource();
  const run = await openBatchRun(opened, {
    source: standIn,
    rows,
    settings: {
      NIGHTSHIFT_LEASE_SECONDS: '5',
      NIGHTSHIFT_UPSTREAM_IDEMPOTENT: 'true',
      NIGHTSHIFT_UPSTREAM_REQUESTS_PER_SECOND: '10',
    },
  });
  return {
    run,
    standIn,
    untilCalls: (count) =>
      vi.waitUntil(() => standIn.readLog().length >= count, { timeout: faultWaitMsMax, interval: 20 }),
    async audit() {
      await expectNothingLostOrBoughtTwice(
        { ...run, environment: { ...run.environment, ...finalRateLimit } },
        { log: standIn.readLog(), deadLetters: [] },
      );
    },
  };
}
