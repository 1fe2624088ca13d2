import { and, eq, sql, type SQL } from 'drizzle-orm';
import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import { createApiKey, digestApiKey, hintOf, type Scope } from '../../../src/core/accounts/api-key.ts';
import {
  keysPerAccountMax,
  type Actor,
  type ApiKey,
  type CreatedKey,
  type FoundKey,
  type KeyStore,
  type NewKey,
} from '../../../src/core/accounts/key-store.ts';
import { endOfTurn } from '../../../src/core/async/batcher.ts';
import { Conflict, NotFound } from '../../../src/core/errors.ts';
import type { StoredResponse } from '../../../src/core/accounts/stored-response.ts';
import { newId } from '../../../src/core/ids.ts';
import { withDatabase, type Sql } from '../../connection/client.ts';
import { shareCalls } from '../../connection/share-calls.ts';
import { apiKeys } from '../../schema/access.ts';
import { texts } from '../sql/arrays.ts';
import { writeAudit } from './audit-log.ts';
import { keepAnswer } from './stored-responses.ts';

/** Keys in `nightshift.api_keys`, by their digests. Requests find theirs in `ofRequests`; default: `db`. */
export function createKeyStore(db: NodePgDatabase, ofRequests: Sql = db): KeyStore {
  return {
    // The first step of a request: requests that arrive together stay together.
    find: shareCalls((digests: readonly Buffer[]) => findKeys(ofRequests, digests), { start: endOfTurn }),
    create: (accountId, key, by, kept) =>
      inTransaction(db, (transaction) => createKey(transaction, accountId, key, by, kept)),
    list: (accountId) => withDatabase(() => listKeys(db, accountId)),
    revoke: (accountId, keyId, by) =>
      inTransaction(db, (transaction) => revokeKey(transaction, accountId, keyId, by)),
    regenerate: (accountId, keyId, by, kept) =>
      inTransaction(db, (transaction) => regenerateKey(transaction, accountId, keyId, by, kept)),
    noteUse: (key, address) => inTransaction(db, (transaction) => noteUse(transaction, key, address)),
    noteRefusal: (digest, address) => withDatabase(() => noteRefusal(db, digest, address)),
    noteDenial: ({ accountId, keyId }, address, details) =>
      withDatabase(() =>
        writeAudit(db, { accountId, event: 'scope_denied', keyId, actor: keyId, address, details }),
      ),
  };
}

function inTransaction<T>(db: NodePgDatabase, work: (transaction: Sql) => Promise<T>): Promise<T> {
  return withDatabase(() => db.transaction(work));
}

/** Columns of a key that are shown. */
const shown = {
  keyId: apiKeys.publicId,
  name: apiKeys.name,
  hint: apiKeys.hint,
  scopes: apiKeys.scopes,
  createdAt: apiKeys.createdAt,
  expiresAt: apiKeys.expiresAt,
  revokedAt: apiKeys.revokedAt,
  lastUsedAt: apiKeys.lastUsedAt,
};

/** By the database clock. */
const holds = sql`(revoked_at IS NULL AND (expires_at > now()) IS NOT FALSE)`;

async function findKeys(db: Sql, digests: readonly Buffer[]): Promise<readonly (FoundKey | null)[]> {
  const found = await db.execute<{
    public_id: string;
    account_id: string;
    digest: Buffer;
    scopes: readonly Scope[];
    requests_per_minute: number | null;
    is_use_noted: boolean;
  }>(
    sql`SELECT public_id, k.account_id, digest, scopes, l.requests_per_minute,
        coalesce(last_used_at > now() - interval '1 minute', false) AS is_use_noted
      FROM nightshift.api_keys k LEFT JOIN nightshift.account_limits l ON l.account_id = k.account_id
      WHERE digest = ANY (${sql.param(digests)}::bytea[]) AND ${holds}`,
  );
  return digests.map((digest) => {
    const row = found.rows.find((each) => each.digest.equals(digest));
    if (row === undefined) return null;
    const { public_id: keyId, account_id: accountId, digest: stored, scopes } = row;
    return {
      keyId,
      accountId: Number(accountId),
      digest: stored,
      scopes,
      requestsPerMinute: row.requests_per_minute,
      isUseNoted: row.is_use_noted,
    };
  });
}

async function createKey(
  db: Sql,
  accountId: number,
  { name, scopes, expiresAt }: NewKey,
  by: Actor,
  kept?: StoredResponse<CreatedKey> | null,
): Promise<CreatedKey> {
  await rejectTooMany(db, accountId);
  const created = await insertKey(db, accountId, { name, scopes, expiresAt, by });
  const details = { name, scopes, expires_at: expiresAt };
  await writeAudit(db, { accountId, event: 'key_created', keyId: created.keyId, ...by, details });
  await keepAnswer(db, kept, created);
  return created;
}

async function rejectTooMany(db: Sql, accountId: number): Promise<void> {
  const counted = await db.execute<{ n: number }>(
    sql`SELECT count(*)::integer AS n FROM nightshift.api_keys WHERE account_id = ${accountId} AND ${holds}`,
  );
  if ((counted.rows[0]?.n ?? 0) < keysPerAccountMax) return;
  throw new Conflict(
    `The account has ${keysPerAccountMax} keys, the maximum. Revoke one that is not used any more.`,
  );
}

