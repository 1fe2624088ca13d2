import { parseImageElement } from '../../../core/ads/image-element.ts';
import { webLink } from '../model/web-link.ts';
import { html, type Markup } from '../model/markup.ts';

/** Hosts of the pictures in Google's ad archive. A report calls no other host. */
export const pictureHosts: readonly string[] = ['tpc.googlesyndication.com', 's0.2mdn.net'];

/** Larger ones are no ads, and would be a burden on the page. */
const sidePxMax = 4096;

/** A picture that may be shown. Sizes are pixels, both or none. */
export interface CreativePicture {
  readonly href: string;
  readonly width: number | null;
  readonly height: number | null;
}

/**
 * The picture that the markup of an ad names, its address and its sizes; null where that is no image element of `pictureHosts`. Nothing
 * else of the foreign markup is to be shown.
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

/** The picture of an ad, made anew; null where there is none that may be shown. */
export function creativePicture(markup: string | null, about: string): Markup | null {
  const picture = markup === null ? null : pictureOf(markup);
  if (picture === null) return null;
  const { href, width, height } = picture;
  return html`<img
    class="creative"
    src="${href}"
    alt="${about}"
    ${width !== null && height !== null && html`width="${width}" height="${height}"`}
    loading="lazy"
    decoding="async"
    referrerpolicy="no-referrer"
  />`;
}
