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
import type { Completeness } from '../../src/core/changes/observation.ts';
import type {
  CatchUpPolicy,
  ListReading,
  OverlapPolicy,
  ScanCause,
  ScanState,
} from '../../src/core/schedules/schedule.ts';
import type { SearchOptions } from '../../src/core/sources/ad-source.ts';
import { accounts } from './accounts.ts';
import { bytea, moment, nightshift } from './schema.ts';

/** A list of companies and a cron pattern with a time zone. The record of it: what the queue knows is made from here. */
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
    /** The list as it was handed in, unpacked, and how it is read: every scan loads it from here. */
    list: bytea().notNull(),
    /** A `ListReading`: column map, encoding, delimiter, header. */
    reading: jsonb().notNull().$type<ListReading>(),
    companies: integer().notNull(),
    sources: text().array().notNull().$type<readonly string[]>(),
    /** Its `SearchOptions`; null: none. */
    search: jsonb().$type<SearchOptions>(),
    /** Budget of a scan, and of all scans of a day in the schedule's time zone; in microcredits. */
    maxCreditsMicro: bigint('max_credits_micro', { mode: 'bigint' }),
    dayCreditsMicro: bigint('day_credits_micro', { mode: 'bigint' }),
    /** Overlap policy of a tick while a scan still runs. */
    overlap: text().notNull().default('skip').$type<OverlapPolicy>(),
    /** Catch-up policy of missed ticks: no scan, or one scan for all of them. */
    catchUp: text('catch_up').notNull().default('once').$type<CatchUpPolicy>(),
    /** Complete scans in a row that must miss an ad to end it. */
    missesToEnd: integer('misses_to_end').notNull().default(2),
    /** An ad that the source itself last saw longer ago has ended. */
    staleDays: integer('stale_days').notNull().default(14),
    /** The webhooks that are told of its scans, by id; null: all that take such events. */
    notify: bigint({ mode: 'number' }).array().$type<readonly number[]>(),
    state: text().notNull().default('active').$type<'active' | 'paused' | 'removed'>(),
    stateSince: moment('state_since').notNull().defaultNow(),
    /** Ticks up to here have been dealt with; and the first after it, null while it is paused or removed. */
    tickedTo: moment('ticked_to').notNull().defaultNow(),
    nextAt: moment('next_at'),
    /** Counted up with every change of pattern, zone or state: what the queue was told under another number is old. */
    revision: integer().notNull().default(1),
    revisedAt: moment('revised_at').notNull().defaultNow(),
    createdAt: moment('created_at').notNull().defaultNow(),
    /** Time at which the purge of a removed schedule's companies and history began. */
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

