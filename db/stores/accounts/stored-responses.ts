import { and, eq, sql } from 'drizzle-orm';
import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import { LeaseLost } from '../../../src/core/errors.ts';
import type {
  ClaimedKey,
  IdempotencyStore,
  StoredResponse,
  Reply,
  ReplyClaim,
} from '../../../src/core/accounts/stored-response.ts';
import { withDatabase, type Sql } from '../../connection/client.ts';
import { idempotencyKeys } from '../../schema/access.ts';
import { bigints, ints, texts } from '../sql/arrays.ts';
import { msFromNow } from '../sql/moments.ts';

/** Lifetime of a stored response. Our choice; the contract has none. */
const keptFor = sql`interval '24 hours'`;

/** Idempotency keys in `nightshift.idempotency_keys`. */
export function createIdempotencyStore(db: NodePgDatabase): IdempotencyStore {
  return {
    claim: (request) => withDatabase(() => claimKey(db, request)),
    renew: (claim, leaseMs) => withDatabase(() => renewClaim(db, claim, leaseMs)),
    keep: (claim, reply) => withDatabase(() => storeResponses(db, [{ claim, reply }])),
    release: (claim) => withDatabase(() => releaseClaim(db, claim)),
  };
}

async function claimKey(
  db: NodePgDatabase,
  { accountId, key, requestId, fingerprint, leaseMs }: Parameters<IdempotencyStore['claim']>[0],
): Promise<ClaimedKey> {
  const claimed = await db.execute<{ token: string }>(
    sql`INSERT INTO nightshift.idempotency_keys AS k (account_id, key, request_id, fingerprint, token, lease_until)
      VALUES (${accountId}, ${key}, ${requestId}, ${fingerprint}, gen_random_uuid(), ${msFromNow(leaseMs)})
      ON CONFLICT (account_id, key) DO UPDATE SET request_id = excluded.request_id, fingerprint = excluded.fingerprint, token = excluded.token,
        lease_until = excluded.lease_until, created_at = now(), status = NULL, headers = NULL, body = NULL
      WHERE k.created_at < now() - ${keptFor} AND (k.token IS NULL OR k.lease_until < now())
        OR k.fingerprint = excluded.fingerprint AND k.lease_until < now()
      RETURNING token`,
  );
  const token = claimed.rows[0]?.token;
  if (token !== undefined) return { kind: 'claimed', claim: { accountId, key, token } };
  return readClaimed(db, accountId, key, fingerprint);
}

async function readClaimed(
  db: NodePgDatabase,
  accountId: number,
  key: string,
  fingerprint: Buffer,
): Promise<ClaimedKey> {
  const { fingerprint: storedFingerprint, status, headers, body } = idempotencyKeys;
  const [row] = await db
    .select({ fingerprint: storedFingerprint, status, headers, body })
    .from(idempotencyKeys)
    .where(and(eq(idempotencyKeys.accountId, accountId), eq(idempotencyKeys.key, key)));
  // Released between the two statements: the caller may simply repeat.
  if (row === undefined) return { kind: 'in_flight' };
  if (!row.fingerprint.equals(fingerprint)) return { kind: 'reused' };
  if (row.status === null || row.body === null) return { kind: 'in_flight' };
  return { kind: 'replay', reply: { status: row.status, headers: row.headers ?? {}, body: row.body } };
}

async function renewClaim(db: Sql, claim: ReplyClaim, leaseMs: number): Promise<boolean> {
  const renewed = await db
    .update(idempotencyKeys)
    .set({ leaseUntil: msFromNow(leaseMs) })
    .where(isOurs(claim));
  return renewed.rowCount === 1;
}

/** A response to store, and the claim of its key. */
interface ClaimedReply {
  readonly claim: ReplyClaim;
  readonly reply: Reply;
}

/**
 * Stores responses in the transaction of their effects.
 *
 * @throws LeaseLost when another process has taken over one of the keys: the effects must then not happen.
 */
async function storeResponses(db: Sql, replies: readonly ClaimedReply[]): Promise<void> {
  if (replies.length === 0) return;
  const claims = replies.map(({ claim }) => claim);
  const kept = await db.execute(
    sql`UPDATE nightshift.idempotency_keys k
      SET token = NULL, lease_until = NULL, status = r.status, headers = r.headers::jsonb, body = r.body
      FROM unnest(${bigints(claims.map(({ accountId }) => accountId))}, ${texts(claims.map(({ key }) => key))},
        ${texts(claims.map(({ token }) => token))}::uuid[], ${ints(replies.map(({ reply }) => reply.status))},
        ${texts(replies.map(({ reply }) => JSON.stringify(reply.headers)))}, ${sql.param(replies.map(({ reply }) => reply.body))}::bytea[])
        AS r(account_id, key, token, status, headers, body)
      WHERE k.account_id = r.account_id AND k.key = r.key AND k.token = r.token`,
  );
  if (kept.rowCount === replies.length) return;
  throw new LeaseLost('Another request has taken this Idempotency-Key over; this one has no effect.');
}

/** Stores a response if there is one to store. */
export async function keepAnswer<Answer>(
  db: Sql,
  kept: StoredResponse<Answer> | null | undefined,
  answer: Answer,
): Promise<void> {
  await keepAnswers(db, [{ kept, answer }]);
}

/** Stores the responses of those answers that have one to store. */
export async function keepAnswers<Answer>(
  db: Sql,
  answers: readonly { readonly kept: StoredResponse<Answer> | null | undefined; readonly answer: Answer }[],
): Promise<void> {
  await storeResponses(
    db,
    answers.flatMap(({ kept, answer }) =>
      kept === null || kept === undefined ? [] : [{ claim: kept.claim, reply: kept.toReply(answer) }],
    ),
  );
}

async function releaseClaim(db: Sql, claim: ReplyClaim): Promise<void> {
  await db.delete(idempotencyKeys).where(isOurs(claim));
}

/** Deletes expired keys, at most `countMax`. */
export async function deleteOldResponses(db: Sql, countMax: number): Promise<void> {
  await db.execute(
    sql`DELETE FROM nightshift.idempotency_keys WHERE ctid IN (
        SELECT ctid FROM nightshift.idempotency_keys
        WHERE created_at < now() - ${keptFor} AND (token IS NULL OR lease_until < now()) LIMIT ${countMax}
      )`,
  );
}

function isOurs({ accountId, key, token }: ReplyClaim) {
  return and(
    eq(idempotencyKeys.accountId, accountId),
    eq(idempotencyKeys.key, key),
    eq(idempotencyKeys.token, token),
  );
}
