import { html, type Markup } from '../model/markup.ts';
import { pictureOf } from '../model/picture.ts';

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
