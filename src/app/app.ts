import pLimit, { type LimitFunction } from 'p-limit';
import { createAccountLogins } from '../../db/logins/account-logins.ts';
import { createAccountReader } from '../../db/queries/account-reader.ts';
import { findForeignLockHolder } from '../../db/locks/lock-holder.ts';
import type { Database } from '../../db/connection/client.ts';
import { openLeaderLock } from '../../db/locks/leader-lock.ts';
import { countPendingMigrations } from '../../db/migrate.ts';
import { createAccountService } from '../../db/stores/accounts/account-service.ts';
import { createAccountLimitStore } from '../../db/stores/accounts/account-limits.ts';
import { createAccountStore, findAccount, type AccountStore } from '../../db/stores/accounts/accounts.ts';
import { createKeyStore } from '../../db/stores/accounts/api-keys.ts';
import { createAuditList } from '../../db/stores/accounts/audit-list.ts';
import { createSessionStore } from '../../db/stores/accounts/sessions.ts';
import { createUserStore } from '../../db/stores/accounts/users.ts';
import { createAdList } from '../../db/stores/results/ad-list.ts';
import { createChangeList } from '../../db/stores/changes/change-list.ts';
import { createBatchControl } from '../../db/stores/batches/batch-control.ts';
import { createBatchReportStore } from '../../db/stores/reports/batch-report.ts';
import { createBatchStore } from '../../db/stores/batches/batches.ts';
import { createChartStore } from '../../db/stores/reports/charts.ts';
import { createSourceCallLog } from '../../db/stores/sources/call-log.ts';
import { createCompanyMappingStore } from '../../db/stores/ads/company-mapping.ts';
import { createFreshAnswers } from '../../db/stores/work/fresh-answers.ts';
import { readInstallation } from '../../db/stores/accounts/installation.ts';
import { createDeliveryStore } from '../../db/stores/events/deliveries.ts';
import { createDispatchStore } from '../../db/stores/work/dispatch.ts';
import { createIdempotencyStore } from '../../db/stores/accounts/stored-responses.ts';
import { createForgetting } from '../../db/stores/purge/erase-address.ts';
import { createHousekeeping } from '../../db/stores/purge/housekeeping.ts';
import { createLedger } from '../../db/stores/credits/ledger.ts';
import { createBatchTimeline } from '../../db/stores/batches/batch-timeline.ts';
import { createRejectedRows } from '../../db/stores/reports/rejected-rows.ts';
import { createListMemory } from '../../db/stores/batches/saved-column-mappings.ts';
import { createLedgerList } from '../../db/stores/credits/ledger-list.ts';
import { createOutcomeStore } from '../../db/stores/work/outcomes.ts';
import { createPriceBook, type PriceLine } from '../../db/stores/sql/price-book.ts';
import { createPurgeStore } from '../../db/stores/purge/purge.ts';
import { createRecheckStore } from '../../db/stores/emails/rechecks.ts';
import { createReportData } from '../../db/stores/reports/report-data.ts';
import { createResultService } from '../../db/stores/results/result-service.ts';
import { createRequestStore } from '../../db/stores/work/requests.ts';
import { createSourceBill } from '../../db/stores/sources/source-bill.ts';
import { createSourceChecks, type SourceChecks } from '../../db/stores/sources/source-checks.ts';
import { createSourcePrices } from '../../db/stores/sources/source-prices.ts';
import { createServiceFactStore } from '../../db/stores/work/service-stats.ts';
import { createPostgresRateLimitStore } from '../../db/stores/sources/rate-limits.ts';
import { createOptOuts } from '../../db/stores/emails/opt-outs.ts';
import { createScheduleStore } from '../../db/stores/schedules/schedules.ts';
import { createSnapshotStore } from '../../db/stores/ads/snapshots.ts';
import { createWebhookStore } from '../../db/stores/events/webhooks.ts';
import { createWorkStore } from '../../db/stores/work/work.ts';
import { createUsageList } from '../../db/stores/reports/usage-list.ts';
import { createVerifyStore } from '../../db/verify/verify-store.ts';
import { createClosers, type Closers } from '../closers.ts';
import type { Config } from '../config/config.ts';
import type { AccountService } from '../core/accounts/account-service.ts';
import type { AccountLimitStore } from '../core/accounts/account-limits.ts';
import type { KeyStore } from '../core/accounts/key-store.ts';
import type { AuditList } from '../core/accounts/audit-list.ts';
import type { IdentityProvider } from '../core/accounts/identity-provider.ts';
import type { SessionStore } from '../core/accounts/session-store.ts';
import type { UserStore } from '../core/accounts/user-store.ts';
import type { AdList } from '../core/results/ad-list.ts';
import type { CompanyMappingStore } from '../core/companies/company-mapping.ts';
import { createRateLimiter } from '../core/sources/rate-limiter.ts';
import type { SourcePace } from '../core/sources/source-call.ts';
import type { SourceBill, SourcePrices } from '../core/sources/source-bill.ts';
import { searchAds, type SearchRequest, type StoredAnswer } from '../core/search/search-ads.ts';
import type { SnapshotStore } from '../core/sources/snapshot-store.ts';
import type { BatchReportStore } from '../core/batches/batch-report.ts';
import type { BatchControl } from '../core/batches/batch-control.ts';
import type { BatchTimeline } from '../core/batches/batch-timeline.ts';
import type { RejectedRows } from '../core/batches/rejected-rows.ts';
import type { SavedColumnMappings } from '../core/batches/saved-column-mapping.ts';
import type { BatchStore } from '../core/batches/batch-store.ts';
import { parseCredits } from '../core/credits/credits.ts';
import type { ChartStore } from '../core/reports/charts.ts';
import type { ReportData } from '../core/reports/report-data.ts';
import type { CreditLedger } from '../core/credits/ledger.ts';
import type { LedgerList } from '../core/credits/ledger-list.ts';
import type { UsageList } from '../core/credits/usage.ts';
import type { Operation, PriceBook } from '../core/credits/price-book.ts';
import type { Erasure } from '../core/emails/probing/erasure.ts';
import type { OptOuts } from '../core/emails/probing/opt-outs.ts';
import type { RecheckWork } from '../core/validation/recheck.ts';
import {
  validateRequest,
  type ValidatedEmail,
  type ValidationRequest,
} from '../core/validation/validate-request.ts';
import type { IdempotencyStore } from '../core/accounts/stored-response.ts';
import { startDelivering, type Deliverer } from '../core/events/deliver-events.ts';
import { createWebhookService, type WebhookService } from '../core/events/webhook-service.ts';
import type { ResultService } from '../core/results/result-service.ts';
import { createBackgroundTask } from '../core/async/background-task.ts';
import type { ScheduleStore } from '../core/schedules/schedule-store.ts';
import type { ChangeList } from '../core/changes/change-list.ts';
import type { AccountLogins } from '../core/sql/account-logins.ts';
import type { AccountQueries } from '../core/sql/account-queries.ts';
import type { PurgeStore } from '../core/purge/purge-store.ts';
import type { ServiceFactStore } from '../core/work/service-stats.ts';
import type { VerifyStore } from '../core/verify/invariants.ts';
import { sleep } from '../core/async/wait.ts';
import type { AdsClaim } from '../core/lookups/claim.ts';
import { createLeaseKeeper } from '../core/work/lease-keeper.ts';
import { ShutdownError } from '../core/async/shutdown-error.ts';
import type { ChunkWork } from '../core/chunks/work-chunk.ts';
import { startDispatcher, type Dispatcher } from '../dispatcher/dispatch.ts';
import { queueRechecks } from '../dispatcher/queue-rechecks.ts';
import type { Logger } from '../log.ts';
import { openHttpLazily, openEventsLazily, openProviderLazily, openValidatorLazily } from './lazy.ts';
import { openServers, type OpenQueue, type ServerOptions, type Servers } from './servers.ts';
import { readFileLimits } from '../producer/load/account-limits.ts';
import { loadBatch, type LoadedBatch, type LoadOptions } from '../producer/load/load-batch.ts';
import { createRedisRateLimitStore } from '../queue/redis-rate-limits.ts';
import { reachRedis } from '../queue/reach-redis.ts';
import { pacesOf } from './live-sources.ts';
import { migrationsFolder, sampleFile } from '../package-root.ts';
import { createScanService } from './scans.ts';
import { createSourceRegistry, isLocalSource, type SourceRegistry } from './sources.ts';

