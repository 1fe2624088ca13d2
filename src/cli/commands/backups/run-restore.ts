import { sizeText } from '../../../core/size-text.ts';
import {
  restoreArchive,
  type ArchiveAddress,
  type RestoreRequest,
  type RestoreSummary,
} from '../../../app/backups/restores.ts';
import type { CommandContext } from '../../context/command-context.ts';
import { withProgress } from '../../terminal/progress.ts';

/** Restores from an archive, with progress. */
export function runRestore(
  { output, config, signal }: CommandContext,
  address: ArchiveAddress,
  request: Pick<RestoreRequest, 'home' | 'replaces' | 'until' | 'backupId'>,
): Promise<RestoreSummary> {
  return withProgress(output, 'Restoring', (progress) =>
    restoreArchive(config(), address, {
      ...request,
      onProgress: (message) => progress.note(message),
      onBytes: (bytes) => progress.show(bytes, null, [`${sizeText(bytes)} written`]),
      signal,
    }),
  );
}
