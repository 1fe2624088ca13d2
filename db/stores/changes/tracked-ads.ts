import { sql } from 'drizzle-orm';
import type { SourceObservation, TrackedAd } from '../../../src/core/changes/tracked-ad.ts';
import type { Sql } from '../../connection/client.ts';
import { bigints, texts } from '../sql/arrays.ts';

/** State of an ad, and the form of its row (`tracked_ad_rows`). */
export interface StoredAd {
  readonly ad: TrackedAd;
  /** True if scan and day of the row are those of the newest answer with ads. */
  readonly isCarried: boolean;
  /** True if its last day is the newest day of that answer. */
  readonly isNewest: boolean;
}

interface AdRow extends Record<string, unknown> {
  readonly company_key: string;
  readonly ad_id: string;
  readonly is_active: boolean;
  readonly first_scan_id: string;
  /** Null only if the row refers to an answer that its company does not have, which `verify` reports. */
  readonly last_scan_id: string | null;
  readonly version_id: string;
  readonly source: string;
  readonly content_hash: string;
  readonly other_sources:
    readonly { readonly source: string; readonly version: string; readonly contentHash: string }[] | null;
  readonly day: string;
  readonly start: string | null;
  readonly last_seen: string | null;
  readonly missed_in: readonly string[];
  readonly is_carried: boolean;
  readonly is_newest: boolean;
}

const adColumnsSql = sql`t.company_key, t.ad_id, t.is_active, t.first_scan_id, t.last_scan_id, t.version_id, t.source,
  encode(t.content_hash, 'hex') AS content_hash, t.other_sources, t.day::text AS day, t.start::text AS start, t.last_seen::text AS last_seen,
  to_jsonb(t.missed_in::text[]) AS missed_in, t.is_carried, t.is_newest`;

/** States of ads by company and ad. */
export type StoredAds = ReadonlyMap<string, ReadonlyMap<bigint, StoredAd>>;

/** Reads the states of all ads of these companies; companies without ads are absent. */
export async function readTrackedAds(
  db: Sql,
  scheduleId: number,
  companyKeys: readonly string[],
): Promise<StoredAds> {
  const { rows } = await db.execute<AdRow>(
    sql`SELECT ${adColumnsSql} FROM nightshift.tracked_ads t
      WHERE t.schedule_id = ${scheduleId} AND t.company_key = ANY (${texts(companyKeys)})`,
  );
  return byCompany(rows);
}

/** An ad of a company. */
export interface AdOfCompany {
  readonly companyKey: string;
  readonly adId: bigint;
}

/** Reads the states of these ads, and of all running ads of these companies that their newest answer with ads does not have. */
export async function readSomeTrackedAds(
  db: Sql,
  scheduleId: number,
  { ads, companyKeys }: { readonly ads: readonly AdOfCompany[]; readonly companyKeys: readonly string[] },
): Promise<StoredAds> {
  const { rows } = await db.execute<AdRow>(
    sql`SELECT ${adColumnsSql}
      FROM unnest(${texts(ads.map(({ companyKey }) => companyKey))}, ${bigints(ads.map(({ adId }) => adId))}) AS q(company_key, ad_id)
      JOIN nightshift.tracked_ads t ON t.schedule_id = ${scheduleId} AND t.company_key = q.company_key AND t.ad_id = q.ad_id
      UNION ALL
      SELECT ${adColumnsSql} FROM nightshift.tracked_ads t
      WHERE t.schedule_id = ${scheduleId} AND t.company_key = ANY (${texts(companyKeys)}) AND t.is_active AND NOT t.is_carried`,
  );
  return byCompany(rows);
}

function byCompany(rows: readonly AdRow[]): StoredAds {
  const ads = new Map<string, Map<bigint, StoredAd>>();
  for (const row of rows) {
    const own = ads.get(row.company_key) ?? new Map<bigint, StoredAd>();
    ads.set(row.company_key, own);
    own.set(BigInt(row.ad_id), toStoredAd(row));
  }
  return ads;
}

function toStoredAd(row: AdRow): StoredAd {
  const ad = {
    adId: BigInt(row.ad_id),
    isActive: row.is_active,
    firstScanId: BigInt(row.first_scan_id),
    lastScanId: BigInt(row.last_scan_id ?? 0),
    last: { source: row.source, versionId: BigInt(row.version_id), contentHash: row.content_hash },
    otherSources: (row.other_sources ?? []).map(({ source, version, contentHash }): SourceObservation => ({
      source,
      versionId: BigInt(version),
      contentHash,
    })),
    day: row.day,
    start: row.start,
    lastSeen: row.last_seen,
    missedIn: row.missed_in.map(BigInt),
  };
  return { ad, isCarried: row.is_carried, isNewest: row.is_newest };
}
