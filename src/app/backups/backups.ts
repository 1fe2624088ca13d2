import { createArchiveStore } from '../../../db/stores/archive/archive-store.ts';
import { claimArchive } from '../../backup/archive-owner.ts';
import { shipWal } from '../../backup/ship-wal.ts';
import { expireBackups, stopArchiving, takeBackup } from '../../backup/take-backup.ts';
import type { BackupSummary } from '../../core/backup/backup.ts';
import { isBackupDue, type ArchiveStore } from '../../core/backup/archive-settings.ts';
import { createBackgroundTask, type BackgroundTask } from '../../core/async/background-task.ts';
import { raceAbort } from '../../core/async/race-abort.ts';
import { messageOf } from '../../core/errors.ts';
import { listSpooled } from '../../postgres-server/index.ts';
import { findOwner } from './find-owner.ts';
import type { ArchiveAddress } from './restores.ts';
import { createWalTransport } from './wal-transport.ts';
import { shipChanges, writeArchive } from './write-archive.ts';
import type { Wiring } from '../wiring.ts';

/** Bound on the transport when a process ends: a slow archive does not keep it from ending. */
const lastMsMax = 5000;

/** Services of backups. */
export interface BackupServices {
  readonly settings: ArchiveStore;
  /**
   * Marks an archive as that of this installation, before it is set.
   *
   * @param takesOver true to go on in the archive of the server that this one was restored from.
   * @throws Conflict when it is that of another one.
   */
  readonly claim: (address: ArchiveAddress, options: ClaimOptions) => Promise<void>;
  /**
   * Takes a backup now, removes the ones beyond the number to keep, and records the result.
   *
   * @throws Misconfigured on a server of the user's own.
   */
  readonly take: (options: TakeOptions) => Promise<BackupSummary>;
  /** Stops archiving. Files in the archive stay. False: there was no archive. */
  readonly stop: () => Promise<boolean>;
  /**
   * Creates the task that carries WAL to the archive and takes backups that are due. When it is closed, the changes until then are in the
   * archive, unless that cannot be reached: there may be no other process that would carry them.
   */
  readonly createKeeper: () => BackgroundTask;
}

export interface ClaimOptions {
  readonly takesOver: boolean;
  readonly signal: AbortSignal;
}

export interface TakeOptions {
  /** Receives the bytes that were read, in all. */
  readonly onBytes?: (bytes: number) => void;
  readonly signal: AbortSignal;
}

/** Wires the backups of the private server. */
export function wireBackups({ config, log, closers, servers }: Wiring): BackupServices {
  const settings = createArchiveStore(servers.database.sql);
  const { server } = servers.postgres;

  async function take({ onBytes = () => undefined, signal }: TakeOptions): Promise<BackupSummary> {
    const archive = await settings.read();
    if (server === null || archive === null) throw new Error('There is no private server, or no archive.');
    try {
      const now = () => new Date();
      return await writeArchive(config, archive, async (storage, workFolder) => {
        const taken = await takeBackup({ server, storage, workFolder, onBytes, now, signal });
        // It is complete also if an older one cannot be removed: the next one is due after the whole interval.
        await settings.note(archive, { failure: null });
        await expireBackups(storage, archive.keep, signal);
        return taken;
      });
    } catch (error) {
      if (!signal.aborted) await settings.note(archive, { failure: messageOf(error) });
      throw error;
    }
  }

  const carryWal = createWalTransport({
    settings,
    nowMs: () => performance.now(),
    ship: async (archive, signal) => {
      // Most rounds find nothing, and open no archive.
      if (server === null || (await listSpooled(server.dataFolder)).length === 0) return;
      await writeArchive(config, archive, (storage, workFolder) =>
        shipWal({ storage, server, workFolder, signal }),
      );
    },
  });

  async function keep(signal: AbortSignal): Promise<void> {
    const archive = await settings.read();
    if (server === null || archive === null || !archive.hasBackups) return;
    if (!(await carryWal(archive, signal))) return;
    if (isBackupDue(archive, new Date())) await take({ signal });
  }

  async function shipLast(signal: AbortSignal): Promise<void> {
    if (server !== null) await shipChanges(config, await settings.read(), { server, signal });
  }

  return {
    settings,
    claim: (address, { takesOver, signal }) =>
      writeArchive(config, address, async (storage, workFolder) =>
        claimArchive({ storage, workFolder, signal }, await findOwner(servers), { takesOver }),
      ),
    take,
    stop: async () => {
      if (server !== null) await stopArchiving(server);
      return settings.remove();
    },
    createKeeper: () => {
      const onError = (error: unknown) => log.warn({ err: error }, 'backup failed; will retry');
      return closers.add(createBackgroundTask(keep, onError), async (task) => {
        await task.close();
        const bound = AbortSignal.timeout(lastMsMax);
        await raceAbort(shipLast(bound), bound).catch((error: unknown) =>
          log.warn(
            { err: error },
            'the last changes have not reached the archive; the next process carries them',
          ),
        );
      });
    },
  };
}
