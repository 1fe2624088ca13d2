import { createChangeList } from '../../db/stores/changes/change-list.ts';
import { createScheduleStore } from '../../db/stores/schedules/schedules.ts';
import type { ChangeList } from '../core/changes/change-list.ts';
import type { ScheduleStore } from '../core/schedules/schedule-store.ts';
import type { BatchServices } from './batches.ts';
import { createScanService, type ScanService } from './scan-service.ts';
import type { SourceServices } from './sources.ts';
import type { Wiring } from './wiring.ts';

/** Schedules, their scans, and what changed between scans. */
export interface ScheduleServices {
  readonly store: ScheduleStore;
  readonly changes: ChangeList;
  /** Fires a schedule that is due, and begins the scans that wait. */
  readonly fire: (schedule: string) => Promise<void>;
  /** The part of a dispatcher's round that keeps scans going. */
  readonly createKeeper: ScanService['createKeeper'];
}

/** Wires the stores of schedules and the scans, which load their batches as any other. */
export function wireSchedules(
  { config, log, closers, servers }: Wiring,
  { batches, sources }: { readonly batches: BatchServices; readonly sources: SourceServices },
): ScheduleServices {
  const db = servers.database.sql;
  const { leaseMs } = config;
  const loadList = batches.load;
  const scans = createScanService({ db, loadList, sources: sources.registry, leaseMs, log, closers });
  return {
    store: createScheduleStore(db),
    changes: createChangeList(db),
    fire: scans.tick,
    createKeeper: scans.createKeeper,
  };
}
