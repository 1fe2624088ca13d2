import { openLeaderLock } from '../../db/locks/leader-lock.ts';
import { createHousekeeping } from '../../db/stores/purge/housekeeping.ts';
import { createActivityLogStore } from '../../db/stores/work/activity-log.ts';
import { createDispatchStore } from '../../db/stores/work/dispatch.ts';
import { createActivityStore } from '../../db/stores/work/service-activity.ts';
import type { Config } from '../config/config.ts';
import { createBackgroundTask } from '../core/async/background-task.ts';
import { createActivityLog } from '../core/batches/activity-log.ts';
import type { RecheckStore } from '../core/validation/recheck.ts';
import { createChunkBounds } from '../dispatcher/chunk-bounds.ts';
import { startDispatcher, type Dispatcher } from '../dispatcher/dispatch.ts';
import { queueRechecks } from '../dispatcher/queue-rechecks.ts';
import type { BackupServices } from './backups/backups.ts';
import type { BatchServices } from './batches.ts';
import type { InboxServices } from './inboxes/inboxes.ts';
import type { LookupServices } from './lookups.ts';
import type { ScheduleServices } from './schedules.ts';
import type { Wiring } from './wiring.ts';

/** Namespaces whose work the dispatcher hands out. */
export interface WorkParts {
  readonly backups: BackupServices;
  readonly batches: BatchServices;
  readonly lookups: LookupServices;
  readonly schedules: ScheduleServices;
  readonly inboxes: InboxServices;
}

/** Starts the dispatcher of this process. */
export async function openDispatcher(
  wiring: Wiring,
  { backups, batches, lookups, schedules, inboxes }: WorkParts,
  rechecks: RecheckStore,
): Promise<Dispatcher> {
  const { config, log, closers, servers } = wiring;
  const { postgres } = servers;
  const db = servers.database.sql;
  const opened = await servers.queue();
  const preparing = openIndexing(wiring, batches);
  const archiving = backups.createKeeper();
  const dispatcher = startDispatcher({
    ...dispatcherSettings(config),
    dispatch: createDispatchStore(db),
    housekeeping: createHousekeeping(db, config.retention, postgres.limitMemory),
    control: batches.control,
    outcomes: lookups.outcomes,
    queue: opened.chunks,
    queueRechecks: () => queueRechecks(rechecks, opened.rechecks),
    settleScans: schedules.settleScans,
    keepTicks: schedules.createTickKeeper(opened.ticks),
    keepInboxes: () => inboxes.keep(opened.inboxes),
    startPreparing: () => {
      preparing.start();
      archiving.start();
    },
    openActivityLog: () => openActivityLog(wiring, batches),
    openLeaderLock: () =>
      openLeaderLock({ url: postgres.directUrl, role: 'nightshift_app', leaseMs: config.leaseMs }),
    nowMs: () => performance.now(),
    onError: (error) => log.warn({ err: error }, 'dispatcher error; continuing'),
    onClockSetBack: (backMs) =>
      log.warn({ backMs }, 'the clock of Postgres was set back; leases, slots and retries follow it'),
  });
  return closers.add(dispatcher, (started) => started.close());
}

/** Creates the background task that updates the indexes of finished batches, which make their pages fast and can lag behind. */
function openIndexing({ log, closers }: Wiring, { charts, results }: BatchServices) {
  const task = createBackgroundTask(
    async (signal) => {
      await charts.keepUp(signal);
      await results.index.update(signal);
    },
    (error) => log.warn({ err: error }, 'index update of finished batches failed; will retry'),
  );
  return closers.add(task, (work) => work.close());
}

/** Number of queued and running chunks, so that a million rows do not become a million jobs. */
const windowChunks = 128;

function dispatcherSettings({ leaseMs, catalog, access }: Config) {
  return {
    windowChunks,
    ...createChunkBounds({
      isLocal: catalog.isLocal,
      paceOf: (source) => access.get(source)?.limits.pace ?? null,
      companiesPerCall: (source) => catalog.findLive(source)?.companiesPerCall ?? 1,
    }),
    leaseMs,
    queuedMsMax: leaseMs,
    reconcileEveryMs: Math.min(1000, leaseMs / 2),
    tidyEveryMs: 60_000,
  };
}

/**
 * Creates the log of the process that dispatches: a function that logs what has happened since its last call. It does nothing unless the
 * level is `info`, and an error does not stop the caller.
 */
function openActivityLog(
  { log, servers }: Pick<Wiring, 'log' | 'servers'>,
  { store: batches }: Pick<BatchServices, 'store'>,
): () => Promise<void> {
  if (!log.isLevelEnabled('info')) return () => Promise.resolve();
  const activity = createActivityStore(servers.database.sql);
  const logActivity = createActivityLog({
    store: createActivityLogStore(servers.database.sql),
    readSummary: (publicId) => batches.readSummary(null, publicId),
    readScans: async (windowMs) => (await activity.readRecent(windowMs)).scans,
    now: () => new Date(),
    write: (message, fields) => log.info(fields, message),
  });
  return async () => {
    try {
      await logActivity();
    } catch (error) {
      log.warn({ err: error }, 'activity not logged; will retry');
    }
  };
}
