import { openLeaderLock } from '../../db/locks/leader-lock.ts';
import { createHousekeeping } from '../../db/stores/purge/housekeeping.ts';
import { createActivityLogStore } from '../../db/stores/work/activity-log.ts';
import { createDispatchStore } from '../../db/stores/work/dispatch.ts';
import { createActivityStore } from '../../db/stores/work/service-activity.ts';
import type { Config } from '../config/config.ts';
import { createBackgroundTask } from '../core/async/background-task.ts';
import { createActivityLog } from '../core/batches/activity-log.ts';
import type { Operation } from '../core/credits/price-book.ts';
import type { SourcePace } from '../core/sources/source-call.ts';
import { sourceFailure } from '../core/work/retry-policies.ts';
import type { RecheckStore } from '../core/validation/recheck.ts';
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

/** Lookups per chunk: few if each is a call, more if one call answers many (docs/architecture/decisions/0005-chunks.md). */
const lookupsPerLiveChunk = 25;
/** Beside other accounts a chunk is smaller, down to what lets the chunks of a process fill its calls in flight. */
const lookupsPerLiveChunkMin = 4;
/**
 * Time in which each account gets a chunk at the pace of the source, so that its calls are spread over every minute. With 100 accounts at 50
 * calls a second, chunks of 25 would give some accounts 50 calls in a minute and others 25.
 */
const roundSeconds = 4;
const lookupsPerLocalChunk = 500;
/**
 * Addresses per chunk. Addresses of one domain share a session with its mail host only within a chunk. Measured with 10,000
 * addresses of 500 domains in random order: 2.2 round trips per address in chunks of 200, 1.2 in these.
 */
const addressesPerChunk = 2000;

/** Lookups per chunk of a live source beside this number of accounts. */
function shareOfRound(pace: SourcePace | null, accounts: number): number {
  if (accounts <= 1 || pace === null) return lookupsPerLiveChunk;
  const share = Math.floor((roundSeconds * pace.requestsPerSecond) / accounts);
  return Math.min(Math.max(share, lookupsPerLiveChunkMin), lookupsPerLiveChunk);
}

/** Chunks of companies that run or wait where a later source is slower than the first one. */
const aheadChunksMin = 512;
/** The chunks of failed lookups contain few others, so there are several for each whole one. */
const chunksPerWhole = 4;

/**
 * Maximum number of chunks of companies that run or wait at sources with these paces, of all accounts together. It follows from the calls within
 * the longest delay of a failed lookup: more chunks would be started over and over, only to find the line of the source full. Where a later source is
 * slower than the first one, more of them wait, so that the first one is called for all rows soon.
 */
function searchChunksMaxAt(paces: readonly (SourcePace | null)[], callsPerChunk: number): number {
  const [first = Infinity, ...later] = paces.map((pace) => pace?.requestsPerSecond ?? Infinity);
  const fastest = Math.max(...[first, ...later].filter(Number.isFinite), 0);
  if (fastest === 0) return Infinity;
  const isSlowestFirst = later.every((pace) => pace >= first);
  const wholeChunks = ((isSlowestFirst ? first : fastest) * sourceFailure.delayMsMax) / 1000 / callsPerChunk;
  return Math.max(Math.ceil(chunksPerWhole * wholeChunks), isSlowestFirst ? 1 : aheadChunksMin);
}

function dispatcherSettings({ leaseMs, catalog, access }: Config) {
  const paceOf = (source: string) => access.get(source)?.limits.pace ?? null;
  const perCallOf = (source: string) => catalog.findLive(source)?.companiesPerCall ?? 1;
  const searchesPerChunk = (sources: readonly string[], accounts: number) => {
    if (sources.every(catalog.isLocal)) return lookupsPerLocalChunk;
    // Also in a chain with others: a call costs the same for a few companies as for all.
    const shares = sources.map((id) => shareOfRound(paceOf(id), accounts));
    return Math.max(Math.min(...shares), ...sources.map(perCallOf));
  };
  return {
    windowChunks,
    sizeOf: (operation: Operation, sources: readonly string[], accounts: number) =>
      operation === 'email_validation' ? addressesPerChunk : searchesPerChunk(sources, accounts),
    searchChunksMax: (sources: readonly string[], accounts: number) => {
      const callsPerChunk = searchesPerChunk(sources, accounts) / Math.max(...sources.map(perCallOf));
      return searchChunksMaxAt(sources.map(paceOf), callsPerChunk);
    },
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
