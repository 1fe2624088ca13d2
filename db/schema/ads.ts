import { sql } from 'drizzle-orm';
import {
  bigint,
  boolean,
  check,
  date,
  index,
  integer,
  primaryKey,
  text,
  unique,
  uniqueIndex,
} from 'drizzle-orm/pg-core';
import type { AdvertiserRole } from '../../src/core/companies/company-mapping.ts';
import type { SnapshotName } from '../../src/core/sources/snapshot-store.ts';
import { bytea, moment, nightshift } from './schema.ts';

/** An ad's identity and nothing else: advertiser and creative id, or for a shape-A ad the hash of its five fields. */
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

/** Versions of ads. Append-only; equal content is stored once, by its content hash. */
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

/** The renderings of an ad version, in the source's order. Sizes in pixels. */
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

/** Links from a lookup to the versions of its ads, with position and dates. All reading goes through here. */
export const lookupAds = nightshift.table(
  'lookup_ads',
  {
    lookupId: bigint('lookup_id', { mode: 'bigint' }).notNull(),
    position: integer().notNull(),
    versionId: bigint('version_id', { mode: 'bigint' }).notNull(),
    start: date(),
    lastSeen: date('last_seen'),
    /** Relation to the company, where it is not the company's own (see `Relation`); null takes no space. */
    relation: text(),
  },
  (table) => [
    primaryKey({ columns: [table.lookupId, table.position] }),
    check('lookup_ads_relation', sql`${table.relation} IN ('third_party', 'unknown')`),
  ],
);

/** A local data set of ads. `sample` is generated data and answers only those who name it. */
export const snapshots = nightshift.table(
  'snapshots',
  {
    id: integer().primaryKey().generatedAlwaysAsIdentity(),
    name: text().notNull().unique().$type<SnapshotName>(),
    isGenerated: boolean('is_generated').notNull(),
    loadedAt: moment('loaded_at'),
  },
  (table) => [check('snapshots_name', sql`${table.name} IN ('snapshot', 'sample')`)],
);

/** The advertisers of a snapshot, with their names as of the newest row. */
export const advertisers = nightshift.table(
  'advertisers',
  {
    id: bigint({ mode: 'bigint' }).primaryKey().generatedAlwaysAsIdentity(),
    snapshotId: integer('snapshot_id').notNull(),
    advertiserId: text('advertiser_id').notNull(),
    disclosedName: text('disclosed_name'),
    legalName: text('legal_name'),
    location: text(),
    /** The last day seen of the row that the names come from; only a row as new replaces them. */
    namesSeen: date('names_seen'),
  },
  (table) => [unique('advertisers_identity').on(table.snapshotId, table.advertiserId)],
);

/**
 * The keys by which advertisers are found: the disclosed and the legal name, normalised (legal forms stripped), each with
 * umlauts also written out. Without its spaces a key is what the label of a domain is compared with.
 */
export const advertiserNames = nightshift.table(
  'advertiser_names',
  {
    snapshotId: integer('snapshot_id').notNull(),
    nameKey: text('name_key').notNull(),
    advertiserKey: bigint('advertiser_key', { mode: 'bigint' }).notNull(),
  },
  (table) => [
    // The key first: with the snapshot first, a plan made without statistics may read the whole of it.
    primaryKey({ columns: [table.nameKey, table.snapshotId, table.advertiserKey] }),
    index('advertiser_names_by_label').on(sql`replace(${table.nameKey}, ' ', '')`, table.snapshotId),
    index('advertiser_names_by_advertiser').on(table.advertiserKey),
  ],
);

/** The ads of a snapshot, by advertiser: what a lookup against it links to. */
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

/** The operator's mapping of a company to its advertisers, by company key: allow, agency, or deny. */
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

/** When the operator last changed what a company is mapped to, also to nothing: answers from before are judged otherwise. */
export const companyMappingChanges = nightshift.table(
  'company_mapping_changes',
  {
    accountId: bigint('account_id', { mode: 'number' }).notNull(),
    companyKey: text('company_key').notNull(),
    changedAt: moment('changed_at').notNull().defaultNow(),
  },
  (table) => [primaryKey({ columns: [table.accountId, table.companyKey] })],
);
