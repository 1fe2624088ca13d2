import { google, isGoogleAdvertiser, qualifiedId } from './platform-id.ts';

const webAddress = /^https?:\/\//i;
const metaHosts = ['facebook.com', 'www.facebook.com', 'web.facebook.com', 'm.facebook.com'];
const digits = /^\d{1,32}$/;

/** True for a text that is an address of the web. */
export function isWebAddress(text: string): boolean {
  return webAddress.test(text);
}

/**
 * Qualified id of the advertiser whose page an address is: in Google's Ads Transparency Center, also with one of its creatives, or in Meta's
 * Ad Library. Null for any other address. Never throws.
 */
export function advertiserOfAddress(text: string): string | null {
  if (!isWebAddress(text) || !URL.canParse(text)) return null;
  const { hostname, pathname, searchParams } = new URL(text);
  if (hostname === 'adstransparency.google.com') return googleAdvertiserOf(pathname);
  if (!metaHosts.includes(hostname)) return null;
  if (pathname.startsWith('/ads/library')) return metaPage(searchParams.get('view_all_page_id'));
  return pathname === '/profile.php' ? metaPage(searchParams.get('id')) : null;
}

function googleAdvertiserOf(path: string): string | null {
  const [, first, id = ''] = path.split('/');
  return first === 'advertiser' && isGoogleAdvertiser(id) ? qualifiedId(google, id) : null;
}

function metaPage(id: string | null): string | null {
  return id !== null && digits.test(id) ? qualifiedId('meta', id) : null;
}