/** Where the counts of the API's limits are kept. */
export type LimitStore =
  | { readonly kind: 'redis'; readonly client: NonNullable<Servers['redis']> }
  | { readonly kind: 'postgres'; readonly pool: Database['pool'] };

/** Whether the parts answer that a request needs: `ok`, or what is wrong. */
export interface Readiness {
  readonly database: string;
  readonly migrations: string;
  readonly queue: string;
  readonly dispatcher: string;
}

/** Everything the ways in (command line, workers, HTTP) work with. They price and write nothing themselves. */
export interface App {
  readonly config: Config;
  readonly log: Logger;
  /** The account `default`, which the command line acts as. */
  readonly accountId: number;
  readonly batches: BatchStore;
  readonly control: BatchControl;
  readonly reports: BatchReportStore;
  readonly timeline: BatchTimeline;
  readonly rejectedRows: RejectedRows;
  readonly reportData: ReportData;
  readonly results: ResultService;
  readonly charts: ChartStore;
  readonly ledger: CreditLedger;
  readonly prices: PriceBook & { readLines(): Promise<readonly PriceLine[]> };
  readonly listMemory: SavedColumnMappings;
  readonly snapshots: SnapshotStore;
  readonly sources: SourceRegistry;
  /** Names this installation to others. */
  readonly installation: string;
  readonly verify: VerifyStore;
  /** The paces that are to be held, by source. */
  readonly paces: ReadonlyMap<string, SourcePace>;
  readonly accounts: AccountStore;
  readonly accountService: AccountService;
  readonly accountLimits: AccountLimitStore;
  readonly keys: KeyStore;
  /** Who may sign in to the console, and who has. */
  readonly users: UserStore;
  readonly audits: AuditList;
  readonly sessions: SessionStore;
  /** Through which one may sign in too; null: none is configured. */
  readonly provider: IdentityProvider | null;
  readonly idempotency: IdempotencyStore;
  readonly limits: LimitStore;
  readonly stats: ServiceFactStore;
  readonly readReadiness: () => Promise<Readiness>;
  readonly searchAds: (request: SearchRequest) => Promise<StoredAnswer>;
  readonly validateEmail: (request: ValidationRequest) => Promise<ValidatedEmail>;
  /** Calls to live sources that this process has under way. */
  readonly callsUnderWay: () => number;
  /** Cuts off searches and validations that nobody waits for any more; their lookups end as failed, free of charge. */
  readonly abortSearches: () => void;
  /** Loads a list; only so many at a time, because each keeps connections busy. */
  readonly loadList: (options: LoadOptions) => Promise<LoadedBatch>;
  readonly schedules: ScheduleStore;
  readonly changes: ChangeList;
  readonly ads: AdList;
  readonly companies: CompanyMappingStore;
  readonly bill: SourceBill;
  readonly sourcePrices: SourcePrices;
  readonly sourceChecks: SourceChecks;
  readonly forgetting: Erasure;
  readonly optOuts: OptOuts;
  readonly purges: PurgeStore;
  readonly entries: LedgerList;
  readonly usage: UsageList;
  /** For people's SQL, in the reader's role; and the same as a connection string for `psql`, password included. */
  readonly openReader: () => Database;
  readonly readerLink: string;
  /** Accounts' own SQL, and their own logins to the database. */
  readonly queries: AccountQueries;
  readonly logins: AccountLogins;
  /** The server is one of ours, for this machine alone. */
  readonly isPrivateServer: boolean;
  /** Opened on first use: most commands need none. */
  readonly queue: () => Promise<OpenQueue>;
  /** All queues, for who looks at them; opened on first use. */
  readonly boardQueues: Servers['boardQueues'];
  /** What a worker of this process works with. */
  readonly chunkWork: ChunkWork;
  /** What its rechecks of mailboxes work with; null where mail servers are not asked. */
  readonly recheckWork: RecheckWork | null;
  /** Deals with what is due of a schedule: fires it, and begins what waits. */
  readonly tick: (schedule: string) => Promise<void>;
  readonly startDispatcher: () => Promise<Dispatcher>;
  readonly webhooks: WebhookService;
  /** Delivers notices from this process. */
  readonly startDelivering: () => Deliverer;
  readonly close: () => Promise<void>;
}

