import { sql } from 'drizzle-orm';
import type { LedgerLine, LedgerList } from '../../../src/core/credits/ledger-list.ts';
import type { Operation } from '../../../src/core/credits/price-book.ts';
import type { EmailStatus } from '../../../src/core/emails/verdict/verdict.ts';
import type { Outcome } from '../../../src/core/work/outcomes.ts';
import { withDatabase, type Sql } from '../../connection/client.ts';

/** Entries of the ledger, with their subjects. */
export function createLedgerList(db: Sql): LedgerList {
  return { list: (accountId, page) => withDatabase(() => listEntries(db, accountId, page)) };
}

/** Maximum number of entries in a block (`ledger_blocks_lookups`). */
const blockEntriesMax = 1024n;

/** Above all sequence numbers, also with a block's entries added. */
const lastSeq = 2n ** 62n;

/** A page is as many blocks as it has entries at most, so that no other block is unpacked. */
async function listEntries(
  db: Sql,
  accountId: number,
  { limit, before }: { readonly limit: number; readonly before: bigint | null },
): Promise<readonly LedgerLine[]> {
  const end = before ?? lastSeq;
  const found = await db.execute<{
    seq: string;
    kind: LedgerLine['kind'];
    balance_delta_micro: string;
    held_delta_micro: string;
    balance_after_micro: string;
    held_after_micro: string;
    reason: string | null;
    lookup_id: string | null;
    batch: string | null;
    request: string | null;
    created_at: string;
    operation: Operation | null;
    company_domain: string | null;
    company_name: string | null;
    email: string | null;
    outcome: Outcome | null;
    email_status: EmailStatus | null;
  }>(
    sql`SELECT e.seq, e.kind, e.balance_delta_micro, e.held_delta_micro, e.balance_after_micro, e.held_after_micro, e.reason,
        e.lookup_id, b.public_id AS batch, coalesce(l.request_id, p.request_id) AS request, e.created_at,
        coalesce(l.operation, c.operation) AS operation, l.company_domain, l.company_name,
        l.email, o.outcome, CASE WHEN o.outcome = 'completed' THEN v.status END AS email_status
      FROM (
        SELECT e.* FROM (
          SELECT b.* FROM nightshift.ledger_blocks b
          WHERE b.account_id = ${accountId} AND b.from_seq < ${end} AND b.to_seq < ${end}::bigint + ${blockEntriesMax}
          ORDER BY b.to_seq DESC LIMIT ${limit}
        ) b CROSS JOIN LATERAL nightshift.ledger_entries_of(b) e
        WHERE e.seq < ${end} ORDER BY e.seq DESC LIMIT ${limit}
      ) e
      LEFT JOIN nightshift.lookups l ON l.id = e.lookup_id
      LEFT JOIN LATERAL (SELECT u.* FROM nightshift.purged_chunks u WHERE l.id IS NULL AND u.lookups @> e.lookup_id) p ON true
      LEFT JOIN nightshift.chunks c ON c.id = p.chunk_id
      LEFT JOIN nightshift.batches b ON b.id = coalesce(l.batch_id, p.batch_id)
      LEFT JOIN nightshift.email_results v ON v.lookup_id = e.lookup_id
      CROSS JOIN LATERAL (SELECT CASE WHEN e.phase = 1 AND NOT EXISTS (
        SELECT FROM nightshift.ledger_blocks_of(e.account_id, e.lookup_id, e.lookup_id) n
        WHERE n.attempt > e.attempt AND (n.steps IS NULL OR (e.lookup_id - n.first_lookup)::smallint = ANY (n.steps)))
        THEN coalesce(l.outcome, CASE WHEN p.charged @> e.lookup_id
          THEN CASE c.operation WHEN 'ads_search' THEN 'found' ELSE 'completed' END END) END AS outcome) o
      ORDER BY e.seq DESC`,
  );
  return found.rows.map((row) => ({
    seq: BigInt(row.seq),
    kind: row.kind,
    balanceDeltaMicro: BigInt(row.balance_delta_micro),
    heldDeltaMicro: BigInt(row.held_delta_micro),
    balanceAfterMicro: BigInt(row.balance_after_micro),
    heldAfterMicro: BigInt(row.held_after_micro),
    reason: row.reason,
    lookupId: row.lookup_id === null ? null : BigInt(row.lookup_id),
    batch: row.batch,
    request: row.request,
    at: new Date(row.created_at),
    operation: row.operation,
    companyDomain: row.company_domain,
    companyName: row.company_name,
    email: row.email,
    outcome: row.outcome,
    emailStatus: row.email_status,
  }));
}
