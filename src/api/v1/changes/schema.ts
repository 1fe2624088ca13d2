import { z } from '@hono/zod-openapi';
import { changeKinds, changeReasons } from '../../../core/changes/ad-change.ts';
import { changeCursorCharsMax } from '../../../core/changes/change-cursor.ts';
import type { AdObservation, ChangedDay, ListedChange } from '../../../core/changes/change-list.ts';
import { adIdField, toAdId } from '../fields/ad-id.ts';
import { adBody, toAdBody } from '../ads/search-schema.ts';
import { dayField, zoneField } from '../fields/days.ts';
import { toNamedCompany } from '../fields/named-company.ts';
import { pageQuery } from '../../http/pages.ts';
import { text } from '../../http/text.ts';

const schedule = text()
  .min(1)
  .max(200)
  .optional()
  .openapi({ description: 'Name or id of a schedule; of a removed one its id.' });
const company = {
  company_domain: z.string().max(500).optional().openapi({ description: 'Changes of this company.' }),
  company_name: z
    .string()
    .max(500)
    .optional()
    .openapi({ description: 'The same, for a company without a domain.' }),
};

export const changesQuery = z.strictObject({
  ...pageQuery(1000, 100, changeCursorCharsMax),
  schedule,
  kind: z
    .string()
    .max(100)
    .transform((kinds) => kinds.split(','))
    .pipe(z.array(z.enum(changeKinds)))
    .optional()
    .openapi({
      type: 'string',
      description: `Only changes of these kinds, separated by commas: ${changeKinds.join(', ')}. Default: all that are news, which baseline is not.`,
    }),
  ...company,
  day: dayField.optional().openapi({
    description: 'Of scans that began on this day of `time_zone`.',
  }),
  time_zone: zoneField,
  scan: text().min(1).max(200).optional().openapi({ description: 'That this scan brought to light.' }),
  since: text().max(100).optional().openapi({
    example: '2026-03-01T02:00:00Z',
    description:
      'Worked out then or later: a time, a day (by UTC), or how long ago, such as `12h` or `7d`. Who asks again and again takes the newest `created_at` that is known already.',
  }),
});

/** An ad as it looked. Since when it runs, and until when, stands with the change. */
const observationBody = adBody.omit({ start: true, last_seen: true }).openapi('AdLook');

export const changeBody = z
  .object({
    schedule: z.string(),
    schedule_id: z.string(),
    scan: z.string().openapi({ description: 'The scan that brought it to light.' }),
    company_domain: z.string().nullable(),
    company_name: z.string().nullable(),
    kind: z.enum(changeKinds),
    reason: z
      .enum(changeReasons)
      .nullable()
      .openapi({
        description:
          'Of a baseline: first_scan; missed_earlier, because it ran before and earlier looks may have missed it; long_ago, because it does not run. ' +
          'Of an end: not_seen by complete looks in a row, or last_seen_long_ago by its own source.',
      }),
    ad: observationBody.openapi({ description: 'As it looks; where it has ended, as it looked last.' }),
    before: z
      .union([observationBody, z.null()])
      .openapi({ description: 'Of a changed ad: as it looked before.' }),
    ran_from: z.iso
      .date()
      .nullable()
      .openapi({ description: 'The first day that it is known to have run, of one that runs from now on.' }),
    ran_to: z.iso.date().nullable().openapi({
      description: 'The last day that it is known to have run, of one that does not run any more.',
    }),
    rests_on: z.array(z.string()).openapi({ description: 'The scans that it rests on, the oldest first.' }),
    observed_at: z.iso.datetime().openapi({ description: 'When the source said what it follows from.' }),
    created_at: z.iso.datetime().openapi({ description: 'When it was worked out.' }),
    rests_on_at: z.array(z.iso.datetime()).openapi({ description: 'When the scans began that it rests on.' }),
    ad_id: adIdField,
  })
  .openapi('Change');

export const changesBody = z
  .object({
    changes: z.array(changeBody),
    next: z
      .string()
      .nullable()
      .openapi({ description: 'What to ask for with `after`; null on the last page.' }),
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

/** All but the days: those of one sighting would say less than the change does. */
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
          scans: z.int().min(1).openapi({ description: 'Scans that began on that day.' }),
          new: count,
          reactivated: count,
          ended: count,
          changed: count,
        })
        .openapi('ChangedDay'),
    ),
    next: z
      .string()
      .nullable()
      .openapi({ description: 'What to ask for with `after`; null on the last page.' }),
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
