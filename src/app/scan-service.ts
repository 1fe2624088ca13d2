import { Readable } from 'node:stream';
import type { Database } from '../../db/connection/client.ts';
import { createScanEvaluator } from '../../db/stores/changes/evaluate-scans.ts';
import { createScanStore } from '../../db/stores/schedules/scans.ts';
import type { Closers } from '../closers.ts';
import { noBounds } from '../core/batches/batch.ts';
import { evaluateScans } from '../core/changes/scan-evaluator.ts';
import { tickSchedule } from '../core/schedules/begin-scan.ts';
import type { ScanToBegin } from '../core/schedules/schedule-store.ts';
import { createBackgroundTask } from '../core/async/background-task.ts';
import { createSchedulerKeeper } from '../dispatcher/keep-schedulers.ts';
import { queueScans, settleScans } from '../dispatcher/keep-scans.ts';
import type { Logger } from '../log.ts';
import type { LoadedBatch, LoadOptions } from '../producer/load/load-batch.ts';
import type { TickQueue } from '../queue/tick-queue.ts';
import type { SourceRegistry } from './sources/source-registry.ts';

/** Options of the scan service. */
export interface ScanServiceOptions {
  readonly db: Database['sql'];
  readonly loadBatch: (options: LoadOptions) => Promise<LoadedBatch>;
  readonly sources: SourceRegistry;
  readonly leaseMs: number;
  readonly log: Logger;
  readonly closers: Closers;
}

/** Service that fires schedules and evaluates their scans. */
export interface ScanService {
  /** Fires a schedule that is due, and starts its waiting scans. */
  readonly tick: (schedule: string) => Promise<void>;
  /** Finishes scans whose batch has finished, and starts to evaluate their changes; see `DispatcherOptions.settleScans`. */
  readonly settle: () => Promise<void>;
  /** Creates the part of a dispatcher's round that enqueues ticks; see `DispatcherOptions.keepTicks`. */
  readonly createTickKeeper: (ticks: TickQueue) => () => Promise<void>;
}

/** Interval at which all job schedulers of the queue are compared with Postgres. */
const schedulersEveryMs = 60_000;

/** Creates the scan service: from the tick over the batch to the changes. */
export function createScanService({ db, closers, log, ...options }: ScanServiceOptions): ScanService {
  const scans = createScanStore(db);
  const evaluator = createScanEvaluator(db);
  const evaluating = closers.add(
    createBackgroundTask(
      (signal) => evaluateScans(evaluator, signal),
      (error) => log.warn({ err: error }, 'evaluation of scans failed; will retry'),
    ),
    (work) => work.close(),
  );
  const work = {
    scans,
    load: (scan: ScanToBegin) => loadScan(scan, options),
    leaseMs: options.leaseMs,
    onError: (error: unknown) => log.warn({ err: error }, 'scan not started; will retry'),
  };
  return {
    tick: (schedule) => tickSchedule(work, schedule),
    settle: async () => {
      await settleScans(scans);
      evaluating.start();
    },
    createTickKeeper: (ticks) => {
      const keepSchedulers = createSchedulerKeeper({
        schedules: scans,
        ticks,
        nowMs: () => performance.now(),
        compareEveryMs: schedulersEveryMs,
      });
      return async () => {
        await keepSchedulers();
        await queueScans(scans, ticks);
      };
    },
  };
}

/** Loads the batch of a scan, like any other batch. The id of the scan is part of its identity. */
async function loadScan(
  scan: ScanToBegin,
  { loadBatch, sources }: Pick<ScanServiceOptions, 'loadBatch' | 'sources'>,
): Promise<void> {
  await loadBatch({
    accountId: scan.accountId,
    open: () => Readable.from([scan.content]),
    reading: { ...scan.fileOptions, fileName: scan.fileName, operations: ['ads_search'], onDoubt: 'guess' },
    sources: async () => {
      await sources.check(scan.sources, scan.search);
      await sources.named(scan.sources);
      return scan.sources;
    },
    search: scan.search,
    bounds: { ...noBounds, maxCreditsMicro: scan.maxCreditsMicro },
    labels: { name: scan.scheduleName, origin: 'schedule' },
    joinedBy: `scan ${scan.publicId}`,
    scanId: scan.scanId,
    again: false,
    onProgress: () => undefined,
  });
}
