import type { UnreadableBackup } from '../../../core/backup/backup.ts';

/** Formats a moment in UTC, to the second. */
export function momentText(moment: string | Date): string {
  return `${new Date(moment).toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}

/** Line about a backup that cannot be read. */
export function unreadableText({ id, reason }: UnreadableBackup): string {
  return `The backup ${id} cannot be read: ${reason}`;
}

/** Lines about backups that a restore passed over. */
export function passedOverTexts(passedOver: readonly UnreadableBackup[]): readonly string[] {
  return passedOver.map(
    (each) => `${unreadableText(each)} An older one was restored, with the changes since.`,
  );
}
