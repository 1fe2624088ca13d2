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
  smallint,
  text,
  unique,
  uniqueIndex,
} from 'drizzle-orm/pg-core';
import type { Relation } from '../../src/core/ads/relate.ts';
import type { AdvertiserRole } from '../../src/core/companies/company-mapping.ts';
import type { MatchReason } from '../../src/core/companies/match/reasons.ts';
import type { SnapshotName } from '../../src/core/sources/snapshot-store.ts';

import { bytea, moment, nightshift } from './schema.ts';

/** Identities of ads: advertiser id and creative id, or the hash of the five fields of a shape-A ad. */
export const ads = nightshift.table(
  'ads',
  {
    id: bigint({ mode: 'bigint' }).primaryKey().generatedAlwaysAsIdentity(),
    advertiserId: text('advertiser_id'),
    creativeId: text('creative_id'),
    textHash: bytea('text_hash'),
  },
  (table) => [
    unique('ads_identity').on(table.advertiserId, table.creativeId),
    uniqueIndex('ads_identity_by_text')
      .on(table.textHash)
      .where(sql`${table.textHash} IS NOT NULL`),
    check(
      'ads_one_identity',
      sql`num_nonnulls(${table.advertiserId}, ${table.creativeId}) = CASE WHEN ${table.textHash} IS NULL THEN 2 ELSE 0 END`,
    ),
  ],
);

/** Versions of ads, append-only. Equal content is stored once, by its content hash. */
export const adVersions = nightshift.table(
  'ad_versions',
  {
    id: bigint({ mode: 'bigint' }).primaryKey().generatedAlwaysAsIdentity(),
    adId: bigint('ad_id', { mode: 'bigint' }).notNull(),
    hashContent: bytea('content_hash').notNull(),
    advertiserName: text('advertiser_name'),
    format: text(),
    originalUrl: text('original_url'),
    headline: text(),
    description: text(),
    displayUrl: text('display_url'),
    finalUrl: text('final_url'),
    adType: text('ad_type'),
    variantsCount: integer('variants_count').notNull().default(0),
  },
  (table) => [unique('ad_versions_content').on(table.adId, table.hashContent)],
);

/** Renderings of an ad version, in the order of the source. Sizes in pixels. */
export const adVariants = nightshift.table(
  'ad_variants',
  {
    versionId: bigint('version_id', { mode: 'bigint' }).notNull(),
    position: integer().notNull(),
    content: text().notNull(),
    height: integer(),
    width: integer(),
  },
  (table) => [primaryKey({ columns: [table.versionId, table.position] })],
);

/**
 * Answers: ordered sets of ad versions with the days that a source reported, append-only. Equal answers are stored once, by their content
 * hash: for the rows of a batch, for batches, scans and accounts. An answer says nothing about who received it; `lookups` does.
 *
 * The last day of an ad that was still seen on the newest day of the answer is `infinity`, and stands for the newest day of the reference. So
 * the answer of a night without news equals the one of the night before.
 */
export const answers = nightshift.table('answers', {
  id: bigint({ mode: 'bigint' }).primaryKey().generatedAlwaysAsIdentity(),
  hashContent: bytea('content_hash').notNull().unique('answers_content'),
  /** Length of the arrays, which need not be read for it. */
  ads: integer().notNull(),
  versions: bigint({ mode: 'bigint' }).array().notNull(),
  starts: date().array().notNull(),
  lastDays: date('last_days').array().notNull(),
});

/** Advertisers of the ads of an answer. An ad without an advertiser id is found by its text hash. */
export const answerAdvertisers = nightshift.table(
  'answer_advertisers',
  {
    answerId: bigint('answer_id', { mode: 'bigint' }).notNull(),
    /** Advertiser id, or hexadecimal text hash of the ad. */
    subject: text().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.answerId, table.subject] }),
    index('answer_advertisers_by_subject').on(table.subject, table.answerId),
  ],
);

/** Local data sets of ads. `sample` is synthetic, and is used only if it is named. */
export const snapshots = nightshift.table(
  'snapshots',
  {
    id: integer().primaryKey().generatedAlwaysAsIdentity(),
    name: text().notNull().unique().$type<SnapshotName>(),
    isGenerated: boolean('is_generated').notNull(),
    loadedAt: moment('loaded_at'),
    /** Newest day of which an export was loaded; an older export is rejected. */
    asOf: date('as_of'),
    /** True if the details of an ad have regions; in the same way for surfaces. Without them a search by region is rejected. */
    hasRegions: boolean('has_regions').notNull().default(false),
    hasSurfaces: boolean('has_surfaces').notNull().default(false),
    /** Version of the words in `advertiser_words`, `searchWordsVersion`; 0 if they were never stored. */
    wordsVersion: smallint('words_version').notNull().default(0),
  },
  (table) => [check('snapshots_name', sql`${table.name} IN ('snapshot', 'sample')`)],
);

