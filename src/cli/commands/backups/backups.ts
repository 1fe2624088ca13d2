import type { App } from '../../../app/app.ts';
import { listBackups as readBackupList, type ArchiveAddress } from '../../../app/backups/restores.ts';
import type { BackupSummary } from '../../../core/backup/backup.ts';
import type { ArchiveSettings } from '../../../core/backup/archive-settings.ts';
import { ValidationError } from '../../../core/errors.ts';
import { readAge } from '../../../core/time/parse-age.ts';
import { sizeText } from '../../../core/size-text.ts';
import type { Command } from '../../context/command-context.ts';
import { exitCodes } from '../../context/exit-codes.ts';
import { formatTable } from '../../terminal/format-table.ts';
import { withProgress } from '../../terminal/progress.ts';
import { momentText, unreadableText } from './backup-text.ts';
import { createArchive, findArchive, placeOf, type ArchiveOptions } from './find-archive.ts';

/** Options of `backup`. */
export interface BackupOptions extends ArchiveOptions {
  readonly every?: string;
  readonly keep?: string;
  readonly takeOver?: boolean;
}

const keepDefault = 7;
const keepMax = 1000;

/** Sets the archive, and takes a backup. */
export const backup: Command<[string | undefined], BackupOptions> = async (context, options, location) => {
  const { output, signal } = context;
  const terms = readTerms(options);
  const app = await context.app();
  if (!app.work.isPrivateServer) assertNoTerms(options);
  const address = await createArchive(context, location, { ...options, home: app.config.home });
  await app.backups.claim(address, { takesOver: options.takeOver === true, signal });
  const archive = await setArchive(app, address, terms);
  if (!archive.hasBackups) {
    output.result({ archive: placeOf(archive), calls: true, backup: null }, () => callsOnlyText(archive));
    return exitCodes.done;
  }
  const taken = await withProgress(output, 'Backing up', async (progress) => {
    const onBytes = (bytes: number) => progress.show(bytes, null, [`${sizeText(bytes)} read`]);
    return app.backups.take({ onBytes, signal });
  });
  output.result({ archive: placeOf(archive), calls: true, backup: taken }, () => backupText(archive, taken));
  return exitCodes.done;
};

type Terms = Partial<Pick<ArchiveSettings, 'everySeconds' | 'keep'>>;

function readTerms({ every, keep }: BackupOptions): Terms {
  return {
    ...(every === undefined ? {} : { everySeconds: readAge(every, '--every') / 1000 }),
    ...(keep === undefined ? {} : { keep: readKeep(keep) }),
  };
}

/** @throws ValidationError for terms of backups on a server that other tools back up: they would have no effect */
function assertNoTerms({ every, keep }: BackupOptions): void {
  if (every === undefined && keep === undefined) return;
  throw new ValidationError(
    '--every and --keep are for backups of the private server. With DATABASE_URL, the archive has calls only, and none of them is removed: ' +
      'schedule the backups with the tools of your server (docs/guides/backup.md).',
  );
}

/** Keeps what the terms leave out as it is. */
async function setArchive(app: App, address: ArchiveAddress, terms: Terms): Promise<ArchiveSettings> {
  const { everySeconds = null, keep = keepDefault } = (await app.backups.settings.read()) ?? {};
  return app.backups.settings.set({
    everySeconds,
    keep,
    ...terms,
    location: address.location,
    credentials: address.credentials,
    hasBackups: app.work.isPrivateServer,
  });
}

function readKeep(text: string): number {
  const keep = Number(text);
  if (/^\d+$/.test(text) && keep >= 1 && keep <= keepMax) return keep;
  throw new ValidationError(`--keep ${text}: write a number from 1 to ${keepMax}.`);
}

function backupText(archive: ArchiveSettings, { id, bytes, storedBytes }: BackupSummary): string {
  const place = placeOf(archive);
  const next =
    archive.everySeconds === null
      ? 'Later backups: run `nightshift backup`, or add --every 1d.'
      : `The next one is due ${momentText(new Date(Date.now() + archive.everySeconds * 1000))}, while \`up\` or \`work\` runs.`;
  return [
    `Backup ${id}: ${sizeText(bytes)}, ${sizeText(storedBytes)} in the archive. ${next}`,
    'While `up` or `work` runs, changes reach the archive within about a minute, and calls to sources before they are sent.',
    `Check it: nightshift backup verify. Restore it: nightshift restore ${place}`,
  ].join('\n');
}

function callsOnlyText(archive: ArchiveSettings): string {
  return (
    `Calls to sources are now recorded in ${placeOf(archive)}. Back up your Postgres server with its own tools, such as pgBackRest, Barman or ` +
    'WAL-G (docs/guides/backup.md).'
  );
}

/** Lists the backups of an archive. */
export const listBackups: Command<[string | undefined], ArchiveOptions> = async (
  context,
  options,
  location,
) => {
  const { output, config, signal } = context;
  const address = await findArchive(context, location, options);
  const { backups, unreadable } = await readBackupList(config(), address, signal);
  output.result({ archive: placeOf(address), backups, unreadable }, () => {
    const rejected = unreadable.map(unreadableText);
    if (backups.length === 0) return ['The archive has no complete backup.', ...rejected].join('\n');
    const rows = backups.map((one) => [
      one.id,
      momentText(one.finishedAt),
      one.postgresMajor,
      sizeText(one.bytes),
      sizeText(one.storedBytes),
    ]);
    const columns = ['backup', 'complete', 'Postgres', 'size', 'stored'];
    return [formatTable(columns, rows, output.tableColumns()), ...rejected].join('\n');
  });
  return exitCodes.done;
};

/** Stops archiving. */
export const stopBackups: Command<[], object> = async ({ app, output }) => {
  const stopped = await (await app()).backups.stop();
  output.result({ stopped }, () =>
    stopped ? 'Archiving has stopped. The files in the archive stay.' : 'There is no archive.',
  );
  return exitCodes.done;
};
