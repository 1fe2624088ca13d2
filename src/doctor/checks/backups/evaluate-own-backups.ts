import type { OwnBackupInfo } from '../../../../db/info/own-backup-info.ts';
import { formatLocation } from '../../../core/storage/location.ts';
import { ok, warning, type Finding } from '../check-result.ts';
import { evaluateFailing, name } from './evaluate-backups.ts';

/** Commands that succeed and store nothing (PostgreSQL docs, "Continuous Archiving"). */
const emptyCommand = /^\s*(?:(?:\/usr)?\/bin\/true|true|:|cd \.|exit 0|rem)\s*$/i;

/** Checks that a lost machine does not take the database along, on a server that Nightshift does not back up, nor the calls that it lost. */
export function evaluateOwnBackups(info: OwnBackupInfo): readonly Finding[] {
  return [evaluateFailing(info) ?? evaluateWal(info), evaluateCallArchive(info)];
}

function evaluateWal(info: OwnBackupInfo): Finding {
  const { archives, archiver, archivedAgoS, receivers, unseen } = info;
  if (archives && archiver === '') {
    return warning(
      name,
      'archive_mode is on, but archive_command and archive_library are empty: WAL is not archived, and fills the disk of the server',
      'Set archive_command as your tool needs it (docs/guides/backup.md), or archive_mode=off.',
    );
  }
  if (archives && (archiver === null || !emptyCommand.test(archiver))) {
    const last =
      archivedAgoS === null ? 'no file yet' : `the last file ${Math.round(archivedAgoS / 60)} minutes ago`;
    const unknown = archiver === null ? '; how, this login may not see' : '';
    return ok(name, `WAL is archived by the server, ${last}${unknown}`);
  }
  if (receivers.length > 0) return ok(name, `WAL is received by ${receivers.join(', ')}`);
  if (unseen > 0) {
    return warning(
      name,
      'unknown: programs receive WAL, and this login may not see whether they store it or are standbys',
      'Grant the role pg_monitor to the login of DATABASE_URL.',
    );
  }
  return notKept(info);
}

function notKept({ archives, archiver, idleSlots }: OwnBackupInfo): Finding {
  const reasons = [
    ...(archives ? [`archive_command is "${archiver ?? ''}", which stores nothing`] : []),
    ...idleSlots.map((slot) => `no program receives the WAL of the slot ${slot}`),
  ];
  const why = reasons.length === 0 ? '' : ` (${reasons.join('; ')})`;
  return warning(
    name,
    `the server does not archive its WAL${why}: a lost machine loses all changes since the last backup`,
    'Use pgBackRest, Barman or WAL-G, or the backups of a managed service (docs/guides/backup.md).',
  );
}

function evaluateCallArchive({ callArchive }: OwnBackupInfo): Finding {
  return ok(
    'archive of calls',
    callArchive === null
      ? 'none: after a restore of the server, calls that it has lost are paid for again. Record them elsewhere: `nightshift backup LOCATION`.'
      : `calls are recorded in ${formatLocation(callArchive)}`,
  );
}
