import { z } from '@hono/zod-openapi';
import { formatAdKey } from '../../../core/ads/ad-key.ts';
import { placeOf, type AdFilter, type AdPlace, type SeenAd } from '../../../core/batches/ad-list.ts';
import { Problem } from '../../http/problem.ts';
import { qualifiedAdBody, toAdBody } from './search-schema.ts';
import { badCursor, nextCursor, pageQuery } from '../../http/pages.ts';
import { resultFilterQuery, toResultFilter } from '../fields/result-filter.ts';
import { text } from '../../http/text.ts';

export const adsQuery = z.strictObject({
  ...pageQuery(1000, 100),
  batch: text().max(100).optional().openapi({
    description:
      'Return the ads of this batch in the order of its rows, once for each row that names the company. Required for filters on rows.',
  }),
  ...resultFilterQuery,
  format: text().max(100).optional().openapi({ description: 'Alias of `ad_format`.' }),
});
type AdsQuery = Omit<z.infer<typeof adsQuery>, 'limit' | 'after'>;

export const seenAdBody = qualifiedAdBody
  .extend({
    batch: z
      .string()
      .nullable()
      .openapi({ description: 'The batch that found the ad. Null for a single search.' }),
    company_domain: z.string().nullable(),
    company_name: z.string().nullable(),
    source: z.string().nullable(),
    observed_at: z.iso.datetime().openapi({ description: 'Time at which the source reported the ad.' }),
    id: z.string().openapi({ description: 'Id of the ad, for `GET /v1/ads/{id}`.' }),
    row: z.int().nullable().openapi({ description: 'Row of the batch. Null without the parameter `batch`.' }),
  })
  .openapi('SeenAd');

export const adListBody = z
  .object({
    ads: z.array(seenAdBody),
    next: nextCursor,
  })
  .openapi('AdList');

/** Converts a query to a filter. @throws Problem when it filters rows without a batch, or names a format twice */
export function toAdFilter({ batch, format, ...query }: AdsQuery): AdFilter {
  const asked = (['outcome', 'reason', 'email_status', 'recommendation', 'rows'] as const).filter(
    (name) => query[name] !== undefined,
  );
  if (batch === undefined && asked.length > 0)
    throw new Problem('validation_error', { titles: [`${asked.join(', ')}: requires the parameter batch`] });
  if (format !== undefined && query.ad_format !== undefined)
    throw new Problem('validation_error', { titles: ['format, ad_format: give only one of them'] });
  return { ...toResultFilter({ ...query, ad_format: query.ad_format ?? format }), batch: batch ?? null };
}

export function toSeenAdBody(seen: SeenAd): z.infer<typeof seenAdBody> {
  return {
    ...toAdBody(seen.ad),
    batch: seen.batch,
    company_domain: seen.companyDomain,
    company_name: seen.companyName,
    source: seen.source,
    observed_at: seen.observedAt.toISOString(),
    id: formatAdKey(seen.key),
    row: seen.rowNo,
  };
}

/** Formats the place of an ad in the list as an opaque cursor. */
export function formatAdCursor(seen: SeenAd): string {
  const place = placeOf(seen);
  const first = place.kind === 'row' ? `r${place.rowNo}` : String(place.lookupId);
  return Buffer.from(`${first}.${place.position}`).toString('base64url');
}

/** Parses a cursor of `formatAdCursor`. @throws Problem for an invalid cursor, or one of a list of the other kind */
export function parseAdCursor(text: string | undefined, { batch }: Pick<AdFilter, 'batch'>): AdPlace | null {
  if (text === undefined) return null;
  const pattern = batch === null ? /^(\d{1,18})\.(\d{1,9})$/ : /^r(\d{1,9})\.(\d{1,9})$/;
  const [, first, position] = pattern.exec(Buffer.from(text, 'base64url').toString('latin1')) ?? [];
  if (first === undefined) throw badCursor();
  return batch === null
    ? { kind: 'lookup', lookupId: BigInt(first), position: Number(position) }
    : { kind: 'row', rowNo: Number(first), position: Number(position) };
}
