import { NotFound, StorageRejected, ValidationError } from '../errors.ts';
import { compactTime } from '../time/compact-time.ts';
import type { Backup, FoundBackups, UnreadableBackup } from './backup.ts';

/** Wanted result of a restore. */
export interface BackupChoice {
  /** Moment to restore; null: the newest state. */
  readonly until: Date | null;
  /** Id of a backup; null: the newest one before the moment. */
  readonly backupId: string | null;
}

export interface ChosenBackup<B> {
  readonly backup: B;
  /** Backups nearer to the moment that cannot be read: the WAL leads from the chosen one to it as well. */
  readonly passedOver: readonly UnreadableBackup[];
}

type ChosenFrom = Pick<Backup, 'id' | 'finishedAt'>;

/**
 * Returns the newest backup that was complete at a moment: recovery only goes forward.
 *
 * @throws NotFound when the archive has no backup, or not the named one.
 * @throws ValidationError when all backups are younger, or the named one is.
 * @throws StorageRejected when only backups that cannot be read would do.
 */
export function chooseBackup<B extends ChosenFrom>(
  found: FoundBackups<B>,
  { until, backupId }: BackupChoice,
): ChosenBackup<B> {
  if (backupId !== null) return { backup: findById(found, backupId, until), passedOver: [] };
  const { backups, unreadable } = found;
  const newestFirst = [...backups].sort((one, other) => (one.id < other.id ? 1 : -1));
  const backup = newestFirst.find((each) => isCompleteAt(each, until));
  const begunBefore = unreadable.filter(({ id }) => until === null || id <= compactTime(until));
  if (backup !== undefined) return { backup, passedOver: begunBefore.filter(({ id }) => id > backup.id) };
  const [needed] = begunBefore.slice(-1);
  if (needed !== undefined) throw new StorageRejected(needed.reason);
  const oldest = newestFirst.at(-1);
  if (oldest === undefined) throw new NotFound('The archive has no complete backup.');
  throw new ValidationError(
    `The oldest backup of the archive was complete at ${oldest.finishedAt}. Choose that moment or a later one.`,
  );
}

function findById<B extends ChosenFrom>(
  { backups, unreadable }: FoundBackups<B>,
  wanted: string,
  until: Date | null,
): B {
  const named = unreadable.find(({ id }) => id === wanted);
  if (named !== undefined) throw new StorageRejected(named.reason);
  const backup = backups.find(({ id }) => id === wanted);
  if (backup === undefined) {
    throw new NotFound(
      `The archive has no complete backup ${wanted}. \`nightshift backup list\` lists them.`,
    );
  }
  if (isCompleteAt(backup, until)) return backup;
  throw new ValidationError(
    `The backup ${wanted} was complete at ${backup.finishedAt}. Choose that moment or a later one, or leave out --backup for an earlier backup.`,
  );
}

function isCompleteAt({ finishedAt }: ChosenFrom, until: Date | null): boolean {
  return until === null || new Date(finishedAt) <= until;
}
