import type { ArchiveInfo, BackupInfo } from '../../../../db/info/backup-info.ts';
import { transportFailure } from '../../../core/backup/archive-settings.ts';
import { sizeText } from '../../../core/size-text.ts';
import type { SpoolInfo } from '../../../postgres-server/index.ts';
import { ok, warning, type Finding } from '../check-result.ts';

/** Name of the check. */
export const name = 'backups';

/** WAL that was not archived for this long would be lost with the machine. Our choice. */
const failingSecondsMax = 600;

/** Checks that a lost machine does not take the private server along. */
export function evaluateBackups(info: BackupInfo & { readonly spool: SpoolInfo | null }): Finding {
  return evaluateFailing(info) ?? evaluateArchive(info.archive, info.spool);
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

function evaluateArchive(archive: ArchiveInfo | null, spool: SpoolInfo | null): Finding {
  if (archive === null || !archive.hasBackups)
    return ok(name, 'none: the data is on this machine only. Back it up: `nightshift backup LOCATION`.');
  const { failure, everyS, ageS } = archive;
  const isTransport = failure?.startsWith(transportFailure) === true;
  if (isTransport || (spool !== null && spool.ageS > failingSecondsMax)) {
    return warning(
      name,
      `${isTransport ? failure : 'WAL does not reach the archive'}${spoolText(spool)}`,
      'Make the archive reachable, and keep `nightshift up` or `nightshift work` running. Or stop archiving: `nightshift backup off`.',
    );
  }
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

function spoolText(spool: SpoolInfo | null): string {
  if (spool === null) return '';
  return ` (${sizeText(spool.bytes)} on the disk of the database, the oldest for ${Math.round(spool.ageS / 60)} minutes)`;
}

const day = 86_400;
