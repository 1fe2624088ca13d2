import { pictureOf } from '../../../reporter/documents/model/picture.ts';
import type { Body } from '../../api/client.ts';
import { Picture, showsPictures } from './pictures.tsx';

/** Content of an ad. */
export type AdContent = Pick<
  Body<'AdObservation'>,
  'variants' | 'headline' | 'description' | 'display_url' | 'advertiser_name' | 'format'
>;

/** Finds the picture of an ad; null without a safe one. */
export function pictureOfAd({ variants }: Pick<AdContent, 'variants'>): ReturnType<typeof pictureOf> {
  for (const { content } of variants ?? []) {
    const picture = pictureOf(content);
    if (picture !== null) return picture;
  }
  return null;
}

/** Picture of an ad after the user turned pictures on, else its text. */
export function Creative({ ad }: { readonly ad: AdContent }) {
  const picture = showsPictures.value ? pictureOfAd(ad) : null;
  if (picture !== null)
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
