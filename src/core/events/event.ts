import { ValidationError } from '../errors.ts';

/** Events of an account. The database emits each one in the transaction of its change. */
export const eventTypes = [
  'scan.changes',
  'schedule.missed',
  'inbox.file_failed',
  'inbox.failing',
  'batch.completed',
  'batch.failed',
  'batch.waiting_for_credits',
  'landing.failed',
  'credits.low',
] as const;
export type EventType = (typeof eventTypes)[number];

/**
 * Parses a list of events, `scan.changes,credits.low`.
 *
 * @throws ValidationError for an unknown event or an empty list.
 */
export function parseEventTypes(text: string): readonly EventType[] {
  const names = text.split(',').map((name) => name.trim());
  const unknown = names.find((name) => !eventTypes.some((event) => event === name));
  if (unknown === undefined) return eventTypes.filter((event) => names.includes(event));
  throw new ValidationError(`Unknown event "${unknown}". Known events: ${eventTypes.join(', ')}.`);
}
