import { sql } from 'drizzle-orm';
import type { Completeness, ObservationOutcome } from '../../../src/core/changes/observation.ts';
import type {
  SourceObservation,
  TrackedAd,
  TrackedCompany,
  TrackedState,
} from '../../../src/core/changes/tracked-ad.ts';
import type { Sql } from '../../connection/client.ts';
import { texts } from '../sql/arrays.ts';

interface CompanyRow extends Record<string, unknown> {
  readonly company_key: string;
  readonly baseline_scan_id: string;
  readonly last_scan_id: string;
  readonly last_observed_at: string;
  readonly last_day: string;
  readonly last_outcome: ObservationOutcome;
  readonly last_sources: readonly string[];
  readonly conclusive_day: string;
  readonly conclusive_completeness: Completeness;
  readonly conclusive_sources: readonly string[];
}

interface AdRow extends Record<string, unknown> {
  readonly company_key: string;
  readonly ad_id: string;
  readonly is_active: boolean;
  readonly first_scan_id: string;
  readonly last_scan_id: string;
  readonly version_id: string;
  readonly source: string;
  readonly content_hash: string;
  readonly other_sources:
    readonly { readonly source: string; readonly version: string; readonly contentHash: string }[] | null;
  readonly day: string;
  readonly start: string | null;
  readonly last_seen: string | null;
  readonly missed_in: readonly string[];
}

/** Reads the state of these companies by key; unknown companies are absent. */
export async function readTrackedStates(
  db: Sql,
  scheduleId: number,
  companyKeys: readonly string[],
): Promise<ReadonlyMap<string, TrackedState>> {
  const companies = await db.execute<CompanyRow>(
    sql`SELECT company_key, baseline_scan_id, last_scan_id, last_observed_at, last_day::text AS last_day, last_outcome,
        to_jsonb(last_sources) AS last_sources, conclusive_day::text AS conclusive_day, conclusive_completeness, to_jsonb(conclusive_sources) AS conclusive_sources
      FROM nightshift.tracked_companies
      WHERE schedule_id = ${scheduleId} AND company_key = ANY (${texts(companyKeys)})`,
  );
  const ads = await db.execute<AdRow>(
    sql`SELECT company_key, ad_id, is_active, first_scan_id, last_scan_id, version_id, source, encode(content_hash, 'hex') AS content_hash, other_sources,
        day::text AS day, start::text AS start, last_seen::text AS last_seen, to_jsonb(missed_in::text[]) AS missed_in
      FROM nightshift.tracked_ads
      WHERE schedule_id = ${scheduleId} AND company_key = ANY (${texts(companyKeys)})`,
  );
  const adsOf = new Map<string, Map<bigint, TrackedAd>>(
    companies.rows.map((row) => [row.company_key, new Map<bigint, TrackedAd>()]),
  );
  for (const row of ads.rows) adsOf.get(row.company_key)?.set(BigInt(row.ad_id), toAd(row));
  return new Map(
    companies.rows.map((row) => [
      row.company_key,
      { company: toCompany(row), ads: adsOf.get(row.company_key) ?? new Map<bigint, TrackedAd>() },
    ]),
  );
}

function toCompany(row: CompanyRow): TrackedCompany {
  return {
    baselineScanId: BigInt(row.baseline_scan_id),
    lastScanId: BigInt(row.last_scan_id),
    lastObservedAt: new Date(row.last_observed_at),
    lastDay: row.last_day,
    lastOutcome: row.last_outcome,
    lastSources: row.last_sources,
    conclusive: {
      day: row.conclusive_day,
      completeness: row.conclusive_completeness,
      sources: row.conclusive_sources,
    },
  };
}

