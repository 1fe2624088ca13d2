import type { RestoreSummary } from '../../../app/backups/restores.ts';
import { ValidationError } from '../../../core/errors.ts';
import type { Command } from '../../context/command-context.ts';
import { exitCodes } from '../../context/exit-codes.ts';
import { momentText } from './backup-text.ts';
import { readArchive, type ArchiveOptions } from './find-archive.ts';
import { runRestore } from './run-restore.ts';

/** Options of `restore`. */
export interface RestoreCommandOptions extends ArchiveOptions {
  readonly to?: string;
  readonly backup?: string;
  readonly replace?: boolean;
}

/** Restores the private server of the home. */
export const restore: Command<[string], RestoreCommandOptions> = async (context, options, location) => {
  const { output, config } = context;
  const { home, databaseUrl } = config();
  if (databaseUrl !== null) {
    throw new ValidationError(
      'DATABASE_URL is set: restore that server with its own tools (docs/guides/backup.md). Unset it to restore a private server.',
    );
  }
  const address = await readArchive(context, location, options);
  const until = options.to === undefined ? null : readMoment(options.to);
  const restored = await runRestore(context, address, {
    home,
    replaces: options.replace === true,
    until,
    backupId: options.backup ?? null,
  });
  output.result({ home, ...restored }, () => restoredText(restored, home));
  return exitCodes.done;
};

/** Parses a moment; without a zone, it is in that of this machine. @throws ValidationError */
function readMoment(text: string): Date {
  const moment = new Date(text);
  if (/^\d{4}-\d{2}-\d{2}/.test(text.trim()) && !Number.isNaN(moment.getTime())) return moment;
  throw new ValidationError(
    `--to ${text}: write a day and a time, such as "2026-11-22 02:13" in your time zone, or 2026-11-22T02:13Z.`,
  );
}

function restoredText({ backup, lastChangeAt, earlierData, calls }: RestoreSummary, home: string): string {
  const until = lastChangeAt === null ? backup.finishedAt : lastChangeAt;
  return [
    `Restored ${home} from the backup ${backup.id}; its last change is of ${momentText(until)}.`,
    calls.calls === 0 && calls.answered === 0
      ? 'No later call to a source is in the archive.'
      : `Calls that were made later: ${calls.calls.toLocaleString('en')}. With the answers of ${calls.answered.toLocaleString('en')} calls, they are not paid for again.`,
    ...(earlierData === null
      ? []
      : [`The earlier data is kept in ${earlierData}. Delete it when you no longer need it.`]),
    'Archiving is off in the restored database, so that a copy never writes into the archive of the original.',
    'Next: nightshift verify, then nightshift backup LOCATION, then nightshift up.',
  ].join('\n');
}
