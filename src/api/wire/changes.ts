import { z } from '@hono/zod-openapi';
import { changeKinds, changeReasons } from '../../core/scans/ad-change.ts';
import { changeCursorCharsMax } from '../../core/scans/change-cursor.ts';
import type { ListedChange } from '../../core/scans/change-list.ts';
import { pageQuery } from './pages.ts';
import { text } from './text.ts';

export const changesQuery = z.strictObject({
  ...pageQuery(1000, 100, changeCursorCharsMax),
  schedule: text()
    .min(1)
    .max(200)
    .optional()
    .openapi({ description: 'Of this schedule: its name, or its id; a removed one goes by its id alone.' }),
  kind: text()
    .max(200)
    .optional()
    .openapi({
      example: 'new,ended',
      description: `Of these kinds, separated by commas: ${changeKinds.join(', ')}. Default: all but \`baseline\`, which is no news.`,
    }),
  company_domain: z.string().max(500).optional().openapi({ description: 'Of this company.' }),
  company_name: z
    .string()
    .max(500)
    .optional()
    .openapi({ description: 'The same, for a company without a domain.' }),
  since: text().max(100).optional().openapi({
    example: '2026-03-01T02:00:00Z',
    description:
      'Known here since then: a time, a day (by UTC), or how long ago, such as `12h` or `7d`. Who asks again and again takes the newest `created_at` that is known already.',
  }),
});

const day = z.iso.date().nullable();

export const changeBody = z
  .object({
    schedule: z.string().openapi({ description: 'Its name.' }),
    schedule_id: z.string(),
    scan: z.string().openapi({ description: 'The scan that found it out.' }),
    company_key: z.string().openapi({
      example: 'd:nike.com',
      description: '`d:` and the domain, or `n:` and the normalised name, of the company.',
    }),
    company_domain: z.string().nullable(),
    company_name: z.string().nullable(),
    kind: z.enum(changeKinds).openapi({
      description:
        '`new`; `reactivated`: it had ended; `changed`: it looks otherwise; `ended`; `baseline`: it was there before, which is no news.',
    }),
    reason: z.enum(changeReasons).nullable().openapi({
      description:
        'Of an end: `not_seen` (in as many complete scans in a row as the schedule asks for) or `last_seen_long_ago` (by its own source). Of a baseline: `first_scan`, `missed_earlier` (by earlier scans) or `long_ago` (it does not run any more).',
    }),
    is_news: z.boolean(),
    advertiser_id: z.string().nullable(),
    creative_id: z.string().nullable(),
    advertiser_name: z.string().nullable(),
    format: z.string().nullable(),
    headline: z.string().nullable(),
    original_url: z.string().nullable(),
    version_id: z.int().openapi({ description: 'How it looks, or looked last.' }),
    version_before: z.int().nullable().openapi({ description: 'Of a changed ad: how it looked before.' }),
    is_active: z.boolean().openapi({ description: 'Whether it runs after this.' }),
    ran_from: day.openapi({
      description: 'The first UTC day that it is known to have run, of one that runs now and did not before.',
    }),
    ran_to: day.openapi({
      description: 'The last UTC day that it is known to have run, of one that does not any more.',
    }),
    rests_on: z.array(z.string()).openapi({
      description:
        'The scans it follows from, the oldest first: of an ad that was not seen those that missed it.',
    }),
    observed_at: z.iso.datetime().openapi({ description: 'When the source said it.' }),
    created_at: z.iso.datetime().openapi({ description: 'When it became known here.' }),
  })
  .openapi('Change');

export const changeListBody = z
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
    company_key: change.companyKey,
    company_domain: change.companyDomain,
    company_name: change.companyName,
    kind: change.kind,
    reason: change.reason,
    is_news: change.kind !== 'baseline',
    advertiser_id: change.advertiserId,
    creative_id: change.creativeId,
    advertiser_name: change.advertiserName,
    format: change.format,
    headline: change.headline,
    original_url: change.originalUrl,
    version_id: Number(change.versionId),
    version_before: change.versionBefore === null ? null : Number(change.versionBefore),
    is_active: change.isActive,
    ran_from: change.ranFrom,
    ran_to: change.ranTo,
    rests_on: [...change.restsOn],
    observed_at: change.observedAt.toISOString(),
    created_at: change.createdAt.toISOString(),
  };
}
