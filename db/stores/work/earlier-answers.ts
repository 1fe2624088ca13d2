import { sql } from 'drizzle-orm';
import type { Extent, PartialReason } from '../../../src/core/ads/ads-answer.ts';
import type { AdsOutcome, LookupResult } from '../../../src/core/work/outcomes.ts';
import type { Sql } from '../../connection/client.ts';
import { bigints } from '../sql/arrays.ts';

/** Answer of an earlier lookup, as a reuse of it is stored. */
export interface EarlierAnswer {
  readonly outcome: AdsOutcome;
  readonly source: string | null;
  readonly matchedBy: string | null;
  readonly extent: Extent;
  readonly observedAt: Date;
}

/** The earlier answers that these results reuse, by lookup. */
export async function readEarlier(
  db: Sql,
  results: readonly LookupResult[],
): Promise<ReadonlyMap<bigint, EarlierAnswer>> {
  const ids = results.flatMap(({ answer }) => (answer.kind === 'repeated' ? [answer.lookupId] : []));
  if (ids.length === 0) return new Map();
  const found = await db.execute<EarlierRow>(
    sql`SELECT id, outcome, source, matched_by, partial, partial_reason, uncertain_advertisers, truncated, estimate_low, estimate_high,
        coalesce(observed_at, ended_at) AS observed_at
      FROM nightshift.lookups WHERE id = ANY (${bigints(ids)}) AND outcome IN ('found', 'none', 'no_match')`,
  );
  return new Map(found.rows.map((row) => [BigInt(row.id), toEarlier(row)]));
}

interface EarlierRow extends Record<string, unknown> {
  readonly id: string;
  readonly outcome: AdsOutcome;
  readonly source: string | null;
  readonly matched_by: string | null;
  readonly partial: boolean;
  readonly partial_reason: PartialReason | null;
  readonly uncertain_advertisers: number | null;
  readonly truncated: boolean;
  readonly estimate_low: string | null;
  readonly estimate_high: string | null;
  readonly observed_at: string;
}

function toEarlier(row: EarlierRow): EarlierAnswer {
  const {
    estimate_low: low,
    estimate_high: high,
    partial_reason: reason,
    uncertain_advertisers: uncertain,
  } = row;
  return {
    outcome: row.outcome,
    source: row.source,
    matchedBy: row.matched_by,
    extent: {
      partial: row.partial,
      ...(reason === null ? {} : { partialReason: reason }),
      ...(uncertain === null ? {} : { uncertainAdvertisers: uncertain }),
      truncated: row.truncated,
      estimate: low === null || high === null ? null : { low: Number(low), high: Number(high) },
    },
    observedAt: new Date(row.observed_at),
  };
}
