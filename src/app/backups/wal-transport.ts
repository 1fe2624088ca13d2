import {
  transportFailure,
  type ArchiveSettings,
  type ArchiveStore,
} from '../../core/backup/archive-settings.ts';
import { messageOf } from '../../core/errors.ts';
import { archiveUnavailable } from '../../core/work/retry-policies.ts';

export interface WalTransportParts {
  readonly settings: Pick<ArchiveStore, 'noteTransport'>;
  /** Carries the complete files of WAL to the archive. */
  readonly ship: (archive: ArchiveSettings, signal: AbortSignal) => Promise<void>;
  readonly nowMs: () => number;
}

/**
 * Creates the transport of WAL to the archive, which records a failure and its end. After a failure it pauses (`archiveUnavailable`), and returns
 * false until then.
 */
export function createWalTransport({
  settings,
  ship,
  nowMs,
}: WalTransportParts): (archive: ArchiveSettings, signal: AbortSignal) => Promise<boolean> {
  let pausedUntilMs = -Infinity;
  return async (archive, signal) => {
    if (nowMs() < pausedUntilMs) return false;
    try {
      await ship(archive, signal);
    } catch (error) {
      if (signal.aborted) throw error;
      pausedUntilMs = nowMs() + archiveUnavailable.delayMs;
      await settings.noteTransport(archive, messageOf(error));
      throw error;
    }
    if (archive.failure?.startsWith(transportFailure) === true) await settings.noteTransport(archive, null);
    return true;
  };
}
