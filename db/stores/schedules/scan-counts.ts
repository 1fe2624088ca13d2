import { sql } from 'drizzle-orm';
import type { ScanResult } from '../../../src/core/schedules/schedule.ts';
import type { Sql } from '../../connection/client.ts';
import { bigints } from '../sql/arrays.ts';
import { toChangeCounts } from './schedule-changes.ts';

interface CountRow extends Record<string, unknown> {
  readonly id: string;
  readonly evaluated_at: string | null;
  readonly complete: string;
  readonly truncated: string;
  readonly partial: string;
  readonly unconfirmed_empty: string;
  readonly failed: number;
  readonly ads_active: string;
  readonly changes: Readonly<Record<string, number>> | null;
  readonly charged_micro: string;
}

/** See `ScheduleStore.readResults`. */
export async function readScanResults(
  db: Sql,
  accountId: number,
  scanIds: readonly bigint[],
): Promise<ReadonlyMap<bigint, ScanResult>> {
  const { rows } = await db.execute<CountRow>(
    sql`SELECT s.id, s.evaluated_at, c.*, greatest(0, k.failed - b.retried) AS failed, k.charged_micro,
        (SELECT jsonb_object_agg(n.kind, n.n) FROM (
          SELECT h.kind, count(*) AS n FROM nightshift.ad_changes h
          WHERE h.account_id = ${accountId} AND h.scan_id = s.id AND h.kind <> 'baseline' GROUP BY 1) n) AS changes
      FROM nightshift.scans s
      JOIN nightshift.batches b ON b.id = s.batch_id
      CROSS JOIN LATERAL (
        SELECT count(*) FILTER (WHERE completeness = 'complete') AS complete, count(*) FILTER (WHERE completeness = 'truncated') AS truncated,
          count(*) FILTER (WHERE completeness = 'partial') AS partial,
          count(*) FILTER (WHERE completeness = 'unconfirmed_empty') AS unconfirmed_empty, coalesce(sum(ads_active), 0) AS ads_active
        FROM nightshift.scan_companies WHERE scan_id = s.id
      ) c
      CROSS JOIN LATERAL (
        SELECT coalesce(sum(failed + cancelled), 0)::integer AS failed, coalesce(sum(charged_micro), 0)::bigint AS charged_micro
        FROM nightshift.chunks WHERE batch_id = s.batch_id
      ) k
      WHERE s.account_id = ${accountId} AND s.id = ANY (${bigints(scanIds)})`,
  );
  return new Map(rows.map((row) => [BigInt(row.id), toResult(row)]));
}

function toResult(row: CountRow): ScanResult {
  return {
    evaluatedAt: row.evaluated_at === null ? null : new Date(row.evaluated_at),
    companies: {
      complete: Number(row.complete),
      truncated: Number(row.truncated),
      partial: Number(row.partial),
      unconfirmed_empty: Number(row.unconfirmed_empty),
      failed: row.failed,
    },
    adsActive: Number(row.ads_active),
    changes: toChangeCounts(row.changes ?? {}),
    chargedMicro: BigInt(row.charged_micro),
  };
}
