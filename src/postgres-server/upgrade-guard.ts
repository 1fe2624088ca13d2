import { advisoryLocks } from '../../db/locks/advisory-locks.ts';
import { Conflict } from '../core/errors.ts';
import { withSuperuser } from './connection.ts';
import type { Passwords } from './passwords.ts';
import type { Postmaster } from './postmaster.ts';
import type { KeptData } from './recover-state.ts';
import { errorCode } from './system/system-error.ts';

/**
 * Ends a server that a killed upgrade left behind: its data is as before the upgrade.
 *
 * @throws Conflict while the upgrade runs: it holds a lock as long as it lives.
 */
export function endAbandonedUpgrade(
  { pid, port }: Postmaster & { readonly port: number },
  { passwords }: KeptData,
): Promise<void> {
  return withUpgradeLock(port, passwords, async () => stop(pid));
}

/** Runs `work` while a session of a temporary server shows that this upgrade lives. @throws Conflict while another one does */
export function withUpgradeLock<T>(
  port: number,
  { postgres: password }: Passwords,
  work: () => Promise<T>,
): Promise<T> {
  return withSuperuser({ port, password }, async (client) => {
    const { rows } = await client.query<{ is_ours: boolean }>(
      `SELECT pg_try_advisory_lock(${advisoryLocks.serverUpgrade}) AS is_ours`,
    );
    if (rows[0]?.is_ours !== true) throw upgradeRuns();
    return work();
  });
}

/** Error of every other use of the private server while an upgrade copies it. */
function upgradeRuns(): Conflict {
  return new Conflict(
    '`nightshift upgrade` is moving this database to another version of Postgres. Wait until it has finished.',
  );
}

function stop(pid: number): void {
  try {
    process.kill(pid, 'SIGINT');
  } catch (error) {
    if (errorCode(error) !== 'ESRCH') throw error;
  }
}
