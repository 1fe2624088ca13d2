import { sql } from 'drizzle-orm';
import type { AuditLine, AuditList } from '../../../src/core/accounts/audit-list.ts';
import { withDatabase, type Sql } from '../../connection/client.ts';

/** The audit log in `nightshift.audit_log`. */
export function createAuditList(db: Sql): AuditList {
  return {
    list: (accountId, { limit, before }) =>
      withDatabase(async () => {
        const found = await db.execute<AuditRow>(
          sql`SELECT l.id, l.at, l.event, l.key_id, l.actor, u.login, l.address, l.details
            FROM nightshift.audit_log l LEFT JOIN nightshift.users u ON u.public_id = l.actor
            WHERE l.account_id = ${accountId} AND (${before}::bigint IS NULL OR l.id < ${before}::bigint)
            ORDER BY l.id DESC LIMIT ${limit}`,
        );
        return found.rows.map(toLine);
      }),
  };
}

interface AuditRow extends Record<string, unknown> {
  readonly id: string;
  readonly at: string;
  readonly event: string;
  readonly key_id: string | null;
  readonly actor: string;
  readonly login: string | null;
  readonly address: string | null;
  readonly details: Readonly<Record<string, unknown>>;
}

function toLine(row: AuditRow): AuditLine {
  return {
    entryId: BigInt(row.id),
    at: new Date(row.at),
    event: row.event,
    keyId: row.key_id,
    actor: row.actor,
    login: row.login,
    address: row.address,
    details: row.details,
  };
}
