import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import {
  Conflict,
  DatabaseUnavailable,
  EnrichError,
  Misconfigured,
  StorageRejected,
  ValidationError,
} from '../core/errors.ts';
import { failpoint } from '../core/failpoint.ts';
import { compactTime } from '../core/time/compact-time.ts';
import { provideBinaries } from './binaries/provide-binaries.ts';
import { isPassing } from './connect.ts';
import { withSuperuser } from './connection.ts';
import { clearLeftovers } from './leftovers.ts';
import { holdBackPasswords, readKeptPasswords, releasePasswords, type Passwords } from './passwords.ts';
import { readRunningPostmaster } from './postmaster.ts';
import { findHomeData } from './recover-state.ts';
import { logPath, readLogTail } from './server-log.ts';
import { startServer, type StartedServer } from './start.ts';
import { stopStarted } from './started-server.ts';
import { startFailure } from './start-errors.ts';
import { readState, replaceState, type ServerState } from './state.ts';
import { chooseDataParent, openHome } from './system/data-directory.ts';
import { exists } from './system/exists.ts';
import { chooseFreePort } from './system/port.ts';
import { readServerUser } from './system/server-user.ts';
import { explainSystemError } from './system/system-error.ts';
import { temporaryName } from './system/temporary-name.ts';
import { noArchiveCommand } from './wal-spool.ts';

/** Folder in the data folder with the compressed WAL that is replayed. */
export const recoveryWalName = 'recovery_wal';

/** Options of a recovery. */
export interface Recovery {
  /** Absolute path of the home folder, created if it is missing. */
  readonly home: string;
  /** True: the present data of the home is kept beside the restored data; false: it is an error. */
  readonly replaces: boolean;
  readonly postgresMajor: number;
  /** Content of `backup_label`. */
  readonly label: string;
  /** Moment to restore; null: the end of the WAL. */
  readonly until: Date | null;
  /** Writes the files of the backup into the new data folder, and the WAL into `recoveryWalName` in it, as `NAME.gz`. */
  readonly fill: (dataFolder: string) => Promise<void>;
  /** Completes the record before it is in place. Receives the URL of the superuser on the database `nightshift`. */
  readonly complete: (url: string) => Promise<void>;
  readonly onProgress: (message: string) => void;
  readonly signal: AbortSignal;
}

/** Result of a recovery. */
export interface Recovered {
  readonly dataFolder: string;
  /** The last transaction that was replayed; null if there was none after the backup. */
  readonly lastChangeAt: Date | null;
  /** Folder of the earlier data; null if there was none. */
  readonly earlierData: string | null;
}

/**
 * Recovers a data folder from a base backup and WAL, and puts it in the place of the home's private server. Until everything has
 * succeeded, the present data stays where it is; afterwards it is kept beside the restored one. The server is stopped.
 *
 * @throws Conflict when the home has data and `replaces` is false, or its server is running.
 * @throws ValidationError when the WAL ends before `until`.
 */