/**
 * The composition root: finds or starts the servers, and wires the parts.
 *
 * @throws Misconfigured | DatabaseUnavailable. What was opened by then is closed.
 */
export async function openApp(config: Config, options: Omit<ServerOptions, 'closers'>): Promise<App> {
  const closers = createClosers();
  try {
    const servers = await openServers(config, { ...options, closers });
    const accountId = await findAccount(servers.database.sql, 'default');
    return await wire({ ...options, config, closers, servers, accountId });
  } catch (error) {
    await closers.close();
    throw error;
  }
}

interface Wiring {
  readonly config: Config;
  readonly log: Logger;
  readonly closers: Closers;
  readonly servers: Servers;
  readonly accountId: number;
  readonly onProgress: ServerOptions['onProgress'];
}

async function wire({ config, log, closers, servers, accountId, onProgress }: Wiring): Promise<App> {
  const { database, queue, openReader, postgres } = servers;
  const db = database.sql;
  const ledger = createLedger(db);
  const outcomes = createOutcomeStore(db);
  const snapshots = createSnapshotStore(database);
  const { access, sources: configured, leaseMs } = config;
  const installation = await readInstallation(db);
  const sources = createSourceRegistry({
    snapshots,
    configured,
    access,
    http: openHttpLazily(config, closers),
    installation,
    sample: {
      file: sampleFile,
      onLoad: () => onProgress('Loading the bundled, generated sample ads'),
    },
  });
  const mappings = createCompanyMappingStore(db);
  const limit = pLimit(config.concurrency);
  const searching = {
    outcomes,
    mappings,
    sourcesFor: async (claim: AdsClaim) => [
      ...(claim.search.ageMsMax === null ? [] : [createFreshAnswers(db, claim)]),
      ...(await sources.named(claim.sources)),
    ],
    leaseMs,
    ...createCalling(config, servers, { log, limit }),
  };
  const optOuts = createOptOuts(db);
  const validator = await openValidatorLazily({ config, log, closers, servers, optOuts });
  const batches = createBatchStore(database);
  const loadLimit = pLimit(loadsMax);
  const accountLimits = createAccountLimitStore(db);
  const loadList = (options: LoadOptions) =>
    loadLimit(async () => loadBatch(batches, await withinLimits(accountLimits, options)));
  const scans = createScanService({ db, loadList, sources, leaseMs, log, closers });
  const requests = createRequestStore(db);
  const rechecks = createRecheckStore(db);
  const work = createWorkStore(db);
  const openLeases = () => closers.add(createLeaseKeeper(work, leaseMs), (keeper) => keeper.close());
  // Apart from those of the workers: a search goes on while they stop.
  const requestLeases = openLeases();
  const control = createBatchControl(db);
  const results = createResultService(db);
  const charts = createChartStore(db, pLimit(countsMax));
  const notices = openEventsLazily(config, closers);
  await grantOpeningCredits(ledger, accountId, config);
  return {
    config,
    log,
    accountId,
    batches,
    control,
    reports: createBatchReportStore(db),
    timeline: createBatchTimeline(db),
    rejectedRows: createRejectedRows(db),
    reportData: createReportData(db),
    results,
    charts,
    ledger,
    prices: createPriceBook(db),
    listMemory: createListMemory(db),
    snapshots,
    sources,
    installation,
    verify: createVerifyStore(db),
    paces: pacesOf(access),
    accounts: createAccountStore(db),
    accountService: createAccountService(db),
    accountLimits,
    keys: createKeyStore(db),
    users: createUserStore(db),
    audits: createAuditList(db),
    sessions: createSessionStore(db),
    provider: openProviderLazily(config, closers),
    idempotency: createIdempotencyStore(db),
    limits: limitStoreOf(servers),
    stats: createServiceFactStore(db),
    readReadiness: () => readReadiness(servers),
    searchAds: async (request) => {
      // A live source is paced, on Redis where there is one, and a call that waits for it there would wait for ever.
      if (servers.redis !== null && !request.sources.every(isLocalSource)) await reachRedis(servers.redis);
      return searchAds({ ...searching, requests, leases: requestLeases }, request);
    },
    validateEmail: (request) =>
      validateRequest({ requests, validator, leases: requestLeases, leaseMs }, request),
    callsUnderWay: () => limit.activeCount,
    abortSearches: () => requestLeases.abortAll(new ShutdownError('The server has stopped.')),
    loadList,
    schedules: createScheduleStore(db),
    changes: createChangeList(db),
    ads: createAdList(db),
    companies: mappings,
    bill: createSourceBill(db),
    sourcePrices: createSourcePrices(db),
    sourceChecks: createSourceChecks(db),
    forgetting: createForgetting(db),
    optOuts,
    purges: createPurgeStore(db),
    entries: createLedgerList(db),
    usage: createUsageList(db),
    openReader,
    readerLink: postgres.readerLink,
    queries: createAccountReader({
      url: postgres.accountReaderUrl,
      db,
      timeoutMs: config.sqlTimeoutMs,
      limitMemory: postgres.limitMemory,
    }),
    logins: createAccountLogins({ db, ownerUrl: postgres.ownerUrl }),
    isPrivateServer: postgres.kind === 'private',
    queue,
    boardQueues: servers.boardQueues,
    chunkWork: {
      ...searching,
      work,
      validator,
      now: () => new Date(),
      leases: openLeases(),
      random: Math.random,
      commitLimit: pLimit(wholeCommitsMax),
    },
    recheckWork: config.email.probe === null ? null : { rechecks, validator },
    tick: scans.tick,
    startDispatcher: async () => {
      const opened = await queue();
      // What pages about lists that are over are quick by: copies of the record, which may come later.
      const preparing = closers.add(
        createBackgroundTask(
          async (signal) => {
            await charts.keepUp(signal);
            await results.index.update(signal);
          },
          (error) =>
            log.warn({ err: error }, 'What pages about lists are quick by could not be prepared yet.'),
        ),
        (work) => work.close(),
      );
      const dispatcher = startDispatcher({
        ...dispatcherSettings(config),
        dispatch: createDispatchStore(db),
        housekeeping: createHousekeeping(db, config.retention, postgres.limitMemory),
        control,
        outcomes,
        queue: opened.chunks,
        queueRechecks: () => queueRechecks(rechecks, opened.rechecks),
        keepScans: scans.createKeeper(opened.ticks),
        startPreparing: preparing.start,
        openLeaderLock: () =>
          openLeaderLock({ url: postgres.appUrl, role: 'nightshift_app', leaseMs: config.leaseMs }),
        nowMs: () => performance.now(),
        onError: (error) => log.warn({ err: error }, 'The dispatcher met an error and goes on.'),
      });
      return closers.add(dispatcher, (started) => started.close());
    },
    webhooks: createWebhookService({ ...notices, store: createWebhookStore(db), now: () => new Date() }),
    startDelivering: () =>
      startDelivering({
        ...notices,
        deliveries: createDeliveryStore(db),
        pollEveryMs: noticePollMs,
        random: Math.random,
        onError: (error) => log.warn({ err: error }, 'A notice met an error; it will be sent again.'),
      }),
    close: closers.close,
  };
}

