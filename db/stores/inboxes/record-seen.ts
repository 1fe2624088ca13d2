import { sql } from 'drizzle-orm';
import type { ClaimedInbox } from '../../../src/core/inboxes/inbox-store.ts';
import type { StorageFile } from '../../../src/core/storage/storage.ts';
import type { Sql } from '../../connection/client.ts';
import { bigints, texts } from '../sql/arrays.ts';
import { lockClaimed } from './lock-inbox.ts';

/**
 * See `InboxFileStore.recordSeen`. The caller's transaction.
 *
 * A path has at most one open row: a version that is still being written changes in it. A settled row is never changed, except that a file
 * that was moved away and is listed again, in the same version, is moved away again.
 */
export async function recordSeen(
  db: Sql,
  inbox: ClaimedInbox,
  files: readonly StorageFile[],
  { isAtomic }: { readonly isAtomic: boolean },
): Promise<void> {
  const { inboxId, accountId, settleMs } = inbox;
  await lockClaimed(db, inbox);
  const fresh = isAtomic || settleMs === 0 ? 'ready' : 'waiting';
  const listed = sql`unnest(${texts(files.map(({ path }) => path))}, ${texts(files.map(({ version }) => version))},
    ${bigints(files.map(({ bytes }) => bytes))}, ${texts(files.map((file) => file.modifiedAt?.toISOString() ?? null))}::timestamptz[])
    AS s(path, version, bytes, modified_at)`;
  await db.execute(
    sql`UPDATE nightshift.inbox_files f SET state = 'ignored', settled_at = now(), reason = 'It has the content of an earlier version again.'
      FROM ${listed}
      WHERE f.inbox_id = ${inboxId} AND f.path = s.path AND f.place = f.path AND f.settled_at IS NULL AND f.version <> s.version
        AND EXISTS (SELECT FROM nightshift.inbox_files e WHERE e.inbox_id = f.inbox_id AND e.path = s.path AND e.version = s.version)`,
  );
  await db.execute(
    sql`UPDATE nightshift.inbox_files f SET version = s.version, bytes = s.bytes, modified_at = s.modified_at, state = ${fresh},
        unchanged_since = now(), seen_at = now(), reason = NULL, attempts = 0
      FROM ${listed}
      WHERE f.inbox_id = ${inboxId} AND f.path = s.path AND f.place = f.path AND f.settled_at IS NULL AND f.version <> s.version`,
  );
  await db.execute(
    sql`UPDATE nightshift.inbox_files f SET seen_at = now(),
        state = CASE WHEN f.state = 'waiting' AND f.unchanged_since <= now() - ${settleMs} * interval '1 millisecond' THEN 'ready'
          ELSE f.state END
      FROM ${listed}
      WHERE f.inbox_id = ${inboxId} AND f.path = s.path AND f.version = s.version AND f.place = f.path AND f.settled_at IS NULL`,
  );
  await db.execute(
    sql`UPDATE nightshift.inbox_files f SET state = ${fresh}, place = f.path, settled_at = NULL, reason = NULL, unchanged_since = now(), seen_at = now()
      FROM ${listed}
      WHERE f.inbox_id = ${inboxId} AND f.path = s.path AND f.version = s.version AND f.state = 'ignored'`,
  );
  await db.execute(
    sql`UPDATE nightshift.inbox_files f SET place = f.path, pending = CASE WHEN f.place IS NULL THEN 'delete' ELSE 'move' END,
        target = f.place
      FROM ${listed}
      WHERE f.inbox_id = ${inboxId} AND f.path = s.path AND f.version = s.version AND f.settled_at IS NOT NULL
        AND f.place IS DISTINCT FROM f.path AND f.pending IS NULL`,
  );
  await db.execute(
    sql`INSERT INTO nightshift.inbox_files (public_id, account_id, inbox_id, path, place, version, bytes, modified_at, state)
      SELECT nightshift.new_id('inf'), ${accountId}, ${inboxId}, s.path, s.path, s.version, s.bytes, s.modified_at, ${fresh}
      FROM ${listed} ON CONFLICT DO NOTHING`,
  );
}

/** See `InboxFileStore.endListing`. The caller's transaction. */
export async function endListing(db: Sql, inbox: ClaimedInbox): Promise<void> {
  const { inboxId } = inbox;
  await lockClaimed(db, inbox);
  await db.execute(
    sql`UPDATE nightshift.inbox_files f SET state = 'ignored', settled_at = now(), reason = 'It was gone before it was loaded.'
      FROM nightshift.inboxes i
      WHERE i.id = ${inboxId} AND f.inbox_id = i.id AND f.settled_at IS NULL AND f.place = f.path AND f.seen_at < i.claimed_at`,
  );
}
