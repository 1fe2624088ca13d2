import type pg from 'pg';
import { withConnection } from '../connection/postgres-client.ts';
import { advisoryLocks } from '../locks/advisory-locks.ts';

function withClient<T>(url: string, use: (client: pg.Client) => Promise<T>): Promise<T> {
  return withConnection({ connectionString: url, application_name: 'nightshift backup' }, use);
}

/** Settings of a server that decide whether its WAL is kept, and how that goes. */
export interface WalArchiving {
  /** False until the next start of a server that an earlier release started. */
  readonly isOn: boolean;
  readonly command: string;
  readonly failedCount: number;
  readonly lastArchived: string | null;
}

export function readWalArchiving(url: string): Promise<WalArchiving> {
  return withClient(url, async (client) => {
    const { rows } = await client.query<{
      mode: string;
      command: string;
      failed: string;
      last: string | null;
    }>(
      `SELECT current_setting('archive_mode') AS mode, current_setting('archive_command') AS command,
        failed_count AS failed, last_archived_wal AS last FROM pg_stat_archiver`,
    );
    const [row] = rows;
    return {
      isOn: row?.mode === 'on' || row?.mode === 'always',
      command: row?.command ?? '',
      failedCount: Number(row?.failed ?? 0),
      lastArchived: row?.last ?? null,
    };
  });
}

/**
 * Sets the command that a server runs for each complete file of WAL, without a restart.
 *
 * @param timeoutSeconds a file is complete after this time even if it is not full; 0: never.
 */
export function setWalArchiving(url: string, command: string, timeoutSeconds: number): Promise<void> {
  return withClient(url, async (client) => {
    await client.query(`ALTER SYSTEM SET archive_command = ${client.escapeLiteral(command)}`);
    await client.query(`ALTER SYSTEM SET archive_timeout = ${Math.ceil(timeoutSeconds)}`);
    await client.query('SELECT pg_reload_conf()');
  });
}

/** Runs `use` as the only one that carries WAL to the archive; null when another session does. */
export function withWalTransport<T>(url: string, use: () => Promise<T>): Promise<T | null> {
  return withClient(url, async (client) => {
    const { rows } = await client.query<{ is_ours: boolean }>(
      `SELECT pg_try_advisory_lock(${advisoryLocks.walTransport}) AS is_ours`,
    );
    // The lock ends with the connection.
    return rows[0]?.is_ours === true ? use() : null;
  });
}

/** Completes the present file of WAL, so that it goes to the archive. Returns the name of the last one that is complete. */
export function switchWal(url: string): Promise<string> {
  return withClient(url, async (client) => {
    // Its result is the first position after that file.
    const { rows } = await client.query<{ name: string }>(
      'SELECT pg_walfile_name(pg_switch_wal() - 1) AS name',
    );
    const [row] = rows;
    if (row === undefined) throw new Error('The WAL was switched and not answered.');
    return row.name;
  });
}
