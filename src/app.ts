import { countPendingMigrations, migrate } from '../db/migrate.ts';
import { openDatabase, type Database } from '../db/client.ts';
import { openDispatcherSeat } from '../db/dispatcher-seat.ts';
import { findAccount } from '../db/stores/accounts.ts';
import { createBatchReportStore } from '../db/stores/batch-report.ts';
import { createBatchStore } from '../db/stores/batches.ts';
import { createCallLog } from '../db/stores/call-log.ts';
import { createDispatchStore } from '../db/stores/dispatch.ts';
import { createLedger } from '../db/stores/ledger.ts';
import { createOutcomeStore } from '../db/stores/outcomes.ts';
import { createPriceBook } from '../db/stores/price-book.ts';
import { createRequestStore } from '../db/stores/requests.ts';
import { createPostgresSlotBook } from '../db/stores/slot-book.ts';
import { createSnapshotStore } from '../db/stores/snapshots.ts';
import { createWorkStore } from '../db/stores/work.ts';
import { createVerifyStore } from '../db/verify/verify-store.ts';
import pLimit from 'p-limit';
import { createClosers } from './closers.ts';
import type { Config } from './config.ts';
import { createPacer } from './core/ads/pace.ts';
import { searchAds, type StoredAnswer } from './core/ads/search-ads.ts';
import type { BatchReportStore } from './core/batch/batch-report.ts';
import type { BatchStore } from './core/batch/batch-store.ts';
import type { SnapshotStore } from './core/ads/snapshot-store.ts';
import type { CompanyQuery } from './core/company.ts';
import { parseCredits } from './core/credits/credits.ts';
import type { CreditLedger } from './core/credits/ledger.ts';
import { Misconfigured } from './core/errors.ts';
import type { VerifyStore } from './core/verify/invariants.ts';
import { sleep } from './core/wait.ts';
import { createLeaseKeeper } from './core/work/lease-keeper.ts';
import type { ChunkWork } from './core/work/work-chunk.ts';
import { startDispatcher, type Dispatcher } from './dispatcher/dispatch.ts';
import { openRedis } from './infra/redis.ts';
import { findPostgres } from './infra/servers.ts';
import type { Logger } from './log.ts';
import { migrationsFolder } from './package-root.ts';
import { postgresConnection, type QueueConnection } from './queue/connection.ts';
import { openChunkQueue, type ChunkQueue } from './queue/queues.ts';
import { createRedisSlotBook } from './queue/redis-slot-book.ts';
import { createSourceDesk, type SourceDesk } from './sources.ts';

/** Lookups of a chunk: few where each is a call, hundreds where one query answers them all (DESIGN D5). */
const lookupsPerLiveChunk = 25;
const lookupsPerLocalChunk = 500;

/** Everything the ways in (command line, workers, later HTTP) work with. They price and write nothing themselves. */
export interface App {
  readonly config: Config;
  readonly log: Logger;
  readonly accountId: number;
  readonly database: Database;
  /** For people's SQL, in the reader's role. */
  readonly openReader: () => Database;
  /** The same as a connection string for `psql`, password included. */
  readonly readerLink: string;
  readonly batches: BatchStore;
  readonly reports: BatchReportStore;
  readonly ledger: CreditLedger;
  readonly prices: ReturnType<typeof createPriceBook>;
  readonly snapshots: SnapshotStore;
  readonly sources: SourceDesk;
  readonly verify: VerifyStore;
  readonly searchAds: (company: CompanyQuery, sources: readonly string[]) => Promise<StoredAnswer>;
  /** The queue, opened on first use: most commands need none. */
  readonly queue: () => Promise<{ readonly connection: QueueConnection; readonly chunks: ChunkQueue }>;
  readonly startDispatcher: () => Promise<Dispatcher>;
  readonly chunkWork: ChunkWork;
  readonly close: () => Promise<void>;
}

export interface AppOptions {
  /** Told what happens while servers start and schemas change, for a person who waits. */
  readonly onProgress: (message: string) => void;
  readonly log: Logger;
}

/**
 * The composition root: finds or starts the servers, checks the schema, and wires the parts.
 *
 * On a private server the schema is brought up to date here; a given database is only checked.
 *
 * @throws Misconfigured | DatabaseUnavailable | QueueUnavailable
 */
