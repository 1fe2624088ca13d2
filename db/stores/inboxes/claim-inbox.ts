import { eq, sql, type SQL } from 'drizzle-orm';
import type { ClaimedInbox, PollEnd } from '../../../src/core/inboxes/inbox-store.ts';
import type { QueryCursor } from '../../../src/core/inboxes/query-cursor.ts';
import type { Credentials } from '../../../src/core/storage/credentials.ts';
import { backoffMs, inboxPoll } from '../../../src/core/work/retry-policies.ts';
import type { Sql } from '../../connection/client.ts';
import { inboxes } from '../../schema/inboxes.ts';
import { nextTick } from '../schedules/edit-schedule.ts';
import { termColumnsSql, toTerms, type TermsRow } from './inbox-rows.ts';
import { lockClaimed } from './lock-inbox.ts';

/** True when inbox `i` is due, or its holder died, and no process has claimed it. */
const isDueSql = sql`i.state = 'active' AND (i.next_at <= now() OR i.lease_until <= now())
  AND (i.lease_until IS NULL OR i.lease_until <= now())`;

export async function listDue(db: Sql, limit: number): Promise<readonly string[]> {
  const found = await db.execute<{ public_id: string }>(
    sql`SELECT i.public_id FROM nightshift.inboxes i WHERE ${isDueSql} ORDER BY i.next_at LIMIT ${limit}`,
  );
  return found.rows.map((row) => row.public_id);
}

interface ClaimedRow extends TermsRow {
  readonly id: string;
  readonly public_id: string;
  readonly account_id: string;
  readonly lease_token: string;
  readonly credentials: Credentials | null;
  readonly is_operators: boolean;
  readonly cursor: QueryCursor | null;
  readonly now: string;
}

/** See `InboxFileStore.claim`. The caller's transaction. The next look is planned at once, for the next tick. */
export async function claimInbox(db: Sql, publicId: string, leaseMs: number): Promise<ClaimedInbox | null> {
  const claimed = await db.execute<ClaimedRow>(
    sql`UPDATE nightshift.inboxes i SET lease_token = gen_random_uuid(), claimed_at = now(),
        lease_until = now() + ${leaseMs} * interval '1 millisecond'
      WHERE i.public_id = ${publicId} AND ${isDueSql}
      RETURNING i.id, i.public_id, i.account_id, i.lease_token, i.credentials, i.is_operators, i.cursor, now() AS now,
        ${termColumnsSql}`,
  );
  const [row] = claimed.rows;
  if (row === undefined) return null;
  const inboxId = Number(row.id);
  const terms = toTerms(row);
  await db
    .update(inboxes)
    .set({ nextAt: nextTick(terms, new Date(row.now)) })
    .where(eq(inboxes.id, inboxId));
  await db.execute(
    sql`UPDATE nightshift.inbox_files SET state = 'ready' WHERE inbox_id = ${inboxId} AND state = 'loading'`,
  );
  return {
    ...terms,
    inboxId,
    publicId: row.public_id,
    accountId: Number(row.account_id),
    token: row.lease_token,
    credentials: row.credentials,
    isOperators: row.is_operators,
    cursor: row.cursor,
  };
}

/** @throws LeaseLost */
export async function renewClaim(db: Sql, inbox: ClaimedInbox, leaseMs: number): Promise<void> {
  await lockClaimed(db, inbox);
  await db
    .update(inboxes)
    .set({ leaseUntil: sql`now() + ${leaseMs} * interval '1 millisecond'` })
    .where(eq(inboxes.id, inbox.inboxId));
}

/** See `InboxFileStore.release`. The caller's transaction. */
export async function releaseInbox(db: Sql, inbox: ClaimedInbox, end: PollEnd): Promise<void> {
  const { inboxId } = inbox;
  await lockClaimed(db, inbox);
  if (end.kind === 'done') await recordSuccess(db, inboxId);
  if (end.kind === 'rejected' || end.kind === 'unavailable') await recordFailure(db, inbox, end);
  await db.update(inboxes).set({ leaseToken: null, leaseUntil: null }).where(eq(inboxes.id, inboxId));
  if (end.kind === 'interrupted') await planPoll(db, inboxId, sql`now()`);
  if (end.kind === 'done') await planPollOfFiles(db, inboxId, sql`true`);
  // What could not be done now has to wait for the pattern.
  if (end.kind === 'rejected') await planPollOfFiles(db, inboxId, sql`d.at > now()`);
}

async function recordSuccess(db: Sql, inboxId: number): Promise<void> {
  await db
    .update(inboxes)
    .set({ lookedAt: sql`now()`, failures: 0, failingSince: null, lastError: null })
    .where(eq(inboxes.id, inboxId));
}

/** Emits the event at once when a person has to act, else after some failures in a row; once per episode. */
async function recordFailure(
  db: Sql,
  { inboxId, publicId, accountId, name }: ClaimedInbox,
  { kind, error }: Extract<PollEnd, { error: string }>,
): Promise<void> {
  const failed = await db.execute<{ failures: number; since: string; episode: string }>(
    sql`UPDATE nightshift.inboxes SET failures = failures + 1, failing_since = coalesce(failing_since, now()), last_error = ${error}
      WHERE id = ${inboxId}
      RETURNING failures, failing_since AS since, (extract(epoch FROM failing_since) * 1000000)::bigint AS episode`,
  );
  const [row] = failed.rows;
  if (row === undefined) return;
  if (kind === 'unavailable')
    await planPoll(
      db,
      inboxId,
      sql`now() + ${backoffMs(inboxPoll, row.failures - 1)} * interval '1 millisecond'`,
    );
  if (kind === 'unavailable' && row.failures < inboxPoll.failuresToReport) return;
  const payload = { inbox: name, inbox_id: publicId, reason: error, since: new Date(row.since) };
  await db.execute(
    sql`SELECT nightshift.emit_event(${accountId}, 'inbox.failing', ${`${publicId} ${row.episode}`}, ${JSON.stringify(payload)}::jsonb)`,
  );
}

/** Looks again when the first waiting file may be complete, or the first file that was put off is due: `d.at`. */
async function planPollOfFiles(db: Sql, inboxId: number, which: SQL): Promise<void> {
  await planPoll(
    db,
    inboxId,
    sql`(SELECT min(d.at) FROM (
        SELECT CASE f.state WHEN 'waiting' THEN f.unchanged_since + i.settle_ms * interval '1 millisecond' ELSE f.next_at END AS at
        FROM nightshift.inbox_files f WHERE f.inbox_id = i.id AND f.settled_at IS NULL
      ) d WHERE ${which})`,
  );
}

/** Moves the next look of an active inbox `i` forward, never back. */
async function planPoll(db: Sql, inboxId: number, at: SQL): Promise<void> {
  await db.execute(
    sql`UPDATE nightshift.inboxes i SET next_at = least(i.next_at, ${at}) WHERE i.id = ${inboxId} AND i.state = 'active'`,
  );
}
