import type { Variant } from '../../core/ads/ad.ts';

/** A picture of a creative, as a source gives it. Sizes are pixels; null if the source gives none. */
export interface Picture {
  readonly url: string;
  readonly height: number | null;
  readonly width: number | null;
}

/**
 * Variant for a picture that a source gives as a URL instead of markup: `<img src="…" height="N" width="N">`, as in the Ads
 * Transparency Center. An attribute without a value is left out.
 */
export function imageVariant({ url, height, width }: Picture): Variant {
  const attributes = Object.entries({ src: url, height, width })
    .flatMap(([name, value]) => (value === null ? [] : [`${name}="${escape(String(value))}"`]))
    .join(' ');
  return { content: `<img ${attributes}>`, height, width };
}

const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '"': '&quot;', '<': '&lt;', '>': '&gt;' };

function escape(value: string): string {
  return value.replace(/[&"<>]/g, (character) => escapes[character] ?? character);
}
