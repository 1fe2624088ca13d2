import { platformId } from '../../core/companies/platform-id.ts';
import { chooseAdvertisers, type Suggestions } from '../../core/sources/choose-advertisers.ts';
import type { AdsQuestion, LiveAdSource } from '../../core/sources/ad-source.ts';
import { wholeExtent, type AdsAnswer, type MatchedBy } from '../../core/ads/ads-answer.ts';
import { geoTargetOf } from '../../core/ads/regions.ts';
import { googleMapping } from '../../core/companies/company-mapping.ts';
import { searchWaysAtGoogle, type SearchWay } from '../../core/sources/search-ways.ts';
import type { SourceCallExecutor, SourceCall, SourceLimits } from '../../core/sources/source-call.ts';
import { Misconfigured } from '../../core/errors.ts';
import type { HttpAnswer, HttpClient } from '../../adapters/http/http.ts';
import { askInGroups } from '../calls/ask-in-groups.ts';
import { nameAdvertisers } from '../calls/name-advertisers.ts';
import { ofSuggested } from '../calls/of-suggested.ts';
import { searchedFor } from '../calls/searched-domain.ts';
import { withAdvertisers } from '../calls/with-advertisers.ts';
import { bucketOf, parseBaseUrl, parseKey } from '../calls/credentials.ts';
import { distinctAds } from '../ads/distinct-ads.ts';
import { errorIn } from './envelope.ts';
import { adsTask, advertisersTask, type Task, type Whose } from './task.ts';
import { readAds, readAdvertisers } from './wire.ts';

export interface DataForSeoOptions {
  readonly http: Pick<HttpClient, 'send'>;
  /** Base URL, the part before `/v3`. The sandbox is `https://sandbox.dataforseo.com`. */
  readonly url: string;
  /** Both are secrets. */
  readonly credentials: { readonly login: string; readonly password: string };
  readonly limits: SourceLimits;
}

const bodyBytesMax = 10_000_000;
/** Number of ads in a billing unit. */
const billedAds = 40;
/** Default number of ads: our choice, at most three units per company. */
const depthByItself = 120;
/** Maximum number of ads of DataForSEO (its client, field `depth`). */
const depthMax = 700;
/** Maximum number of advertisers per call (its client, field `advertiser_ids`). */
const groupSizeMax = 25;
/** List price of a unit for live calls, USD. */
const unitPrice = 0.002;

/**
 * The ad source `dataforseo` (docs.dataforseo.com/v3/serp/google/ads_search/live/advanced): Google's ads by advertiser, by
 * domain, and by name through its search for advertisers.
 *
 * A unit is 40 returned ads or a part of them, or one search for advertisers: 0.002 USD each by the price list for live calls.
 * No result is billed as one unit. Its own client states that it bills what it returns, accepts up to 700 ads, and refunds the
 * difference to the requested number (github.com/dataforseo/PythonClient, SerpGoogleAdsSearchTaskPostRequestInfo, `depth`). The
 * cost in a reply, in USD, is the charge. Ads come in one answer without pages, 120 of them by default.
 *
 * @throws Misconfigured when the URL, the login or the password cannot be used.
 */
export function createDataForSeoSource(options: DataForSeoOptions): LiveAdSource {
  const base = parseBaseUrl('dataforseo', options.url);
  const { login, password } = parseCredentials(options.credentials);
  const api = createApi(base, { login, password }, options);
  return {
    kind: 'live',
    name: 'dataforseo',
    ownMapping: googleMapping,
    bucket: bucketOf('dataforseo', base, login, password),
    limits: options.limits,
    idempotent: false,
    findAds: async (question, executor) => {
      const [way] = searchWaysAtGoogle(question);
      return way === undefined ? { kind: 'no_match' } : findByWay(way, searchFor(api, question, executor));
    },
  };
}

function parseCredentials({ login, password }: DataForSeoOptions['credentials']) {
  // RFC 7617 §2: the first colon ends the login.
  if (login.includes(':')) throw new Misconfigured('The dataforseo login must not have a colon in it');
  return {
    login: parseKey('dataforseo', login, 'NIGHTSHIFT_DATAFORSEO_LOGIN'),
    password: parseKey('dataforseo', password, 'NIGHTSHIFT_DATAFORSEO_PASSWORD'),
  };
}

function basic(login: string, password: string): string {
  return `Basic ${Buffer.from(`${login}:${password}`).toString('base64')}`;
}

/** Sends one task to one of the two searches. */
interface Api {
  readonly ads: (task: Task) => SourceCall<unknown>['send'];
  readonly advertisers: (task: Task) => SourceCall<unknown>['send'];
}

