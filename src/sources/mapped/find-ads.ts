import { searchedFor } from '../calls/searched-domain.ts';
import assert from 'node:assert/strict';
import type { AdsQuestion } from '../../core/sources/ad-source.ts';
import type { AdsAnswer, MatchedBy } from '../../core/ads/ads-answer.ts';
import { platformId } from '../../core/companies/platform-id.ts';
import { chooseAdvertisers, type Suggestions } from '../../core/sources/choose-advertisers.ts';
import { geoTargetOf } from '../../core/ads/regions.ts';
import type { SearchWay } from '../../core/sources/search-ways.ts';
import type { SourceCallExecutor, SourceCall } from '../../core/sources/source-call.ts';
import { ValidationError } from '../../core/errors.ts';
import { ofSuggested } from '../calls/of-suggested.ts';
import { askInGroups } from '../calls/ask-in-groups.ts';
import { collectPages, saysOfPage, type AdsPage } from '../calls/collect-pages.ts';
import { nameAdvertisers } from '../calls/name-advertisers.ts';
import type { RequestMap, SourceMap } from './map-shape.ts';
import { regionRequired } from './regions.ts';
import { placeholdersOf, regionPlacesOf } from './request.ts';
import type { PlaceholderValues } from './templates.ts';
import { readSuggestions } from './wire-suggestions.ts';
import { readPage } from './wire.ts';

/** Values of the placeholders of a request, without the key. */
type Values = Omit<PlaceholderValues, 'secret'>;

/** Prepares a request for sending. */
export type Send = (template: RequestMap, values: Values) => SourceCall<unknown>['send'];

/** A lookup, and how to send it. */
export interface Asking {
  /** Id of the source. */
  readonly name: string;
  readonly map: SourceMap;
  /** `YYYY-MM-DD`. */
  readonly today: string;
  readonly question: AdsQuestion;
  readonly executor: SourceCallExecutor;
  readonly send: Send;
}

/**
 * Searches the ads of a company in one way. A name is resolved first, if the map has a search for advertisers.
 *
 * @throws ValidationError for an unknown region, or for a region when the map's request has no place for it.
 */
export async function findAds(way: SearchWay, asking: Asking): Promise<AdsAnswer> {
  if (way.by === 'mapping') return findByAdvertisers(way.advertiserIds, 'mapping', asking);
  if (way.by === 'domain') return findByDomain(way.domain, 'domain', asking);
  const suggestions = searchable(await suggestionsFor(way.name, asking), asking.map);
  const { company, region } = asking.question;
  const chosen = chooseAdvertisers({ name: way.name, domain: company.domain }, suggestions, region);
  if (chosen.kind === 'no_match') return chosen;
  if (chosen.kind === 'domain')
    return searchedFor(chosen.domain, await findByDomain(chosen.domain, 'domain_label', asking));
  const ids = chosen.advertisers.map((advertiser) => platformId(advertiser.id));
  return ofSuggested(chosen, await findByAdvertisers(ids, 'name', asking));
}

/** Candidates for which the map has a request. */
function searchable({ domains, advertisers }: Suggestions, { requests }: SourceMap): Suggestions {
  return {
    domains: requests.domain === undefined ? [] : domains,
    advertisers: requests.mapping === undefined ? [] : advertisers,
  };
}

function findByDomain(domain: string, matchedBy: MatchedBy, asking: Asking): Promise<AdsAnswer> {
  const request = given(asking.map.requests.domain);
  return findInPages({ request, whose: domain, values: { domain }, matchedBy }, asking);
}

function findByAdvertisers(ids: readonly string[], matchedBy: MatchedBy, asking: Asking): Promise<AdsAnswer> {
  const request = given(asking.map.requests.mapping);
  const bounds = {
    sizeMax: request.advertisers_per_call,
    adsMax: asking.question.adsMax,
    comesBack: asking.executor.comesBack,
  };
  return askInGroups(ids, bounds, (group, { asksOn }) => {
    const values = { advertiser_id: group.join(',') };
    const only = request.only_requested ? group : undefined;
    return findInPages({ request, whose: nameAdvertisers(group), values, matchedBy, asksOn, only }, asking);
  });
}