export async function recoverCluster(recovery: Recovery): Promise<Recovered> {
  const { postgresMajor, onProgress } = recovery;
  const home = await openHome(recovery.home);
  await assertReplaceable(home, recovery.replaces);
  await clearLeftovers(home);
  const user = await readServerUser(undefined);
  const binaries = await provideBinaries({
    user,
    home,
    major: postgresMajor,
    searchPath: '',
    neededBy: 'The backup',
    onProgress,
  });
  const dataFolder = await chooseFolder(await chooseDataParent(home, user), postgresMajor);
  const making = temporaryName(dataFolder);
  try {
    await mkdir(making, { mode: 0o700 });
    await recovery.fill(making);
    failpoint('restore:filled');
    await writeFile(join(making, 'backup_label'), recovery.label, { mode: 0o600 });
    await writeFile(join(making, 'recovery.signal'), '', { mode: 0o600 });
    onProgress('the changes after it');
    const port = await chooseFreePort(undefined);
    const settings = recoverySettings(recovery.until);
    const server = await startServer({ dataFolder: making, binaries, user, port, settings });
    const { lastChangeAt, passwords } = await completeOn(making, { server, port, recovery });
    await rm(join(making, recoveryWalName), { recursive: true, force: true });
    failpoint('restore:completed');
    // It may have been started meanwhile.
    await assertReplaceable(home, recovery.replaces);
    // Until the switch, no lost state file is rebuilt from it.
    if ((await findHomeData(home)) !== undefined) await holdBackPasswords(making);
    await rename(making, dataFolder);
    failpoint('restore:renamed');
    const { folder: binariesFolder, version } = binaries;
    const earlierData = await switchTo(home, { dataFolder, passwords, binariesFolder, version });
    return { dataFolder, lastChangeAt, earlierData };
  } catch (error) {
    throw explainSystemError(error, `Cannot restore into ${dataFolder}`);
  } finally {
    await rm(making, { recursive: true, force: true });
    await rm(logPath(making), { force: true });
  }
}

/** Returns the path of the restored data, where nothing is: the present data keeps its place until the switch. */
async function chooseFolder(parent: string, major: number): Promise<string> {
  const folder = join(parent, `postgres-${major}`);
  return (await exists(folder)) ? `${folder}.restored-${compactTime(new Date())}` : folder;
}

async function assertReplaceable(home: string, replaces: boolean): Promise<void> {
  const found = await findHomeData(home);
  if (found === undefined) return;
  if (!replaces) {
    throw new Conflict(
      `${home} has a database already. Set NIGHTSHIFT_HOME to another folder, or use --replace: the present data is then kept beside the restored one.`,
    );
  }
  if ((await readRunningPostmaster(found.data.dataFolder)) === undefined) return;
  throw new Conflict('The private server is running. Stop it first: `nightshift stop`.');
}

const damagedCode = 200;

/**
 * Command that reads a file of WAL. Postgres takes a small exit code for the end of the WAL, and stops the recovery at one above 125: a file that
 * is there and cannot be read is no end.
 */
const readWalFile =
  `if [ -f "${recoveryWalName}/%f.gz" ]; then gzip -dc < "${recoveryWalName}/%f.gz" > "%p" || exit ${damagedCode}; ` +
  'else exit 1; fi';

/** The WAL of the new timeline is not kept: a restored record begins with a backup of its own. */
function recoverySettings(until: Date | null): Readonly<Record<string, string>> {
  return {
    restore_command: readWalFile,
    recovery_target_action: 'promote',
    ...(until === null ? {} : { recovery_target_time: asTimestamp(until) }),
    archive_command: noArchiveCommand,
  };
}

/** With a numeric zone: the server parses this setting before it knows names of zones, such as Z. */
function asTimestamp(moment: Date): string {
  return moment.toISOString().replace('T', ' ').replace('Z', '+00');
}

interface RunningRecovery {
  readonly server: StartedServer;
  readonly port: number;
  readonly recovery: Recovery;
}

/** Waits for the end of the replay, completes the record, and stops the server. */
async function completeOn(
  making: string,
  { server, port, recovery }: RunningRecovery,
): Promise<{ readonly lastChangeAt: Date | null; readonly passwords: Passwords }> {
  try {
    const passwords = await readPasswords(making);
    const address = { port, password: passwords.postgres };
    const lastChangeAt = await untilRecovered(making, { server, address, recovery });
    failpoint('restore:recovered');
    await withSuperuser(address, async (client) => {
      await client.query(`ALTER SYSTEM SET archive_command = ${client.escapeLiteral(noArchiveCommand)}`);
      await client.query('ALTER SYSTEM RESET archive_timeout');
    });
    await recovery.complete(`postgres://postgres:${passwords.postgres}@127.0.0.1:${port}/nightshift`);
    return { lastChangeAt, passwords };
  } finally {
    await stopStarted(making, server);
  }
}

