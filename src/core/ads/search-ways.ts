import { isSharedHost } from '../shared-hosts.ts';
import type { AdsQuestion } from './ad-source.ts';
import type { AdvertiserRole } from './company-mapping.ts';
import { isGoogleAdvertiserId } from './advertiser-id.ts';

/** One way of asking a source for the ads of a company. */
export type SearchWay =
  | { readonly by: 'mapping'; readonly advertiserIds: readonly string[] }
  | { readonly by: 'domain'; readonly domain: string }
  | { readonly by: 'name'; readonly name: string };

/**
 * The ways in which a question can be put, the surest first: by the advertisers that the operator has mapped the company to, by its
 * domain, by its name. A host that many share is not searched for: the ads that lead there are those of the whole platform. Nor are
 * agencies where only the company's own ads are wanted. A source takes the first that it knows; one that knows none of them cannot
 * tell the company (`no_match`).
 */
export function searchWays({ company, mapping, ownOnly = false }: AdsQuestion): readonly SearchWay[] {
  const { domain, name } = company;
  const isSearched = (role: AdvertiserRole) => role === 'allow' || (role === 'agency' && !ownOnly);
  const advertiserIds = mapping
    .filter(({ role }) => isSearched(role))
    .map(({ advertiserId }) => advertiserId);
  return [
    ...(advertiserIds.length === 0 ? [] : [{ by: 'mapping', advertiserIds } as const]),
    ...(domain === null || isSharedHost(domain) ? [] : [{ by: 'domain', domain } as const]),
    ...(name === null ? [] : [{ by: 'name', name } as const]),
  ];
}

/**
 * The same, for a source of Google's ads: of the mapped advertisers those that can be Google's. Those of other sources are unknown there,
 * and must not keep the domain from being searched.
 */
export function searchWaysAtGoogle(question: AdsQuestion): readonly SearchWay[] {
  return searchWays(question).flatMap((way): readonly SearchWay[] => {
    if (way.by !== 'mapping') return [way];
    const advertiserIds = way.advertiserIds.filter(isGoogleAdvertiserId);
    return advertiserIds.length === 0 ? [] : [{ by: 'mapping', advertiserIds }];
  });
}
