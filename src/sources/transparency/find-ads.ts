import type { AdsQuestion } from '../../core/sources/ad-source.ts';
import type { AdsAnswer, MatchedBy } from '../../core/ads/ads-answer.ts';
import { chooseAdvertisers, type SuggestedAdvertiser } from '../../core/sources/choose-advertisers.ts';
import { searchWaysAtGoogle } from '../../core/sources/search-ways.ts';
import { completeAds } from '../calls/complete-ads.ts';
import { collectPages } from '../calls/collect-pages.ts';
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
  readonly search: Search;
  readonly matchedBy: MatchedBy;
  /** The chosen suggestions. Default: none. */
  readonly advertisers?: readonly SuggestedAdvertiser[];
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
  if (decided === null) return { kind: 'no_match' };
  const { search, matchedBy, advertisers = [] } = decided;
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
  const answer = withAdvertisers(completed, advertisers);
  return search.by === 'domain' ? searchedFor(search.domain, answer) : answer;
}

/** Null if the company cannot be identified. */
async function decide(question: AdsQuestion, service: Service): Promise<Decided | null> {
  const [way] = searchWaysAtGoogle(question);
  switch (way?.by) {
    case undefined:
      return null;
    case 'mapping':
      return { search: { by: 'advertisers', advertiserIds: way.advertiserIds }, matchedBy: 'mapping' };
    case 'domain':
      return { search: way, matchedBy: 'domain' };
    case 'name':
      return decideByName(way.name, question.region, service);
  }
}

async function decideByName(name: string, region: string | null, service: Service): Promise<Decided | null> {
  const chosen = chooseAdvertisers(name, await service.suggestions(name), region);
  switch (chosen.kind) {
    case 'domain':
      return { search: { by: 'domain', domain: chosen.domain }, matchedBy: 'domain_label' };
    case 'advertisers': {
      const advertiserIds = chosen.advertisers.map(({ id }) => id);
      const search = { by: 'advertisers', advertiserIds } as const;
      return { search, matchedBy: 'name', advertisers: chosen.advertisers };
    }
    case 'no_match':
      return null;
  }
}
