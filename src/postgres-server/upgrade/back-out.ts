import { rename, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { Conflict, NotFound } from '../../core/errors.ts';
import { failpoint } from '../../core/failpoint.ts';
import { compactTime } from '../../core/time/compact-time.ts';
import { provideBinaries } from '../binaries/provide-binaries.ts';
import { readNamedBinaries, type Binaries } from '../binaries/binaries.ts';
import { readClusterMajor } from '../cluster.ts';
import { removeData, stopAtOnce } from '../leftovers.ts';
import { readKeptPasswords, releasePasswords, type Passwords } from '../passwords.ts';
import { logPath } from '../server-log.ts';
import { readState, replaceState, type ServerState } from '../state.ts';
import { errorCode, explainSystemError } from '../system/system-error.ts';
import { upgradeRecord, type TableDigests, type UpgradeRecord } from '../system/upgrade-record.ts';
import { withUpgradeLock } from '../upgrade-guard.ts';
import { findUpgrade, stopUnused, type FoundUpgrade } from './find-upgrade.ts';
import { readBytes } from './free-space.ts';
import { withTemporary } from './temporary-server.ts';

/** Options of a way back. */
export interface BackOut {
  readonly home: string;
  /** Folder with the programs of the old version; null: found, or fetched from npm. */
  readonly oldBinaries: string | null;
  /** True to give up what has changed since the upgrade. */
  readonly force: boolean;
  /** Reads the digests of the tables of a server. */
  readonly digest: (url: string) => Promise<TableDigests>;
  /** Prepares the data from before the upgrade for its use. Receives the URL of the superuser. */
  readonly prepare: (url: string) => Promise<void>;
  readonly onProgress: (message: string) => void;
  readonly signal: AbortSignal;
}

/** Result of a way back. */
export interface BackedOut {
  /** Major version that is in use again. */
  readonly major: number;
  readonly dataFolder: string;
  /** Folder with the data of the newer version, which is kept. */
  readonly newerData: string;
}

/** Tables that differ from the moment of the upgrade on without any use. */
const ownTables = new Set(['nightshift.archive', 'nightshift.server_clock']);

/**
 * Puts the data from before the last upgrade back in use. The newer data is kept beside it.
 *
 * @throws NotFound when that data is not there any more; Conflict while the server is in use, and when the record has changed since the
 * upgrade and `force` is false.
 */
export async function backOutUpgrade(options: BackOut): Promise<BackedOut> {
  const found = await findUpgrade(options.home);
  try {
    const record = await findEarlier(found);
    await stopUnused(found.home);
    const { user, home } = found;
    const { oldBinaries, onProgress } = options;
    // The old data must be of use afterwards.
    const binaries =
      oldBinaries === null
        ? await provideBinaries({
            user,
            home,
            major: record.fromMajor,
            searchPath: '',
            neededBy: 'The earlier data',
            onProgress,
          })
        : await readNamedBinaries(oldBinaries, record.fromMajor, user);
    if (!options.force) await assertUnchanged(found, record, options);
    const passwords = await prepareEarlier(record.fromFolder, binaries, { found, options });
    const state = await readState(found.home);
    const port = state?.port ?? 0;
    return await switchBack(found, record, {
      port,
      passwords,
      binariesFolder: binaries.folder,
      version: binaries.version,
    });
  } catch (error) {
    throw explainSystemError(error, `Cannot back out of the upgrade in ${options.home}`);
  }
}

/** The earlier data is beside the present one, also after the home was moved or copied: the recorded path may be that of another home. */
async function findEarlier({ data, home }: FoundUpgrade): Promise<UpgradeRecord> {
  const record = await upgradeRecord.read(data.dataFolder);
  if (record !== undefined) {
    const fromFolder = join(dirname(data.dataFolder), basename(record.fromFolder));
    if ((await readClusterMajor(fromFolder)) === record.fromMajor) return { ...record, fromFolder };
  }
  throw new NotFound(`There is no data from before an upgrade in ${home}.`);
}

/** Changes since the upgrade are in the newer data only. */
async function assertUnchanged(
  { home, data, major, user, target }: FoundUpgrade,
  { tables, fromMajor }: UpgradeRecord,
  { digest, onProgress, signal }: BackOut,
): Promise<void> {
  onProgress('comparing the record with that of the upgrade');
  const binaries =
    target.major === major
      ? target
      : await provideBinaries({
          user,
          home,
          major,
          searchPath: '',
          neededBy: 'The present data',
          onProgress,
        });
  const plan = { ...data, binaries, user, settings: {}, signal };
  const now = await withTemporary(plan, (server) =>
    withUpgradeLock(server.port, data.passwords, () => digest(server.url('postgres'))),
  );
  const changed = Object.keys({ ...tables, ...now }).filter(
    (name) =>
      !ownTables.has(name) &&
      (now[name]?.rows !== tables[name]?.rows || now[name]?.sum !== tables[name]?.sum),
  );
  if (changed.length === 0) return;
  throw new Conflict(
    `The record has changed since the upgrade, in ${changed.length} tables (${changed.slice(0, 5).join(', ')}). Postgres ${fromMajor} does not ` +
      'have these changes: batches, results and charges since then would be missing, and their calls would be paid again. Use --force to go back anyway; ' +
      'the newer data is kept.',
  );
}

/** Shows that the earlier data can be used, and prepares it. Returns its passwords. */
async function prepareEarlier(
  dataFolder: string,
  binaries: Binaries,
  { found: { data, user }, options }: { readonly found: FoundUpgrade; readonly options: BackOut },
): Promise<Passwords> {
  const passwords = (await readKeptPasswords(dataFolder)) ?? data.passwords;
  // A killed way back left it.
  await stopAtOnce(dataFolder);
  const plan = { dataFolder, binaries, user, passwords, settings: {}, signal: options.signal };
  await withTemporary(plan, (server) =>
    withUpgradeLock(server.port, passwords, () => options.prepare(server.url('postgres'))),
  );
  return passwords;
}

/** The switch is the replacement of the state file, as in the upgrade. */
async function switchBack(
  { home, data }: FoundUpgrade,
  { fromFolder, fromMajor }: UpgradeRecord,
  state: Pick<ServerState, 'port' | 'passwords' | 'binariesFolder' | 'version'>,
): Promise<BackedOut> {
  // It may have been started meanwhile.
  await stopUnused(home);
  await replaceState(home, { ...state, dataFolder: fromFolder });
  failpoint('back-out:switched');
  const newerData = `${data.dataFolder}.backed-out-${compactTime(new Date())}`;
  await releasePasswords(data.dataFolder);
  await rename(data.dataFolder, newerData);
  await rename(logPath(data.dataFolder), logPath(newerData)).catch((error: unknown) => {
    if (errorCode(error) !== 'ENOENT') throw error;
  });
  return { major: fromMajor, dataFolder: fromFolder, newerData };
}

/** Data from before an upgrade that was removed. */
export interface RemovedData {
  readonly dataFolder: string;
  readonly bytes: number;
}

/** Removes the data from before the last upgrade. @throws NotFound when there is none */
export async function removeEarlierData(home: string): Promise<RemovedData> {
  const found = await findUpgrade(home);
  try {
    const { fromFolder } = await findEarlier(found);
    const bytes = (await stat(fromFolder)).isDirectory() ? await readBytes(fromFolder) : 0;
    await removeData(fromFolder);
    return { dataFolder: fromFolder, bytes };
  } catch (error) {
    throw explainSystemError(error, `Cannot remove the earlier data of ${home}`);
  }
}
