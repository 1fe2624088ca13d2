/** Format of the files in an archive. A release reads archives of its own format and of earlier ones. */
export const archiveFormat = 1;

/**
 * A base backup of a private server: a copy of its data folder while it was running, which is consistent only together with the WAL from
 * `walFirst` to `walLast` (PostgreSQL docs, "Making a Base Backup Using the Low Level API").
 */
export interface Backup {
  readonly format: number;
  /** Time of its begin, or a later one (`nextBackupId`): ids sort in the order of the backups. */
  readonly id: string;
  /** System identifier of the cluster. */
  readonly systemId: string;
  readonly postgresMajor: number;
  /** Id of a server that was upgraded or restored, whose WAL is in a folder of that name; missing for others. */
  readonly walSystem?: string;
  readonly startedAt: string;
  readonly finishedAt: string;
  /** First and last WAL file that a restore needs at least. */
  readonly walFirst: string;
  readonly walLast: string;
  /** Content of `backup_label`, without which Postgres would start from the wrong checkpoint. */
  readonly label: string;
  /** Folders of the data folder, parents first. */
  readonly folders: readonly string[];
  readonly parts: readonly BackupPart[];
}

/** A file of the archive with pieces of files of the data folder, one after the other. */
export interface BackupPart {
  readonly name: string;
  readonly bytes: number;
  /** Hexadecimal. */
  readonly sha256: string;
  readonly pieces: readonly BackupPiece[];
}

/** A piece of a file, compressed with gzip, which also carries its checksum. */
export interface BackupPiece {
  /** Path in the data folder. */
  readonly path: string;
  /** Position in the file. */
  readonly at: number;
  readonly bytes: number;
  /** Size in the part. */
  readonly stored: number;
}

/** A backup whose manifest is damaged, or of a later release. */
export interface UnreadableBackup {
  readonly id: string;
  /** Message of the error, with its remedy. */
  readonly reason: string;
}

/** Backups of an archive, each oldest first. */
export interface FoundBackups<B = Backup> {
  readonly backups: readonly B[];
  readonly unreadable: readonly UnreadableBackup[];
}

/** Backups as a list shows them. */
export interface BackupSummary {
  readonly id: string;
  readonly startedAt: string;
  readonly finishedAt: string;
  readonly postgresMajor: number;
  /** Size of the data folder, and in the archive. */
  readonly bytes: number;
  readonly storedBytes: number;
}

export function summarise(backup: Backup): BackupSummary {
  const { id, startedAt, finishedAt, postgresMajor, parts } = backup;
  const pieces = parts.flatMap((part) => part.pieces);
  return {
    id,
    startedAt,
    finishedAt,
    postgresMajor,
    bytes: pieces.reduce((sum, piece) => sum + piece.bytes, 0),
    storedBytes: parts.reduce((sum, part) => sum + part.bytes, 0),
  };
}
