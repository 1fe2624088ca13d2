import { drawCreative } from './draw-creative.ts';
import { findSampleAd } from './sample-ads.ts';
import { samplePictureSize, type SamplePicture } from './sample-picture.ts';

/** Draws a picture of the sample as an SVG document; null if there can be no such creative. */
export function drawSample({ creativeId, revision }: SamplePicture): string | null {
  const ad = findSampleAd(creativeId);
  if (ad === null) return null;
  const { headline, description, displayUrl } = ad.textOf(revision);
  return drawCreative({
    format: ad.format,
    brand: ad.brand,
    hue: ad.hue,
    headline: headline ?? '',
    description: description ?? '',
    displayUrl: displayUrl ?? '',
    ...samplePictureSize(ad.format),
  });
}
