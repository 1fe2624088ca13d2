import { nameFitsDomain } from '../companies/name-fits-domain.ts';
import type { AdsQuestion } from './ad-source.ts';
import { googleMapping, type AdvertiserRole } from '../companies/company-mapping.ts';

/** One way of asking a source for the ads of a company. */
export type SearchWay =
  | { readonly by: 'mapping'; readonly advertiserIds: readonly string[] }
  | { readonly by: 'domain'; readonly domain: string }
  | { readonly by: 'name'; readonly name: string };

/**
 * The ways in which a question can be put, the surest first: by the advertisers that the operator has mapped the company to, by its
 * domain, by its name. A domain decides before a name: the name beside it is a way only where both can be one company's
 * (`nameFitsDomain`). Agencies are not searched for where only the company's own ads are wanted. A source takes the first way that it
 * knows; one that knows none of them cannot tell the company (`no_match`).
 *
 * @param own what `CalledSource.ownMapping` leaves of the question's mapping.
 */
export function searchWays(
  { company, mapping, ownOnly = false }: AdsQuestion,
  own = mapping,
): readonly SearchWay[] {
  const { domain, name } = company;
  const isSearched = (role: AdvertiserRole) => role === 'allow' || (role === 'agency' && !ownOnly);
  const advertiserIds = own.filter(({ role }) => isSearched(role)).map(({ advertiserId }) => advertiserId);
  const isNamed = name !== null && (domain === null || nameFitsDomain(name, domain));
  return [
    ...(advertiserIds.length === 0 ? [] : [{ by: 'mapping', advertiserIds } as const]),
    ...(domain === null ? [] : [{ by: 'domain', domain } as const]),
    ...(isNamed ? [{ by: 'name', name } as const] : []),
  ];
}

/** The same, for a source of Google's ads. */
export function searchWaysAtGoogle(question: AdsQuestion): readonly SearchWay[] {
  return searchWays(question, googleMapping(question.mapping));
}
