import { z } from '@hono/zod-openapi';
import type { Facets } from '../../../core/batches/facets.ts';

const count = z.int().min(0);
const counts = (what: string) =>
  z
    .array(z.object({ value: z.string(), count }))
    .openapi({ description: `${what} In descending order of the count.` });

export const facetsBody = z
  .object({
    rows: count.openapi({ description: 'Number of rows in the batch.' }),
    outcomes: counts('Rows by `outcome`.'),
    reasons: counts('Rows by `reason`: the 20 most frequent.'),
    email_statuses: counts('Rows by `email_status`.'),
    recommendations: counts('Rows by `recommendation`.'),
    ads: count.openapi({ description: 'Number of ads, counted once for each row that names their company.' }),
    ads_of_rows: count.openapi({
      description:
        'Number of rows, from the first, in which ads were counted: all rows once the batch is over, until then at most 5,000.',
    }),
    formats: counts('Ads by `format`: up to 20.'),
    advertisers: z
      .array(z.object({ id: z.string(), name: z.string().nullable(), count }))
      .openapi({ description: 'Ads by advertiser: the 100 with the most ads.' }),
  })
  .openapi('Facets');

export function toFacetsBody(facets: Facets): z.infer<typeof facetsBody> {
  return {
    rows: facets.rows,
    outcomes: [...facets.outcomes],
    reasons: [...facets.reasons],
    email_statuses: [...facets.emailStatuses],
    recommendations: [...facets.recommendations],
    ads: facets.ads,
    ads_of_rows: facets.adsOfRows,
    formats: [...facets.formats],
    advertisers: facets.advertisers.map(({ advertiserId, name, count: ads }) => ({
      id: advertiserId,
      name,
      count: ads,
    })),
  };
}