/** A search for ads. */
interface Search {
  readonly request: RequestMap;
  readonly whose: string;
  readonly values: Partial<Values>;
  readonly matchedBy: MatchedBy;
  /** Another search follows if this one finds no ads. */
  readonly asksOn?: boolean;
  /** The only advertisers that the answer may have; undefined: any. */
  readonly only?: readonly string[] | undefined;
}

function findInPages(search: Search, asking: Asking): Promise<AdsAnswer> {
  const { request, whose, values, matchedBy } = search;
  const { map, question, executor, send } = asking;
  const base = { ...valuesOf(request, asking), ...values };
  const unitsMax = map.price.per_call + map.price.per_ad * adsPerCall(asking);
  const ask = async (token: string | null, pageNumber: number) => {
    const page = await executor<AdsPage>({
      about: `ads of ${whose}${placeOf(question)}${pageNumber === 1 ? '' : `, page ${pageNumber}`}`,
      unitsMax,
      send: send(request, { ...base, page_token: token === null ? null : sentToken(token, map) }),
      read: (reply) => readCharged(reply, token, search, asking),
    });
    return { ...page, next: page.next === null ? null : numberedToken(page.next, pageNumber, map) };
  };
  const pagesMax = map.reply.next_page === undefined ? 1 : map.pages_max;
  return collectPages(ask, { pagesMax, adsMax: question.adsMax, matchedBy, comesBack: executor.comesBack });
}

/** Adds the number of the page to a token that stays the same from page to page: otherwise it would look like a circle. */
function numberedToken(token: string, pageNumber: number, { reply }: SourceMap): string {
  return reply.next_page_repeats ? `${pageNumber} ${token}` : token;
}

function sentToken(token: string, { reply }: SourceMap): string {
  return reply.next_page_repeats ? token.slice(token.indexOf(' ') + 1) : token;
}

function readCharged(
  reply: string,
  token: string | null,
  { request, asksOn = false, only }: Search,
  asking: Asking,
) {
  const { map, today } = asking;
  const page = readPage(reply, map, { isFirst: token === null, only, today });
  const isFull = page.ads.length >= adsPerCall(asking) && placeholdersOf(request).includes('ads_max');
  return {
    // Without pages, a full reply means that there are more ads, which cannot be requested.
    value: map.reply.next_page === undefined && isFull ? { ...page, next: 'more' } : page,
    says: saysOfPage(page, { asksOn }),
    units: map.price.per_call + map.price.per_ad * page.ads.length,
  };
}

function suggestionsFor(name: string, asking: Asking): Promise<Suggestions> {
  const { map, question, executor, send } = asking;
  const request = given(map.requests.name);
  const units = map.price.per_name_search;
  return executor<Suggestions>({
    about: `advertisers named ${name}${placeOf(question)}`,
    unitsMax: units,
    send: send(request, { ...commonValues(asking), name }),
    read: (reply) => ({ value: readSuggestions(reply, map, request.suggestions), says: 'candidates', units }),
  });
}

/**
 * @throws ValidationError when the request has no place for the requested region: the answer would be for anywhere. Also when it requires a
 * region, and none is requested.
 */
function valuesOf(request: RequestMap, asking: Asking): Values {
  const { region } = asking.question;
  const values = commonValues(asking);
  const places = regionPlacesOf(request);
  if (region === null && places.some(({ isRequired }) => isRequired)) throw regionRequired(asking.name);
  if (region === null || places.length > 0) return values;
  throw new ValidationError(`${asking.map.label} cannot search by region: its map has no {region} in it`, {
    where: 'region',
  });
}

/** @throws ValidationError for an unknown region: vendors answer with an empty list, not with an error. */
function commonValues(asking: Asking): Values {
  const { region } = asking.question;
  const target = region === null ? null : geoTargetOf(region);
  return {
    ...{ domain: null, name: null, advertiser_id: null, page_token: null },
    region,
    region_number: target === null ? null : String(target),
    ads_max: String(adsPerCall(asking)),
  };
}

function adsPerCall({ map, question }: Asking): number {
  return Math.min(question.adsMax ?? map.ads_per_call, map.ads_per_call);
}

function placeOf({ region }: AdsQuestion): string {
  return region === null ? '' : ` in ${region}`;
}

/** The caller has checked that the map has it. */
function given<T>(request: T | undefined): T {
  assert(request !== undefined, 'the map has no request for this search');
  return request;
}
