import { hostnameOf } from './domain.ts';

/** Hosts that give each user a page: `facebook.com/acme`. */
const pageHosts = [
  // Social networks and messengers
  'facebook.com fb.com fb.me m.me instagram.com threads.com threads.net whatsapp.com wa.me linkedin.com lnkd.in xing.com',
  'x.com twitter.com t.co bsky.app tiktok.com snapchat.com pinterest.com pinterest.de pinterest.co.uk pinterest.fr',
  'reddit.com vk.com ok.ru weibo.com t.me telegram.me discord.com discord.gg line.me nextdoor.com meetup.com',
  // Video, sound, pictures and texts
  'youtube.com youtu.be vimeo.com dailymotion.com twitch.tv soundcloud.com flickr.com behance.net dribbble.com',
  'issuu.com medium.com patreon.com ameblo.jp blogger.com',
  // Pages of links, and short links
  'linktr.ee beacons.ai bio.link lnk.bio linkin.bio campsite.bio taplink.cc solo.to allmylinks.com about.me',
  'goo.gl g.page bit.ly tinyurl.com rebrand.ly cutt.ly',
  // Below the domain of a company, which itself is not shared
  'sites.google.com docs.google.com drive.google.com maps.google.com play.google.com',
  'apps.apple.com itunes.apple.com apps.microsoft.com forms.office.com',
];

/**
 * Hosts that give each user a subdomain: `acme.business.site`. If the public suffix list knows the host, the subdomain is a
 * registrable domain and the company's own; elsewhere the registrable domain would be the host's for all users.
 */
const siteHosts = [
  // Builders of web sites
  'wixsite.com business.site negocio.site godaddysites.com ueniweb.com company.site eatbu.com webnode.com webnode.page',
  'jimdofree.com jimdosite.com mystrikingly.com weeblysite.com site123.me simdif.com webador.com zyrosite.com tilda.ws',
  'ucoz.ru narod.ru tripod.com angelfire.com pagesperso-orange.fr',
  // Blogs and newsletters
  'blogspot.com tumblr.com substack.com livejournal.com typepad.com over-blog.com home.blog',
  // Landing pages and links into apps
  'hs-sites.com hubspotpagebuilder.com unbouncepages.com page.link onelink.me',
];

/** Hosts of both kinds that advertise so much themselves that a search by their domain finds mostly their own ads. */
const advertisingPageHosts = [
  'etsy.com ebay.com ebay.de ebay.co.uk yelp.com tripadvisor.com tripadvisor.co.uk trustpilot.com crunchbase.com github.com',
  'eventbrite.com eventbrite.co.uk kickstarter.com',
];
const advertisingSiteHosts = [
  'wordpress.com squarespace.com weebly.com bigcartel.com bandcamp.com strikingly.com jimdo.com teachable.com mykajabi.com',
  'podia.com',
];

interface SharedHost {
  /** Users have subdomains, besides pages. */
  readonly hasSites: boolean;
  /** A search by it finds mostly ads of its owner. */
  readonly isSearchable: boolean;
}

/**
 * All shared hosts. Our own list, from the website columns of company lists and from what ad search tools reject. A host is
 * listed only if strangers have pages under their own names, so shops that sell in their own name (Amazon) are not. A listed
 * host's owner cannot be looked up by an address with a path either.
 */
const hosts: ReadonlyMap<string, SharedHost> = new Map([
  ...entries(pageHosts, { hasSites: false, isSearchable: false }),
  ...entries(siteHosts, { hasSites: true, isSearchable: false }),
  ...entries(advertisingPageHosts, { hasSites: false, isSearchable: true }),
  ...entries(advertisingSiteHosts, { hasSites: true, isSearchable: true }),
]);

function entries(lines: readonly string[], host: SharedHost): readonly (readonly [string, SharedHost])[] {
  return lines.flatMap((line) => line.split(' ')).map((name) => [name, host]);
}

/** Every host on the list, in lower-case ASCII. */
export const sharedHosts: readonly string[] = [...hosts.keys()];

/** The domains at and above these hosts: a fast exclusion of every other domain. */
const above = new Set(sharedHosts.flatMap((host) => suffixesOf(host)));

/**
 * True when so many users advertise pages on this host that a search by it finds their ads before those of its owner. Beside
 * the name of another company it does not identify that company, and a source's suggestion of it does not identify a name.
 * Takes a host in lower-case ASCII, such as `CompanyQuery.domain`.
 */
export function isSharedHost(host: string): boolean {
  return hosts.get(host)?.isSearchable === false;
}

/**
 * The shared host on which a web address is a user's page: `facebook.com` for `https://m.facebook.com/acme`, `sites.google.com`
 * for `sites.google.com/view/acme`, `tumblr.com` for `acme.tumblr.com`. Null for the host's own address, such as
 * `facebook.com`, and for all others. `domain` is the result of `parseDomain` for the text.
 */
export function pageHostOf(text: string, domain: string): string | null {
  if (!above.has(domain)) return null;
  const hostname = hostnameOf(text) ?? '';
  const host = suffixesOf(hostname).find((suffix) => hosts.has(suffix));
  if (host === undefined) return null;
  const isSite = hosts.get(host)?.hasSites === true && hostname !== host && hostname !== `www.${host}`;
  return isSite || hasPath(text) ? host : null;
}

/** The host itself, then without its first label, and so on. */
function suffixesOf(host: string): readonly string[] {
  const labels = host.split('.');
  return labels.map((_, i) => labels.slice(i).join('.'));
}

const schemeAndSlashes = /^(?:[a-z][a-z0-9+.-]*:)?[/\\]*/i;
const pathBeyondRoot = /^[^/\\?#]*[/\\]+[^/\\?#]/;

function hasPath(text: string): boolean {
  return pathBeyondRoot.test(text.trim().replace(schemeAndSlashes, ''));
}
