import { existsSync } from 'node:fs';
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

/** Reads the address of an existing archive, with its credentials. @throws ValidationError, also when its folder does not exist */
export async function readArchive(
  context: CommandContext,
  location: string,
  options: ArchiveOptions,
): Promise<ArchiveAddress> {
  const address = await readAddress(context, location, options);
  if (isMissing(address))
    throw new ValidationError(`There is no archive in ${placeOf(address)}: the folder does not exist.`);
  return address;
}

/** Returns the named archive, which exists, else the present one. @throws ValidationError when there is neither */
export async function findArchive(
  context: CommandContext,
  location: string | undefined,
  options: ArchiveOptions,
): Promise<ArchiveAddress> {
  return location === undefined ? readPresent(context) : readArchive(context, location, options);
}

/**
 * Returns the named archive, whose folder is created, else the present one.
 *
 * @throws ValidationError when there is neither, for a folder in the home, and for a single word, such as a command with a typing error,
 * unless there is a folder of that name.
 */
export async function createArchive(
  context: CommandContext,
  location: string | undefined,
  { home, ...options }: ArchiveOptions & { readonly home: string },
): Promise<ArchiveAddress> {
  if (location === undefined) return readPresent(context);
  const address = await readAddress(context, location, options);
  if (!/[/\\.]/.test(location) && isMissing(address)) {
    throw new ValidationError(
      `"${location}" is not a command of \`backup\` (list, verify, off), and there is no folder of that name. For a new folder, write ./${location}`,
    );
  }
  await createFolder(address, home);
  return address;
}

async function readAddress(
  context: CommandContext,
  location: string,
  options: ArchiveOptions,
): Promise<ArchiveAddress> {
  const parsed = asArchiveLocation(parsePlace(location, options));
  return { location: parsed, credentials: await readCredentials(context, parsed.kind, options.credentials) };
}

async function readPresent(context: CommandContext): Promise<ArchiveAddress> {
  const settings = await (await context.app()).backups.settings.read();
  if (settings !== null) return settings;
  throw new ValidationError(
    'There is no archive yet. Name a folder or bucket: `nightshift backup /mnt/backups/nightshift`.',
  );
}

function isMissing({ location }: Pick<ArchiveAddress, 'location'>): boolean {
  return location.kind === 'folder' && !existsSync(location.path);
}

/** @throws ValidationError for a folder in the home, which would be lost with it */
async function createFolder({ location }: ArchiveAddress, home: string): Promise<void> {
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
