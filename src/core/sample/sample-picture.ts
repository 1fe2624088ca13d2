import type { Variant } from '../ads/ad.ts';

/** A picture of the sample: the creative, and the revision of its texts that it shows. */
export interface SamplePicture {
  readonly creativeId: string;
  readonly revision: number;
}

/** Path under which Nightshift serves the pictures of the sample. */
export const samplePicturesPath = '/sample-creatives';

/** Size of a picture by the format of its ad, in pixels. */
const sizes: Readonly<Record<string, { readonly width: number; readonly height: number }>> = {
  Text: { width: 400, height: 210 },
  Image: { width: 336, height: 280 },
  Video: { width: 480, height: 270 },
};
const standardSize = { width: 336, height: 280 };

/** Returns the size of the picture of an ad, in pixels. */
export function samplePictureSize(format: string): { readonly width: number; readonly height: number } {
  return sizes[format] ?? standardSize;
}

/** Creates the rendering of an ad of the sample: its picture, in the form of Google's archive. */
export function sampleVariant(picture: SamplePicture, format: string): Variant {
  const { width, height } = samplePictureSize(format);
  const path = `${samplePicturesPath}/${picture.creativeId}-${picture.revision}.svg`;
  return { content: `<img src="${path}" height="${height}" width="${width}">`, width, height };
}

const pathForm = /^\/sample-creatives\/(?<creativeId>CR\d{20})-(?<revision>\d{1,3})\.svg$/;

/** Parses the path of a picture; null for every other text. The creative need not exist. */
export function parseSamplePicture(path: string): SamplePicture | null {
  const { creativeId, revision } = pathForm.exec(path)?.groups ?? {};
  return creativeId === undefined || revision === undefined
    ? null
    : { creativeId, revision: Number(revision) };
}
