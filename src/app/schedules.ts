import { createChangeList } from '../../db/stores/changes/change-list.ts';
import { createScheduleStore } from '../../db/stores/schedules/schedules.ts';
import type { ChangeList } from '../core/changes/change-list.ts';
import type { ScheduleStore } from '../core/schedules/schedule-store.ts';
import type { BatchServices } from './batches.ts';
import { createScanService, type ScanService } from './scan-service.ts';
import type { SourceServices } from './sources/sources.ts';
import type { Wiring } from './wiring.ts';

/** Services of schedules, their scans, and changes between scans. */
export interface ScheduleServices {
  readonly store: ScheduleStore;
  readonly changes: ChangeList;
  /** Fires a schedule that is due, and starts its waiting scans. */
  readonly fire: (schedule: string) => Promise<void>;
  /** Finishes scans whose batch has finished, and starts to evaluate their changes. */
  readonly settleScans: ScanService['settle'];
  /** Creates the part of a dispatcher's round that enqueues ticks. */
  readonly createTickKeeper: ScanService['createTickKeeper'];
}

/** Wires the stores of schedules and the scan service. */
export function wireSchedules(
  { config, log, closers, servers }: Wiring,
  { batches, sources }: { readonly batches: BatchServices; readonly sources: SourceServices },
): ScheduleServices {
  const db = servers.database.sql;
  const { leaseMs } = config;
  const loadBatch = batches.load;
  const scans = createScanService({ db, loadBatch, sources: sources.registry, leaseMs, log, closers });
  return {
    store: createScheduleStore(db),
    changes: servers.reader.of(createChangeList),
    fire: scans.tick,
    settleScans: scans.settle,
    createTickKeeper: scans.createTickKeeper,
  };
}