/** Advertisers of a snapshot, with their names in the newest row. */
export const advertisers = nightshift.table(
  'advertisers',
  {
    id: bigint({ mode: 'bigint' }).primaryKey().generatedAlwaysAsIdentity(),
    snapshotId: integer('snapshot_id').notNull(),
    advertiserId: text('advertiser_id').notNull(),
    disclosedName: text('disclosed_name'),
    legalName: text('legal_name'),
    location: text(),
    /** Last seen day of the row with these names; an older row does not replace them. */
    namesSeen: date('names_seen'),
    /** Answer with all ads of the advertiser, newest first, and its newest day. Null without ads. */
    answerId: bigint('answer_id', { mode: 'bigint' }),
    newestDay: date('newest_day'),
  },
  (table) => [unique('advertisers_identity').on(table.snapshotId, table.advertiserId)],
);

/**
 * Search keys of advertisers: the disclosed and the legal name, normalised without legal forms, each also with transcribed umlauts.
 * Without spaces, a key is compared to the label of a domain.
 */
export const advertiserNames = nightshift.table(
  'advertiser_names',
  {
    snapshotId: integer('snapshot_id').notNull(),
    nameKey: text('name_key').notNull(),
    advertiserKey: bigint('advertiser_key', { mode: 'bigint' }).notNull(),
  },
  (table) => [
    // The name comes first: with the snapshot first, a plan without statistics may read the whole snapshot.
    primaryKey({ columns: [table.nameKey, table.snapshotId, table.advertiserKey] }),
    index('advertiser_names_by_label').on(sql`replace(${table.nameKey}, ' ', '')`, table.snapshotId),
    index('advertiser_names_by_advertiser').on(table.advertiserKey),
  ],
);

/**
 * Words under which the advertisers of a snapshot are found (`advertiserWords`), each as a number of 32 bits that is made of its letters: two
 * words rarely share one, and what is found is evaluated by its name. A word of an earlier name stays.
 */
export const advertiserWords = nightshift.table(
  'advertiser_words',
  {
    word: integer().notNull(),
    snapshotId: integer('snapshot_id').notNull(),
    advertiserKey: bigint('advertiser_key', { mode: 'bigint' }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.word, table.snapshotId, table.advertiserKey] })],
);

/**
 * Distinct evaluations of advertisers, append-only: many ads and lookups share one. The id is a hash of the content, so that a commit refers to
 * an evaluation without a search for it.
 */
export const advertiserMatches = nightshift.table(
  'advertiser_matches',
  {
    id: bigint({ mode: 'bigint' }).primaryKey(),
    relation: text().notNull().$type<Relation>(),
    /** `AdvertiserMatch.confidence` in hundredths. */
    confidencePercent: smallint('confidence_percent').notNull(),
    reasons: text().array().notNull(),
  },
  (table) => [
    check('advertiser_matches_relation', sql`${table.relation} IN ('own', 'third_party', 'unknown')`),
    check('advertiser_matches_confidence', sql`${table.confidencePercent} BETWEEN 1 AND 99`),
  ],
);

/** Ads of a snapshot by advertiser, from which the answer of each is made. */
export const snapshotAds = nightshift.table(
  'snapshot_ads',
  {
    advertiserKey: bigint('advertiser_key', { mode: 'bigint' }).notNull(),
    adId: bigint('ad_id', { mode: 'bigint' }).notNull(),
    versionId: bigint('version_id', { mode: 'bigint' }).notNull(),
    start: date(),
    lastSeen: date('last_seen'),
  },
  (table) => [primaryKey({ columns: [table.advertiserKey, table.adId] })],
);

/** Mapping of companies to advertisers, set by an operator. */
export const companyAdvertisers = nightshift.table(
  'company_advertisers',
  {
    accountId: bigint('account_id', { mode: 'number' }).notNull(),
    companyKey: text('company_key').notNull(),
    advertiserId: text('advertiser_id').notNull(),
    role: text().notNull().$type<AdvertiserRole>(),
    note: text(),
    checkedAt: moment('checked_at').notNull().defaultNow(),
  },
  (table) => [
    primaryKey({ columns: [table.accountId, table.companyKey, table.advertiserId] }),
    check('company_advertisers_role', sql`${table.role} IN ('allow', 'deny', 'agency')`),
  ],
);

