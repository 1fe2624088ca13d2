import { isDrawn, pictureOf } from '../../../reporter/documents/model/picture.ts';
import type { Body } from '../../api/client.ts';
import { Picture, showsPictures } from './pictures.tsx';

/** Content of an ad. */
export type AdContent = Pick<
  Body<'AdObservation'>,
  'variants' | 'headline' | 'description' | 'display_url' | 'advertiser_name' | 'format'
>;

/** Finds the picture of an ad; null without a safe one. */
function pictureOfAd({ variants }: Pick<AdContent, 'variants'>): ReturnType<typeof pictureOf> {
  for (const { content } of variants ?? []) {
    const picture = pictureOf(content);
    if (picture !== null) return picture;
  }
  return null;
}

/** True when the picture of an ad loads from another host, so that the user has to turn pictures on. */
export function needsChoice(ad: Pick<AdContent, 'variants'>): boolean {
  const picture = pictureOfAd(ad);
  return picture !== null && !isDrawn(picture);
}

/** Picture of an ad, else its text. A picture on another host appears after the user turned pictures on. */
export function Creative({ ad }: { readonly ad: AdContent }) {
  const picture = pictureOfAd(ad);
  if (picture !== null && (showsPictures.value || isDrawn(picture)))
    return (
      <div class="ad-creative">
        <Picture {...picture} about={ad.headline ?? 'Picture of the ad'} />
      </div>
    );
  const { display_url: url, description, headline, advertiser_name: advertiser, format } = ad;
  return (
    <div class="ad-creative ad-text" aria-hidden="true">
      <p class="ad-url">{url ?? advertiser ?? ''}</p>
      <p class="ad-headline">{headline ?? `${format ?? 'Ad'} without text`}</p>
      {description != null && <p class="ad-description">{description}</p>}
    </div>
  );
}
