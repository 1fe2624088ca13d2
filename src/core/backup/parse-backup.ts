import { StorageRejected } from '../errors.ts';
import { archiveFormat, type Backup, type BackupPart, type BackupPiece } from './backup.ts';
import { isWalSegment } from './wal-files.ts';

/**
 * Parses the manifest of a backup.
 *
 * @throws StorageRejected when it is damaged, or of a later release.
 */
export function parseBackup(text: string, where: string): Backup {
  const damaged = (what: string) =>
    new StorageRejected(`${where} is not the manifest of a backup: ${what}. Restore another backup.`);
  const fields = readObject(parseJson(text, damaged), damaged);
  const format = fields['format'];
  if (typeof format === 'number' && format > archiveFormat)
    throw new StorageRejected(`${where} was written by a later release of Nightshift. Use that release.`);
  const texts = ['id', 'systemId', 'startedAt', 'finishedAt', 'walFirst', 'walLast', 'label'] as const;
  for (const name of texts) if (typeof fields[name] !== 'string') throw damaged(`${name} is missing`);
  for (const name of ['walFirst', 'walLast'])
    if (!isWalSegment(String(fields[name]))) throw damaged(`${name} is no file of WAL`);
  if (format !== archiveFormat || typeof fields['postgresMajor'] !== 'number') throw damaged('no format');
  const { walSystem = '0' } = fields;
  if (typeof walSystem !== 'string' || !/^\d+$/.test(walSystem))
    throw damaged('walSystem is no system identifier');
  const folders = readList(fields['folders'], damaged);
  if (!folders.every((folder) => isInside(folder))) throw damaged('a folder leads out of the data folder');
  for (const part of readList(fields['parts'], damaged)) assertPart(readObject(part, damaged), damaged);
  return fields as unknown as Backup;
}

type Damaged = (what: string) => StorageRejected;

function assertPart(part: Partial<Record<keyof BackupPart, unknown>>, damaged: Damaged): void {
  const { name, bytes, sha256, pieces } = part;
  if (typeof name !== 'string' || !/^part-\d+$/.test(name)) throw damaged('a part has no name');
  if (!isCount(bytes) || typeof sha256 !== 'string') throw damaged(`${name} has no size or digest`);
  for (const piece of readList(pieces, damaged)) assertPiece(readObject(piece, damaged), damaged);
}

function assertPiece(piece: Partial<Record<keyof BackupPiece, unknown>>, damaged: Damaged): void {
  const { path, at, bytes, stored } = piece;
  if (!isInside(path)) throw damaged('a file leads out of the data folder');
  if (![at, bytes, stored].every(isCount)) throw damaged(`a piece of ${String(path)} has no size`);
}

function isCount(value: unknown): boolean {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}

/** A manifest comes from outside: it must not name files elsewhere on this machine. */
function isInside(path: unknown): path is string {
  return (
    typeof path === 'string' && path.split('/').every((part) => part !== '' && part !== '.' && part !== '..')
  );
}

function parseJson(text: string, damaged: Damaged): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw damaged('it is not JSON');
  }
}

function readObject(value: unknown, damaged: Damaged): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw damaged('it has another form');
  return value as Record<string, unknown>;
}

function readList(value: unknown, damaged: Damaged): readonly unknown[] {
  if (!Array.isArray(value)) throw damaged('it has another form');
  return value;
}
