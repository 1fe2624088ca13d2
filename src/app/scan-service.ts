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
import { keepScans } from '../dispatcher/keep-scans.ts';
import type { Logger } from '../log.ts';
import type { LoadedBatch, LoadOptions } from '../producer/load/load-batch.ts';
import type { TickQueue } from '../queue/tick-queue.ts';
import type { SourceRegistry } from './source-registry.ts';

export interface ScanServiceOptions {
  readonly db: Database['sql'];
  readonly loadList: (options: LoadOptions) => Promise<LoadedBatch>;
  readonly sources: SourceRegistry;
  readonly leaseMs: number;
  readonly log: Logger;
  readonly closers: Closers;
}

/** The parts of schedules beside the work on their batches. */
export interface ScanService {
  /** Deals with what is due of a schedule: fires it, and begins what waits. */
  readonly tick: (schedule: string) => Promise<void>;
  /** The part of a dispatcher's round that keeps scans going; see `DispatcherOptions.keepScans`. */
  readonly createKeeper: (ticks: TickQueue) => () => Promise<void>;
}

/** So often all job schedulers of the queue are compared with the record, however little seems to differ. */
const schedulersEveryMs = 60_000;

/** Puts the parts of scans together: from the tick over the batch to what changed. */
export function createScanService({ db, closers, log, ...options }: ScanServiceOptions): ScanService {
  const scans = createScanStore(db);
  const evaluator = createScanEvaluator(db);
  const evaluating = closers.add(
    createBackgroundTask(
      (signal) => evaluateScans(evaluator, signal),
      (error) => log.warn({ err: error }, 'What a scan changed could not be found out yet.'),
    ),
    (work) => work.close(),
  );
  const work = {
    scans,
    load: (scan: ScanToBegin) => loadScan(scan, options),
    leaseMs: options.leaseMs,
    onError: (error: unknown) => log.warn({ err: error }, 'A scan could not begin; it is tried again.'),
  };
  return {
    tick: (schedule) => tickSchedule(work, schedule),
    createKeeper: (ticks) => {
      const keepSchedulers = createSchedulerKeeper({
        schedules: scans,
        ticks,
        nowMs: () => performance.now(),
        compareEveryMs: schedulersEveryMs,
      });
      return async () => {
        await keepSchedulers();
        await keepScans({ scans, ticks });
        evaluating.start();
      };
    },
  };
}

/** A scan is a list that is loaded like any other, as the batch that its id joins. */
async function loadScan(
  scan: ScanToBegin,
  { loadList, sources }: Pick<ScanServiceOptions, 'loadList' | 'sources'>,
): Promise<void> {
  await loadList({
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
    joinedBy: `scan ${scan.publicId}`,
    scanId: scan.scanId,
    again: false,
    onProgress: () => undefined,
  });
}
