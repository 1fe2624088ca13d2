import { drawSample } from '../../../core/sample/draw-sample.ts';
import { parseSamplePicture } from '../../../core/sample/sample-picture.ts';
import { html, type Markup } from '../model/markup.ts';
import { isDrawn, pictureOf } from '../model/picture.ts';

/**
 * Creates the image element of an ad's picture; null without a safe picture. A picture of the sample is part of the page; others load from their
 * hosts, and only with `withPictures`.
 */
export function creativePicture(
  markup: string | null,
  alt: string,
  { withPictures }: { readonly withPictures: boolean },
): Markup | null {
  const picture = markup === null ? null : pictureOf(markup);
  if (picture === null || !(withPictures || isDrawn(picture))) return null;
  const { width, height } = picture;
  const href = isDrawn(picture) ? drawnHref(picture.href) : picture.href;
  if (href === null) return null;
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

/** The picture as a URL that contains it; null if there can be no such creative. */
function drawnHref(path: string): string | null {
  const picture = parseSamplePicture(path);
  const drawn = picture === null ? null : drawSample(picture);
  return drawn === null ? null : `data:image/svg+xml;base64,${Buffer.from(drawn).toString('base64')}`;
}