/** A list of an account that may have only so many rows is read no further. */
async function withinLimits(limits: AccountLimitStore, options: LoadOptions): Promise<LoadOptions> {
  const own = await readFileLimits(limits, options.accountId);
  return { ...options, reading: { ...options.reading, limits: { ...options.reading.limits, ...own } } };
}

function limitStoreOf({ redis, database }: Servers): LimitStore {
  return redis === null ? { kind: 'postgres', pool: database.pool } : { kind: 'redis', client: redis };
}

async function readReadiness({ database, redis }: Servers): Promise<Readiness> {
  const pending = await countPendingMigrations(database.pool, migrationsFolder).catch(() => null);
  const isThere = pending !== null;
  const onRedis =
    redis !== null &&
    (await reachRedis(redis).then(
      () => 'ok',
      () => 'Redis cannot be reached',
    ));
  const onPostgres = isThere ? 'ok' : 'Postgres cannot be reached';
  const holder = pending === 0 ? await findForeignLockHolder(database.sql).catch(() => null) : null;
  return {
    database: onPostgres,
    migrations: isThere && pending > 0 ? `${pending} are lacking` : onPostgres,
    queue: onRedis === false ? onPostgres : onRedis,
    dispatcher:
      holder === null
        ? 'ok'
        : `The login ${holder} holds the lock of the dispatcher, so no work is given out. End its session (pg_terminate_backend).`,
  };
}

