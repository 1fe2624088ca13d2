import { openLeaderLock } from '../../db/locks/leader-lock.ts';
import { createRecheckStore } from '../../db/stores/emails/rechecks.ts';
import { createHousekeeping } from '../../db/stores/purge/housekeeping.ts';
import { createPurgedSpace, createPurgeStore } from '../../db/stores/purge/purge.ts';
import { createDispatchStore } from '../../db/stores/work/dispatch.ts';
import { createServiceStatsStore } from '../../db/stores/work/service-stats.ts';
import { createVerifyStore } from '../../db/verify/verify-store.ts';
import { createBackgroundTask } from '../core/async/background-task.ts';
import type { ChunkWork } from '../core/work/work-chunk.ts';
import type { Operation } from '../core/credits/price-book.ts';
import type { PurgedSpace, PurgeStore } from '../core/purge/purge-store.ts';
import type { RecheckStore, RecheckWork } from '../core/validation/recheck.ts';
import type { VerifyStore } from '../core/reports/invariants.ts';
import type { ServiceStatsStore } from '../core/work/service-stats.ts';
import { startDispatcher, type Dispatcher } from '../dispatcher/dispatch.ts';
import { queueRechecks } from '../dispatcher/queue-rechecks.ts';
import type { BatchServices } from './batches.ts';
import type { InboxServices } from './inboxes/inboxes.ts';
import type { LookupServices } from './lookups.ts';
import { readReadiness, type Readiness } from './readiness.ts';
import type { ScheduleServices } from './schedules.ts';
import type { OpenQueue, Servers } from './servers.ts';
import type { Config } from '../config/config.ts';
import { limitStoreOf, type LimitStore } from './limit-store.ts';
import type { Wiring } from './wiring.ts';

/** Services of the queue, the dispatcher and the workers, and of operation: readiness, metrics, verify and purge. */
export interface WorkServices {
  /** Queue, opened on first use: most commands need none. */
  readonly queue: () => Promise<OpenQueue>;
  /** All queues for the operator's board, opened on first use. */
  readonly boardQueues: Servers['boardQueues'];
  readonly chunkWork: ChunkWork;
  /** Parts of mailbox rechecks; null when probing is off. */
  readonly recheckWork: RecheckWork | null;
  readonly startDispatcher: () => Promise<Dispatcher>;
  readonly stats: ServiceStatsStore;
  readonly readReadiness: () => Promise<Readiness>;
  readonly limits: LimitStore;
  readonly purges: PurgeStore;
  readonly purgedSpace: PurgedSpace;
  readonly verify: VerifyStore;
  /** True when Postgres is the private server of this machine. */
  readonly isPrivateServer: boolean;
}

interface WorkParts {
  readonly batches: BatchServices;
  readonly lookups: LookupServices;
  readonly schedules: ScheduleServices;
  readonly inboxes: InboxServices;
}

/** Wires the queue and the dispatcher to the other namespaces. */
export function wireWork(wiring: Wiring, parts: WorkParts): WorkServices {
  const { config, servers } = wiring;
  const { database, queue, boardQueues, postgres } = servers;
  const db = database.sql;
  const { chunkWork, validator } = parts.lookups;
  const rechecks = createRecheckStore(db);
  return {
    queue,
    boardQueues,
    chunkWork,
    recheckWork: config.email.probe === null ? null : { rechecks, validator },
    startDispatcher: () => openDispatcher(wiring, parts, rechecks),
    stats: createServiceStatsStore(db),
    readReadiness: () => readReadiness(servers),
    limits: limitStoreOf(servers),
    purges: createPurgeStore(db),
    purgedSpace: createPurgedSpace(database),
    verify: createVerifyStore(db),
    isPrivateServer: postgres.kind === 'private',
  };
}

async function openDispatcher(
  wiring: Wiring,
  { batches, lookups, schedules, inboxes }: WorkParts,
  rechecks: RecheckStore,
): Promise<Dispatcher> {
  const { config, log, closers, servers } = wiring;
  const { postgres } = servers;
  const db = servers.database.sql;
  const opened = await servers.queue();
  const preparing = openIndexing(wiring, batches);
  const dispatcher = startDispatcher({
    ...dispatcherSettings(config),
    dispatch: createDispatchStore(db),
    housekeeping: createHousekeeping(db, config.retention, postgres.limitMemory),
    control: batches.control,
    outcomes: lookups.outcomes,
    queue: opened.chunks,
    queueRechecks: () => queueRechecks(rechecks, opened.rechecks),
    keepScans: schedules.createKeeper(opened.ticks),
    keepInboxes: () => inboxes.keep(opened.inboxes),
    startPreparing: preparing.start,
    openLeaderLock: () =>
      openLeaderLock({ url: postgres.appUrl, role: 'nightshift_app', leaseMs: config.leaseMs }),
    nowMs: () => performance.now(),
    onError: (error) => log.warn({ err: error }, 'dispatcher error; continuing'),
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

/** Maximum number of queued and running chunks, so that a million rows do not become a million jobs. */
const windowChunks = 128;

/** Lookups per chunk: few if each is a call, more if one call answers many (docs/architecture/decisions/0005-chunks.md). */
const lookupsPerLiveChunk = 25;
const lookupsPerLocalChunk = 500;
/**
 * Addresses per chunk. Addresses of one domain share a session with its mail host only within a chunk. Measured with 10,000
 * addresses of 500 domains in random order: 2.2 round trips per address in chunks of 200, 1.2 in these.
 */
const addressesPerChunk = 2000;

function dispatcherSettings({ leaseMs, catalog }: Config) {
  return {
    windowChunks,
    sizeOf: (operation: Operation, sources: readonly string[]) => {
      if (operation === 'email_validation') return addressesPerChunk;
      if (sources.every(catalog.isLocal)) return lookupsPerLocalChunk;
      // Also in a chain with others: a call costs the same for a few companies as for all.
      const perCall = sources.map((id) => catalog.findLive(id)?.companiesPerCall ?? 1);
      return Math.max(lookupsPerLiveChunk, ...perCall);
    },
    leaseMs,
    queuedMsMax: leaseMs,
    reconcileEveryMs: Math.min(1000, leaseMs / 2),
    tidyEveryMs: 60_000,
  };
}
