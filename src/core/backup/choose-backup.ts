import { NotFound, ValidationError } from '../errors.ts';
import type { Backup } from './backup.ts';

/**
 * Returns the newest backup that was complete at a moment: recovery only goes forward.
 *
 * @param backups of an archive, in any order.
 * @param until moment to restore; null for the newest state.
 * @throws NotFound when the archive has no backup.
 * @throws ValidationError when all backups are younger.
 */
export function chooseBackup<B extends Pick<Backup, 'id' | 'finishedAt'>>(
  backups: readonly B[],
  until: Date | null,
): B {
  const newestFirst = [...backups].sort((one, other) => (one.id < other.id ? 1 : -1));
  const oldest = newestFirst.at(-1);
  if (oldest === undefined) throw new NotFound('The archive has no complete backup.');
  const found = newestFirst.find(({ finishedAt }) => until === null || new Date(finishedAt) <= until);
  if (found !== undefined) return found;
  throw new ValidationError(
    `The oldest backup of the archive was complete at ${oldest.finishedAt}. Choose that moment or a later one.`,
  );
}
