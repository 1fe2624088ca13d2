import type { Suggestions } from '../../core/sources/choose-advertisers.ts';
import type { ReadReply } from '../../core/sources/source-call.ts';
import { saysOfPage, type AdsPage } from '../calls/collect-pages.ts';
import type { AdDetail, AdIds } from '../calls/complete-ads.ts';
import { nameAdvertisers } from '../calls/name-advertisers.ts';
import {
  creativeRequest,
  creativesRequest,
  suggestionsRequest,
  type Place,
  type Search,
} from './requests.ts';
import { readCreative } from './creative-detail.ts';
import { readSuggestions } from './suggestions.ts';
import { readCreatives } from './wire.ts';

/** One call to the service: its method and parameters, and the meaning of its reply. */
export interface Query<T> {
  /** `SourceCall.about`. */
  readonly about: string;
  readonly method: string;
  readonly fReq: string;
  /** @throws EmptyReply | SourceUnreadable */
  readonly read: (text: string) => T;
  /** Meaning of an answer for the company. */
  readonly saysOf: (answer: T) => ReadReply<T>['says'];
}

/** The page of creatives for a token; null for the first page. */
export function creativesQuery(
  search: Search,
  place: Place | null,
  token: string | null,
  pageNumber: number,
): Query<AdsPage> {
  const whom = search.by === 'domain' ? search.domain : nameAdvertisers(search.advertiserIds);
  return {
    about: `ads of ${whom}${place === null ? '' : ` in ${place.region}`}, page ${pageNumber}`,
    method: 'SearchService/SearchCreatives',
    fReq: creativesRequest(search, place, token),
    read: (text) => readCreatives(text, token === null),
    saysOf: (page) => saysOfPage(page),
  };
}

/** Query for one creative. */
export function creativeQuery(ids: AdIds): Query<AdDetail> {
  return {
    about: `details of ${ids.creativeId} by ${ids.advertiserId}`,
    method: 'LookupService/GetCreativeById',
    fReq: creativeRequest(ids),
    read: (text) => readCreative(text, ids),
    saysOf: () => 'found',
  };
}

/** Query for the candidates of a name. */
export function suggestionsQuery(name: string): Query<Suggestions> {
  return {
    about: `who is ${JSON.stringify(name)}`,
    method: 'SearchService/SearchSuggestions',
    fReq: suggestionsRequest(name),
    read: readSuggestions,
    saysOf: ({ domains, advertisers }) =>
      domains.length + advertisers.length === 0 ? 'no_match' : 'candidates',
  };
}
