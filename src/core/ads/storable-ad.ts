import type { Ad, AdText, Variant } from './ad.ts';

/** Size limits of a stored ad, in UTF-16 units. Our choice: the largest recorded ad is below a thousandth of it. */
export const adBounds = {
  /** Markup of all variants together. */
  contentChars: 65_536,
  /** A headline, a description, a name or another text. */
  textChars: 10_000,
  /** A URL; browsers accept no longer ones. */
  addressChars: 8_192,
} as const;

/**
 * Truncates an ad to the stored size: variants whose markup would exceed the bound are dropped whole, because half an element
 * shows nothing; longer texts end in `…`; a longer URL becomes null. An ad within the bounds is returned unchanged.
 */
export function storableAd(ad: Ad): Ad {
  return isWithin(ad) ? ad : boundedAd(ad);
}

function isWithin({ variants, text, advertiserName, format, originalUrl }: Ad): boolean {
  const chars = variants.reduce((sum, { content }) => sum + content.length, 0);
  const { headline = null, description = null, displayUrl = null, adType = null } = text ?? {};
  const texts = [advertiserName, format, headline, description, displayUrl, adType];
  return (
    chars <= adBounds.contentChars &&
    isShort(originalUrl, adBounds.addressChars) &&
    isShort(text?.finalUrl ?? null, adBounds.addressChars) &&
    texts.every((each) => isShort(each, adBounds.textChars))
  );
}

function boundedAd(ad: Ad): Ad {
  return {
    ...ad,
    advertiserName: bounded(ad.advertiserName),
    format: bounded(ad.format),
    originalUrl: addressOrNone(ad.originalUrl),
    variants: variantsWithin(ad.variants),
    text: ad.text === null ? null : boundedText(ad.text),
  };
}

function boundedText({ headline, description, displayUrl, finalUrl, adType }: AdText): AdText {
  return {
    headline: bounded(headline),
    description: bounded(description),
    displayUrl: bounded(displayUrl),
    finalUrl: addressOrNone(finalUrl),
    adType: bounded(adType),
  };
}

/** The variants that fit, in their order. */
function variantsWithin(variants: readonly Variant[]): readonly Variant[] {
  let left = adBounds.contentChars;
  return variants.filter(({ content }) => {
    const fits = content.length <= left;
    if (fits) left -= content.length;
    return fits;
  });
}

function addressOrNone(address: string | null): string | null {
  return isShort(address, adBounds.addressChars) ? address : null;
}

/** Never cuts a surrogate pair in half. */
function bounded(text: string | null): string | null {
  if (text === null || isShort(text, adBounds.textChars)) return text;
  return `${text.slice(0, adBounds.textChars - 1).replace(/[\ud800-\udbff]$/, '')}…`;
}

function isShort(text: string | null, charsMax: number): boolean {
  return text === null || text.length <= charsMax;
}
