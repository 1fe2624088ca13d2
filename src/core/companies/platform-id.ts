/** Platform whose ids are written without their prefix in the record: most ads are Google's. */
export const google = 'google';

/** A platform, such as `google`, `meta` or `tiktok`: a word in lower case. */
export const platformPattern = /^[a-z][a-z0-9_]*$/;

/** Length of a platform, in UTF-16 units. Our choice. */
export const platformCharsMax = 40;

const qualified = /^([a-z][a-z0-9_]*):(.+)$/su;
const googleAdvertiser = /^AR\d{20}$/;
const googleCreative = /^CR\d{20}$/;

/** Id of an advertiser or a creative with its platform: `google:AR01234567890123456789`, `meta:123`. */
export function qualifiedId(platform: string, id: string): string {
  return `${platform}:${id}`;
}

/** Platform of a qualified id; `google` for an id without one. */
export function platformOf(id: string): string {
  // Nearly every id; the pattern is slower, and asked for each line of a report.
  if (id.startsWith('google:A')) return google;
  return qualified.exec(id)?.[1] ?? google;
}

/** A qualified id as its platform writes it, without the prefix. */
export function platformId(id: string): string {
  return qualified.exec(id)?.[2] ?? id;
}

/** Platform of an ad; `google` for an ad without ids. */
export function platformOfAd({ advertiserId }: { readonly advertiserId: string | null }): string {
  return advertiserId === null ? google : platformOf(advertiserId);
}

/**
 * Short form of a qualified id, in the record and in public ids of ads: Google's without the prefix, others with it. Every qualified id has
 * one short form: an id of Google with a colon in it keeps its prefix.
 */
export function shortId(id: string): string {
  const short = id.startsWith('google:') ? id.slice('google:'.length) : id;
  return short.includes(':') || short === '' ? id : short;
}

/** Qualified id of a short form. */
export function fullId(short: string): string {
  return short.includes(':') ? short : qualifiedId(google, short);
}

/** The same for an ad that may have none. */
export function fullIdOrNull(short: string | null): string | null {
  return short === null ? null : fullId(short);
}

/** True when an id without its prefix has the form of an advertiser of Google's Ads Transparency Center. */
export function isGoogleAdvertiser(id: string): boolean {
  return googleAdvertiser.test(id);
}

/** True when an id without its prefix has the form of a creative of Google's Ads Transparency Center. */
export function isGoogleCreative(id: string): boolean {
  return googleCreative.test(id);
}
