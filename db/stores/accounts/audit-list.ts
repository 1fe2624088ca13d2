import { and, desc, eq, lt } from 'drizzle-orm';
import type { AuditLine, AuditList } from '../../../src/core/accounts/audit-list.ts';
import { withDatabase, type Sql } from '../../connection/client.ts';
import { auditLog } from '../../schema/access.ts';
import { users } from '../../schema/users.ts';

/** The audit log in `nightshift.audit_log`. */
export function createAuditList(db: Sql): AuditList {
  return { list: (accountId, page) => withDatabase(() => listEntries(db, accountId, page)) };
}

async function listEntries(
  db: Sql,
  accountId: number,
  { limit, before }: Parameters<AuditList['list']>[1],
): Promise<readonly AuditLine[]> {
  const { id: entryId, at, event, keyId, actor, address, details } = auditLog;
  return db
    .select({ entryId, at, event, keyId, actor, login: users.login, address, details })
    .from(auditLog)
    .leftJoin(users, eq(users.publicId, actor))
    .where(and(eq(auditLog.accountId, accountId), before === null ? undefined : lt(entryId, before)))
    .orderBy(desc(entryId))
    .limit(limit);
}
