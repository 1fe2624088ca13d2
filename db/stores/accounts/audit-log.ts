import { sql } from 'drizzle-orm';
import type { Actor } from '../../../src/core/accounts/key-store.ts';
import type { Sql } from '../../connection/client.ts';

/** An entry of the audit log. `details` says more about the event; never a key. */
export interface AuditEntry extends Actor {
  readonly accountId: number;
  readonly event: string;
  readonly keyId: string | null;
  readonly details: object;
}

/** Adds an entry, in the transaction of what it tells of. */
export async function writeAudit(db: Sql, entry: AuditEntry): Promise<void> {
  await db.execute(
    sql`INSERT INTO nightshift.audit_log (account_id, event, key_id, actor, address, details)
      VALUES (${entry.accountId}, ${entry.event}, ${entry.keyId}, ${entry.actor}, ${entry.address},
        ${JSON.stringify(entry.details)}::jsonb)`,
  );
}
