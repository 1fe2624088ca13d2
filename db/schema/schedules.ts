import { sql } from 'drizzle-orm';
import {
  bigint,
  boolean,
  check,
  date,
  index,
  integer,
  jsonb,
  primaryKey,
  text,
  uniqueIndex,
} from 'drizzle-orm/pg-core';
import type { SearchOptions } from '../../src/core/ads/ads-answer.ts';
import type { Completeness } from '../../src/core/changes/observation.ts';
import type {
  CatchUpPolicy,
  FileOptions,
  OverlapPolicy,
  ScanCause,
  ScanState,
} from '../../src/core/schedules/schedule.ts';
import { accounts } from './accounts.ts';
import { bytea, moment, nightshift } from './schema.ts';

/** Schedules: a file of companies, a cron expression and a time zone. Schedulers in the queue are derived from it. */
export const schedules = nightshift.table(
  'schedules',
  {
    id: bigint({ mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    publicId: text('public_id').notNull().unique(),
    accountId: bigint('account_id', { mode: 'number' })
      .notNull()
      .references(() => accounts.id),
    name: text().notNull(),
    cron: text().notNull(),
    /** IANA name, such as Europe/Berlin. */
    timeZone: text('time_zone').notNull(),
    fileName: text('file_name').notNull(),
    /** The submitted file, decompressed. Every scan loads it from here. */
    fileContent: bytea('file_content').notNull(),
    /** `FileOptions`: column map, encoding, delimiter, header. */
    fileOptions: jsonb('file_options').notNull().$type<FileOptions>(),
    companies: integer().notNull(),
    sources: text().array().notNull().$type<readonly string[]>(),
    /** `SearchOptions`; null without any. */
    search: jsonb().$type<SearchOptions>(),
    /** Budget of a scan, and of all scans of a day in the schedule's time zone; in microcredits. */
    maxCreditsMicro: bigint('max_credits_micro', { mode: 'bigint' }),
    dayCreditsMicro: bigint('day_credits_micro', { mode: 'bigint' }),
    /** Policy for a tick while a scan runs. */
    overlap: text().notNull().default('skip').$type<OverlapPolicy>(),
    /** Policy for missed ticks: no scan, or one scan for all of them. */
    catchUp: text('catch_up').notNull().default('once').$type<CatchUpPolicy>(),
    /** Number of consecutive complete scans without an ad after which it counts as ended. */
    missesToEnd: integer('misses_to_end').notNull().default(2),
    /** Days since its last seen day after which an ad counts as ended. */
    staleDays: integer('stale_days').notNull().default(14),
    /** Ids of webhooks that receive its events; null for all that subscribe to them. */
    notify: bigint({ mode: 'number' }).array().$type<readonly number[]>(),
    state: text().notNull().default('active').$type<'active' | 'paused' | 'removed'>(),
    stateSince: moment('state_since').notNull().defaultNow(),
    /** Time up to which ticks are handled, and the next tick; the latter is null unless the schedule is active. */
    tickedTo: moment('ticked_to').notNull().defaultNow(),
    nextAt: moment('next_at'),
    /** Incremented by every change of expression, zone or state. Schedulers with another revision are outdated. */
    revision: integer().notNull().default(1),
    revisedAt: moment('revised_at').notNull().defaultNow(),
    createdAt: moment('created_at').notNull().defaultNow(),
    /** Start of the purge of a removed schedule. */
    purgedAt: moment('purged_at'),
  },
  (table) => [
    uniqueIndex('schedules_one_name')
      .on(table.accountId, table.name)
      .where(sql`${table.state} <> 'removed'`),
    index('schedules_by_next')
      .on(table.nextAt)
      .where(sql`${table.state} = 'active'`),
    check('schedules_state', sql`${table.state} IN ('active', 'paused', 'removed')`),
    check('schedules_overlap', sql`${table.overlap} IN ('skip', 'queue')`),
    check('schedules_catch_up', sql`${table.catchUp} IN ('none', 'once')`),
    check('schedules_next', sql`(${table.state} = 'active') = (${table.nextAt} IS NOT NULL)`),
    check(
      'schedules_bounds',
      sql`${table.maxCreditsMicro} >= 0 AND ${table.dayCreditsMicro} >= 0 AND ${table.missesToEnd} BETWEEN 1 AND 30
        AND ${table.staleDays} BETWEEN 1 AND 3650 AND ${table.companies} > 0`,
    ),
  ],
);

/** Scans: runs of a schedule, each with a batch, and ticks without a run, with the reason. Ids grow with time. */
export const scans = nightshift.table(
  'scans',
  {
    id: bigint({ mode: 'bigint' }).primaryKey().generatedAlwaysAsIdentity(),
    publicId: text('public_id').notNull().unique(),
    accountId: bigint('account_id', { mode: 'number' }).notNull(),
    scheduleId: bigint('schedule_id', { mode: 'number' })
      .notNull()
      .references(() => schedules.id),
    /** The tick; for a manual scan the time of its request; for missed ticks the last of them. */
    dueAt: moment('due_at').notNull(),
    cause: text().notNull().$type<ScanCause>(),
    /** `skipped` and `missed` scans have no batch. */
    state: text().notNull().$type<ScanState>(),
    /** Message for a waiting, skipped or missed scan. */
    reason: text(),
    /** Number of covered ticks: more than 1 only for missed ticks. */
    ticks: integer().notNull().default(1),
    batchId: bigint('batch_id', { mode: 'number' }),
    /** Number of failed starts, and the time of the next attempt, which also serves as lease of the current one. */
    tries: integer().notNull().default(0),
    tryAt: moment('try_at').notNull().defaultNow(),
    createdAt: moment('created_at').notNull().defaultNow(),
    begunAt: moment('begun_at'),
    finishedAt: moment('finished_at'),
    /** Time of the last evaluation of its changes. */
    evaluatedAt: moment('evaluated_at'),
    /** Number of evaluations, one more after each retry. The next two are the settings of the schedule that applied. */
    evaluations: integer().notNull().default(0),
    missesToEnd: integer('misses_to_end'),
    staleDays: integer('stale_days'),
    /** Time of the last retry of failed companies; null once its results are evaluated. */
    retriedAt: moment('retried_at'),
    /** Time of the purge of its batch. Completeness and changes stay with the schedule. */
    purgedAt: moment('purged_at'),
  },
  (table) => [
    // At most one scan per tick, whichever process fires it (docs/architecture/decisions/0003-postgres-is-the-record.md). Manual scans have no
    // tick.
    uniqueIndex('scans_one_per_tick')
      .on(table.scheduleId, table.dueAt)
      .where(sql`${table.cause} <> 'manual'`),
    uniqueIndex('scans_batch')
      .on(table.batchId)
      .where(sql`${table.batchId} IS NOT NULL`),
    // At most one scan waits behind the running one.
    uniqueIndex('scans_one_waiting')
      .on(table.scheduleId)
      .where(sql`${table.state} = 'waiting'`),
    index('scans_by_schedule').on(table.scheduleId, table.id),
    index('scans_by_account').on(table.accountId, table.id),
    index('scans_open')
      .on(table.state, table.id)
      .where(sql`${table.state} IN ('waiting', 'running') OR ${table.evaluatedAt} IS NULL`),
    index('scans_retried')
      .on(table.id)
      .where(sql`${table.retriedAt} IS NOT NULL`),
    check('scans_cause', sql`${table.cause} IN ('tick', 'catch_up', 'manual')`),
    check(
      'scans_state',
      sql`${table.state} IN ('waiting', 'running', 'finished', 'cancelled', 'skipped', 'missed')`,
    ),
    check(
      'scans_begun',
      sql`(${table.state} IN ('running', 'finished', 'cancelled')) = (${table.batchId} IS NOT NULL)
        AND (${table.batchId} IS NULL) = (${table.begunAt} IS NULL)`,
    ),
  ],
);

/** Observations of companies by scans, with their completeness. Written once. */
export const scanCompanies = nightshift.table(
  'scan_companies',
  {
    scanId: bigint('scan_id', { mode: 'bigint' }).notNull(),
    companyKey: text('company_key').notNull(),
    scheduleId: bigint('schedule_id', { mode: 'number' }).notNull(),
    lookupId: bigint('lookup_id', { mode: 'bigint' }).notNull(),
    completeness: text().notNull().$type<Completeness>(),
    /** True for the first observation of the company. */
    isBaseline: boolean('is_baseline').notNull(),
    source: text(),
    /** Time and UTC day of the source's answer; for a snapshot its newest day. */
    observedAt: moment('observed_at').notNull(),
    day: date().notNull(),
    /** Number of running ads after this scan. */
    adsActive: integer('ads_active').notNull(),
    createdAt: moment('created_at').notNull().defaultNow(),
  },
  (table) => [
    primaryKey({ columns: [table.scanId, table.companyKey] }),
    index('scan_companies_by_company').on(table.scheduleId, table.companyKey, table.scanId),
    check(
      'scan_companies_completeness',
      sql`${table.completeness} IN ('complete', 'truncated', 'partial', 'unconfirmed_empty')`,
    ),
  ],
);

/** Changes of ads, append-only, at most one per scan, company and ad. The key begins with the scan, which allows partitions by time. */
export const adChanges = nightshift.table(
  'ad_changes',
  {
    scanId: bigint('scan_id', { mode: 'bigint' }).notNull(),
    companyKey: text('company_key').notNull(),
    adId: bigint('ad_id', { mode: 'bigint' }).notNull(),
    accountId: bigint('account_id', { mode: 'number' }).notNull(),
    scheduleId: bigint('schedule_id', { mode: 'number' }).notNull(),
    kind: text().notNull(),
    /** `first_scan`, `missed_earlier`, `long_ago` (baseline); `not_seen`, `last_seen_long_ago` (ended); null for the others. */
    reason: text(),
    /** Version after the change; for a changed ad also the version before it. */
    versionId: bigint('version_id', { mode: 'bigint' }).notNull(),
    versionBefore: bigint('version_before', { mode: 'bigint' }),
    /** True if the ad runs after the change. */
    isActive: boolean('is_active').notNull(),
    /** First known day of a run that begins, last known day of a run that ends. */
    ranFrom: date('ran_from'),
    ranTo: date('ran_to'),
    /** Scans that are the evidence of the change, oldest first: for an ended ad those that missed it. */
    restsOn: bigint('rests_on', { mode: 'bigint' }).array().notNull(),
    /** Time of the source's answer. */
    observedAt: moment('observed_at').notNull(),
    createdAt: moment('created_at').notNull().defaultNow(),
  },
  (table) => [
    primaryKey({ columns: [table.scanId, table.companyKey, table.adId] }),
    index('ad_changes_by_company').on(table.scheduleId, table.companyKey, table.adId, table.scanId),
    // Without baselines: the first scan of a schedule has one for each ad.
    index('ad_changes_without_baseline')
      .on(table.accountId, table.scanId, table.companyKey, table.adId)
      .where(sql`${table.kind} <> 'baseline'`),
    check('ad_changes_kind', sql`${table.kind} IN ('baseline', 'new', 'reactivated', 'ended', 'changed')`),
    check(
      'ad_changes_ends',
      sql`CASE ${table.kind} WHEN 'ended' THEN NOT ${table.isActive} WHEN 'baseline' THEN true ELSE ${table.isActive} END`,
    ),
  ],
);

/**
 * State of the companies of a schedule, derived from its scans. `nightshift verify` derives it again.
 *
 * The columns `seen_…` describe the newest answer with ads. The rows of its ads refer to them (`tracked_ad_rows`), so a scan without changes
 * writes only the row of the company.
 */
export const trackedCompanies = nightshift.table(
  'tracked_companies',
  {
    scheduleId: bigint('schedule_id', { mode: 'number' }).notNull(),
    companyKey: text('company_key').notNull(),
    baselineScanId: bigint('baseline_scan_id', { mode: 'bigint' }).notNull(),
    lastScanId: bigint('last_scan_id', { mode: 'bigint' }).notNull(),
    lastObservedAt: moment('last_observed_at').notNull(),
    lastDay: date('last_day').notNull(),
    lastOutcome: text('last_outcome').notNull(),
    /** Keys of the sources (`sourceKey`); several for an answer without ads. */
    lastSources: text('last_sources').array().notNull(),
    /** Day of the last conclusive observation, which is any but an unconfirmed empty answer. */
    conclusiveDay: date('conclusive_day').notNull(),
    conclusiveCompleteness: text('conclusive_completeness').notNull(),
    conclusiveSources: text('conclusive_sources').array().notNull(),
    /** Scan and day of the newest answer with ads, and the newest day on which an ad of it was seen. */
    seenScanId: bigint('seen_scan_id', { mode: 'bigint' }),
    seenDay: date('seen_day'),
    seenNewestDay: date('seen_newest_day'),
    /** Ads of that answer that were last seen before this day were stale. */
    seenFreshFrom: date('seen_fresh_from'),
    /** The answer, of which the first `seen_ads` ads count. Null if the next one cannot be compared with it. */
    seenAnswerId: bigint('seen_answer_id', { mode: 'bigint' }),
    seenAds: integer('seen_ads'),
  },
  (table) => [primaryKey({ columns: [table.scheduleId, table.companyKey] })],
);

/**
 * State of the ads of a schedule's companies, derived from its scans. All readers use the view `tracked_ads`.
 *
 * An ad of the newest answer with ads has no scan and no day: they are those of its company. Its last day is `infinity` where the answer saw
 * it on its newest day. So the row stays as it is while the ad is seen again without a change.
 */
export const trackedAdRows = nightshift.table(
  'tracked_ad_rows',
  {
    scheduleId: bigint('schedule_id', { mode: 'number' }).notNull(),
    companyKey: text('company_key').notNull(),
    adId: bigint('ad_id', { mode: 'bigint' }).notNull(),
    isActive: boolean('is_active').notNull(),
    firstScanId: bigint('first_scan_id', { mode: 'bigint' }).notNull(),
    /** Null: `seen_scan_id` of the company. */
    lastScanId: bigint('last_scan_id', { mode: 'bigint' }),
    /** Version, source and content hash (`ad_version_hashes`) of the last observation. */
    versionId: bigint('version_id', { mode: 'bigint' }).notNull(),
    source: text(),
    contentHash: bytea('content_hash').notNull(),
    /** Last observations by other sources, newest first: `[{source, version, contentHash}]`; null without any. */
    otherSources: jsonb('other_sources'),
    /** Day of the last observation; null: `seen_day` of the company. */
    day: date(),
    /** The days reported by its source; `infinity`: `seen_newest_day` of the company. */
    start: date(),
    lastSeen: date('last_seen'),
    /** Consecutive complete scans without it, oldest first. */
    missedIn: bigint('missed_in', { mode: 'bigint' })
      .array()
      .notNull()
      .default(sql`'{}'`),
  },
  (table) => [
    primaryKey({ columns: [table.scheduleId, table.companyKey, table.adId] }),
    // Running ads that the newest answer with ads does not have. Few, unless answers are truncated.
    index('tracked_ad_rows_unseen')
      .on(table.scheduleId, table.companyKey)
      .where(sql`${table.isActive} AND ${table.lastScanId} IS NOT NULL`),
    check('tracked_ad_rows_carried', sql`(${table.lastScanId} IS NULL) = (${table.day} IS NULL)`),
    check('tracked_ad_rows_last_seen', sql`${table.lastScanId} IS NULL OR ${table.lastSeen} <> 'infinity'`),
  ],
);

/** Content hashes for change detection, without fields that vary between calls. Versions with equal hashes are no change. */
export const adVersionHashes = nightshift.table('ad_version_hashes', {
  versionId: bigint('version_id', { mode: 'bigint' }).primaryKey(),
  contentHash: bytea('content_hash').notNull(),
});
