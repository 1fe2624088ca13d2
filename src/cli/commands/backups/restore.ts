import { restoreCalls, type RestoreSummary } from '../../../app/backups/restores.ts';
import { ValidationError } from '../../../core/errors.ts';
import { findPostgres } from '../../../postgres-server/find-servers.ts';
import type { Command, CommandContext } from '../../context/command-context.ts';
import { parseMoment } from '../../../core/time/parse-moment.ts';
import { localOffsets } from '../../../core/time/time-zone.ts';
import { zonedTime } from '../../../core/time/zoned-time.ts';
import { exitCodes } from '../../context/exit-codes.ts';
import { momentText, passedOverTexts } from './backup-text.ts';
import { readArchive, type ArchiveOptions } from './find-archive.ts';
import { runRestore } from './run-restore.ts';

/** Options of `restore`. */
export interface RestoreCommandOptions extends ArchiveOptions {
  readonly to?: string;
  readonly backup?: string;
  readonly replace?: boolean;
}

/** Restores the private server of the home; with `DATABASE_URL`, only the calls of that server, which its own tools restore. */
export const restore: Command<[string], RestoreCommandOptions> = async (context, options, location) => {
  const { databaseUrl, home } = context.config();
  if (databaseUrl !== null) return restoreOwn(context, options, location);
  const until =
    options.to === undefined ? null : parseMoment(options.to, { where: '--to', zone: localOffsets });
  const address = await readArchive(context, location, options);
  const restored = await runRestore(context, address, {
    home,
    replaces: options.replace === true,
    until,
    backupId: options.backup ?? null,
  });
  context.output.result({ home, to: until, ...restored }, () => restoredText(restored, { home, until }));
  return exitCodes.done;
};

async function restoreOwn(
  context: CommandContext,
  options: RestoreCommandOptions,
  location: string,
): Promise<number> {
  if (options.to !== undefined || options.backup !== undefined || options.replace === true) {
    throw new ValidationError(
      'DATABASE_URL is set: restore that server with its own tools, then run `nightshift restore` with the location only, which brings back its calls ' +
        '(docs/guides/backup.md). Unset DATABASE_URL to restore a private server.',
    );
  }
  const { output, signal, config } = context;
  const address = await readArchive(context, location, options);
  const onProgress = (message: string) => output.note(`${message} …`);
  const { ownerUrl: url } = await findPostgres(config(), { onProgress, mayCreate: false });
  const calls = await restoreCalls(config(), address, { url, signal });
  output.result({ calls }, () =>
    [callsText(calls), archivingText, 'Next: nightshift verify, then nightshift backup LOCATION.'].join('\n'),
  );
  return exitCodes.done;
}

const archivingText =
  'Archiving is off in the restored database, so that a copy never writes into the archive of the original.';

function restoredText(
  { backup, passedOver, lastChangeAt, earlierData, calls }: RestoreSummary,
  { home, until }: { readonly home: string; readonly until: Date | null },
): string {
  const to = until === null ? '' : ` to ${zonedTime(until, localOffsets)} (${momentText(until)})`;
  return [
    `Restored ${home}${to} from the backup ${backup.id}; its last change is of ${momentText(lastChangeAt ?? backup.finishedAt)}.`,
    ...passedOverTexts(passedOver),
    callsText(calls),
    ...(earlierData === null
      ? []
      : [`The earlier data is kept in ${earlierData}. Delete it when you no longer need it.`]),
    archivingText,
    'Next: nightshift verify, then nightshift backup LOCATION, then nightshift up. To go on in the archive of the original, which must not run ' +
      'any more, add --take-over.',
  ].join('\n');
}

function callsText({ calls, answered }: RestoreSummary['calls']): string {
  return calls === 0 && answered === 0
    ? 'No later call to a source is in the archive.'
    : `Calls that were made later: ${calls.toLocaleString('en')}. With the answers of ${answered.toLocaleString('en')} calls, they are not paid for again.`;
}
