import { z } from 'zod';
import type { EventPayload } from '../../core/events/event-payload.ts';

const count = z.int().min(0);
const credits = z.object({ spent: z.number(), left: z.number() });
const moment = z.iso.datetime({ offset: true }).transform((text) => new Date(text));

const scanNews = z.object({
  schedule: z.string(),
  due_at: moment,
  companies: z.object({
    total: count,
    complete: count,
    truncated: count,
    partial: count,
    unconfirmed_empty: count,
    failed: count,
  }),
  changes: z.object({ new: count, reactivated: count, ended: count, changed: count, baseline: count }),
  top: z.array(z.object({ company: z.string(), new: count, ended: count })),
  credits,
  retry_command: z.string().nullable(),
});

const missedNews = z.object({
  schedule: z.string(),
  missed: count,
  first: moment,
  last: moment,
  caught_up: z.boolean(),
});

const batchNews = z.object({
  batch: z.string(),
  file_name: z.string(),
  reason: z.string().nullable(),
  rows: z.object({ total: count, rejected: count }),
  outcomes: z.object({
    total: count,
    found: count,
    none: count,
    no_match: count,
    completed: count,
    failed: count,
    cancelled: count,
    open: count,
  }),
  credits,
});

const lowCreditsNews = z.object({ balance: z.number(), held: z.number(), threshold: z.number() });
const testNews = z.object({ webhook: z.string() });
const confirmNews = z.object({ url: z.string() });

/** Reads what a notice tells, as it was written down with its event; null for an event or a content that this version does not know. */
export function readNews(event: string, about: unknown): EventPayload | null {
  switch (event) {
    case 'scan.changes':
      return read(scanNews, about, ({ due_at: dueAt, retry_command: retryCommand, companies, ...news }) => {
        const { unconfirmed_empty: unconfirmed, ...others } = companies;
        return { ...news, event, dueAt, retryCommand, companies: { ...others, unconfirmed } };
      });
    case 'schedule.missed':
      return read(missedNews, about, ({ caught_up: isCaughtUp, ...news }) => ({
        ...news,
        event,
        isCaughtUp,
      }));
    case 'batch.completed':
    case 'batch.failed':
    case 'batch.waiting_for_credits':
      return read(batchNews, about, ({ file_name: fileName, outcomes, ...news }) => {
        const { no_match: noMatch, ...others } = outcomes;
        return { ...news, event, fileName, outcomes: { ...others, noMatch } };
      });
    case 'credits.low':
      return read(lowCreditsNews, about, (news) => ({ ...news, event }));
    case 'test':
      return read(testNews, about, (news) => ({ ...news, event }));
    case 'confirm':
      return read(confirmNews, about, (news) => ({ ...news, event }));
    default:
      return null;
  }
}

function read<Shape extends z.ZodType>(
  shape: Shape,
  about: unknown,
  toNews: (parsed: z.infer<Shape>) => EventPayload,
): EventPayload | null {
  const parsed = shape.safeParse(about);
  return parsed.success ? toNews(parsed.data) : null;
}
