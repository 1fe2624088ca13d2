import { adBounds } from './ad-bounds.ts';
import type { Ad, AdText, Variant } from './ad.ts';
import { storableDetails } from './storable-details.ts';
import { boundedText, isShort, shortOrNone } from './storable-text.ts';

/**
 * Truncates an ad to the stored size: variants whose markup would exceed the bound are dropped whole, because half an element
 * shows nothing; longer texts end in `…`; a longer URL becomes null. Details are bounded too. An ad within the bounds is returned
 * unchanged, apart from its details, which stay equal.
 */
export function storableAd(ad: Ad): Ad {
  const stored = isWithin(ad) ? ad : boundedAd(ad);
  return ad.details === undefined ? stored : { ...stored, details: storableDetails(ad.details) };
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
    text: ad.text === null ? null : boundedTexts(ad.text),
  };
}

function boundedTexts({ headline, description, displayUrl, finalUrl, adType }: AdText): AdText {
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
  return shortOrNone(address, adBounds.addressChars);
}

function bounded(text: string | null): string | null {
  return boundedText(text, adBounds.textChars);
}
