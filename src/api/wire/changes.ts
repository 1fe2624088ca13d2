import { z } from '@hono/zod-openapi';
import { changeKinds, changeReasons } from '../../core/scans/ad-change.ts';
import type { AdLook, ChangePlace, ListedChange } from '../../core/scans/change-list.ts';
import { adBody, toAdBody } from './ads-search.ts';
import { badCursor, pageQuery } from './pages.ts';
import { isStorable, text } from './text.ts';

export const changesQuery = z.strictObject({
  ...pageQuery(1000, 100),
  schedule: text()
    .min(1)
    .max(200)
    .optional()
    .openapi({ description: 'Name or id of a schedule; of a removed one its id.' }),
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
  company_domain: z.string().max(500).optional().openapi({ description: 'Changes of this company.' }),
  company_name: z
    .string()
    .max(500)
    .optional()
    .openapi({ description: 'The same, for a company without a domain.' }),
  since: z.iso
    .datetime({ offset: true })
    .refine((time) => !time.startsWith('0000'), { error: 'there is no year 0' })
    .optional()
    .openapi({ description: 'Worked out then or later.' }),
});

/** An ad as it looked. Since when it runs, and until when, stands with the change. */
const lookBody = adBody.omit({ start: true, last_seen: true }).openapi('AdLook');

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
    ad: lookBody.openapi({ description: 'As it looks; where it has ended, as it looked last.' }),
    before: lookBody.nullable().openapi({ description: 'Of a changed ad: as it looked before.' }),
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
    company_domain: change.companyDomain,
    company_name: change.companyName,
    kind: change.kind,
    reason: change.reason,
    ad: toLookBody(change.ad),
    before: change.before === null ? null : toLookBody(change.before),
    ran_from: change.ranFrom,
    ran_to: change.ranTo,
    rests_on: [...change.restsOn],
    observed_at: change.observedAt.toISOString(),
    created_at: change.createdAt.toISOString(),
  };
}

/** All but the days: those of one sighting would say less than the change does. */
function toLookBody(look: AdLook): z.infer<typeof lookBody> {
  return lookBody.parse(toAdBody({ ...look, start: null, lastSeen: null }));
}

/** A place in the list as text that says nothing to others. */
export function formatChangePlace({ scanId, adId, companyKey }: ChangePlace): string {
  return Buffer.from(`${scanId}.${adId}.${companyKey}`).toString('base64url');
}

export function parseChangePlace(text: string | undefined): ChangePlace | null {
  if (text === undefined) return null;
  const match = /^(\d{1,18})\.(\d{1,18})\.([dn]:.+)$/s.exec(Buffer.from(text, 'base64url').toString('utf8'));
  const [, scanId, adId, companyKey] = match ?? [];
  if (scanId === undefined || adId === undefined || companyKey === undefined || !isStorable(companyKey))
    throw badCursor();
  return { scanId: BigInt(scanId), adId: BigInt(adId), companyKey };
}
