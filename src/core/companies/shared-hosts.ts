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
 * Hosts that give each user a part in front: `acme.business.site`. Where the public suffix list knows the host, that part is a
 * registrable domain and the company's own; elsewhere the domain of all of them would be the host's.
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

/** Both kinds once more: hosts that advertise so much themselves that a search by their domain finds mostly their own ads. */
const advertisingPageHosts = [
  'etsy.com ebay.com ebay.de ebay.co.uk yelp.com tripadvisor.com tripadvisor.co.uk trustpilot.com crunchbase.com github.com',
  'eventbrite.com eventbrite.co.uk kickstarter.com',
];
const advertisingSiteHosts = [
  'wordpress.com squarespace.com weebly.com bigcartel.com bandcamp.com strikingly.com jimdo.com teachable.com mykajabi.com',
  'podia.com',
];

interface SharedHost {
  /** Users have parts in front of it, besides pages. */
  readonly hasSites: boolean;
  /** The ads that a search by it finds are mostly its owner's. */
  readonly isSearchable: boolean;
}

/**
 * All of them. Our own list, of what stands in the website columns of company lists and of what search tools for ads refuse; a host is
 * on it only where strangers have pages under names of their own, so shops that sell in their own name (Amazon) are not. An entry
 * costs the host's owner its addresses with a path, which are refused like everybody's.
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

/** The names at and above those hosts: a quick no for every other domain. */
const above = new Set(sharedHosts.flatMap((host) => suffixesOf(host)));

/**
 * True when so many advertise pages on this host that a search by it finds the ads of strangers before those of its owner: beside the name of
 * somebody else it tells nothing of the company, and a source's suggestion of it tells nothing of a name. Takes a host in lower-case ASCII, such as `CompanyQuery.domain`.
 */
export function isSharedHost(host: string): boolean {
  return hosts.get(host)?.isSearchable === false;
}

/**
 * The shared host on which a web address is one user's page: `facebook.com` for `https://m.facebook.com/acme`, `sites.google.com`
 * for `sites.google.com/view/acme`, `tumblr.com` for `acme.tumblr.com`. Null for the host's own address, such as `facebook.com`, and
 * for all others. `domain` is what `parseDomain` finds in the text.
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
