import { z } from '@hono/zod-openapi';
import { nextCursor } from '../../http/pages.ts';
import { formatAge } from '../../../core/time/parse-age.ts';
import { creditsNumber } from '../../../core/credits/credits.ts';
import { parseCron } from '../../../core/schedules/cron.ts';
import { describeCron } from '../../../core/schedules/describe-cron.ts';
import {
  catchUpPolicies,
  overlapPolicies,
  scanCauses,
  scanStates,
  type Scan,
  type ScanResult,
  type Schedule,
} from '../../../core/schedules/schedule.ts';
import { nextTicks } from '../../../core/schedules/ticks.ts';
import { parseTimeZone } from '../../../core/time/time-zone.ts';
import { zonedTime } from '../../../core/time/zoned-time.ts';
import { cron, timeZone } from './terms-schema.ts';

const count = z.int().min(0);

/** Body of a scan. */
export const scanBody = z
  .object({
    id: z.string().openapi({ example: 'scn_01a1ff734ad87655b2c761ba36458456' }),
    state: z.enum(scanStates).openapi({
      description:
        'State of the scan. `skipped` and `missed` scans have no batch. All states except `waiting` and `running` are final.',
    }),
    reason: z
      .string()
      .nullable()
      .openapi({ description: 'Reason why the scan waits, was skipped or was missed. Null without one.' }),
    cause: z.enum(scanCauses).openapi({ description: 'Trigger of the scan.' }),
    due_at: z.iso.datetime().openapi({
      description:
        'The time of the schedule that the scan is for. The last one if the scan stands for several.',
    }),
    ticks: z
      .int()
      .min(1)
      .openapi({ description: 'Number of times of the schedule that the scan stands for.' }),
    batch: z.string().nullable().openapi({ description: 'Id of the batch. Null until the scan begins.' }),
    begun_at: z.iso.datetime().nullable(),
    finished_at: z.iso.datetime().nullable(),
  })
  .openapi('Scan');

export function toScanBody(scan: Scan): z.infer<typeof scanBody> {
  return {
    id: scan.publicId,
    state: scan.state,
    reason: scan.reason,
    cause: scan.cause,
    due_at: scan.dueAt.toISOString(),
    ticks: scan.ticks,
    batch: scan.batch,
    begun_at: scan.begunAt?.toISOString() ?? null,
    finished_at: scan.finishedAt?.toISOString() ?? null,
  };
}

/** Body of a scan with its results. */
export const scanRunBody = scanBody
  .extend({
    evaluated_at: z.iso.datetime().nullable().openapi({
      description:
        'Time at which the changes of the scan were last computed. Null before that; then `companies`, `ads_active` and `changes` are null, too.',
    }),
    companies: z
      .object({ complete: count, truncated: count, partial: count, unconfirmed_empty: count, failed: count })
      .nullable()
      .openapi({
        description:
          'Number of companies by the completeness of their answer. `failed` companies have no answer.',
      }),
    ads_active: count.nullable().openapi({ description: 'Number of running ads after the scan.' }),
    changes: z
      .object({ new: count, reactivated: count, ended: count, changed: count })
      .nullable()
      .openapi({ description: 'Number of changes by kind.' }),
    credits: z.number().nullable().openapi({ description: 'Credits charged so far. Null without a batch.' }),
  })
  .openapi('ScanRun');

export function toScanRunBody(scan: Scan, result: ScanResult | undefined): z.infer<typeof scanRunBody> {
  const found = result?.evaluatedAt == null ? null : result;
  return {
    ...toScanBody(scan),
    evaluated_at: found?.evaluatedAt?.toISOString() ?? null,
    companies: found === null ? null : { ...found.companies },
    ads_active: found?.adsActive ?? null,
    changes: found === null ? null : { ...found.changes },
    credits: result === undefined ? null : creditsNumber(result.chargedMicro),
  };
}

export const scanListBody = z.object({ scans: z.array(scanRunBody), next: nextCursor }).openapi('ScanList');

const nextLocal = z
  .array(z.iso.datetime({ offset: true }))
  .openapi({ description: 'The same times in the time zone, with its UTC offset.' });

/** Body of a schedule. */
export const scheduleBody = z
  .object({
    id: z.string().openapi({ example: 'sch_01a1ff734ad87655b2c761ba36458456' }),
    name: z.string(),
    cron: z.string(),
    description: z.string().openapi({ description: 'The cron pattern as text.' }),
    time_zone: z.string(),
    state: z.enum(['active', 'paused']),
    next_at: z.iso
      .datetime()
      .nullable()
      .openapi({ description: 'Time of the next scan. Null while the schedule is paused.' }),
    companies: z.int().min(1).openapi({ description: 'Number of distinct companies in the file.' }),
    file_name: z.string().openapi({ description: 'Name of the file.' }),
    sources: z
      .array(z.string())
      .openapi({ description: 'Sources of the schedule, in the order in which they are called.' }),
    region: z.string().nullable(),
    max_ads: z.int().nullable(),
    own_only: z.boolean(),
    max_age: z.string().nullable(),
    max_credits: z
      .number()
      .nullable()
      .openapi({ description: 'Maximum cost of a scan, in credits. Null without a bound.' }),
    max_credits_per_day: z.number().nullable().openapi({
      description:
        'Maximum cost of all scans that begin on one day of the time zone, in credits. Null without a bound.',
    }),
    overlap: z.enum(overlapPolicies),
    catch_up: z.enum(catchUpPolicies),
    misses_to_end: count,
    stale_after: z.string().openapi({
      description: 'Number of days after which an ad that its source no longer sees has ended.',
      example: '14d',
    }),
    notify: z.array(z.string()).nullable().openapi({
      description:
        'Webhooks that receive the events of the schedule. Null for all webhooks that subscribe to such events.',
    }),
    last_scan: z
      .union([scanBody, z.null()])
      .openapi({ description: 'The newest scan, in any state. Null before the first.' }),
    created_at: z.iso.datetime(),
    next_local: z.array(z.iso.datetime({ offset: true })).openapi({
      description:
        'The next five times in the time zone, with its UTC offset. Empty while the schedule is paused.',
    }),
  })
  .openapi('Schedule');

