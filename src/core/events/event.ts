import { ValidationError } from '../errors.ts';

/** Events of an account. The database emits each one in the transaction of its change. */
export const noticeEvents = [
  'scan.changes',
  'schedule.missed',
  'batch.completed',
  'batch.failed',
  'batch.waiting_for_credits',
  'credits.low',
] as const;
export type NoticeEvent = (typeof noticeEvents)[number];

/**
 * Reads a list of events, `scan.changes,credits.low`.
 *
 * @throws ValidationError when one is unknown, or none is named.
 */
export function readEvents(text: string): readonly NoticeEvent[] {
  const names = text.split(',').map((name) => name.trim());
  const unknown = names.find((name) => !noticeEvents.some((event) => event === name));
  if (unknown === undefined) return noticeEvents.filter((event) => names.includes(event));
  throw new ValidationError(`"${unknown}" is no event. There are: ${noticeEvents.join(', ')}.`);
}
