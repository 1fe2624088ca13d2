import { z } from 'zod';
import type { Retention } from '../core/purge/purge-kinds.ts';
import { setting } from './setting.ts';

const daysMax = 36_500;
const dayMs = 86_400_000;

/** Creates a setting for a retention period in days; at least one day. */
function keptFor(what: string) {
  return setting(z.coerce.number().min(1).max(daysMax).optional(), {
    unit: 'days',
    defaultText: 'forever',
    what,
  });
}

/** Retention settings by kind of data; docs/guides/retention.md. Raw responses have their own setting. */
export const retentionSettings = {
  NIGHTSHIFT_KEEP_BATCHES_DAYS: keptFor(
    'Retention of finished batches of companies: rows and results. Charges and counts are always kept.',
  ),
  NIGHTSHIFT_KEEP_ADDRESSES_DAYS: keptFor(
    'Retention of finished batches with e-mail addresses, and of single validations.',
  ),
  NIGHTSHIFT_KEEP_SEARCHES_DAYS: keptFor('Retention of single searches.'),
  NIGHTSHIFT_KEEP_SCANS_DAYS: keptFor(
    'Retention of scans. Changes, and the last scan of every company, are kept until the schedule is removed.',
  ),
  NIGHTSHIFT_KEEP_CALLS_DAYS: keptFor(
    'Retention of the log of calls to live sources. `nightshift audit` has no older calls.',
  ),
  NIGHTSHIFT_KEEP_EVENTS_DAYS: keptFor(
    'Retention of events and their deliveries, once they are delivered or abandoned.',
  ),
};

type RetentionDays = Readonly<Partial<Record<keyof typeof retentionSettings, number | undefined>>> & {
  readonly NIGHTSHIFT_KEEP_RAW_RESPONSES_DAYS: number;
};

/** Converts the settings to retention periods in milliseconds; null: forever. */
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