/** What calls to live sources go through: one limit and one pacer per process. */
function createCalling(
  config: Config,
  { database, redis }: Servers,
  { log, limit }: { readonly log: Logger; readonly limit: LimitFunction },
) {
  const db = database.sql;
  const slots =
    redis === null ? createPostgresRateLimitStore(db) : createRedisRateLimitStore(redis, config.queuePrefix);
  return {
    asking: {
      rateLimiter: createRateLimiter({ slots, nowMs: () => performance.now(), sleep, openGate: pLimit }),
      calls: createSourceCallLog(db, {
        failureWaitMs: config.sourceWaitMs,
        keepsReplies: config.keepRepliesMs !== null,
      }),
      limit: <T>(work: () => Promise<T>) => limit(work),
      sleep,
      refusedWaitMs: config.sourceWaitMs,
      noneOutvotesFailed: config.noneOutvotesFailed,
      onError: (error: unknown) =>
        log.warn({ err: error }, 'What a source says of its pace could not be written down.'),
    },
  };
}

/** Lists that one process loads at a time. */
const loadsMax = 4;

/** Batches and schedules that one process counts for charts at a time: each is passes over all ads of a list. */
const countsMax = 2;

/** How long a notice may lie before somebody looks for it. */
const noticePollMs = 1000;