/** Time of the last change of a company's mapping, including its removal. Earlier answers are not reused. */
export const companyMappingChanges = nightshift.table(
  'company_mapping_changes',
  {
    accountId: bigint('account_id', { mode: 'number' }).notNull(),
    companyKey: text('company_key').notNull(),
    /** `-infinity`: never changed, only dismissed. */
    changedAt: moment('changed_at').notNull().defaultNow(),
    /** True when a person decided that no known advertiser is the company. A change of the mapping resets it. */
    dismissed: boolean().notNull().default(false),
  },
  (table) => [primaryKey({ columns: [table.accountId, table.companyKey] })],
);

/**
 * Reports of a source about an ad beside its content (`AdDetails`), append-only: a row when it differs from the latest one of this ad, source
 * and account. Rows of the same day replace one another: the last one counts.
 */
export const adDetails = nightshift.table(
  'ad_details',
  {
    adId: bigint('ad_id', { mode: 'bigint' }).notNull(),
    /** Account whose lookup observed it; 0 for a data set of ours, which all accounts search. */
    accountId: bigint('account_id', { mode: 'number' }).notNull(),
    recordedAt: moment('recorded_at').notNull(),
    /** Day of the export, or of the observation; UTC. */
    asOf: date('as_of').notNull(),
    /** Days from the first to the last day of the ad on which it was not shown, so that a running ad keeps its row; see `packDetails`. */
    daysNotShown: integer('days_not_shown'),
    /** Reach of the ad over all regions; see `reachOf`. */
    timesShownLower: bigint('times_shown_lower', { mode: 'bigint' }),
    timesShownUpper: bigint('times_shown_upper', { mode: 'bigint' }),
    source: text().notNull(),
    hashContent: bytea('content_hash').notNull(),
    isGrantFunded: boolean('is_grant_funded'),
    topic: text(),
    payer: text(),
    targetDomain: text('target_domain'),
    previewUrl: text('preview_url'),
    legalName: text('legal_name'),
    location: text(),
    verification: text(),
    /** Fields of `Targeting` in their order; null without any. */
    targeting: text().array(),
    /** Regions as `PackedRegion`; null without any. */
    regions: jsonb(),
  },
  // The end of the key makes the latest row, also as of a moment, one step in the index.
  (table) => [primaryKey({ columns: [table.adId, table.source, table.accountId, table.recordedAt] })],
);

/**
 * Ads that the platform removed, with the reasons, from exports of `removed_creative_stats`. Append-only, as `ad_details`. Such an ad need not be
 * in `ads`.
 */
export const removedAds = nightshift.table(
  'removed_ads',
  {
    recordedAt: moment('recorded_at').notNull(),
    asOf: date('as_of').notNull(),
    advertiserId: text('advertiser_id').notNull(),
    creativeId: text('creative_id').notNull(),
    /** Name of the data set. */
    source: text().notNull(),
    hashContent: bytea('content_hash').notNull(),
    targeting: text().array(),
    regions: jsonb(),
    /** Decisions as `PackedDisapproval`, in the order of the export. */
    disapprovals: jsonb().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.advertiserId, table.creativeId, table.source, table.recordedAt] }),
  ],
);

/**
 * Advertisers of which the evidence does not decide whether they belong to a company, as the last lookup reported them. A mapped advertiser
 * stays here, and is no candidate until its mapping is removed. Purged with the lookup.
 */
export const advertiserCandidates = nightshift.table(
  'advertiser_candidates',
  {
    accountId: bigint('account_id', { mode: 'number' }).notNull(),
    companyKey: text('company_key').notNull(),
    advertiserId: text('advertiser_id').notNull(),
    name: text(),
    legalName: text('legal_name'),
    location: text(),
    verification: text(),
    adsCount: integer('ads_count'),
    /** Probability of being the company's own, in hundredths. */
    confidencePercent: smallint('confidence_percent').notNull(),
    reasons: text().array().notNull().$type<readonly MatchReason[]>(),
    source: text().notNull(),
    firstSeenAt: moment('first_seen_at').notNull().defaultNow(),
    lastSeenAt: moment('last_seen_at').notNull().defaultNow(),
    lookupId: bigint('lookup_id', { mode: 'bigint' }).notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.accountId, table.companyKey, table.advertiserId] }),
    index('advertiser_candidates_by_confidence').on(
      table.accountId,
      table.confidencePercent.desc().nullsFirst(),
      table.companyKey,
      table.advertiserId,
    ),
    index('advertiser_candidates_by_lookup').on(table.lookupId),
    check('advertiser_candidates_confidence', sql`${table.confidencePercent} BETWEEN 1 AND 99`),
  ],
);
