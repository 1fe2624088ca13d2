import { z } from '@hono/zod-openapi';
import { changeKinds, changeReasons } from '../../../core/changes/ad-change.ts';
import { changeCursorCharsMax } from '../../../core/changes/change-cursor.ts';
import type { AdObservation, ChangedDay, ListedChange } from '../../../core/changes/change-list.ts';
import { adIdField, toAdId } from '../fields/ad-id.ts';
import { qualifiedAdBody, toAdBody } from '../ads/search-schema.ts';
import { dayField, zoneField } from '../fields/days.ts';
import { toNamedCompany } from '../fields/named-company.ts';
import { nextCursor, pageQuery } from '../../http/pages.ts';
import { text } from '../../http/text.ts';

const schedule = text()
  .min(1)
  .max(200)
  .optional()
  .openapi({ description: 'Name or id of a schedule. Use the id for a removed schedule.' });
const company = {
  company_domain: z
    .string()
    .max(500)
    .optional()
    .openapi({ description: 'Return only changes of this company, by its domain.' }),
  company_name: z
    .string()
    .max(500)
    .optional()
    .openapi({ description: 'Return only changes of this company, by its name, if it has no domain.' }),
};

const filter = {
  schedule,
  kind: z
    .string()
    .max(100)
    .transform((kinds) => kinds.split(','))
    .pipe(z.array(z.enum(changeKinds)))
    .optional()
    .openapi({
      type: 'string',
      description: `Return only changes of these kinds, separated by commas: ${changeKinds.join(', ')}. Default: all kinds except baseline.`,
    }),
  ad_format: text().max(100).optional().openapi({
    example: 'Video',
    description: 'Return only changes of ads of this format, regardless of case.',
  }),
  ...company,
  day: dayField.optional().openapi({
    description: 'Return only changes of scans that began on this day in `time_zone`.',
  }),
  time_zone: zoneField,
  scan: text()
    .min(1)
    .max(200)
    .optional()
    .openapi({ description: 'Return only changes that this scan found.' }),
  since: text().max(100).optional().openapi({
    example: '2026-03-01T02:00:00Z',
    description:
      'Return only changes computed at this time or later: a time, a day in UTC, or an age such as `12h` or `7d`. To poll, send the newest `created_at` that you have.',
  }),
};

/** Query parameters of an export of changes: their filters. */
export const changesFilterQuery = z.strictObject(filter);

/** Query parameters of a page of changes. */
export const changesQuery = z.strictObject({
  ...pageQuery(1000, 100, changeCursorCharsMax),
  ...filter,
});

/** Content of an observed ad. Its first and last day are fields of the change. */
const observationBody = qualifiedAdBody.omit({ start: true, last_seen: true }).openapi('AdObservation');

export const changeBody = z
  .object({
    schedule: z.string(),
    schedule_id: z.string(),
    scan: z.string().openapi({ description: 'Id of the scan that found the change.' }),
    company_domain: z.string().nullable(),
    company_name: z.string().nullable(),
    kind: z.enum(changeKinds),
    reason: z
      .enum(changeReasons)
      .nullable()
      .openapi({
        description:
          'Reason of a baseline: first_scan; missed_earlier (the ad ran before, and earlier scans may have missed it); long_ago (the ad does not run). ' +
          'Reason of an end: not_seen (consecutive complete scans did not observe the ad), or last_seen_long_ago by its source. Null for other kinds.',
      }),
    ad: observationBody.openapi({ description: 'The ad as it is now; an ended ad as it was observed last.' }),
    before: z
      .union([observationBody, z.null()])
      .openapi({ description: 'The ad before the change. Null for other kinds.' }),
    ran_from: z.iso.date().nullable().openapi({
      description: 'First day on which the ad is known to have run, for an ad that runs. Otherwise null.',
    }),
    ran_to: z.iso.date().nullable().openapi({
      description: 'Last day on which the ad is known to have run, for an ad that has ended. Otherwise null.',
    }),
    rests_on: z
      .array(z.string())
      .openapi({ description: 'Ids of the scans that the change is based on, oldest first.' }),
    observed_at: z.iso
      .datetime()
      .openapi({ description: 'Time at which the source returned the answer that the change is based on.' }),
    created_at: z.iso.datetime().openapi({ description: 'Time at which the change was computed.' }),
    rests_on_at: z
      .array(z.iso.datetime())
      .openapi({ description: 'Start times of the scans in `rests_on`.' }),
    ad_id: adIdField,
  })
  .openapi('Change');

export const changesBody = z
  .object({
    changes: z.array(changeBody),
    next: nextCursor,
  })
  .openapi('ChangeList');

export function toChangeBody(change: ListedChange): z.infer<typeof changeBody> {
  return {
    schedule: change.schedule,
    schedule_id: change.scheduleId,
    scan: change.scan,
    ...toNamedCompany({ key: change.companyKey, domain: change.companyDomain, name: change.companyName }),
    kind: change.kind,
    reason: change.reason,
    ad: toObservationBody(change.ad),
    before: change.before === null ? null : toObservationBody(change.before),
    ran_from: change.ranFrom,
    ran_to: change.ranTo,
    rests_on: [...change.restsOn],
    observed_at: change.observedAt.toISOString(),
    created_at: change.createdAt.toISOString(),
    rests_on_at: change.restsOnAt.map((at) => at.toISOString()),
    ad_id: toAdId(change.ad),
  };
}

/** Converts an observation without its days: the days of the change are more exact than those of one observation. */
function toObservationBody(observation: AdObservation): z.infer<typeof observationBody> {
  return observationBody.parse(toAdBody({ ...observation, start: null, lastSeen: null }));
}

/** Query parameters of changed days. */
export const changedDaysQuery = z.strictObject({
  ...pageQuery(366, 30),
  schedule,
  ...company,
  time_zone: zoneField,
});

const count = z.int().min(0);

export const changedDaysBody = z
  .object({
    days: z.array(
      z
        .object({
          day: z.iso.date(),
          schedule: z.string(),
          schedule_id: z.string(),
          scans: z.int().min(1).openapi({ description: 'Number of scans that began on that day.' }),
          new: count,
          reactivated: count,
          ended: count,
          changed: count,
        })
        .openapi('ChangedDay'),
    ),
    next: nextCursor,
  })
  .openapi('ChangedDayList');

export function toChangedDay(day: ChangedDay) {
  return {
    day: day.day,
    schedule: day.schedule,
    schedule_id: day.scheduleId,
    scans: day.scans,
    ...{ new: day.new, reactivated: day.reactivated, ended: day.ended, changed: day.changed },
  };
}
