import { nameFitsDomain } from '../companies/name-fits-domain.ts';
import type { AdsQuestion } from './ad-source.ts';
import { platformId } from '../companies/platform-id.ts';
import { googleMapping, type AdvertiserRole } from '../companies/company-mapping.ts';

/** One way of searching a source for the ads of a company. Ids are written as the platform of the source writes them, without its prefix. */
export type SearchWay =
  | { readonly by: 'mapping'; readonly advertiserIds: readonly string[] }
  | { readonly by: 'domain'; readonly domain: string }
  | { readonly by: 'name'; readonly name: string };

/**
 * Ways of searching for a company, the most reliable first: by the advertisers that the operator has mapped, by domain, by
 * name. A domain takes precedence over a name: the name beside it is used only if both can belong to one company
 * (`nameFitsDomain`). Agencies are not searched if only the company's own ads are wanted. A source uses the first way that it
 * supports; a source that supports none cannot identify the company (`no_match`).
 *
 * @param own the part of the mapping that `CalledSource.ownMapping` selects, all on one platform.
 */
export function searchWays(
  { company, mapping, ownOnly = false }: AdsQuestion,
  own = mapping,
): readonly SearchWay[] {
  const { domain, name } = company;
  const isSearched = (role: AdvertiserRole) => role === 'allow' || (role === 'agency' && !ownOnly);
  const advertiserIds = own
    .filter(({ role }) => isSearched(role))
    .map(({ advertiserId }) => platformId(advertiserId));
  const isNamed = name !== null && (domain === null || nameFitsDomain(name, domain));
  return [
    ...(advertiserIds.length === 0 ? [] : [{ by: 'mapping', advertiserIds } as const]),
    ...(domain === null ? [] : [{ by: 'domain', domain } as const]),
    ...(isNamed ? [{ by: 'name', name } as const] : []),
  ];
}

/** Ways of searching a source of Google's ads. */
export function searchWaysAtGoogle(question: AdsQuestion): readonly SearchWay[] {
  return searchWays(question, googleMapping(question.mapping));
}
