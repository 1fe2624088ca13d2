import { sql, type SQL } from 'drizzle-orm';
import type {
  ClaimedInbox,
  FileEnd,
  FileToLoad,
  InboxFileLink,
  PendingFile,
} from '../../../src/core/inboxes/inbox-store.ts';
import { Conflict, LeaseLost } from '../../../src/core/errors.ts';
import type { Sql } from '../../connection/client.ts';
import { lockClaimed } from './lock-inbox.ts';

/** Assignments of a settled file; `place` stays until the file is moved. */
function endSql({ contentSha256, pending, target }: FileEnd): SQL {
  return sql`settled_at = now(), content_sha256 = decode(${contentSha256}, 'hex'), pending = ${pending}, target = ${target}`;
}

/**
 * Records a file as loaded in the transaction in which its batch becomes runnable, so that a batch never lacks its file, and a file never
 * has two batches.
 *
 * @throws Conflict when another process has claimed the inbox since, or it was removed; the batch must then not run.
 */
export async function linkInboxFile(db: Sql, link: InboxFileLink, batchId: number): Promise<void> {
  try {
    await lockClaimed(db, link);
  } catch (cause) {
    if (!(cause instanceof LeaseLost)) throw cause;
    throw new Conflict('Another process loads the files of the inbox, or it was removed.', { cause });
  }
  const linked = await db.execute(
    sql`UPDATE nightshift.inbox_files SET state = 'loaded', batch_id = ${batchId}, reason = NULL, ${endSql(link)}
      WHERE id = ${link.fileId} AND state = 'loading'`,
  );
  if (linked.rowCount === 0) throw new Conflict('The file of the inbox has ended already.');
  await advance(db, link.inboxId, link);
}

/** See `InboxFileStore.join`. The caller's transaction. */
export async function joinBatch(
  db: Sql,
  inbox: ClaimedInbox,
  { fileId }: FileToLoad,
  { batchId, end }: { readonly batchId: number; readonly end: FileEnd },
): Promise<void> {
  await lockClaimed(db, inbox);
  const joined = await db.execute(
    sql`UPDATE nightshift.inbox_files SET state = 'joined', batch_id = ${batchId}, reason = NULL, ${endSql(end)}
      WHERE id = ${fileId} AND state = 'loading'`,
  );
  if (joined.rowCount === 1) await advance(db, inbox.inboxId, end);
}

async function advance(db: Sql, inboxId: number, { cursor }: FileEnd): Promise<void> {
  if (cursor === null) return;
  await db.execute(
    sql`UPDATE nightshift.inboxes SET cursor = ${JSON.stringify(cursor)}::jsonb WHERE id = ${inboxId}`,
  );
}

/** See `InboxFileStore.fail`. The caller's transaction. */
export async function failFile(
  db: Sql,
  inbox: ClaimedInbox,
  { fileId, publicId, path }: FileToLoad,
  { reason: text, end }: { readonly reason: string; readonly end: FileEnd },
): Promise<void> {
  const { name, accountId } = await lockClaimed(db, inbox);
  const reason = storable(text);
  const failed = await db.execute<{ at: string }>(
    sql`UPDATE nightshift.inbox_files SET state = 'failed', reason = ${reason}, ${endSql(end)}
      WHERE id = ${fileId} AND state = 'loading' RETURNING (extract(epoch FROM settled_at) * 1000000)::bigint AS at`,
  );
  const [row] = failed.rows;
  if (row === undefined) return;
  const payload = { inbox: name, inbox_id: inbox.publicId, file: path, file_id: publicId, reason };
  await db.execute(
    sql`SELECT nightshift.emit_event(${accountId}, 'inbox.file_failed', ${`${publicId} ${row.at}`}, ${JSON.stringify(payload)}::jsonb)`,
  );
}

const reasonCharsMax = 10_000;

/** A reason may quote the file: Postgres stores neither NUL nor halves of surrogate pairs. */
function storable(reason: string): string {
  return reason.slice(0, reasonCharsMax).replace(/[\0\p{Cs}]/gu, '\uFFFD');
}

/** See `InboxFileStore.ignore`. The caller's transaction. */
export async function ignoreFile(
  db: Sql,
  inbox: ClaimedInbox,
  { fileId }: FileToLoad,
  reason: string,
): Promise<void> {
  await lockClaimed(db, inbox);
  await db.execute(
    sql`UPDATE nightshift.inbox_files SET state = 'ignored', reason = ${reason}, settled_at = now()
      WHERE id = ${fileId} AND state = 'loading'`,
  );
}

/** See `InboxFileStore.waitAgain`. The caller's transaction. */
export async function waitAgain(db: Sql, inbox: ClaimedInbox, { fileId }: FileToLoad): Promise<void> {
  await lockClaimed(db, inbox);
  await db.execute(
    sql`UPDATE nightshift.inbox_files SET state = 'waiting', unchanged_since = now(), attempts = attempts - 1
      WHERE id = ${fileId} AND state = 'loading'`,
  );
}

/** See `InboxFileStore.putOff`. The caller's transaction. */
export async function putOff(
  db: Sql,
  inbox: ClaimedInbox,
  { fileId }: FileToLoad,
  {
    reason,
    delayMs,
    counts,
  }: { readonly reason: string | null; readonly delayMs: number | null; readonly counts: boolean },
): Promise<void> {
  await lockClaimed(db, inbox);
  await db.execute(
    sql`UPDATE nightshift.inbox_files f SET state = 'ready', reason = ${reason}, attempts = f.attempts - ${counts ? 0 : 1},
        next_at = coalesce(now() + ${delayMs}::double precision * interval '1 millisecond', i.next_at, now())
      FROM nightshift.inboxes i WHERE f.id = ${fileId} AND f.state = 'loading' AND i.id = f.inbox_id`,
  );
}

interface PendingRow extends Record<string, unknown> {
  readonly id: string;
  readonly path: string;
  readonly place: string;
  readonly version: string;
  readonly pending: PendingFile['pending'];
  readonly target: string | null;
  readonly state: PendingFile['state'];
  readonly reason: string | null;
}

export async function listPending(
  db: Sql,
  { inboxId }: ClaimedInbox,
  limit: number,
): Promise<readonly PendingFile[]> {
  const found = await db.execute<PendingRow>(
    sql`SELECT f.id, f.path, f.place, f.version, f.pending, f.target, f.state, f.reason FROM nightshift.inbox_files f
      WHERE f.inbox_id = ${inboxId} AND f.pending IS NOT NULL ORDER BY f.id LIMIT ${limit}`,
  );
  return found.rows.map(({ id, ...row }) => ({ ...row, fileId: BigInt(id) }));
}

/** See `InboxFileStore.endPending`. The caller's transaction. */
export async function endPending(
  db: Sql,
  inbox: ClaimedInbox,
  { fileId }: PendingFile,
  place: string | null,
): Promise<void> {
  await lockClaimed(db, inbox);
  await db.execute(
    sql`UPDATE nightshift.inbox_files SET place = ${place}, pending = NULL, target = NULL WHERE id = ${fileId}`,
  );
}