/** Chunks that are in line or under way at a time: a million rows do not become a million jobs. */
const windowChunks = 128;

/** Commits of whole chunks at a time. Of 2, 3, 4 and 16 the best on two cores (docs/benchmarks.md). */
const wholeCommitsMax = 4;

/** Lookups of a chunk: few where each is a call, hundreds where one query answers them all (DESIGN D5). */
const lookupsPerLiveChunk = 25;
const lookupsPerLocalChunk = 500;
/** One query of BigQuery's answers so many for the price of one; its parameters hold 10,000 values at most. */
const companiesPerWindow = 5000;
/**
 * Those of one domain lie anywhere in a list, and only those that come together share a session with its mail host. Measured with
 * 10,000 of 500 domains, in no order: 2.2 round trips an address in chunks of 200, 1.2 in these.
 */
const addressesPerChunk = 2000;

function dispatcherSettings({ leaseMs }: Config) {
  return {
    windowChunks,
    sizeOf: (operation: Operation, sources: readonly string[]) => {
      if (operation === 'email_validation') return addressesPerChunk;
      if (sources.every(isLocalSource)) return lookupsPerLocalChunk;
      // Also beside others: its query costs the same for a few as for all.
      return sources.includes('bigquery') ? companiesPerWindow : lookupsPerLiveChunk;
    },
    leaseMs,
    queuedMsMax: leaseMs,
    reconcileEveryMs: Math.min(1000, leaseMs / 2),
    tidyEveryMs: 60_000,
  };
}

/** Once in the life of a database; every later start finds it granted. */
async function grantOpeningCredits(
  ledger: CreditLedger,
  accountId: number,
  { openingCredits }: Config,
): Promise<void> {
  const amountMicro = parseCredits(openingCredits);
  if (amountMicro > 0n)
    await ledger.grant(accountId, [{ key: 'opening', amountMicro, reason: 'opening grant' }]);
}
