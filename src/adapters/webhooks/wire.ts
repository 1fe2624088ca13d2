import { z } from 'zod';
import type { EventPayload } from '../../core/events/event-payload.ts';

const count = z.int().min(0);
const credits = z.object({ spent: z.number(), left: z.number() });
const moment = z.iso.datetime({ offset: true }).transform((text) => new Date(text));

const scanPayload = z.object({
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

const missedPayload = z.object({
  schedule: z.string(),
  missed: count,
  first: moment,
  last: moment,
  caught_up: z.boolean(),
});

const failedFilePayload = z.object({ inbox: z.string(), file: z.string(), reason: z.string() });
const failingInboxPayload = z.object({ inbox: z.string(), reason: z.string(), since: moment });

const batchPayload = z.object({
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

const lowCreditsPayload = z.object({ balance: z.number(), held: z.number(), threshold: z.number() });
const failedLandingPayload = z.object({
  destination: z.string(),
  batch: z.string(),
  file_name: z.string(),
  shape: z.string(),
  attempts: count,
  error: z.string(),
});
const testPayload = z.object({ webhook: z.string() });
const confirmPayload = z.object({ url: z.string() });

/** Parses the stored payload of an event; null for an event or a payload that this version does not know. */
export function parsePayload(event: string, payload: unknown): EventPayload | null {
  switch (event) {
    case 'scan.changes':
      return read(
        scanPayload,
        payload,
        ({ due_at: dueAt, retry_command: retryCommand, companies, ...fields }) => {
          const { unconfirmed_empty: unconfirmed, ...others } = companies;
          return { ...fields, event, dueAt, retryCommand, companies: { ...others, unconfirmed } };
        },
      );
    case 'schedule.missed':
      return read(missedPayload, payload, ({ caught_up: isCaughtUp, ...fields }) => ({
        ...fields,
        event,
        isCaughtUp,
      }));
    case 'inbox.file_failed':
      return read(failedFilePayload, payload, (fields) => ({ ...fields, event }));
    case 'inbox.failing':
      return read(failingInboxPayload, payload, (fields) => ({ ...fields, event }));
    case 'batch.completed':
    case 'batch.failed':
    case 'batch.waiting_for_credits':
      return read(batchPayload, payload, ({ file_name: fileName, outcomes, ...fields }) => {
        const { no_match: noMatch, ...others } = outcomes;
        return { ...fields, event, fileName, outcomes: { ...others, noMatch } };
      });
    case 'credits.low':
      return read(lowCreditsPayload, payload, (fields) => ({ ...fields, event }));
    case 'landing.failed':
      return read(failedLandingPayload, payload, ({ file_name: fileName, ...fields }) => ({
        ...fields,
        event,
        fileName,
      }));
    case 'test':
      return read(testPayload, payload, (fields) => ({ ...fields, event }));
    case 'confirm':
      return read(confirmPayload, payload, (fields) => ({ ...fields, event }));
    default:
      return null;
  }
}

function read<Shape extends z.ZodType>(
  shape: Shape,
  payload: unknown,
  toPayload: (parsed: z.infer<Shape>) => EventPayload,
): EventPayload | null {
  const parsed = shape.safeParse(payload);
  return parsed.success ? toPayload(parsed.data) : null;
}