export async function openApp(config: Config, { onProgress, log }: AppOptions): Promise<App> {
  const closers = createClosers();
  try {
    const postgres = await findPostgres(config, onProgress);
    const openPool = (options: {
      url: string;
      role: 'nightshift_app' | 'nightshift_reader';
      connectionsMax: number;
      searchPath?: string;
    }) =>
      closers.add(
        openDatabase({
          ...options,
          name: 'nightshift',
          onIdleError: (error) => log.warn({ err: error }, 'A database connection was lost.'),
        }),
        (database) => database.close(),
      );
    const database = openPool({ url: postgres.appUrl, role: 'nightshift_app', connectionsMax: 20 });
    await checkSchema(database, postgres.kind === 'private' ? postgres.ownerUrl : null, onProgress);
    const db = database.sql;
    const ledger = createLedger(db);
    const accountId = await findAccount(db, 'default');
    await ledger.grant(accountId, [
      { key: 'opening', amountMicro: parseCredits(config.openingCredits), reason: 'opening grant' },
    ]);

    const onQueueError = (error: Error) => log.warn({ err: error }, 'The queue reported an error.');
    const redis =
      config.redisUrl === null
        ? null
        : closers.add(openRedis(config.redisUrl, onQueueError), (client) => void client.disconnect());
    let queue: Promise<{ connection: QueueConnection; chunks: ChunkQueue }> | undefined;
    const openQueue = async () => {
      const connection: QueueConnection =
        redis === null
          ? postgresConnection(
              openPool({
                url: postgres.appUrl,
                role: 'nightshift_app',
                connectionsMax: 30,
                searchPath: 'bullmq',
              }).pool,
            )
          : { kind: 'redis', client: redis, prefix: config.queuePrefix };
      const chunks = await openChunkQueue(connection, { onError: onQueueError });
      closers.add(chunks, (opened) => opened.close());
      return { connection, chunks };
    };

    const snapshots = createSnapshotStore(database);
    const work = createWorkStore(db);
    const outcomes = createOutcomeStore(db);
    const leases = closers.add(createLeaseKeeper(work, config.leaseMs), (keeper) => keeper.close());
    const sources = createSourceDesk({
      snapshots,
      accountId,
      configured: config.sources,
      upstream: config.upstream,
    });
    const limit = pLimit(config.concurrency);
    const slots =
      redis === null ? createPostgresSlotBook(db) : createRedisSlotBook(redis, config.queuePrefix);
    const asking = {
      pacer: createPacer({ slots, nowMs: () => performance.now(), sleep }),
      calls: createCallLog(db),
      limit: <T>(work: () => Promise<T>) => limit(work),
    };
    const requests = createRequestStore(db);
    const chunkWork: ChunkWork = {
      work,
      outcomes,
      leases,
      sourcesNamed: sources.named,
      asking,
      leaseMs: config.leaseMs,
      random: Math.random,
    };

    return {
      config,
      log,
      accountId,
      database,
      openReader: () => openPool({ url: postgres.readerUrl, role: 'nightshift_reader', connectionsMax: 2 }),
      readerLink: postgres.readerLink,
      batches: createBatchStore(database),
      reports: createBatchReportStore(db),
      ledger,
      prices: createPriceBook(db),
      snapshots,
      sources,
      verify: createVerifyStore(db),
      searchAds: (company, names) =>
        searchAds(
          { requests, outcomes, leases, sourcesNamed: sources.named, asking, leaseMs: config.leaseMs },
          { accountId, company, sources: names },
        ),
      queue: () => (queue ??= openQueue()),
      startDispatcher: async () => {
        const { chunks } = await (queue ??= openQueue());
        const dispatcher = startDispatcher({
          dispatch: createDispatchStore(db),
          outcomes,
          queue: chunks,
          openSeat: () => openDispatcherSeat(postgres.appUrl, 'nightshift_app'),
          windowChunks: 128,
          sizeOf: (names) => (names.every(isLocal) ? lookupsPerLocalChunk : lookupsPerLiveChunk),
          leaseMs: config.leaseMs,
          queuedMsMax: config.leaseMs,
          sourceWaitMs: config.sourceWaitMs,
          reconcileEveryMs: Math.min(1000, config.leaseMs / 2),
          nowMs: () => performance.now(),
          onError: (error) => log.warn({ err: error }, 'The dispatcher met an error and goes on.'),
        });
        return closers.add(dispatcher, (started) => started.close());
      },
      chunkWork,
      close: closers.close,
    };
  } catch (error) {
    await closers.close();
    throw error;
  }
}

function isLocal(source: string): boolean {
  return source === 'snapshot' || source === 'sample';
}

/** `ownerUrl` is given where we may bring the schema up to date ourselves. */
async function checkSchema(
  database: Database,
  ownerUrl: string | null,
  onProgress: (message: string) => void,
): Promise<void> {
  const pending = await countPendingMigrations(database.pool, migrationsFolder);
  if (pending === 0) return;
  if (ownerUrl === null) {
    throw new Misconfigured(
      `The database of DATABASE_URL lacks ${pending} migrations. Run \`nightshift migrate\` first.`,
    );
  }
  onProgress('Preparing the database');
  await migrate(ownerUrl, migrationsFolder);
}
