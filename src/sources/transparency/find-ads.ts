import type { AdsQuestion } from '../../core/sources/ad-source.ts';
import type { AdsAnswer, MatchedBy, NoMatch } from '../../core/ads/ads-answer.ts';
import { platformId } from '../../core/companies/platform-id.ts';
import { chooseAdvertisers } from '../../core/sources/choose-advertisers.ts';
import { searchWaysAtGoogle } from '../../core/sources/search-ways.ts';
import { completeAds } from '../calls/complete-ads.ts';
import { collectPages } from '../calls/collect-pages.ts';
import { ofSuggested, type Suggested } from '../calls/of-suggested.ts';
import { searchedFor } from '../calls/searched-domain.ts';
import { withAdvertisers } from '../calls/with-advertisers.ts';
import type { Search } from './requests.ts';
import type { Service } from './service.ts';

/** Bounds of the calls of one lookup. */
export interface CallBounds {
  /** Maximum number of pages of 40 ads. */
  readonly pagesMax: number;
  /** Maximum number of ads without a picture that are called about. */
  readonly detailsMax: number;
}

/** The chosen search, and the evidence for it. */
interface Decided {
  readonly kind: 'search';
  readonly search: Search;
  readonly matchedBy: MatchedBy;
  readonly suggested?: Suggested;
}

/**
 * Finds the ads of one company: by its mapped advertisers, by its domain, or by the suggestions of the service for its name,
 * whichever exists first.
 */
export async function findAds(
  question: AdsQuestion,
  service: Service,
  { pagesMax, detailsMax }: CallBounds,
): Promise<AdsAnswer> {
  const decided = await decide(question, service);
  if (decided.kind === 'no_match') return decided;
  const { search, matchedBy, suggested } = decided;
  const { adsMax, mapping } = question;
  const { comesBack } = service;
  const paged = await collectPages((token, pageNumber) => service.creatives(search, token, pageNumber), {
    pagesMax,
    adsMax,
    matchedBy,
    comesBack,
  });
  const completed = await completeAds(paged, { detailsMax, adsMax, mapping, comesBack }, (ids) =>
    service.creative(ids),
  );
  if (search.by === 'domain') return searchedFor(search.domain, completed);
  return suggested === undefined
    ? completed
    : ofSuggested(suggested, withAdvertisers(completed, suggested.advertisers));
}

/** `no_match` if the company cannot be identified. */
async function decide(question: AdsQuestion, service: Service): Promise<Decided | NoMatch> {
  const [way] = searchWaysAtGoogle(question);
  const kind = 'search' as const;
  switch (way?.by) {
    case undefined:
      return { kind: 'no_match' };
    case 'mapping':
      return { kind, search: { by: 'advertisers', advertiserIds: way.advertiserIds }, matchedBy: 'mapping' };
    case 'domain':
      return { kind, search: way, matchedBy: 'domain' };
    case 'name':
      return decideByName(way.name, question, service);
  }
}

async function decideByName(
  name: string,
  { company: { domain }, region }: AdsQuestion,
  service: Service,
): Promise<Decided | NoMatch> {
  const chosen = chooseAdvertisers({ name, domain }, await service.suggestions(name), region);
  const kind = 'search' as const;
  switch (chosen.kind) {
    case 'domain':
      return { kind, search: { by: 'domain', domain: chosen.domain }, matchedBy: 'domain_label' };
    case 'advertisers': {
      const advertiserIds = chosen.advertisers.map(({ id }) => platformId(id));
      const search = { by: 'advertisers', advertiserIds } as const;
      return { kind, search, matchedBy: 'name', suggested: chosen };
    }
    case 'no_match':
      return chosen;
  }
}