function toAd(row: AdRow): TrackedAd {
  return {
    adId: BigInt(row.ad_id),
    isActive: row.is_active,
    firstScanId: BigInt(row.first_scan_id),
    lastScanId: BigInt(row.last_scan_id),
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
}

/** New state of a company, and of its changed ads. */
export interface TrackedWrite {
  readonly companyKey: string;
  readonly company: TrackedCompany;
  readonly ads: readonly TrackedAd[];
}

/** Writes the new state of companies. */
export async function writeTracked(
  db: Sql,
  scheduleId: number,
  writes: readonly TrackedWrite[],
): Promise<void> {
  await db.execute(
    sql`INSERT INTO nightshift.tracked_companies AS t (schedule_id, company_key, baseline_scan_id, last_scan_id, last_observed_at,
        last_day, last_outcome, last_sources, conclusive_day, conclusive_completeness, conclusive_sources)
      SELECT ${scheduleId}::bigint, n.* FROM jsonb_to_recordset(${JSON.stringify(writes.map(companyJson))}::jsonb)
        AS n(company_key text, baseline_scan_id bigint, last_scan_id bigint, last_observed_at timestamptz, last_day date,
          last_outcome text, last_sources text[], conclusive_day date, conclusive_completeness text, conclusive_sources text[])
      ON CONFLICT (schedule_id, company_key) DO UPDATE SET last_scan_id = excluded.last_scan_id,
        last_observed_at = excluded.last_observed_at, last_day = excluded.last_day, last_outcome = excluded.last_outcome,
        last_sources = excluded.last_sources, conclusive_day = excluded.conclusive_day, conclusive_completeness = excluded.conclusive_completeness,
        conclusive_sources = excluded.conclusive_sources`,
  );
  const ads = writes.flatMap(({ companyKey, ads: changed }) => changed.map((ad) => adJson(companyKey, ad)));
  await db.execute(
    sql`INSERT INTO nightshift.tracked_ads AS t (schedule_id, company_key, ad_id, is_active, first_scan_id, last_scan_id, version_id,
        source, content_hash, other_sources, day, start, last_seen, missed_in)
      SELECT ${scheduleId}::bigint, n.company_key, n.ad_id, n.is_active, n.first_scan_id, n.last_scan_id, n.version_id, n.source,
        decode(n.content_hash, 'hex'), n.other_sources, n.day, n.start, n.last_seen, n.missed_in
      FROM jsonb_to_recordset(${JSON.stringify(ads)}::jsonb)
        AS n(company_key text, ad_id bigint, is_active boolean, first_scan_id bigint, last_scan_id bigint, version_id bigint,
          source text, content_hash text, other_sources jsonb, day date, start date, last_seen date, missed_in bigint[])
      ON CONFLICT (schedule_id, company_key, ad_id) DO UPDATE SET is_active = excluded.is_active,
        last_scan_id = excluded.last_scan_id, version_id = excluded.version_id, source = excluded.source, content_hash = excluded.content_hash,
        other_sources = excluded.other_sources, day = excluded.day, start = excluded.start, last_seen = excluded.last_seen,
        missed_in = excluded.missed_in`,
  );
}

function companyJson({ companyKey, company }: TrackedWrite) {
  return {
    company_key: companyKey,
    baseline_scan_id: String(company.baselineScanId),
    last_scan_id: String(company.lastScanId),
    last_observed_at: company.lastObservedAt.toISOString(),
    last_day: company.lastDay,
    last_outcome: company.lastOutcome,
    last_sources: company.lastSources,
    conclusive_day: company.conclusive.day,
    conclusive_completeness: company.conclusive.completeness,
    conclusive_sources: company.conclusive.sources,
  };
}

function adJson(companyKey: string, ad: TrackedAd) {
  const otherSources = ad.otherSources.map(({ source, versionId, contentHash }) => ({
    source,
    version: String(versionId),
    contentHash,
  }));
  return {
    company_key: companyKey,
    ad_id: String(ad.adId),
    is_active: ad.isActive,
    first_scan_id: String(ad.firstScanId),
    last_scan_id: String(ad.lastScanId),
    version_id: String(ad.last.versionId),
    source: ad.last.source,
    content_hash: ad.last.contentHash,
    ...(otherSources.length === 0 ? {} : { other_sources: otherSources }),
    day: ad.day,
    start: ad.start,
    last_seen: ad.lastSeen,
    missed_in: ad.missedIn.map(String),
  };
}
