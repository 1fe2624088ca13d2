import { z } from '@hono/zod-openapi';
import { text } from './text.ts';
import type { AdCursor, SeenAd } from '../../core/ads/ad-list.ts';
import { adBody, toAdBody } from './ads-search.ts';
import { badCursor, pageQuery } from './pages.ts';

export const adsQuery = z.strictObject({
  ...pageQuery(1000, 100),
  company_domain: z
    .string()
    .max(500)
    .optional()
    .openapi({ description: 'Ads that were found for this company.' }),
  company_name: z
    .string()
    .max(500)
    .optional()
    .openapi({ description: 'The same, for a company without a domain.' }),
  advertiser_id: text().max(200).optional(),
  format: text().max(100).optional().openapi({ description: 'Such as Text, Image, Video; in any case.' }),
  seen_since: z.iso
    .date()
    .refine((day) => !day.startsWith('0000'), { error: 'there is no year 0' })
    .optional()
    .openapi({ description: 'Seen by its source on this day or later.' }),
});

export const seenAdBody = adBody
  .extend({
    batch: z
      .string()
      .nullable()
      .openapi({ description: 'The batch it was found for; null for a single search.' }),
    company_domain: z.string().nullable(),
    company_name: z.string().nullable(),
    source: z.string().nullable(),
    observed_at: z.iso.datetime().openapi({ description: 'When the source gave it.' }),
  })
  .openapi('SeenAd');

export const adListBody = z
  .object({
    ads: z.array(seenAdBody),
    next: z
      .string()
      .nullable()
      .openapi({ description: 'What to ask for with `after`; null on the last page.' }),
  })
  .openapi('AdList');

export function toSeenAdBody(seen: SeenAd): z.infer<typeof seenAdBody> {
  return {
    ...toAdBody(seen.ad),
    batch: seen.batch,
    company_domain: seen.companyDomain,
    company_name: seen.companyName,
    source: seen.source,
    observed_at: seen.observedAt.toISOString(),
  };
}

/** A place in the list as text that says nothing to others. */
export function formatAdCursor({ lookupId, position }: AdCursor): string {
  return Buffer.from(`${lookupId}.${position}`).toString('base64url');
}

export function parseAdCursor(text: string | undefined): AdCursor | null {
  if (text === undefined) return null;
  const match = /^(\d{1,18})\.(\d{1,9})$/.exec(Buffer.from(text, 'base64url').toString('latin1'));
  if (match === null) throw badCursor();
  return { lookupId: BigInt(match[1] ?? 0), position: Number(match[2]) };
}
