import type { Actor } from '../../../src/core/accounts/key-store.ts';
import type { Sql } from '../../connection/client.ts';
import { auditLog } from '../../schema/access.ts';

/** An entry of the audit log. `details` describes the event further; it never contains a key. */
export interface AuditEntry extends Actor {
  readonly accountId: number;
  readonly event: string;
  readonly keyId: string | null;
  readonly details: Readonly<Record<string, unknown>>;
}

/** Adds an entry, in the transaction of its event. */
export async function writeAudit(db: Sql, entry: AuditEntry): Promise<void> {
  const { accountId, event, keyId, actor, address, details } = entry;
  await db.insert(auditLog).values({ accountId, event, keyId, actor, address, details });
}
