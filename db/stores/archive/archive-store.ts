import { sql } from 'drizzle-orm';
import {
  transportFailure,
  type ArchiveLocation,
  type ArchiveRequest,
  type ArchiveSettings,
  type ArchiveStore,
} from '../../../src/core/backup/archive-settings.ts';
import type { Credentials } from '../../../src/core/storage/credentials.ts';
import { withDatabase, type Sql } from '../../connection/client.ts';

/** The settings of the archive in `nightshift.archive`. */
export function createArchiveStore(db: Sql): ArchiveStore {
  return {
    read: () => withDatabase(() => readSettings(db)),
    set: (request) => withDatabase(() => setSettings(db, request)),
    remove: () =>
      withDatabase(async () => {
        const removed = await db.execute(sql`DELETE FROM nightshift.archive`);
        return (removed.rowCount ?? 0) > 0;
      }),
    note: ({ version }, { failure }) =>
      withDatabase(async () => {
        await db.execute(
          sql`UPDATE nightshift.archive SET tried_at = now(), failure = ${failure}::text,
            backed_up_at = CASE WHEN ${failure}::text IS NULL THEN now() ELSE backed_up_at END
            WHERE version = ${version}::bigint`,
        );
      }),
    noteTransport: ({ version }, failure) =>
      withDatabase(async () => {
        const noted = failure === null ? null : transportFailure + failure;
        await db.execute(
          sql`UPDATE nightshift.archive SET failure = ${noted}::text
            WHERE version = ${version}::bigint AND (failure IS NULL OR starts_with(failure, ${transportFailure})) AND failure IS DISTINCT FROM ${noted}::text`,
        );
      }),
  };
}

async function readSettings(db: Sql): Promise<ArchiveSettings | null> {
  const { rows } = await db.execute<{
    location: ArchiveLocation;
    credentials: Credentials | null;
    every_seconds: number | null;
    keep: number;
    has_backups: boolean;
    version: string;
    backed_up_at: string | null;
    tried_at: string | null;
    failure: string | null;
  }>(
    sql`SELECT location, credentials, every_seconds, keep, has_backups, version, backed_up_at::text AS backed_up_at,
      tried_at::text AS tried_at, failure FROM nightshift.archive`,
  );
  const [row] = rows;
  if (row === undefined) return null;
  return {
    location: row.location,
    credentials: row.credentials,
    everySeconds: row.every_seconds,
    keep: row.keep,
    hasBackups: row.has_backups,
    version: Number(row.version),
    backedUpAt: row.backed_up_at === null ? null : new Date(row.backed_up_at),
    triedAt: row.tried_at === null ? null : new Date(row.tried_at),
    failure: row.failure,
  };
}

/** A version is the time in microseconds: it differs from that of an archive that was removed before. */
async function setSettings(
  db: Sql,
  { location, credentials, everySeconds, keep, hasBackups }: ArchiveRequest,
): Promise<ArchiveSettings> {
  await db.execute(
    sql`INSERT INTO nightshift.archive AS a (location, credentials, every_seconds, keep, has_backups, version, tried_at)
      VALUES (${JSON.stringify(location)}::jsonb, ${credentials === null ? null : JSON.stringify(credentials)}::jsonb,
        ${everySeconds}::integer, ${keep}, ${hasBackups}, (extract(epoch FROM clock_timestamp()) * 1000000)::bigint, now())
      ON CONFLICT (id) DO UPDATE SET location = excluded.location, credentials = excluded.credentials,
        every_seconds = excluded.every_seconds, keep = excluded.keep, has_backups = excluded.has_backups, version = excluded.version, tried_at = excluded.tried_at,
        backed_up_at = CASE WHEN a.location = excluded.location THEN a.backed_up_at END, failure = NULL`,
  );
  const settings = await readSettings(db);
  if (settings === null) throw new Error('The archive was removed while it was set.');
  return settings;
}
