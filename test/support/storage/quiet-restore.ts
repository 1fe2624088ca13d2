import { restoreBackup, type Restored, type RestoreOptions } from '../../../src/backup/restore-backup.ts';

/** Restores the newest state of an archive, unless the options say otherwise, without reports of its progress. */
export function restoreQuietly(
  options: Partial<RestoreOptions> & Pick<RestoreOptions, 'storage' | 'home' | 'replaces'>,
): Promise<Restored> {
  return restoreBackup({
    until: null,
    backupId: null,
    complete: () => Promise.resolve(),
    onProgress: () => undefined,
    onBytes: () => undefined,
    signal: new AbortController().signal,
    ...options,
  });
}
