import { z } from 'zod';
import type { AdText } from '../../core/ads/ad.ts';
import type { AdRegion, TimesShown } from '../../core/ads/ad-details.ts';
import { previewUrlOf } from '../../core/ads/preview-url.ts';
import { regionOfGeoTarget } from '../../core/ads/regions.ts';
import { imageVariant } from '../ads/image-variant.ts';
import { adRegion, dayOfDigits } from '../ads/ad-region.ts';
import type { AdDetail, AdIds } from '../calls/complete-ads.ts';
import { rejectRenamed } from '../replies/renamed-keys.ts';
import { beside, dayOfSeconds, readReply, size, text, webAddress } from '../replies/wire-fields.ts';
import { tellsNone } from './empty-result.ts';

/** A day as digits, `20260903`, in live replies, and as seconds since 1970 in the documentation. */
const day = z.union([dayOfDigits, dayOfSeconds]).nullish();

const region = z.object({
  region: z.int(),
  first_shown: day,
  last_shown: day,
  /** `1000 - 2000`, in few replies. */
  times_shown: beside(text),
});

/** A variation of the ad. A text ad is mostly a picture without its texts. */
const variation = z.looseObject({
  image: webAddress.optional(),
  height: size.nullish(),
  width: size.nullish(),
  headline: text.nullish(),
  title: text.nullish(),
  long_headline: text.nullish(),
  snippet: text.nullish(),
  visible_link: text.nullish(),
  /** The landing page; in the list it is a preview. */
  link: text.nullish(),
  video_link: beside(text),
});
type Variation = z.infer<typeof variation>;

const knownKeys = [
  ...Object.keys(variation.shape),
  ...['advertiser_logo', 'advertiser_logo_alt', 'advertiser_name', 'call_to_action', 'sitelink_texts'],
  ...['sitelink_descriptions', 'raw_video_link', 'video', 'video_duration', 'thumbnail', 'channel_name'],
  ...['channel_icon', 'rating', 'reviews', 'reviews_link', 'address', 'is_verified', 'extensions'],
  ...['carousel_data', 'images'],
];

/** A reply about one ad (serpapi.com/google-ads-transparency-center-ad-details). */
const reply = z
  .looseObject({
    search_metadata: z.object({ status: z.literal('Success') }),
    search_information: z
      .looseObject({
        ad_funded_by: beside(text),
        regions: beside(z.array(region.nullable().catch(null))),
      })
      .default({}),
    ad_creatives: z.array(variation).default([]),
    error: text.optional(),
  })
  .refine(({ ad_creatives: variations, ...rest }) => variations.length > 0 || tellsNone(rest), {
    path: ['ad_creatives'],
    message: 'no variation, and no statement that there is none',
  });

/** Query for one ad, including the secret key. */
export function toDetailQuery({ advertiserId, creativeId }: AdIds, key: string): URLSearchParams {
  return new URLSearchParams({
    engine: 'google_ads_transparency_center_ad_details',
    api_key: key,
    advertiser_id: advertiserId,
    creative_id: creativeId,
  });
}

/**
 * Parses a reply about one ad: a variant for each picture, the texts of the first variation that has any, the regions, and who paid for it.
 *
 * @throws SourceUnreadable that names the first invalid field; also for a reply with neither pictures nor texts, but an unknown key.
 */
export function parseDetail(body: string): AdDetail {
  const { ad_creatives: variations, search_information: information } = readReply('serpapi', reply, body);
  const variants = variations.flatMap(({ image: url, height = null, width = null }) =>
    url === undefined ? [] : [imageVariant({ url, height, width })],
  );
  const texts = variations.map(textOf).find((each) => each !== null) ?? null;
  if (variants.length === 0 && texts === null)
    rejectRenamed('serpapi', variations, { known: knownKeys, usual: ['image'] });
  const videos = variations.map((each) => previewUrlOf(each.video_link));
  return {
    variants,
    text: texts,
    beside: {
      previewUrl: videos.find((url) => url !== null) ?? null,
      payer: information.ad_funded_by ?? null,
      regions: (information.regions ?? []).flatMap((each) => (each === null ? [] : toRegion(each))),
    },
  };
}

function textOf(each: Variation): AdText | null {
  const fields: AdText = {
    headline: each.headline ?? each.title ?? each.long_headline ?? null,
    description: each.snippet ?? null,
    displayUrl: each.visible_link ?? null,
    finalUrl: each.link ?? null,
    adType: null,
  };
  return Object.values(fields).every((value) => value === null || value === '') ? null : fields;
}

function toRegion(given: z.infer<typeof region>): readonly AdRegion[] {
  const code = regionOfGeoTarget(given.region);
  if (code === null) return [];
  const { first_shown: firstShown = null, last_shown: lastShown = null } = given;
  return [adRegion(code, { firstShown, lastShown, timesShown: timesShownIn(given.times_shown) })];
}

/** Bounds of a text such as `1000 - 2000`; null for any other text. */
function timesShownIn(range = ''): TimesShown | null {
  const [, lower, upper] = /^(\d{1,15}) ?[-–] ?(\d{1,15})$/.exec(range.replaceAll(',', '')) ?? [];
  if (lower === undefined || upper === undefined) return null;
  return { lower: Number(lower), upper: Number(upper), availableOn: null };
}
