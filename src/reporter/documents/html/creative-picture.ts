import { parseImageElement } from '../../../core/ads/image-element.ts';
import { webLink } from '../model/web-link.ts';
import { html, type Markup } from '../model/markup.ts';

/** Hosts of the pictures in Google's ad archive. A report calls no other host. */
export const pictureHosts: readonly string[] = ['tpc.googlesyndication.com', 's0.2mdn.net'];

/** Maximum side length of a picture: larger ones are no ads. */
const sidePxMax = 4096;

/** Picture of an ad. Sizes are in pixels, both or none. */
export interface CreativePicture {
  readonly href: string;
  readonly width: number | null;
  readonly height: number | null;
}

/**
 * Parses the picture in the markup of an ad: its URL and sizes; null unless it is an image element of `pictureHosts`. Nothing else of
 * the untrusted markup is used.
 */
export function pictureOf(markup: string): CreativePicture | null {
  const image = parseImageElement(markup);
  const link = image === null ? null : webLink(image.src);
  if (image === null || link === null) return null;
  const { protocol, host, href } = new URL(link.href);
  if (protocol !== 'https:' || !pictureHosts.includes(host)) return null;
  const sizes = [image.width, image.height].every((size) => size !== null && size > 0 && size <= sidePxMax);
  return { href, width: sizes ? image.width : null, height: sizes ? image.height : null };
}

/** Creates the image element of an ad's picture; null without a safe picture. */
export function creativePicture(markup: string | null, alt: string): Markup | null {
  const picture = markup === null ? null : pictureOf(markup);
  if (picture === null) return null;
  const { href, width, height } = picture;
  return html`<img
    class="creative"
    src="${href}"
    alt="${alt}"
    ${width !== null && height !== null && html`width="${width}" height="${height}"`}
    loading="lazy"
    decoding="async"
    referrerpolicy="no-referrer"
  />`;
}
