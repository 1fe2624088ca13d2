import { z } from 'zod';
import { adPageUrl, type Ad } from '../../core/ads/ad.ts';
import { google, qualifiedId } from '../../core/companies/platform-id.ts';
import { detailsOf } from '../../core/ads/known-details.ts';
import { beside, count, dayOfSeconds, text } from '../replies/wire-fields.ts';
import { parsePreview, preview } from './preview.ts';

/** Formats by code. A text ad is archived as a picture, so the preview says nothing about the format. */
const formats = new Map([
  [1, 'Text'],
  [2, 'Image'],
  [3, 'Video'],
]);

const advertiserId = z.string().regex(/^AR\d{20}$/, 'expected the id of an advertiser, AR and 20 digits');
const creativeId = z.string().regex(/^CR\d{20}$/, 'expected the id of a creative, CR and 20 digits');

/** Seconds since 1970, as a text; the nanoseconds are ignored. */
const day = z.object({
  1: z
    .string()
    .regex(/^\d{1,12}$/, 'expected seconds since 1970')
    .transform(Number)
    .pipe(dayOfSeconds),
});

/** Keys of a creative in recorded replies. Usual keys may be missing from any row. */
export const creativeKeys = {
  known: ['1', '2', '3', '4', '6', '7', '12', '13', '14'],
  usual: ['3', '12'],
};

/**
 * A creative of the list: its advertiser, its format, and the first and last day on which it was shown. Parsed as an ad; a
 * creative with a script, a bundle or a text as its preview has no variants, which are image elements, and the URL of its preview.
 */
export const creative = z
  .object({
    1: advertiserId,
    2: creativeId,
    3: preview.optional(),
    4: z.int(),
    6: day,
    7: day,
    12: text.optional(),
    /** Days on which it was really shown. */
    13: beside(count),
    /** The searched domain, only in a search by domain. */
    14: beside(text),
  })
  .transform((row, context): Ad => {
    const shown = parsePreview(row[3] ?? {});
    if (shown === null) {
      context.addIssue({ code: 'custom', path: ['3', '3', '2'], message: 'expected an image element' });
      return z.NEVER;
    }
    return {
      advertiserId: qualifiedId(google, row[1]),
      creativeId: qualifiedId(google, row[2]),
      advertiserName: row[12] ?? null,
      format: formats.get(row[4]) ?? String(row[4]),
      originalUrl: adPageUrl(row[1], row[2]),
      variants: shown.variants,
      start: row[6][1],
      lastSeen: row[7][1],
      text: null,
      ...detailsOf({
        daysShown: row[13] ?? null,
        targetDomain: row[14] ?? null,
        previewUrl: shown.previewUrl,
      }),
    };
  });
