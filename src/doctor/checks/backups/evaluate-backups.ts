import type { ArchiveInfo, BackupInfo } from '../../../../db/info/backup-info.ts';
import { ok, warning, type Finding } from '../check-result.ts';

/** Name of the check. */
export const name = 'backups';

/** WAL that was not archived for this long would be lost with the machine. Our choice. */
const failingSecondsMax = 600;

/** Checks that a lost machine does not take the private server along. */
export function evaluateBackups(info: BackupInfo): Finding {
  return evaluateFailing(info) ?? evaluateArchive(info.archive);
}

/** Returns the result for a server that cannot archive its WAL; null when it can. */
export function evaluateFailing({ failingForS }: Pick<BackupInfo, 'failingForS'>): Finding | null {
  if (failingForS === null || failingForS <= failingSecondsMax) return null;
  return warning(
    name,
    `WAL has not been archived for ${Math.round(failingForS / 60)} minutes`,
    "Check the free space and the server's log.",
  );
}

function evaluateArchive(archive: ArchiveInfo | null): Finding {
  if (archive === null || !archive.hasBackups)
    return ok(name, 'none: the data is on this machine only. Back it up: `nightshift backup LOCATION`.');
  const { failure, everyS, ageS } = archive;
  if (failure !== null) return warning(name, `the last one failed: ${failure}`, 'Follow the message.');
  if (ageS === null) return warning(name, 'none is complete', 'Run `nightshift backup`.');
  const age = ageS < 2 * day ? `${Math.round(ageS / 3600)} hours` : `${Math.round(ageS / day)} days`;
  if (everyS === null || ageS < 2 * everyS) return ok(name, `the last one is ${age} old`);
  return warning(
    name,
    `the last one is ${age} old, and one is due every ${Math.round(everyS / 3600)} hours`,
    'Keep `nightshift up` or `nightshift work` running, or run `nightshift backup`.',
  );
}

const day = 86_400;
