import { z } from '@hono/zod-openapi';
import type { AdDetailsJson } from '../../../core/ads/ad-details-json.ts';

const text = z.string().nullable();
const day = z.iso.date().nullable();
const count = z.int().min(0).nullable();

const timesShown = {
  times_shown_lower: count.openapi({ description: 'Lower bound of the number of times shown, inclusive.' }),
  times_shown_upper: count.openapi({ description: 'Upper bound, inclusive. Null if unknown or unbounded.' }),
  times_shown_available_on: day.openapi({
    description: 'Date on which the bounds become available. Null if they are.',
  }),
};

const surface = z
  .object({
    surface: z.string().openapi({ description: 'Surface of the platform.', example: 'YOUTUBE' }),
    ...timesShown,
  })
  .openapi('AdSurface');

const region = z
  .object({
    region: z.string().openapi({
      description: 'ISO 3166-1 alpha-2, or `EEA` for the European Economic Area together.',
      example: 'DE',
    }),
    first_shown: day,
    last_shown: day,
    ...timesShown,
    times_shown_from: day.openapi({ description: 'First date of the period that the bounds count.' }),
    times_shown_to: day.openapi({ description: 'Last date of that period.' }),
    surfaces: z.array(surface),
  })
  .openapi('AdRegion');

const targeting = z
  .object({
    demographic_info: text,
    geo_location: text,
    contextual_signals: text,
    customer_lists: text,
    topics_of_interest: text,
  })
  .openapi('AdTargeting', {
    description:
      'How each kind of audience selection was used: `CRITERIA_INCLUDED`, `CRITERIA_EXCLUDED`, `CRITERIA_INCLUDED_AND_EXCLUDED` or `CRITERIA_UNUSED`.',
  });

const advertiser = z
  .object({
    legal_name: text.openapi({ description: 'Name in the register.' }),
    location: text.openapi({ description: 'Country, ISO 3166-1 alpha-2.' }),
    verification: text.openapi({ description: 'State of its verification.', example: 'VERIFIED' }),
  })
  .openapi('AdAdvertiser');

/** The details of an ad in responses. Null or empty where the source does not say. */
export const detailsBody = z
  .object({
    days_shown: count.openapi({ description: 'Number of days on which the ad was really shown.' }),
    target_domain: text.openapi({ description: 'Domain that the ad points to.' }),
    preview_url: text.openapi({
      description: 'URL that shows an ad without a picture: a video, an HTML5 bundle or a preview script.',
    }),
    topic: text.openapi({ description: 'Subject by the classification of the platform.', example: 'Health' }),
    payer: text.openapi({ description: 'Payer of the ad, as the platform discloses it.' }),
    is_grant_funded: z.boolean().nullable().openapi({ description: 'True if Google Ad Grants funded it.' }),
    targeting: targeting.nullable(),
    regions: z.array(region).openapi({ description: 'Regions in which the ad was shown.' }),
    advertiser: advertiser.nullable(),
  } satisfies Record<keyof AdDetailsJson, z.ZodType>)
  .openapi('AdDetails');
