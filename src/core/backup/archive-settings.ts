import { ValidationError } from '../errors.ts';
import type { Credentials } from '../storage/credentials.ts';
import type { FolderLocation, Location, S3Location, SftpLocation } from '../storage/location.ts';

/** Places that an archive can be in. */
export type ArchiveLocation = FolderLocation | S3Location | SftpLocation;

/** Settings of the archive, as an operator gives them. */
export interface ArchiveRequest {
  readonly location: ArchiveLocation;
  readonly credentials: Credentials | null;
  /** Interval of backups; null: only on command. */
  readonly everySeconds: number | null;
  /** Number of backups to keep. */
  readonly keep: number;
  /** False on a server of the user's own: only calls are archived. */
  readonly hasBackups: boolean;
}

/** The archive of an installation, and how its last backup and the transport of WAL went. */
export interface ArchiveSettings extends ArchiveRequest {
  readonly version: number;
  readonly backedUpAt: Date | null;
  readonly triedAt: Date | null;
  readonly failure: string | null;
}

/** Begin of the failure of a transport of WAL, which tells it from that of a backup. */
export const transportFailure = 'WAL does not reach the archive: ';

export type ArchiveVersion = Pick<ArchiveSettings, 'version'>;

/** Port: the settings of the archive. */
export interface ArchiveStore {
  read(): Promise<ArchiveSettings | null>;
  set(request: ArchiveRequest): Promise<ArchiveSettings>;
  /** Stops archiving. Files in the archive stay. False: there was none. */
  remove(): Promise<boolean>;
  /** Records the result of a backup to an archive, unless another one has been set meanwhile. */
  note(archive: ArchiveVersion, result: { readonly failure: string | null }): Promise<void>;
  /**
   * Records why the transport of WAL to an archive failed; null: it works. Nothing if another one has been set meanwhile. The failure of a backup
   * stays until the next backup.
   */
  noteTransport(archive: ArchiveVersion, failure: string | null): Promise<void>;
}

/** @throws ValidationError for a place that cannot hold an archive */
export function asArchiveLocation(location: Location): ArchiveLocation {
  if (location.kind === 'https' || location.kind === 'postgres')
    throw new ValidationError('An archive is a folder, s3://bucket/prefix or sftp://user@host/folder.');
  return location;
}

/**
 * True when a backup is due. A failed one is repeated after a tenth of the interval, at most an hour; and so is a first one that has not come:
 * the command that sets the archive takes it.
 */
export function isBackupDue(
  { hasBackups, everySeconds, backedUpAt, triedAt, failure }: ArchiveSettings,
  now: Date,
): boolean {
  if (!hasBackups || everySeconds === null) return false;
  const since = (moment: Date | null) =>
    moment === null ? Infinity : (now.getTime() - moment.getTime()) / 1000;
  const isOverdue = failure !== null || backedUpAt === null;
  if (isOverdue && since(triedAt) < Math.min(everySeconds / 10, 3600)) return false;
  return since(backedUpAt) >= everySeconds;
}
