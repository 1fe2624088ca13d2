import { advertiserOfAddress, isWebAddress } from './advertiser-address.ts';
import {
  google,
  isGoogleAdvertiser,
  platformCharsMax,
  platformId,
  platformOf,
  qualifiedId,
} from './platform-id.ts';

/** A qualified advertiser id, with a warning if it looks mistyped; or the reason why it was rejected. */
export type ParsedAdvertiserId =
  | { readonly kind: 'id'; readonly advertiserId: string; readonly warning: string | null }
  | { readonly kind: 'not_an_id'; readonly reason: string };

/** Remedy for a rejected id. */
export const advertiserIdRemedy =
  "Google's are AR and 20 digits; for another platform, write the platform before it, such as meta:123. The address of the advertiser's page " +
  "in Google's Ads Transparency Center or Meta's Ad Library is accepted, too";

/** Maximum length of an id without its platform, in UTF-16 units. Our choice: ids of other platforms have no documented form. */
const idCharsMax = 256;

const withPlatform = /^([a-z][a-z0-9_]*):(?!\/\/)(.*)$/s;
/** Near misses of an id: lower case, a letter O for a zero, too few or too many digits, or two ids. */
const almostGoogleId = /^AR[-_:]?[\dO]+$|AR\d{10}/i;
/** The same without its letters. */
const bareDigits = /^\d{18,22}$/;
const creativeId = /^CR\d+$/i;
const blank = /\s/;
const invisible = /[\p{C}\p{Z}]/u;

/**
 * Parses the id of an advertiser: its platform, a colon, and 1 to 256 visible characters. An id of Google, `AR` and 20 digits, may come
 * without its platform, also if it looks mistyped. The address of an advertiser's page (`advertiserOfAddress`) stands for its id. Surrounding
 * blanks are ignored. Never throws.
 */
export function parseAdvertiserId(text: string): ParsedAdvertiserId {
  const given = text.trim();
  const ofPage = advertiserOfAddress(given);
  if (ofPage !== null) return { kind: 'id', advertiserId: ofPage, warning: null };
  const [platform, id] = splitId(given);
  const reason = whyNoId(platform, id);
  if (reason !== null) return { kind: 'not_an_id', reason: `not an advertiser id: ${reason}` };
  const of = platform ?? google;
  return { kind: 'id', advertiserId: qualifiedId(of, id), warning: of === google ? doubtAbout(id) : null };
}

/** The platform, null if there is none, and the rest. `ar:0123…` is a mistyped id of Google. */
function splitId(given: string): readonly [platform: string | null, id: string] {
  const [, platform, id] = given.startsWith('ar:') ? [] : (withPlatform.exec(given) ?? []);
  return platform === undefined || id === undefined ? [null, given] : [platform, id];
}

/** Page of an advertiser in Google's Ads Transparency Center, by its qualified id; null for advertisers of other networks. */
export function advertiserPageUrl(advertiserId: string): string | null {
  const id = platformId(advertiserId);
  return platformOf(advertiserId) === google && isGoogleAdvertiser(id)
    ? `https://adstransparency.google.com/advertiser/${id}`
    : null;
}

function whyNoId(platform: string | null, id: string): string | null {
  if (id === '') return 'empty';
  if (id.length > idCharsMax) return `longer than ${idCharsMax} characters`;
  if (platform !== null && platform.length > platformCharsMax)
    return `a platform of more than ${platformCharsMax} characters`;
  if (blank.test(id)) return 'blanks in it';
  if (invisible.test(id)) return 'control or invisible characters';
  if (platform !== null || isGoogleAdvertiser(id)) return null;
  if (isWebAddress(id)) return `"${id}" is not the page of an advertiser`;
  return isAlmostGoogles(id) ? null : `"${id}" has no platform`;
}

/** True for a near miss that no other platform writes, unlike plain digits. */
function isAlmostGoogles(id: string): boolean {
  return almostGoogleId.test(id) || creativeId.test(id) || id.includes('/');
}

/** Null for an id that Google can have written, as far as its form tells. */
function doubtAbout(id: string): string | null {
  if (isGoogleAdvertiser(id)) return null;
  if (creativeId.test(id))
    return `"${id}" looks like the id of a creative; Google's ids of advertisers begin with AR`;
  if (id.includes('/')) return `"${id}" looks like an address; the id is the part of it that begins with AR`;
  return almostGoogleId.test(id) || bareDigits.test(id)
    ? `"${id}" looks mistyped: Google's ids of advertisers are AR and 20 digits`
    : null;
}
