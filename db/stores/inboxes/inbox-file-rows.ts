import { sql, type SQL } from 'drizzle-orm';
import { NotFound } from '../../../src/core/errors.ts';
import type { InboxFile, InboxFileState } from '../../../src/core/inboxes/inbox.ts';
import type { Sql } from '../../connection/client.ts';

interface InboxFileRow extends Record<string, unknown> {
  readonly public_id: string;
  readonly path: string;
  readonly bytes: string;
  readonly modified_at: string | null;
  readonly state: InboxFileState;
  readonly reason: string | null;
  readonly place: string | null;
  readonly content_sha256: string | null;
  readonly batch: string | null;
  readonly first_seen_at: string;
  readonly settled_at: string | null;
}

/** Selects files `f` that meet the condition, newest first. */
export async function selectFiles(db: Sql, condition: SQL, limit: number): Promise<readonly InboxFile[]> {
  const found = await db.execute<InboxFileRow>(
    sql`SELECT f.public_id, f.path, f.bytes, f.modified_at, f.state, f.reason, f.place, encode(f.content_sha256, 'hex') AS content_sha256,
        (SELECT b.public_id FROM nightshift.batches b WHERE b.id = f.batch_id) AS batch, f.first_seen_at, f.settled_at
      FROM nightshift.inbox_files f WHERE ${condition} ORDER BY f.id DESC LIMIT ${limit}`,
  );
  return found.rows.map(toInboxFile);
}

/** The id of a file of an inbox by its public id. @throws NotFound */
export async function findFile(db: Sql, inboxId: number, publicId: string): Promise<bigint> {
  const found = await db.execute<{ id: string }>(
    sql`SELECT f.id FROM nightshift.inbox_files f WHERE f.inbox_id = ${inboxId} AND f.public_id = ${publicId}`,
  );
  const [row] = found.rows;
  if (row === undefined) throw noSuchFile(publicId);
  return BigInt(row.id);
}

export function noSuchFile(file: string): NotFound {
  return new NotFound(`The inbox has no file "${file}". \`nightshift inbox files\` lists them.`);
}

function toInboxFile(row: InboxFileRow): InboxFile {
  return {
    publicId: row.public_id,
    path: row.path,
    bytes: Number(row.bytes),
    modifiedAt: row.modified_at === null ? null : new Date(row.modified_at),
    state: row.state,
    reason: row.reason,
    place: row.place,
    contentSha256: row.content_sha256,
    batch: row.batch,
    firstSeenAt: new Date(row.first_seen_at),
    settledAt: row.settled_at === null ? null : new Date(row.settled_at),
  };
}