async function readPasswords(dataFolder: string): Promise<Passwords> {
  const passwords = await readKeptPasswords(dataFolder);
  if (passwords !== undefined) return passwords;
  throw new Misconfigured('The backup has no passwords of a private server. It was not made by Nightshift.');
}

interface Watched {
  readonly server: StartedServer;
  readonly address: { readonly port: number; readonly password: string };
  readonly recovery: Recovery;
}

const pollMs = 50;

/** Resolves with the time of the last replayed transaction when the server has left recovery. */
async function untilRecovered(
  dataFolder: string,
  { server, address, recovery: { until, signal } }: Watched,
): Promise<Date | null> {
  let last: Date | null = null;
  for (;;) {
    signal.throwIfAborted();
    const hasEnded = server.hasEnded();
    if (hasEnded) throw await recoveryFailure(dataFolder, until);
    const state = await readRecovery(address);
    last = state?.last ?? last;
    if (state?.recovers === false) return last;
    await delay(pollMs, undefined, { signal });
  }
}

/** The state of the replay; null while the server accepts no connections. */
async function readRecovery(address: Watched['address']) {
  try {
    return await withSuperuser(address, async (client) => {
      const { rows } = await client.query<{ recovers: boolean; last: Date | null }>(
        'SELECT pg_is_in_recovery() AS recovers, pg_last_xact_replay_timestamp() AS last',
      );
      return rows[0] ?? null;
    });
  } catch (error) {
    if (isPassing(error)) return null;
    throw error;
  }
}

async function recoveryFailure(dataFolder: string, until: Date | null): Promise<EnrichError> {
  const log = await readLogTail(dataFolder, 0);
  if (/recovery ended before configured recovery target was reached/.test(log)) {
    const last = /last completed transaction was at log time ([^\n]+)/.exec(log)?.[1];
    return new ValidationError(
      `The archive ends before ${until?.toISOString() ?? 'that moment'}${last === undefined ? '' : `: its last change is of ${last}`}. ` +
        'Choose an earlier moment, or leave out --to for the newest state. Changes that have not reached the archive are read from the home of the ' +
        'original: restore there with --replace.',
    );
  }
  const damaged = /could not restore file "([^"]+)" from archive|archive file "([^"]+)" has wrong size/.exec(
    log,
  );
  if (damaged !== null) {
    throw new StorageRejected(
      `The file ${damaged[1] ?? damaged[2]}.gz in \`wal\` of the archive is damaged, so changes from it on cannot be restored. ` +
        'Bring back an intact copy of it, or choose a moment before it with --to.',
    );
  }
  if (
    /could not locate required checkpoint record|WAL ends before (?:end of online|consistent recovery)/.test(
      log,
    )
  ) {
    return new DatabaseUnavailable(
      `The archive lacks WAL that the backup needs. Restore another backup. The server printed:\n${log}`,
    );
  }
  // The log is removed with the data folder.
  return startFailure({ log, logPath: null, dataFolder });
}

/**
 * The switch: every process that starts from now on uses the new data. Then the earlier data is renamed, as far as that is possible. Returns its
 * path; null if there was none.
 */
async function switchTo(
  home: string,
  restored: Pick<ServerState, 'dataFolder' | 'passwords' | 'binariesFolder' | 'version'>,
): Promise<string | null> {
  const earlier = (await findHomeData(home))?.data.dataFolder ?? null;
  const port = (await readState(home))?.port ?? (await chooseFreePort(undefined));
  await replaceState(home, { ...restored, port });
  failpoint('restore:switched');
  await releasePasswords(restored.dataFolder);
  if (earlier === null || earlier === restored.dataFolder) return null;
  const aside = `${earlier}.replaced-${compactTime(new Date())}`;
  return rename(earlier, aside).then(
    () => aside,
    () => earlier,
  );
}
