import { shipRest } from '../../backup/ship-rest.ts';
import type { Shipping } from '../../backup/ship-wal.ts';
import { withWorkFolder } from '../../backup/work-folder.ts';
import type { Config } from '../../config/config.ts';
import type { ArchiveSettings } from '../../core/backup/archive-settings.ts';
import type { Storage } from '../../core/storage/storage.ts';
import { withArchive, type ArchiveAddress } from './restores.ts';

/** Opens an archive to write to, with a folder for files on their way to it. */
export function writeArchive<T>(
  config: Config,
  archive: ArchiveAddress,
  use: (storage: Storage, workFolder: string) => Promise<T>,
): Promise<T> {
  return withArchive(config, archive, (storage) => withWorkFolder((workFolder) => use(storage, workFolder)));
}

/** Carries the changes of a private server until now to its archive. Does nothing without an archive of backups. */
export async function shipChanges(
  config: Config,
  archive: ArchiveSettings | null,
  shipping: Pick<Shipping, 'server' | 'signal'>,
): Promise<void> {
  if (archive?.hasBackups !== true) return;
  await writeArchive(config, archive, (storage, workFolder) =>
    shipRest({ storage, workFolder, ...shipping }),
  );
}
