import { pauseKinds } from '../../../core/work/pause.ts';
import { z } from '@hono/zod-openapi';
import { batchEvents, type BatchPace, type TimelineEntry } from '../../../core/batches/batch-timeline.ts';

const count = z.int().min(0);

const entryBody = z
  .object({
    event: z.enum(batchEvents),
    at: z.iso.datetime(),
    reason: z.string().nullable().openapi({ description: 'Why, where there is more to say.' }),
    wait_kind: z
      .enum(pauseKinds)
      .nullable()
      .openapi({ description: 'What keeps it, of a wait for a source.' }),
    by: z.string().nullable().openapi({
      description: 'Who did it: the id of a key or of a user, or `cli`; null for what happened by itself.',
    }),
    by_name: z.string().nullable().openapi({ description: 'The name of that key or user.' }),
    retried: count.nullable().openapi({ description: 'Of a retry: failed lookups that are tried again.' }),
    times: count.openapi({
      description: 'Of a wait: how often it began, with nothing but waiting in between; else 1.',
    }),
    last_at: z.iso.datetime().openapi({ description: 'Of a wait: when it began last.' }),
    ended_at: z.iso
      .datetime()
      .nullable()
      .openapi({ description: 'Of a wait: when it ended last; null while it lasts.' }),
  })
  .openapi('TimelineEntry');

/** Body of a batch's timeline. */
export const timelineBody = z
  .object({
    entries: z.array(entryBody),
    next: z
      .string()
      .nullable()
      .openapi({ description: 'What to ask for with `after`; null on the last page.' }),
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
    ended: count.openapi({ description: 'Lookups that have ended of late.' }),
    seconds: z.number().openapi({ description: 'Within so many seconds; 0 where nothing can be said.' }),
    per_second: z.number().nullable().openapi({
      description: 'Null while the batch does not run, and while nothing has ended for five minutes.',
    }),
    seconds_left: z
      .number()
      .nullable()
      .openapi({ description: 'Until all lookups have ended, at this pace.' }),
  })
  .openapi('Pace');

export function toPaceBody(pace: BatchPace | null, open: number): z.infer<typeof paceBody> {
  if (pace === null) return { ended: 0, seconds: 0, per_second: null, seconds_left: null };
  const perSecond = pace.ended / pace.seconds;
  return { ...pace, per_second: perSecond, seconds_left: open / perSecond };
}
