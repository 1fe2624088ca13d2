import { sql, type SQL } from 'drizzle-orm';
import type { BillLine, DriftingCall, SourceBill } from '../../../src/core/sources/source-bill.ts';
import { withDatabase, type Sql } from '../../connection/client.ts';

/** The bill, summed up from `reports.source_charges`. */
export function createSourceBill(db: Sql): SourceBill {
  return {
    read: (ageMsMax) => withDatabase(() => readLines(db, ageMsMax)),
    listDrifting: (ageMsMax, limit) => withDatabase(() => listDrifting(db, ageMsMax, limit)),
  };
}

interface LineRow extends Record<string, unknown> {
  readonly source: string;
  readonly currency: string | null;
  readonly calls: number;
  readonly expected: string;
  readonly charged: string | null;
  readonly charged_expected: string;
  readonly calls_in_doubt: number;
  readonly in_doubt: string;
}

async function readLines(db: Sql, ageMsMax: number | null): Promise<readonly BillLine[]> {
  const result = await db.execute<LineRow>(
    sql`SELECT source, currency, count(*)::integer AS calls,
        trim_scale(coalesce(sum(expected) FILTER (WHERE NOT is_in_doubt), 0))::text AS expected,
        trim_scale(sum(charged))::text AS charged,
        trim_scale(coalesce(sum(expected) FILTER (WHERE charged IS NOT NULL), 0))::text AS charged_expected,
        count(*) FILTER (WHERE is_in_doubt)::integer AS calls_in_doubt,
        trim_scale(coalesce(sum(expected) FILTER (WHERE is_in_doubt), 0))::text AS in_doubt
      FROM reports.source_charges WHERE ${isYoung(ageMsMax)} GROUP BY source, currency ORDER BY source, currency`,
  );
  return result.rows.map((row) => ({
    source: row.source,
    currency: row.currency,
    calls: row.calls,
    expected: row.expected,
    charged: row.charged,
    chargedExpected: row.charged_expected,
    callsInDoubt: row.calls_in_doubt,
    inDoubt: row.in_doubt,
  }));
}

async function listDrifting(
  db: Sql,
  ageMsMax: number | null,
  limit: number,
): Promise<readonly DriftingCall[]> {
  const result = await db.execute<{
    call_id: string;
    source: string;
    sent_at: string;
    expected: string;
    charged: string;
    currency: string | null;
  }>(
    sql`SELECT call_id, source, sent_at, coalesce(expected, 0)::text AS expected, charged::text AS charged, currency
      FROM reports.source_charges
      WHERE charged IS NOT NULL AND charged <> coalesce(expected, 0) AND ${isYoung(ageMsMax)}
      ORDER BY call_id DESC LIMIT ${limit}`,
  );
  return result.rows.map((row) => ({
    callId: row.call_id,
    source: row.source,
    sentAt: new Date(row.sent_at),
    expected: row.expected,
    charged: row.charged,
    currency: row.currency,
  }));
}

function isYoung(ageMsMax: number | null): SQL {
  return ageMsMax === null
    ? sql`true`
    : sql`sent_at >= now() - ${ageMsMax}::double precision * interval '1 millisecond'`;
}
