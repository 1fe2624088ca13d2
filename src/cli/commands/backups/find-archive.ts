import { mkdir } from 'node:fs/promises';
import { isAbsolute, relative } from 'node:path';
import type { ArchiveAddress } from '../../../app/backups/restores.ts';
import { asArchiveLocation, type ArchiveSettings } from '../../../core/backup/archive-settings.ts';
import { ValidationError } from '../../../core/errors.ts';
import { formatLocation } from '../../../core/storage/location.ts';
import type { CommandContext } from '../../context/command-context.ts';
import { parsePlace, type PlaceOptions } from '../../context/parse-place.ts';
import { readCredentials } from '../../context/read-credentials.ts';

/** Options that name an archive. */
export interface ArchiveOptions extends PlaceOptions {
  readonly credentials?: string;
}

/** Reads the address of an archive, with its credentials. @throws ValidationError */
export async function readArchive(
  context: CommandContext,
  location: string,
  options: ArchiveOptions,
): Promise<ArchiveAddress> {
  const parsed = asArchiveLocation(parsePlace(location, options));
  return { location: parsed, credentials: await readCredentials(context, parsed.kind, options.credentials) };
}

/** Returns the named archive, else the present one. @throws ValidationError when there is neither */
export async function findArchive(
  context: CommandContext,
  location: string | undefined,
  options: ArchiveOptions,
): Promise<ArchiveAddress> {
  if (location !== undefined) return readArchive(context, location, options);
  const settings = await (await context.app()).backups.settings.read();
  if (settings !== null) return settings;
  throw new ValidationError(
    'There is no archive yet. Name a folder or bucket: `nightshift backup /mnt/backups/nightshift`.',
  );
}

/** Creates the folder of an archive, if it is missing. @throws ValidationError for one in the home, which would be lost with it */
export async function createFolder({ location }: ArchiveAddress, home: string): Promise<void> {
  if (location.kind !== 'folder') return;
  const inHome = relative(home, location.path);
  if (inHome === '' || (!inHome.startsWith('..') && !isAbsolute(inHome))) {
    throw new ValidationError(
      `${location.path} is in the home folder of the database, with which it would be lost. Name a folder on another disk or machine.`,
    );
  }
  await mkdir(location.path, { recursive: true, mode: 0o700 });
}

/** Place of an archive as text. */
export function placeOf({ location }: Pick<ArchiveSettings, 'location'>): string {
  return formatLocation(location);
}
