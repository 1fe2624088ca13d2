import { parseImageElement } from '../../core/ads/image-element.ts';
import { webLink } from '../web-link.ts';
import { html, type Markup } from './markup.ts';

/** Where Google's ad archive keeps its pictures. No other host is ever asked. */
export const pictureHosts: readonly string[] = ['tpc.googlesyndication.com', 's0.2mdn.net'];

/** Larger ones are no ads, and would be a burden on the page. */
const sidePxMax = 4096;

/**
 * The picture of an ad, made anew from the address and the sizes that its markup names; null where that is no image element of
 * `pictureHosts`. Nothing else of the foreign markup is shown.
 */
export function creativePicture(markup: string | null, about: string): Markup | null {
  const image = markup === null ? null : parseImageElement(markup);
  const link = image === null ? null : webLink(image.src);
  if (image === null || link === null) return null;
  const { protocol, host, href } = new URL(link.href);
  if (protocol !== 'https:' || !pictureHosts.includes(host)) return null;
  const sizes = [image.width, image.height].every((size) => size !== null && size > 0 && size <= sidePxMax);
  return html`<img
    class="creative"
    src="${href}"
    alt="${about}"
    ${sizes && html`width="${image.width}" height="${image.height}"`}
    loading="lazy"
    decoding="async"
    referrerpolicy="no-referrer"
  />`;
}