/** One run of a schedule, itself a batch once it has begun; or a tick that made none, with the reason. Ids grow with time. */
export const scans = nightshift.table(
  'scans',
  {
    id: bigint({ mode: 'bigint' }).primaryKey().generatedAlwaysAsIdentity(),
    publicId: text('public_id').notNull().unique(),
    accountId: bigint('account_id', { mode: 'number' }).notNull(),
    scheduleId: bigint('schedule_id', { mode: 'number' })
      .notNull()
      .references(() => schedules.id),
    /** The tick it is for; of a run by hand, when that was asked for. Of missed ticks the last. */
    dueAt: moment('due_at').notNull(),
    cause: text().notNull().$type<ScanCause>(),
    /** `waiting`: not begun; `running`: its batch is not finished; `skipped` and `missed` made no batch. */
    state: text().notNull().$type<ScanState>(),
    /** Why it waits, was skipped or missed, in plain words. */
    reason: text(),
    /** Ticks that this row stands for: more than one only where they were missed together. */
    ticks: integer().notNull().default(1),
    batchId: bigint('batch_id', { mode: 'number' }),
    /** Times that it could not begin; and nobody tries before then: whoever tries has it for so long. */
    tries: integer().notNull().default(0),
    tryAt: moment('try_at').notNull().defaultNow(),
    createdAt: moment('created_at').notNull().defaultNow(),
    begunAt: moment('begun_at'),
    finishedAt: moment('finished_at'),
    /** When its changes were computed; later than that its batch may have been retried. */
    evaluatedAt: moment('evaluated_at'),
    /** Number of evaluations: one more after each retry that has ended. And the settings of the schedule that applied. */
    evaluations: integer().notNull().default(0),
    missesToEnd: integer('misses_to_end'),
    staleDays: integer('stale_days'),
    /** When failed companies of it were last looked up again; null once what came of that is evaluated. */
    retriedAt: moment('retried_at'),
    /** When what it saw went with its batch. What it said of each company, and what changed, stays while its schedule does. */
    purgedAt: moment('purged_at'),
  },
  (table) => [
    // Each due tick makes at most one scan, whoever hears it (docs/architecture/decisions/0003-postgres-is-the-record.md). Runs by hand are
    // made under ids of their own.
    uniqueIndex('scans_one_per_tick')
      .on(table.scheduleId, table.dueAt)
      .where(sql`${table.cause} <> 'manual'`),
    uniqueIndex('scans_batch')
      .on(table.batchId)
      .where(sql`${table.batchId} IS NOT NULL`),
    // More than one at a time would pile up behind the one that runs.
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

/** Observation of one company by a scan: its completeness, and its changes. Written once, with the answer. */
export const scanCompanies = nightshift.table(
  'scan_companies',
  {
    scanId: bigint('scan_id', { mode: 'bigint' }).notNull(),
    companyKey: text('company_key').notNull(),
    scheduleId: bigint('schedule_id', { mode: 'number' }).notNull(),
    lookupId: bigint('lookup_id', { mode: 'bigint' }).notNull(),
    completeness: text().notNull().$type<Completeness>(),
    /** The first that said something about the company: what was there already, and no news. */
    isBaseline: boolean('is_baseline').notNull(),
    source: text(),
    /** When the source said it, and the day that it speaks of: of a snapshot, the newest that it knows. */
    observedAt: moment('observed_at').notNull(),
    day: date().notNull(),
    /** Ads that run, as far as is known after this scan. */
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

/** Changes, append-only; at most one per scan, company and ad. Keyed by scan first: partitions by time are possible. */
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
    /** Version of the ad; for a changed one also the one before. */
    versionId: bigint('version_id', { mode: 'bigint' }).notNull(),
    versionBefore: bigint('version_before', { mode: 'bigint' }),
    /** True when the ad runs after the change. */
    isActive: boolean('is_active').notNull(),
    /** First known day of an ad that runs now and did not before; the last day of one that does not run. */
    ranFrom: date('ran_from'),
    ranTo: date('ran_to'),
    /** The scans it rests on, oldest first: for an ended ad those that missed it. */
    restsOn: bigint('rests_on', { mode: 'bigint' }).array().notNull(),
    /** When the source said what it follows from. */
    observedAt: moment('observed_at').notNull(),
    createdAt: moment('created_at').notNull().defaultNow(),
  },
  (table) => [
    primaryKey({ columns: [table.scanId, table.companyKey, table.adId] }),
    index('ad_changes_by_company').on(table.scheduleId, table.companyKey, table.adId, table.scanId),
    // The first scan of a list has all of its ads for changes, and none of them is news.
    index('ad_changes_news')
      .on(table.accountId, table.scanId, table.companyKey, table.adId)
      .where(sql`${table.kind} <> 'baseline'`),
    check('ad_changes_kind', sql`${table.kind} IN ('baseline', 'new', 'reactivated', 'ended', 'changed')`),
    check(
      'ad_changes_ends',
      sql`CASE ${table.kind} WHEN 'ended' THEN NOT ${table.isActive} WHEN 'baseline' THEN true ELSE ${table.isActive} END`,
    ),
  ],
);

/** State of the companies of a schedule: derived from its scans, and derived again by `verify`. */
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
    /** As `sourceKey` names them; several where they said the same: that there are none, or that they do not know the company. */
    lastSources: text('last_sources').array().notNull(),
    /** Day of the last conclusive observation: one that was more than an unconfirmed empty answer. */
    firmDay: date('firm_day').notNull(),
    firmCompleteness: text('firm_completeness').notNull(),
    firmSources: text('firm_sources').array().notNull(),
  },
  (table) => [primaryKey({ columns: [table.scheduleId, table.companyKey] })],
);

/** State of the ads of a schedule's companies; derived as `tracked_companies` is. */
export const trackedAds = nightshift.table(
  'tracked_ads',
  {
    scheduleId: bigint('schedule_id', { mode: 'number' }).notNull(),
    companyKey: text('company_key').notNull(),
    adId: bigint('ad_id', { mode: 'bigint' }).notNull(),
    isActive: boolean('is_active').notNull(),
    firstScanId: bigint('first_scan_id', { mode: 'bigint' }).notNull(),
    lastScanId: bigint('last_scan_id', { mode: 'bigint' }).notNull(),
    /** As it was last seen, by whom, and what it looked like then (`ad_looks`). */
    versionId: bigint('version_id', { mode: 'bigint' }).notNull(),
    source: text(),
    look: bytea().notNull(),
    /** Last sightings by the other sources that have had it, the newest first: `[{source, version, contentHash}]`; null: none. */
    elsewhere: jsonb(),
    /** The day that the last sighting spoke of, and the days that its source gave. */
    day: date().notNull(),
    start: date(),
    lastSeen: date('last_seen'),
    /** The complete scans in a row that did not see it, oldest first. */
    missedIn: bigint('missed_in', { mode: 'bigint' })
      .array()
      .notNull()
      .default(sql`'{}'`),
  },
  (table) => [primaryKey({ columns: [table.scheduleId, table.companyKey, table.adId] })],
);

/** Content hashes of ad versions, without what differs from one call to the next: versions with the same hash are no change. */
export const adObservations = nightshift.table('ad_looks', {
  versionId: bigint('version_id', { mode: 'bigint' }).primaryKey(),
  look: bytea().notNull(),
});
