import { z } from 'zod';
import type { Retention } from '../core/purge/purge-kinds.ts';
import { setting } from './setting.ts';

const daysMax = 36_500;
const dayMs = 86_400_000;

/** For how many days something is kept; nothing younger than a day is purged. */
function keptFor(what: string) {
  return setting(z.coerce.number().min(1).max(daysMax).optional(), {
    unit: 'days',
    defaultText: 'for ever',
    what,
  });
}

/** Retention of each kind of data; docs/guides/retention.md. Replies have a setting of their own. */
export const retentionSettings = {
  NIGHTSHIFT_KEEP_BATCHES_DAYS: keptFor(
    'How long lists of companies are kept once they are finished: their rows, and what was found. Charges and counts stay.',
  ),
  NIGHTSHIFT_KEEP_ADDRESSES_DAYS: keptFor(
    'The same for lists with e-mail addresses, and single validations.',
  ),
  NIGHTSHIFT_KEEP_SEARCHES_DAYS: keptFor('The same for single searches.'),
  NIGHTSHIFT_KEEP_SCANS_DAYS: keptFor(
    'The same for scans of schedules. What they changed, and the last scan of every company, stay until the schedule is removed.',
  ),
  NIGHTSHIFT_KEEP_CALLS_DAYS: keptFor(
    'How long the record of calls to live sources is kept; `audit` knows no older ones.',
  ),
  NIGHTSHIFT_KEEP_EVENTS_DAYS: keptFor('How long events are kept, and their deliveries, once they are over.'),
};

type RetentionDays = Readonly<Partial<Record<keyof typeof retentionSettings, number | undefined>>> & {
  readonly NIGHTSHIFT_KEEP_RAW_RESPONSES_DAYS: number;
};

export function toRetention(values: RetentionDays): Retention {
  return {
    batches: msOf(values.NIGHTSHIFT_KEEP_BATCHES_DAYS),
    addresses: msOf(values.NIGHTSHIFT_KEEP_ADDRESSES_DAYS),
    searches: msOf(values.NIGHTSHIFT_KEEP_SEARCHES_DAYS),
    scans: msOf(values.NIGHTSHIFT_KEEP_SCANS_DAYS),
    calls: msOf(values.NIGHTSHIFT_KEEP_CALLS_DAYS),
    raw_responses: values.NIGHTSHIFT_KEEP_RAW_RESPONSES_DAYS * dayMs,
    events: msOf(values.NIGHTSHIFT_KEEP_EVENTS_DAYS),
  };
}

function msOf(days: number | undefined): number | null {
  return days === undefined ? null : days * dayMs;
}
