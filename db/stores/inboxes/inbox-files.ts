import { sql } from 'drizzle-orm';
import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import { newId } from '../../../src/core/ids.ts';
import type {
  ClaimedInbox,
  FileToLoad,
  InboxFileStore,
  QueriedRows,
} from '../../../src/core/inboxes/inbox-store.ts';
import { withDatabase, type Sql } from '../../connection/client.ts';
import { claimInbox, listDue, releaseInbox, renewClaim } from './claim-inbox.ts';
import { lockClaimed } from './lock-inbox.ts';
import { endListing, recordSeen } from './record-seen.ts';
import {
  endPending,
  failFile,
  ignoreFile,
  joinBatch,
  listPending,
  putOff,
  waitAgain,
} from './settle-file.ts';

/** Files of inboxes in `nightshift.inbox_files`. */
export function createInboxFileStore(db: NodePgDatabase): InboxFileStore {
  const inTransaction = <T>(work: (transaction: Sql) => Promise<T>) =>
    withDatabase(() => db.transaction(work));
  return {
    listDue: (limit) => withDatabase(() => listDue(db, limit)),
    claim: (publicId, leaseMs) => inTransaction((each) => claimInbox(each, publicId, leaseMs)),
    renew: (inbox, leaseMs) => inTransaction((each) => renewClaim(each, inbox, leaseMs)),
    recordSeen: (inbox, files, storage) => inTransaction((each) => recordSeen(each, inbox, files, storage)),
    endListing: (inbox) => inTransaction((each) => endListing(each, inbox)),
    listRetried: (inbox) => withDatabase(() => listRetried(db, inbox)),
    takeNext: (inbox) => inTransaction((each) => takeNext(each, inbox)),
    takeRows: (inbox, rows) => inTransaction((each) => takeRows(each, inbox, rows)),
    join: (inbox, file, batchId, end) =>
      inTransaction((each) => joinBatch(each, inbox, file, { batchId, end })),
    fail: (inbox, file, reason, end) => inTransaction((each) => failFile(each, inbox, file, { reason, end })),
    ignore: (inbox, file, reason) => inTransaction((each) => ignoreFile(each, inbox, file, reason)),
    waitAgain: (inbox, file) => inTransaction((each) => waitAgain(each, inbox, file)),
    putOff: (inbox, file, options) => inTransaction((each) => putOff(each, inbox, file, options)),
    listPending: (inbox, limit) => withDatabase(() => listPending(db, inbox, limit)),
    endPending: (inbox, file, place) => inTransaction((each) => endPending(each, inbox, file, place)),
    release: (inbox, end) => inTransaction((each) => releaseInbox(each, inbox, end)),
  };
}

async function listRetried(
  db: Sql,
  { inboxId }: ClaimedInbox,
): Promise<readonly Pick<FileToLoad, 'fileId' | 'place'>[]> {
  const found = await db.execute<{ id: string; place: string }>(
    sql`SELECT f.id, f.place FROM nightshift.inbox_files f
      WHERE f.inbox_id = ${inboxId} AND f.settled_at IS NULL AND f.place <> f.path`,
  );
  return found.rows.map(({ id, place }) => ({ fileId: BigInt(id), place }));
}

interface FileRow extends Record<string, unknown> {
  readonly id: string;
  readonly public_id: string;
  readonly path: string;
  readonly place: string;
  readonly version: string;
  readonly bytes: string;
  readonly modified_at: string | null;
  readonly attempts: number;
}

async function takeNext(db: Sql, inbox: ClaimedInbox): Promise<FileToLoad | null> {
  const { state } = await lockClaimed(db, inbox);
  if (state !== 'active') return null;
  const taken = await db.execute<FileRow>(
    sql`UPDATE nightshift.inbox_files t SET state = 'loading', attempts = t.attempts + 1
      WHERE t.id = (SELECT f.id FROM nightshift.inbox_files f
        WHERE f.inbox_id = ${inbox.inboxId} AND f.settled_at IS NULL AND f.state = 'ready' AND f.next_at <= now()
        ORDER BY f.id LIMIT 1)
      RETURNING t.id, t.public_id, t.path, t.place, t.version, t.bytes, t.modified_at, t.attempts`,
  );
  return toFile(taken.rows[0]);
}

/** Rows that were read and not loaded before, because of a kill or of an error, are read again: only the newest of them count. */
async function takeRows(
  db: Sql,
  inbox: ClaimedInbox,
  { path, version, bytes }: QueriedRows,
): Promise<FileToLoad | null> {
  const { inboxId, accountId } = inbox;
  await lockClaimed(db, inbox);
  await db.execute(
    sql`UPDATE nightshift.inbox_files SET state = 'ignored', settled_at = now(), reason = 'Its rows were read again.'
      WHERE inbox_id = ${inboxId} AND settled_at IS NULL AND NOT (path = ${path} AND version = ${version})`,
  );
  const taken = await db.execute<FileRow>(
    sql`INSERT INTO nightshift.inbox_files AS t (public_id, account_id, inbox_id, path, place, version, bytes, state, attempts)
      VALUES (${newId('inf', Date.now())}, ${accountId}, ${inboxId}, ${path}, ${path}, ${version}, ${bytes}, 'loading', 1)
      ON CONFLICT (inbox_id, path, version) DO UPDATE SET state = 'loading', attempts = t.attempts + 1, settled_at = NULL, reason = NULL
        WHERE t.settled_at IS NULL OR t.state = 'ignored'
      RETURNING t.id, t.public_id, t.path, t.place, t.version, t.bytes, t.modified_at, t.attempts`,
  );
  return toFile(taken.rows[0]);
}

function toFile(row: FileRow | undefined): FileToLoad | null {
  if (row === undefined) return null;
  return {
    fileId: BigInt(row.id),
    publicId: row.public_id,
    path: row.path,
    place: row.place,
    version: row.version,
    bytes: Number(row.bytes),
    modifiedAt: row.modified_at === null ? null : new Date(row.modified_at),
    attempts: row.attempts,
  };
}
