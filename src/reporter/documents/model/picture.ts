import { parseImageElement } from '../../../core/ads/image-element.ts';
import { parseSamplePicture, samplePicturesPath } from '../../../core/sample/sample-picture.ts';
import { webLink } from './web-link.ts';

/** Hosts of the pictures in Google's ad archive. Reports and the console call no other host. */
export const pictureHosts: readonly string[] = ['tpc.googlesyndication.com', 's0.2mdn.net'];

/** Maximum side length of a picture: larger ones are no ads. */
const sidePxMax = 4096;

/** Picture of an ad. Sizes are in pixels, both or none. */
export interface CreativePicture {
  /** Absolute; the path of a picture that Nightshift draws itself. */
  readonly href: string;
  readonly width: number | null;
  readonly height: number | null;
}

/**
 * Parses the picture in the markup of an ad: its URL and sizes; null unless it is an image element of `pictureHosts`, or of a picture of the
 * sample. Nothing else of the untrusted markup is used.
 */
export function pictureOf(markup: string): CreativePicture | null {
  const image = parseImageElement(markup);
  const href = image === null ? null : safeHref(image.src);
  if (image === null || href === null) return null;
  const sizes = [image.width, image.height].every((size) => size !== null && size > 0 && size <= sidePxMax);
  return { href, width: sizes ? image.width : null, height: sizes ? image.height : null };
}

/** True for a picture of the sample: Nightshift draws and serves it, and no other host sees a request. */
export function isDrawn({ href }: Pick<CreativePicture, 'href'>): boolean {
  return href.startsWith(`${samplePicturesPath}/`);
}

function safeHref(src: string): string | null {
  if (parseSamplePicture(src) !== null) return src;
  const link = webLink(src);
  if (link === null) return null;
  const { protocol, host, href } = new URL(link.href);
  return protocol === 'https:' && pictureHosts.includes(host) ? href : null;
}
