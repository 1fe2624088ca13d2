import { ValidationError } from '../errors.ts';

/** What an account can be told of. The notices of it are made by the database, with the change that they tell. */
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
