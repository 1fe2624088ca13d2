import { pauseKinds } from '../../../core/work/pause.ts';
import { nextCursor } from '../../http/pages.ts';
import { z } from '@hono/zod-openapi';
import { batchEvents, type BatchPace, type TimelineEntry } from '../../../core/batches/batch-timeline.ts';

const count = z.int().min(0);

const entryBody = z
  .object({
    event: z.enum(batchEvents),
    at: z.iso.datetime(),
    reason: z.string().nullable().openapi({ description: 'Reason for the event. Null without one.' }),
    wait_kind: z
      .enum(pauseKinds)
      .nullable()
      .openapi({ description: 'Cause of a wait for a source. Null for other events.' }),
    by: z.string().nullable().openapi({
      description: 'Author of the event: the id of a key or of a user, or `cli`. Null for automatic events.',
    }),
    by_name: z.string().nullable().openapi({ description: 'Name of that key or user.' }),
    retried: count
      .nullable()
      .openapi({ description: 'Number of lookups that are retried. Null for other events.' }),
    times: count.openapi({
      description: 'Number of consecutive waits that this entry stands for. 1 for other events.',
    }),
    last_at: z.iso.datetime().openapi({ description: 'Start of the last of the waits.' }),
    ended_at: z.iso.datetime().nullable().openapi({
      description: 'End of the last of the waits. Null while the batch waits, and for other events.',
    }),
  })
  .openapi('TimelineEntry');

/** Body of a batch's timeline. */
export const timelineBody = z
  .object({
    entries: z.array(entryBody),
    next: nextCursor,
  })
  .openapi('Timeline');

export function toEntryBody(entry: TimelineEntry): z.infer<typeof entryBody> {
  return {
    event: entry.event,
    at: entry.at.toISOString(),
    reason: entry.reason,
    wait_kind: entry.waitKind,
    by: entry.by,
    by_name: entry.byName,
    retried: entry.retried,
    times: entry.times,
    last_at: entry.lastAt.toISOString(),
    ended_at: entry.endedAt?.toISOString() ?? null,
  };
}

/** Body of a batch's throughput. */
export const paceBody = z
  .object({
    ended: count.openapi({ description: 'Number of lookups that ended within the period.' }),
    seconds: z
      .number()
      .openapi({ description: 'Length of the period in seconds. 0 if the rate is unknown.' }),
    per_second: z.number().nullable().openapi({
      description:
        'Lookups per second. Null while the batch does not run, and after five minutes without an ended lookup.',
    }),
    seconds_left: z.number().nullable().openapi({
      description: 'Seconds until all lookups have ended, at this rate. Null if the rate is unknown.',
    }),
  })
  .openapi('Pace');

export function toPaceBody(pace: BatchPace | null, open: number): z.infer<typeof paceBody> {
  if (pace === null) return { ended: 0, seconds: 0, per_second: null, seconds_left: null };
  const perSecond = pace.ended / pace.seconds;
  return { ...pace, per_second: perSecond, seconds_left: open / perSecond };
}
