import type pg from 'pg';
import { Conflict } from '../../src/core/errors.ts';
import { withConnection } from '../connection/postgres-client.ts';
import { advisoryLocks } from '../locks/advisory-locks.ts';

/** Begin of a base backup. */
export interface BegunBackup {
  readonly systemId: string;
  readonly postgresMajor: number;
  readonly walFirst: string;
  /** Ends it; the WAL up to `walLast` is then in the archive, or soon will be. */
  readonly end: () => Promise<EndedBackup>;
  /** Fails when the session was lost since: another backup may have begun. */
  readonly confirm: () => Promise<void>;
}

export interface EndedBackup {
  readonly walLast: string;
  readonly label: string;
}

/**
 * Runs `store` from the begin of a base backup on (PostgreSQL docs, "Making a Base Backup Using the Low Level API"). The session must last: when
 * it is lost before, Postgres ends the backup, and `end` fails. No other backup begins until `store` ends.
 *
 * @throws Conflict while another backup is running.
 * @param url login of a superuser.
 */
export function withBaseBackup<T>(url: string, store: (begun: BegunBackup) => Promise<T>): Promise<T> {
  return withConnection({ connectionString: url, application_name: 'nightshift backup' }, async (client) =>
    store(await begin(client)),
  );
}

async function begin(client: pg.Client): Promise<BegunBackup> {
  const locked = await client.query<{ is_ours: boolean }>(
    `SELECT pg_try_advisory_lock(${advisoryLocks.baseBackup}) AS is_ours`,
  );
  if (locked.rows[0]?.is_ours !== true)
    throw new Conflict('Another backup is running. Wait until it is complete: `nightshift backup list`.');
  const { rows } = await client.query<{ system_id: string; major: number; wal_first: string }>(
    `SELECT (SELECT system_identifier::text FROM pg_control_system()) AS system_id,
      current_setting('server_version_num')::integer / 10000 AS major,
      pg_walfile_name(pg_backup_start('nightshift', fast => true)) AS wal_first`,
  );
  const [row] = rows;
  if (row === undefined) throw new Error('A backup was begun and not answered.');
  return {
    systemId: row.system_id,
    postgresMajor: row.major,
    walFirst: row.wal_first,
    end: () => end(client),
    confirm: async () => void (await client.query('SELECT 1')),
  };
}

/** Does not wait for the archive: the files of WAL are carried there by this process itself. */
async function end(client: pg.Client): Promise<EndedBackup> {
  const { rows } = await client.query<{ wal_last: string; label: string }>(
    `SELECT pg_walfile_name(lsn) AS wal_last, labelfile AS label FROM pg_backup_stop(wait_for_archive => false)`,
  );
  const [row] = rows;
  if (row === undefined) throw new Error('A backup was ended and not answered.');
  return { walLast: row.wal_last, label: row.label };
}
