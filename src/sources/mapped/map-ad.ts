import { z } from 'zod';
import { jsonPath } from './json-path.ts';
import { where } from './fields/where.ts';

/**
 * Date formats: `2026-07-02`, a moment by ISO 8601, seconds or milliseconds since 1970, or `20260702`; numbers also as texts of
 * digits.
 */
const dateForm = z.enum(['day', 'iso', 'epoch_seconds', 'epoch_ms', 'compact_day']);
const dateForms = z.union([dateForm.transform((form) => [form]), z.array(dateForm).min(1)]);

/** A date, at a path or at the first of several that has one, in one of its formats. */
const dated = z
  .union(
    [
      z.strictObject({ path: jsonPath, form: dateForms, not_future: z.boolean().default(false) }),
      z.strictObject({
        first_of: z.array(jsonPath).min(1),
        form: dateForms,
        not_future: z.boolean().default(false),
      }),
    ],
    'expected a path, or first_of with several, and a form: day, iso, epoch_seconds, epoch_ms or compact_day',
  )
  .transform(({ form: forms, not_future: notFuture, ...from }) => ({
    paths: 'path' in from ? [from.path] : from.first_of,
    forms,
    /** A later day than today is only planned, and counts as none. */
    notFuture,
  }));

/** A picture: the element that shows it, verbatim, or its URL. */
const image = z.union(
  [
    z.strictObject({ tag: jsonPath }),
    z.strictObject({ url: where, height: jsonPath.optional(), width: jsonPath.optional() }),
  ],
  'expected { "tag": path }, or { "url": path } with height and width where there are any',
);

/** The five texts of an ad. */
const text = z.strictObject({
  headline: where.optional(),
  description: where.optional(),
  display_url: where.optional(),
  final_url: where.optional(),
  ad_type: where.optional(),
});

const timesShown = z.strictObject({ lower: where.optional(), upper: where.optional() });

/** Paths within an element of the list of regions. */
const regions = z.strictObject({
  path: jsonPath,
  region: where,
  first_shown: dated.optional(),
  last_shown: dated.optional(),
  times_shown: timesShown.optional(),
  other_keys: z.array(jsonPath).default([]),
});

/** Details beside the content. Every key may be missing from a row. */
const details = z.strictObject({
  days_shown: where.optional(),
  target_domain: where.optional(),
  preview_url: where.optional(),
  topic: where.optional(),
  payer: where.optional(),
  advertiser: z
    .strictObject({
      legal_name: where.optional(),
      location: where.optional(),
      verification: where.optional(),
    })
    .optional(),
  regions: regions.optional(),
});

/** Paths of the properties of an ad in its row. A value may be null; a key may be missing if the field is `usual`. */
export const ad = z.strictObject({
  advertiser_id: where,
  creative_id: where,
  advertiser_name: where.optional(),
  format: where.optional(),
  link: where.optional(),
  start: dated.optional(),
  last_seen: dated.optional(),
  image: image.optional(),
  text: text.optional(),
  details: details.optional(),
  /** Fields that some rows lack, but not all of many rows. Every row has the others. */
  usual: z
    .array(z.enum(['advertiser_name', 'format', 'link', 'start', 'last_seen', 'image', 'text']))
    .default([]),
  /** Other keys of rows. An unlisted key may be a renamed field. */
  other_keys: z.array(jsonPath).default([]),
});

export type AdMap = z.infer<typeof ad>;
export type TextMap = z.infer<typeof text>;
export type DetailsMap = z.infer<typeof details>;
export type RegionsMap = z.infer<typeof regions>;
export type DatedMap = z.infer<typeof dated>;
export type DateForm = z.infer<typeof dateForm>;
