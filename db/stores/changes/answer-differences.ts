import { sql } from 'drizzle-orm';
import type { SeenAd } from '../../../src/core/changes/observation.ts';
import type { Sql } from '../../connection/client.ts';
import { bigints, texts } from '../sql/arrays.ts';
import { toSeenAd } from './scan-observations.ts';

/** A new answer of a company, to be compared with the newest one before it. */
export interface ComparedAnswer {
  readonly companyKey: string;
  readonly lookupId: bigint;
  /** Ads that were last seen before this day are stale now. */
  readonly freshFrom: string;
}

/** Ads in which two answers of a company differ. */
export interface AnswerDifferences {
  /** The ads of the new answer that are not in the old one, or are there with other days, or turn stale or fresh. */
  readonly seen: readonly SeenAd[];
  /** Versions of the old answer among the differences, with their ads. */
  readonly before: ReadonlyMap<bigint, bigint>;
  /** Number of versions that only the new answer has, and that only the old one has. */
  readonly added: number;
  readonly removed: number;
  /** True if an ad that cannot be tracked is among the differences. */
  readonly hasUntracked: boolean;
}

interface DifferenceRow {
  readonly version_id: string;
  readonly is_seen: boolean;
  readonly was_seen: boolean;
  readonly ad_id: string;
  readonly is_tracked: boolean;
  readonly content_hash: string | null;
  readonly start: string | null;
  readonly last_seen: string | null;
}

/** Without a version: both answers are equal, in the only row of the company. */
type ComparedRow = Record<string, unknown> & { readonly company_key: string } & (
    DifferenceRow | { readonly version_id: null }
  );

/**
 * Compares new answers with the ones before them, by version, start and last day. Where both have the last day from their newest
 * day, it counts as unchanged. A company is absent when one of its answers is not stored any more.
 */
export async function readAnswerDifferences(
  db: Sql,
  scheduleId: number,
  answers: readonly ComparedAnswer[],
): Promise<ReadonlyMap<string, AnswerDifferences>> {
  const { rows } = await db.execute<ComparedRow>(
    sql`SELECT d.company_key, d.version_id, d.is_seen, d.was_seen, v.ad_id, i.advertiser_id IS NOT NULL AS is_tracked,
        encode(k.content_hash, 'hex') AS content_hash, d.start::text AS start, d.last_seen::text AS last_seen
      FROM (
        SELECT q.company_key, x.*
        FROM unnest(${texts(answers.map(({ companyKey }) => companyKey))}, ${bigints(answers.map(({ lookupId }) => lookupId))},
          ${texts(answers.map(({ freshFrom }) => freshFrom))}::date[]) AS q(company_key, lookup_id, fresh_from)
        JOIN nightshift.tracked_companies t ON t.schedule_id = ${scheduleId} AND t.company_key = q.company_key
        JOIN nightshift.answers p ON p.id = t.seen_answer_id
        JOIN nightshift.lookup_answers r ON r.lookup_id = q.lookup_id
        JOIN nightshift.answers a ON a.id = r.answer_id
        LEFT JOIN LATERAL (
          SELECT version_id, n.position IS NOT NULL AS is_seen, o.position IS NOT NULL AS was_seen, n.start,
            CASE WHEN n.last_day = 'infinity' THEN r.newest_day ELSE n.last_day END AS last_seen
          FROM unnest(a.versions[:r.ads], a.starts[:r.ads], a.last_days[:r.ads]) WITH ORDINALITY AS n(version_id, start, last_day, position)
          FULL JOIN unnest(p.versions[:t.seen_ads], p.starts[:t.seen_ads], p.last_days[:t.seen_ads])
            WITH ORDINALITY AS o(version_id, start, last_day, position) USING (version_id)
          WHERE n.position IS NULL OR o.position IS NULL OR n.start IS DISTINCT FROM o.start OR n.last_day IS DISTINCT FROM o.last_day
            OR (CASE WHEN n.last_day = 'infinity' THEN r.newest_day ELSE n.last_day END < q.fresh_from)
              IS DISTINCT FROM (CASE WHEN o.last_day = 'infinity' THEN t.seen_newest_day ELSE o.last_day END < t.seen_fresh_from)
        ) x ON true
      ) d
      LEFT JOIN nightshift.ad_versions v ON v.id = d.version_id
      LEFT JOIN nightshift.ads i ON i.id = v.ad_id
      LEFT JOIN nightshift.ad_version_hashes k ON k.version_id = d.version_id`,
  );
  const byCompany = new Map<string, DifferenceRow[]>();
  for (const row of rows) {
    const own = byCompany.get(row.company_key) ?? [];
    byCompany.set(row.company_key, own);
    if (row.version_id !== null) own.push(row);
  }
  return new Map([...byCompany].map(([key, own]) => [key, toDifferences(own)]));
}

function toDifferences(rows: readonly DifferenceRow[]): AnswerDifferences {
  const before = rows.filter((row) => row.was_seen);
  return {
    seen: rows.filter((row) => row.is_seen && row.is_tracked).map(toSeenAd),
    before: new Map(before.map((row) => [BigInt(row.version_id), BigInt(row.ad_id)])),
    added: rows.length - before.length,
    removed: rows.filter((row) => !row.is_seen).length,
    hasUntracked: rows.some((row) => !row.is_tracked),
  };
}