async function insertKey(
  db: Sql,
  accountId: number,
  {
    by,
    ...key
  }: Pick<NewKey, 'name' | 'scopes'> & { readonly expiresAt: Date | SQL | null; readonly by: Actor },
): Promise<CreatedKey> {
  const text = createApiKey();
  const [created] = await db
    .insert(apiKeys)
    .values({
      ...key,
      publicId: newId('key', Date.now()),
      accountId,
      digest: digestApiKey(text),
      hint: hintOf(text),
      createdBy: by.actor,
    })
    .returning(shown);
  if (created === undefined) throw new Error('A key was inserted and not answered.');
  return { ...created, key: text };
}

async function listKeys(db: Sql, accountId: number): Promise<readonly ApiKey[]> {
  return db.select(shown).from(apiKeys).where(eq(apiKeys.accountId, accountId)).orderBy(apiKeys.id);
}

async function revokeKey(db: Sql, accountId: number, keyId: string, by: Actor): Promise<ApiKey> {
  const before = await lockKey(db, accountId, keyId);
  if (before.revokedAt !== null) return before;
  const [revoked] = await endKey(db, keyId);
  await writeAudit(db, { accountId, event: 'key_revoked', keyId, ...by, details: {} });
  return revoked ?? before;
}

async function regenerateKey(
  db: Sql,
  accountId: number,
  keyId: string,
  by: Actor,
  kept?: StoredResponse<CreatedKey> | null,
): Promise<CreatedKey> {
  const old = await lockKey(db, accountId, keyId);
  if (old.revokedAt !== null) {
    throw new Conflict(`The key ${keyId} is revoked and cannot be regenerated. Create a new key instead.`);
  }
  await endKey(db, keyId);
  const { name, scopes } = old;
  const lifetime = sql`(SELECT ${apiKeys.expiresAt} - ${apiKeys.createdAt} FROM ${apiKeys} WHERE ${eq(apiKeys.publicId, keyId)})`;
  const created = await insertKey(db, accountId, { name, scopes, expiresAt: sql`now() + ${lifetime}`, by });
  const details = { successor: created.keyId };
  await writeAudit(db, { accountId, event: 'key_regenerated', keyId, ...by, details });
  await keepAnswer(db, kept, created);
  return created;
}

/**
 * Revokes the keys that a user created, and those created with these keys, except keys whose permissions are within `scopes`.
 * Returns their number. Runs in the caller's transaction.
 */
export async function revokeKeysOf(
  db: Sql,
  { accountId, userId }: { readonly accountId: number; readonly userId: string },
  { beyond, by }: { readonly beyond: readonly string[]; readonly by: Actor },
): Promise<number> {
  const revoked = await db.execute<{ public_id: string }>(
    sql`WITH RECURSIVE made AS (
        SELECT public_id FROM nightshift.api_keys WHERE account_id = ${accountId} AND created_by = ${userId}
        UNION SELECT k.public_id FROM nightshift.api_keys k JOIN made ON k.created_by = made.public_id
      )
      UPDATE nightshift.api_keys SET revoked_at = now()
      WHERE public_id IN (SELECT public_id FROM made) AND revoked_at IS NULL AND NOT scopes <@ ${texts(beyond)}
      RETURNING public_id`,
  );
  for (const { public_id: keyId } of revoked.rows)
    await writeAudit(db, { accountId, event: 'key_revoked', keyId, ...by, details: { user: userId } });
  return revoked.rows.length;
}

async function lockKey(db: Sql, accountId: number, keyId: string): Promise<ApiKey> {
  const [key] = await db
    .select(shown)
    .from(apiKeys)
    .where(and(eq(apiKeys.accountId, accountId), eq(apiKeys.publicId, keyId)))
    .for('no key update');
  if (key === undefined) throw new NotFound(`There is no key ${keyId}.`);
  return key;
}

function endKey(db: Sql, keyId: string): Promise<readonly ApiKey[]> {
  return db
    .update(apiKeys)
    .set({ revokedAt: sql`now()` })
    .where(eq(apiKeys.publicId, keyId))
    .returning(shown);
}

async function noteUse(db: Sql, { keyId, accountId }: FoundKey, address: string | null): Promise<void> {
  const noted = await db.execute<{ is_first: boolean }>(
    sql`UPDATE nightshift.api_keys k SET last_used_at = now()
      FROM (SELECT id, last_used_at FROM nightshift.api_keys WHERE public_id = ${keyId} FOR NO KEY UPDATE SKIP LOCKED) o
      WHERE k.id = o.id AND (o.last_used_at IS NULL OR o.last_used_at < now() - interval '1 minute')
      RETURNING o.last_used_at IS NULL AS is_first`,
  );
  if (noted.rows[0]?.is_first !== true) return;
  await writeAudit(db, { accountId, event: 'key_first_used', keyId, actor: keyId, address, details: {} });
}

async function noteRefusal(db: Sql, digest: Buffer, address: string | null): Promise<void> {
  await db.execute(
    sql`INSERT INTO nightshift.audit_log (account_id, event, key_id, actor, address, details)
      SELECT account_id, CASE WHEN revoked_at IS NULL THEN 'key_refused_after_expiry' ELSE 'key_refused_after_revocation' END,
        public_id, public_id, ${address}, '{}'::jsonb
      FROM nightshift.api_keys WHERE digest = ${digest} AND NOT ${holds}`,
  );
}