/** Number of upcoming times in a schedule's body. */
const timesShown = 5;

export function toScheduleBody(schedule: Schedule): z.infer<typeof scheduleBody> {
  const { search, maxCreditsMicro, dayCreditsMicro, lastScan } = schedule;
  const { next: times, next_local: local } = timesOf(schedule, schedule.state === 'active' ? timesShown : 0);
  return {
    id: schedule.publicId,
    name: schedule.name,
    cron: schedule.cron,
    description: describeCron(parseCron(schedule.cron, 'cron')),
    time_zone: schedule.timeZone,
    state: schedule.state,
    next_at: times[0] ?? null,
    companies: schedule.companies,
    file_name: schedule.fileName,
    sources: [...schedule.sources],
    region: search.region,
    max_ads: search.adsMax,
    own_only: search.ownOnly,
    max_age: search.ageMsMax === null ? null : formatAge(search.ageMsMax),
    max_credits: maxCreditsMicro === null ? null : creditsNumber(maxCreditsMicro),
    max_credits_per_day: dayCreditsMicro === null ? null : creditsNumber(dayCreditsMicro),
    overlap: schedule.overlap,
    catch_up: schedule.catchUp,
    misses_to_end: schedule.missesToEnd,
    stale_after: `${schedule.staleDays}d`,
    notify: schedule.notify === null ? null : [...schedule.notify],
    last_scan: lastScan === null ? null : toScanBody(lastScan),
    created_at: schedule.createdAt.toISOString(),
    next_local: local,
  };
}

export const scheduleListBody = z
  .object({ schedules: z.array(scheduleBody), next: nextCursor })
  .openapi('ScheduleList');

const utcTimes = z.array(z.iso.datetime()).openapi({ description: 'Times in UTC, in ascending order.' });

/** Body of the next times of a schedule. */
export const timesBody = z.object({ next: utcTimes, next_local: nextLocal }).openapi('ScheduleTimes');

/** Computes the next times of a schedule after `after`, even if it is paused. Default: after it was read. */
export function timesOf(
  { cron, timeZone, readAt }: Pick<Schedule, 'cron' | 'timeZone' | 'readAt'>,
  times: number,
  after: Date = readAt,
): z.infer<typeof timesBody> {
  const zone = parseTimeZone(timeZone, 'time_zone');
  const ticks = nextTicks(parseCron(cron, 'cron'), zone, after, times);
  return {
    next: ticks.map((at) => at.toISOString()),
    next_local: ticks.map((at) => zonedTime(at, zone)),
  };
}

/** Body of the preview of a cron pattern. */
export const patternBody = z
  .object({
    cron: z.string().openapi({ description: 'The pattern as it is stored.' }),
    description: z.string().openapi({ description: 'The pattern as text.' }),
    time_zone: z.string(),
    next: utcTimes,
    next_local: nextLocal,
  })
  .openapi('PatternTimes');

export const scheduleId = z.object({
  id: z.string().openapi({
    param: {
      name: 'id',
      in: 'path',
      description: 'Id or name of the schedule. Use the id for a removed schedule.',
    },
    example: 'sch_01a1ff734ad87655b2c761ba36458456',
  }),
});

const [timeFrom, timeTo] = ['1970-01-01T00:00:00Z', '2200-01-01T00:00:00Z'];

/** Checks that a time is within the range of known time zones. Text that is not a time passes: another check reports it. */
function isBounded(given: string): boolean {
  const time = Date.parse(given);
  return Number.isNaN(time) || (time >= Date.parse(timeFrom) && time < Date.parse(timeTo));
}

const whichTimes = {
  count: z.coerce.number().int().min(1).max(100).default(5).openapi({
    description: 'Number of times to return, from 1 to 100.',
    type: 'integer',
    minimum: 1,
    maximum: 100,
    default: 5,
  }),
  from: z.iso
    .datetime({ offset: true })
    .refine(isBounded, { error: `must be between ${timeFrom} and ${timeTo}` })
    .optional()
    .openapi({ description: 'Return times after this one. Default: now.' }),
};

/** Query parameters of upcoming times. */
export const timesQuery = z.strictObject(whichTimes);

/** Query parameters of the preview of a cron pattern. */
export const patternQuery = z.strictObject({ cron, time_zone: timeZone.optional(), ...whichTimes });
