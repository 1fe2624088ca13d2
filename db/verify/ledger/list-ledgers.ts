import { sql } from 'drizzle-orm';
import type { Sql } from '../../connection/client.ts';

/** The ledger of an account. */
export interface LedgerEnd {
  readonly accountId: bigint;
  readonly lastSeq: bigint;
}

/** Lists the accounts with an entry, each with the number of its last one. */
export async function listLedgers(db: Sql): Promise<readonly LedgerEnd[]> {
  const { rows } = await db.execute<{ account_id: string; last_seq: string }>(
    sql`WITH RECURSIVE account(id) AS (
        (SELECT account_id FROM nightshift.ledger_blocks ORDER BY account_id LIMIT 1)
        UNION ALL
        SELECT (SELECT b.account_id FROM nightshift.ledger_blocks b WHERE b.account_id > a.id ORDER BY b.account_id LIMIT 1)
        FROM account a WHERE a.id IS NOT NULL
      )
      SELECT a.id AS account_id,
        (SELECT b.to_seq FROM nightshift.ledger_blocks b WHERE b.account_id = a.id ORDER BY b.to_seq DESC LIMIT 1) AS last_seq
      FROM account a WHERE a.id IS NOT NULL`,
  );
  return rows.map((row) => ({ accountId: BigInt(row.account_id), lastSeq: BigInt(row.last_seq) }));
}
