import { z } from '@hono/zod-openapi';
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
const next = z
  .string()
  .nullable()
  .openapi({ description: 'What to ask for with `after`; null on the last page.' });

/** One run of a schedule. */
export const scanBody = z
  .object({
    id: z.string().openapi({ example: 'scn_01a1ff734ad87655b2c761ba36458456' }),
    state: z.enum(scanStates).openapi({
      description: '`skipped` and `missed` made no batch; all but `waiting` and `running` are final.',
    }),
    reason: z
      .string()
      .nullable()
      .openapi({ description: 'Why it waits, was skipped or missed; null where there is no reason to say.' }),
    cause: z.enum(scanCauses).openapi({ description: 'What called for it.' }),
    due_at: z.iso
      .datetime()
      .openapi({ description: 'The time of the schedule that it is for; of several missed ones the last.' }),
    ticks: z.int().min(1).openapi({ description: 'So many times of the schedule it stands for.' }),
    batch: z.string().nullable().openapi({ description: 'The id of its batch; null until it begins.' }),
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

/** One run with what it found out. */
export const scanRunBody = scanBody
  .extend({
    evaluated_at: z.iso.datetime().nullable().openapi({
      description:
        'When its changes were last worked out; null until they are, and so is what follows from that.',
    }),
    companies: z
      .object({ complete: count, truncated: count, partial: count, unconfirmed_empty: count, failed: count })
      .nullable()
      .openapi({
        description: 'Companies by how complete the answer about them is; `failed`: there is none.',
      }),
    ads_active: count.nullable().openapi({ description: 'Ads that run, as far as was known after it.' }),
    changes: z
      .object({ new: count, reactivated: count, ended: count, changed: count })
      .nullable()
      .openapi({ description: 'News by kind.' }),
    credits: z.number().nullable().openapi({ description: 'What it cost so far; null without a batch.' }),
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

export const scanListBody = z.object({ scans: z.array(scanRunBody), next }).openapi('ScanList');

const nextLocal = z
  .array(z.iso.datetime({ offset: true }))
  .openapi({ description: 'The same by the clocks of the zone, with what these are ahead of UTC.' });

/** A schedule. */
export const scheduleBody = z
  .object({
    id: z.string().openapi({ example: 'sch_01a1ff734ad87655b2c761ba36458456' }),
    name: z.string(),
    cron: z.string(),
    description: z.string().openapi({ description: 'The pattern in plain words.' }),
    time_zone: z.string(),
    state: z.enum(['active', 'paused']),
    next_at: z.iso.datetime().nullable().openapi({ description: 'Null while it is paused.' }),
    companies: z.int().min(1).openapi({ description: 'Distinct companies of its list.' }),
    file_name: z.string().openapi({ description: 'What its list is called.' }),
    sources: z
      .array(z.string())
      .openapi({ description: 'Where its ads come from, in the order they are asked.' }),
    region: z.string().nullable(),
    max_ads: z.int().nullable(),
    own_only: z.boolean(),
    max_age: z.string().nullable(),
    max_credits: z.number().nullable().openapi({ description: 'What a scan may cost.' }),
    max_credits_per_day: z
      .number()
      .nullable()
      .openapi({ description: 'What the scans that begin on a day of the zone may cost together.' }),
    overlap: z.enum(overlapPolicies),
    catch_up: z.enum(catchUpPolicies),
    misses_to_end: count,
    stale_after: z.string().openapi({ description: 'In days.', example: '14d' }),
    notify: z
      .array(z.string())
      .nullable()
      .openapi({ description: 'The webhooks that are told; null for all that take such events.' }),
    last_scan: z.union([scanBody, z.null()]).openapi({ description: 'The newest, whatever became of it.' }),
    created_at: z.iso.datetime(),
    next_local: z.array(z.iso.datetime({ offset: true })).openapi({
      description:
        'The next five times by the clocks of its zone, with what these are ahead of UTC; none while it is paused.',
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

export const scheduleListBody = z.object({ schedules: z.array(scheduleBody), next }).openapi('ScheduleList');

const utcTimes = z.array(z.iso.datetime()).openapi({ description: 'In UTC, the first one first.' });

/** The times at which a schedule runs. */
export const timesBody = z.object({ next: utcTimes, next_local: nextLocal }).openapi('ScheduleTimes');

/** The first times of a schedule after `after`, whether it is paused or not. Default: after it was read. */
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

/** Body of a cron pattern, for any schedule. */
export const patternBody = z
  .object({
    cron: z.string().openapi({ description: 'As it is kept.' }),
    description: z.string().openapi({ description: 'In plain words.' }),
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
      description: 'Its id. Its name finds it too, for as long as it has it.',
    },
    example: 'sch_01a1ff734ad87655b2c761ba36458456',
  }),
});

const [timeFrom, timeTo] = ['1970-01-01T00:00:00Z', '2200-01-01T00:00:00Z'];

/** Beyond these times nothing is known of any zone. What is no time at all is told as that. */
function isBounded(given: string): boolean {
  const time = Date.parse(given);
  return Number.isNaN(time) || (time >= Date.parse(timeFrom) && time < Date.parse(timeTo));
}

const whichTimes = {
  count: z.coerce
    .number()
    .int()
    .min(1)
    .max(100)
    .default(5)
    .openapi({ description: 'How many, up to 100.', type: 'integer', minimum: 1, maximum: 100, default: 5 }),
  from: z.iso
    .datetime({ offset: true })
    .refine(isBounded, { error: `must lie between ${timeFrom} and ${timeTo}` })
    .optional()
    .openapi({ description: 'The times after this one. Default: now.' }),
};

/** Query parameters of upcoming times. */
export const timesQuery = z.strictObject(whichTimes);

/** The same of a pattern. */
export const patternQuery = z.strictObject({ cron, time_zone: timeZone.optional(), ...whichTimes });
