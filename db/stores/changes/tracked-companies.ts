import { sql } from 'drizzle-orm';
import type { Completeness, ObservationOutcome } from '../../../src/core/changes/observation.ts';
import type { TrackedCompany } from '../../../src/core/changes/tracked-ad.ts';
import type { Sql } from '../../connection/client.ts';
import { texts } from '../sql/arrays.ts';

/** State of a company as it is stored. */
export interface StoredCompany {
  readonly company: TrackedCompany;
  /** Number of ads that run, from its last observation; null if that is gone. */
  readonly adsActive: number | null;
  /** The newest answer with ads, to which the rows of its ads refer; null: there was none. */
  readonly seen: SeenAnswer | null;
}

/** An answer with ads, as the columns `seen_…` describe it. */
export interface SeenAnswer {
  readonly scanId: bigint;
  /** Day of the observation. */
  readonly day: string;
  /** Newest day on which an ad of it was seen; null if its source does not report days. */
  readonly newestDay: string | null;
  /** Its ads that were last seen before this day were stale. */
  readonly freshFrom: string;
  /** Null if the next answer cannot be compared with it. */
  readonly answerId: bigint | null;
  /** Number of its ads. */
  readonly ads: number;
}

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
  readonly seen_scan_id: string | null;
  readonly seen_day: string | null;
  readonly seen_newest_day: string | null;
  readonly seen_fresh_from: string | null;
  readonly seen_answer_id: string | null;
  readonly seen_ads: number | null;
  readonly ads_active: number | null;
}

/** Reads the state of these companies by key, without their ads; unknown companies are absent. */
export async function readTrackedCompanies(
  db: Sql,
  scheduleId: number,
  companyKeys: readonly string[],
): Promise<ReadonlyMap<string, StoredCompany>> {
  const { rows } = await db.execute<CompanyRow>(
    sql`SELECT t.company_key, t.baseline_scan_id, t.last_scan_id, t.last_observed_at, t.last_day::text AS last_day, t.last_outcome,
        to_jsonb(t.last_sources) AS last_sources, t.conclusive_day::text AS conclusive_day, t.conclusive_completeness,
        to_jsonb(t.conclusive_sources) AS conclusive_sources, t.seen_scan_id, t.seen_day::text AS seen_day,
        t.seen_newest_day::text AS seen_newest_day, t.seen_fresh_from::text AS seen_fresh_from, t.seen_answer_id, t.seen_ads, k.ads_active
      FROM nightshift.tracked_companies t
      LEFT JOIN nightshift.scan_companies k ON k.scan_id = t.last_scan_id AND k.company_key = t.company_key
      WHERE t.schedule_id = ${scheduleId} AND t.company_key = ANY (${texts(companyKeys)})`,
  );
  return new Map(
    rows.map((row) => [
      row.company_key,
      { company: toCompany(row), adsActive: row.ads_active, seen: toSeenAnswer(row) },
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

function toSeenAnswer(row: CompanyRow): SeenAnswer | null {
  const { seen_scan_id: scanId, seen_day: day, seen_fresh_from: freshFrom, seen_ads: ads } = row;
  if (scanId === null || day === null || freshFrom === null || ads === null) return null;
  return {
    scanId: BigInt(scanId),
    day,
    newestDay: row.seen_newest_day,
    freshFrom,
    answerId: row.seen_answer_id === null ? null : BigInt(row.seen_answer_id),
    ads,
  };
}
