import { z } from 'zod';
import { adPageUrl, type Ad } from '../../core/ads/ad.ts';
import { google, qualifiedId } from '../../core/companies/platform-id.ts';
import { dayOfSeconds, text } from '../replies/wire-fields.ts';
import { imageVariant } from './image-element.ts';

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

const previewForms = ['1', '2', '3'];
/** A flag of unknown meaning. */
const previewFlag = '5';

/** Preview of a creative: the URL of a script (`1`), a text (`2`) or an image element (`3`). */
const preview = z
  .looseObject({
    1: z.object({ 4: text }).optional(),
    2: text.optional(),
    3: z.object({ 2: text }).optional(),
  })
  .refine((node) => Object.keys(node).every((key) => key === previewFlag) || hasKnownForm(node), {
    message: 'shows the creative in a form that is not known',
  });

/** Keys of a creative in recorded replies. Usual keys may be missing from any row. */
export const creativeKeys = {
  known: ['1', '2', '3', '4', '6', '7', '12', '13', '14'],
  usual: ['3', '12'],
};

/**
 * A creative of the list: its advertiser, its format, and the first and last day on which it was shown. Parsed as an ad; a
 * creative with a script or a text as its preview has no variants, which are image elements.
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
  })
  .transform((row, context): Ad => {
    const markup = row[3]?.[3]?.[2] ?? null;
    const image = markup === null ? null : imageVariant(markup);
    if (markup !== null && image === null) {
      context.addIssue({ code: 'custom', path: ['3', '3', '2'], message: 'expected an image element' });
      return z.NEVER;
    }
    return {
      advertiserId: qualifiedId(google, row[1]),
      creativeId: qualifiedId(google, row[2]),
      advertiserName: row[12] ?? null,
      format: formats.get(row[4]) ?? String(row[4]),
      originalUrl: adPageUrl(row[1], row[2]),
      variants: image === null ? [] : [image],
      start: row[6][1],
      lastSeen: row[7][1],
      text: null,
    };
  });

function hasKnownForm(node: object): boolean {
  return previewForms.some((form) => form in node);
}
