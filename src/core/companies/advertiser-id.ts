/** A stored advertiser id, with a warning if it looks mistyped; or the reason why it was rejected. */
export type ParsedAdvertiserId =
  | { readonly kind: 'id'; readonly advertiserId: string; readonly warning: string | null }
  | { readonly kind: 'not_an_id'; readonly reason: string };

/** Maximum length of an id, in UTF-16 units. Our choice: ids of other sources have no documented form. */
const idCharsMax = 256;

/** An advertiser of Google's Ads Transparency Center. */
const googleId = /^AR\d{20}$/;
/** Near misses of an id: lower case, a letter O for a zero, too few or too many digits, without its letters, or two ids. */
const almostGoogleId = /^AR[-_:]?[\dO]+$|AR\d{10}|^\d{18,22}$/i;
const creativeId = /^CR\d+$/i;
const blank = /\s/;
const invisible = /[\p{C}\p{Z}]/u;

/**
 * Parses the id of an advertiser: `AR` and 20 digits at Google, any 1 to 256 visible characters elsewhere. Surrounding blanks
 * are ignored. Never throws.
 */
export function parseAdvertiserId(text: string): ParsedAdvertiserId {
  const advertiserId = text.trim();
  const reason = whyNoId(advertiserId);
  if (reason !== null) return { kind: 'not_an_id', reason: `not an advertiser id: ${reason}` };
  return { kind: 'id', advertiserId, warning: doubtAbout(advertiserId) };
}

/** True when the id has the form of an advertiser of Google's Ads Transparency Center. */
export function isGoogleAdvertiserId(advertiserId: string): boolean {
  return googleId.test(advertiserId);
}

/** Page of an advertiser in Google's Ads Transparency Center; null for advertisers of other networks. */
export function advertiserPageUrl(advertiserId: string): string | null {
  return isGoogleAdvertiserId(advertiserId)
    ? `https://adstransparency.google.com/advertiser/${advertiserId}`
    : null;
}

function whyNoId(id: string): string | null {
  if (id === '') return 'empty';
  if (id.length > idCharsMax) return `longer than ${idCharsMax} characters`;
  if (blank.test(id)) return 'blanks in it';
  return invisible.test(id) ? 'control or invisible characters' : null;
}

function doubtAbout(id: string): string | null {
  if (googleId.test(id)) return null;
  if (creativeId.test(id))
    return `"${id}" looks like the id of a creative; Google's ids of advertisers begin with AR`;
  if (id.includes('/')) return `"${id}" looks like an address; the id is the part of it that begins with AR`;
  return almostGoogleId.test(id)
    ? `"${id}" looks mistyped: Google's ids of advertisers are AR and 20 digits`
    : null;
}
