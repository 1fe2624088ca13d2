import { z } from 'zod';
import type { Ad, Variant } from '../../core/ads/ad.ts';
import { google, isGoogleAdvertiser, isGoogleCreative } from '../../core/companies/platform-id.ts';
import { creativeAd } from '../ads/creative-ad.ts';
import { imageVariant } from '../ads/image-variant.ts';
import { id, size, text, webAddress } from '../replies/wire-fields.ts';
import { valueAt, type JsonPath } from './json-path.ts';
import type { AdMap } from './map-ad.ts';
import type { SourceMap } from './map-shape.ts';
import { pick, type Where } from './fields/where.ts';
import { dateShape, pickDate } from './fields/dates.ts';
import { detailsShape, pickDetails } from './fields/details.ts';
import { blankAsNull, pickText, textShape } from './fields/texts.ts';

/** Shape of a row by the map, on a day. Its errors name the first invalid field of the map. */
export function rowShape(
  { ad: map, platform }: Pick<SourceMap, 'ad' | 'platform'>,
  today: string,
): z.ZodType<Ad> {
  return z
    .looseObject({})
    .transform((row) => pickFields(row, map))
    .pipe(fieldShapes(map, { platform, today }))
    .transform(
      ({ advertiser_id, creative_id, advertiser_name, last_seen, image, text, details, ...fields }) => ({
        ...creativeAd(
          {
            advertiserId: advertiser_id,
            creativeId: creative_id,
            advertiserName: advertiser_name,
            lastSeen: last_seen,
            variants: variantsOf(image),
            ...fields,
          },
          platform,
        ),
        text,
        ...(details === null ? {} : { details }),
      }),
    );
}

/** Picks the values at the paths of the map; null without a path. */
function pickFields(row: object, map: AdMap) {
  const at = (from: Where | undefined) => (from === undefined ? null : pick(row, from));
  return {
    advertiser_id: at(map.advertiser_id),
    creative_id: at(map.creative_id),
    advertiser_name: at(map.advertiser_name),
    format: at(map.format),
    link: at(map.link),
    start: pickDate(row, map.start),
    last_seen: pickDate(row, map.last_seen),
    image: pickImage(map.image, row),
    text: pickText(row, map.text),
    details: pickDetails(row, map.details),
  };
}

function pickImage(image: AdMap['image'], row: object) {
  if (image === undefined) return { tag: null };
  const at = (path: JsonPath | undefined) => (path === undefined ? null : valueAt(row, path));
  return 'tag' in image
    ? { tag: at(image.tag) }
    : { url: pick(row, image.url), height: at(image.height), width: at(image.width) };
}

type OptionalField = AdMap['usual'][number];

/** Markup that contains an image element. */
const imageTag = text.refine((markup) => /<img\s/i.test(markup), 'expected an image element');

/** Every key except those of `usual` fields must be present; its value may be null or blank. */
function fieldShapes(map: AdMap, { platform, today }: { readonly platform: string; readonly today: string }) {
  const field = <T>(name: OptionalField, shape: z.ZodType<T>) => {
    const optional = map.usual.includes(name) ? shape.nullish() : shape.nullable();
    return z.preprocess(blankAsNull, optional).transform((value) => value ?? null);
  };
  const image = <T>(shape: z.ZodType<T>) => field('image', shape);
  return z.object({
    advertiser_id: idOn(platform, 'an advertiser, AR and 20 digits', isGoogleAdvertiser),
    creative_id: idOn(platform, 'a creative, CR and 20 digits', isGoogleCreative),
    advertiser_name: field('advertiser_name', text),
    format: field('format', text),
    link: field('link', webAddress),
    start: field('start', dateShape(map.start, today)),
    last_seen: field('last_seen', dateShape(map.last_seen, today)),
    image: z.union([
      z.strictObject({ tag: image(imageTag) }),
      z.strictObject({ url: image(webAddress), height: image(size), width: image(size) }),
    ]),
    text: textShape({ isUsual: map.usual.includes('text') }),
    details: detailsShape(map.details, today),
  });
}

/** An id of another form than Google's comes from another platform, which the map has to name. */
function idOn(platform: string, form: string, isGoogles: (id: string) => boolean) {
  return id.refine((given) => platform !== google || isGoogles(given), {
    error: `is not an id of Google (${form}): set platform in the map, such as "platform": "meta"`,
  });
}

type PickedImage =
  | { readonly tag: string | null }
  | { readonly url: string | null; readonly height: number | null; readonly width: number | null };

function variantsOf(image: PickedImage): readonly Variant[] {
  if ('tag' in image) return image.tag === null ? [] : [{ content: image.tag, ...sizesOf(image.tag) }];
  const { url, height, width } = image;
  return url === null ? [] : [imageVariant({ url, height, width })];
}

/** Sizes from the attributes of an element, in any order. */
function sizesOf(tag: string): { readonly height: number | null; readonly width: number | null } {
  const attribute = (name: string) => {
    const [, digits] = new RegExp(`\\s${name}\\s*=\\s*["']?(\\d+)`, 'i').exec(tag) ?? [];
    const read = size.safeParse(Number(digits));
    return read.success ? read.data : null;
  };
  return { height: attribute('height'), width: attribute('width') };
}