function createApi(
  base: string,
  { login, password }: DataForSeoOptions['credentials'],
  { http, limits }: DataForSeoOptions,
): Api {
  const authorization = basic(login, password);
  const secrets = [login, password, `${login}:${password}`];
  const evaluate = (answer: HttpAnswer) => errorIn(answer, secrets);
  const to = (search: string) => {
    const url = new URL(`${base}/v3/serp/google/${search}/live/advanced`);
    return (task: Task) => (signal: AbortSignal) =>
      http.send(
        url,
        { method: 'POST', headers: { authorization }, json: [task], evaluate, secrets },
        { deadlineMs: limits.deadlineMs, bodyBytesMax, signal },
      );
  };
  return { ads: to('ads_search'), advertisers: to('ads_advertisers') };
}

/** The searches of one lookup. */
interface Search {
  readonly question: AdsQuestion;
  readonly byAdvertisers: (ids: readonly string[], matchedBy: MatchedBy) => Promise<AdsAnswer>;
  readonly byDomain: (domain: string, matchedBy: MatchedBy) => Promise<AdsAnswer>;
  readonly suggestions: (name: string) => Promise<Suggestions>;
}

async function findByWay(way: SearchWay, search: Search): Promise<AdsAnswer> {
  if (way.by === 'mapping') return search.byAdvertisers(way.advertiserIds, 'mapping');
  if (way.by === 'domain') return search.byDomain(way.domain, 'domain');
  const { company, region } = search.question;
  const suggestions = await search.suggestions(way.name);
  const chosen = chooseAdvertisers({ name: way.name, domain: company.domain }, suggestions, region);
  if (chosen.kind === 'domain')
    return searchedFor(chosen.domain, await search.byDomain(chosen.domain, 'domain_label'));
  if (chosen.kind === 'no_match') return chosen;
  const ids = chosen.advertisers.map((advertiser) => platformId(advertiser.id));
  return ofSuggested(chosen, withAdvertisers(await search.byAdvertisers(ids, 'name'), chosen.advertisers));
}

/** @throws ValidationError for an unknown region. */
function searchFor(api: Api, question: AdsQuestion, executor: SourceCallExecutor): Search {
  const { region, adsMax } = question;
  // Location codes are Google's geo targets.
  const locationCode = region === null ? null : geoTargetOf(region);
  const where = region === null ? '' : ` in ${region}`;
  const depth = depthFor(adsMax);
  const ask = (name: string, whose: Whose, matchedBy: MatchedBy, { asksOn } = { asksOn: false }) =>
    executor<AdsAnswer>({
      about: `ads of ${name}${where}`,
      unitsMax: unitsFor(depth),
      send: api.ads(adsTask(whose, { locationCode, depth })),
      read: (reply) => readAnswer(reply, { depth, matchedBy, asksOn }),
    });
  return {
    question,
    byDomain: (domain, matchedBy) => ask(domain, { domain }, matchedBy),
    byAdvertisers: (ids, matchedBy) =>
      askInGroups(
        ids,
        { sizeMax: groupSizeMax, adsMax, comesBack: executor.comesBack },
        (advertiserIds, more) => ask(nameAdvertisers(advertiserIds), { advertiserIds }, matchedBy, more),
      ),
    suggestions: (name) =>
      executor<Suggestions>({
        about: `advertisers named ${name}${where}`,
        unitsMax: 1,
        send: api.advertisers(advertisersTask(name, locationCode)),
        read: readSuggestions,
      }),
  };
}

function depthFor(adsMax: number | null): number {
  return Math.min(Math.ceil((adsMax ?? depthByItself) / billedAds) * billedAds, depthMax);
}

/** An answer without ads is billed as one unit. */
function unitsFor(ads: number): number {
  return Math.max(1, Math.ceil(ads / billedAds));
}

/**
 * Units of an answer by the price list: those of the returned ads. If the reply reports the price of all requested ads, that is
 * the cost until the refund, which no reply reports.
 */
function unitsOf(ads: number, { depth }: Asked, charged: number | null): number {
  const asked = unitsFor(depth);
  const isBeforeRefund = charged !== null && Math.abs(charged - asked * unitPrice) < unitPrice / 1000;
  return isBeforeRefund ? asked : unitsFor(ads);
}

/** Parameters of a request for ads. */
interface Asked {
  readonly depth: number;
  readonly matchedBy: MatchedBy;
  /** Another call follows if this one finds no ads. */
  readonly asksOn: boolean;
}

function readAnswer(reply: string, asked: Asked) {
  const { depth, matchedBy, asksOn } = asked;
  const { ads, charged } = readAds(reply);
  const bill = { units: unitsOf(ads.length, asked, charged), ...(charged === null ? {} : { charged }) };
  const nothing = { value: { kind: 'none', matchedBy }, says: asksOn ? 'candidates' : 'none' } as const;
  if (ads.length === 0) return { ...nothing, ...bill };
  const extent = { ...wholeExtent, truncated: ads.length >= depth };
  const value = { kind: 'found', ads: distinctAds(ads), matchedBy, extent } as const;
  return { value, says: 'found', ...bill } as const;
}

function readSuggestions(reply: string) {
  const { suggestions, charged } = readAdvertisers(reply);
  const bill = { units: 1, ...(charged === null ? {} : { charged }) };
  return { value: suggestions, says: 'candidates', ...bill } as const;
}
