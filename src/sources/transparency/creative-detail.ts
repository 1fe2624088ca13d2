import { z } from 'zod';
import type { AdRegion } from '../../core/ads/ad-details.ts';
import { regionOfGeoTarget } from '../../core/ads/regions.ts';
import { adRegion, dayOfDigits } from '../ads/ad-region.ts';
import type { AdDetail, AdIds } from '../calls/complete-ads.ts';
import { beside, readReply, unreadableAt } from '../replies/wire-fields.ts';
import { withoutGuard } from '../replies/without-guard.ts';
import { rejectEmpty } from './empty-reply.ts';
import { parsePreview, preview } from './preview.ts';

/** A region, and the last day on which the ad was shown there. */
const region = z.object({ 1: z.int(), 5: beside(dayOfDigits) });

/** Reply of `GetCreativeById` (recorded replies): the previews of all variants, which may be equal, and the regions. */
const shape = z.looseObject({
  1: z.looseObject({
    1: z.string(),
    2: z.string(),
    5: z.array(preview),
    17: beside(z.array(region.nullable().catch(null))),
  }),
});

/**
 * Parses the reply about one creative.
 *
 * @throws EmptyReply for an empty object.
 * @throws SourceUnreadable that names the first invalid field; also for a reply about another creative.
 */
export function readCreative(reply: string, ids: AdIds): AdDetail {
  rejectEmpty(reply);
  const { 1: read } = readReply('transparency', shape, withoutGuard(reply));
  if (read[1] !== ids.advertiserId || read[2] !== ids.creativeId)
    throw unreadableAt('transparency', '1', 'is about another creative');
  const shown = read[5].map((node, i) => {
    const parsed = parsePreview(node);
    if (parsed === null) throw unreadableAt('transparency', `1.5[${i}].3.2`, 'expected an image element');
    return parsed;
  });
  return {
    variants: shown.flatMap(({ variants }) => variants),
    text: null,
    beside: {
      previewUrl: shown.map(({ previewUrl }) => previewUrl).find((url) => url !== null) ?? null,
      regions: (read[17] ?? []).flatMap((each) => (each === null ? [] : toRegion(each))),
    },
  };
}

function toRegion(given: z.infer<typeof region>): readonly AdRegion[] {
  const code = regionOfGeoTarget(given[1]);
  return code === null ? [] : [adRegion(code, { lastShown: given[5] ?? null })];
}
