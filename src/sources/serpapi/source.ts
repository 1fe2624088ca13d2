import type { AdsQuestion, LiveAdSource } from '../../core/sources/ad-source.ts';
import type { AdsAnswer } from '../../core/ads/ads-answer.ts';
import { geoTargetOf } from '../../core/ads/regions.ts';
import { googleMapping } from '../../core/companies/company-mapping.ts';
import { searchWaysAtGoogle } from '../../core/sources/search-ways.ts';
import type { SourceCall, SourceCallExecutor, SourceLimits } from '../../core/sources/source-call.ts';
import type { HttpClient } from '../../adapters/http/http.ts';
import { collectPages, saysOfPage, type AdsPage } from '../calls/collect-pages.ts';
import { bucketOf, parseBaseUrl, parseKey } from '../calls/credentials.ts';
import { completeAds, type AdDetail, type AdIds } from '../calls/complete-ads.ts';
import { nameAdvertisers } from '../calls/name-advertisers.ts';
import { serpapiError } from './errors.ts';
import { parseDetail, toDetailQuery } from './wire-detail.ts';
import { parsePage, toQuery, type PageQuestion } from './wire.ts';

export interface SerpapiOptions {
  readonly http: Pick<HttpClient, 'send'>;
  /** Base address, http or https, without user, query or fragment. */
  readonly url: string;
  /** The account's API key. A secret, sent in the query because SerpApi has no other place for it. */
  readonly key: string;
  readonly limits: SourceLimits;
  /** Maximum number of pages of up to 100 ads, each of which costs a search. Default: 2, our choice. */
  readonly pagesMax?: number;
  /** Maximum number of ads without a picture whose details are called, each of which costs a search. Default: 0. */
  readonly detailsMax?: number;
}

const bodyBytesMax = 10_000_000;

/**
 * The ad source `serpapi`: the Ads Transparency Center through SerpApi.
 *
 * It searches by mapped advertisers, else by domain; SerpApi finds nothing by name, so a company with only a name is `no_match`
 * without a call. A search by domain returns the ads of all advertisers that advertise it. A unit is a search: a page, even
 * without ads, or the details of an ad (serpapi.com/pricing). SerpApi does not report charges. A repeat within an hour is free there, but this source
 * does not rely on it, because SerpApi has no `Idempotency-Key`.
 *
 * @throws Misconfigured when the URL or the key cannot be used.
 */
export function createSerpapiSource(options: SerpapiOptions): LiveAdSource {
  const { http, limits, pagesMax = 2, detailsMax = 0 } = options;
  const base = parseBaseUrl('serpapi', options.url);
  const key = parseKey('serpapi', options.key);
  const bounds = { deadlineMs: limits.deadlineMs, bodyBytesMax };

  /** Sends a query, which includes the secret key. */
  function sendQuery(query: URLSearchParams): SourceCall<unknown>['send'] {
    const url = new URL(`${base}/search.json?${query}`);
    const headers = { accept: 'application/json' };
    return (signal) =>
      http.send(
        url,
        { method: 'GET', headers, evaluate: serpapiError, secrets: [key] },
        { ...bounds, signal },
      );
  }

  function askForPage(
    executor: SourceCallExecutor,
    about: string,
    pageNumber: number,
    question: PageQuestion,
  ) {
    return executor<AdsPage>({
      about: `${about}, page ${pageNumber}`,
      unitsMax: 1,
      send: sendQuery(toQuery(question, key)),
      read: (reply) => {
        const page = parsePage(reply, pageNumber);
        return { value: page, says: saysOfPage(page), units: 1 };
      },
    });
  }

  function askForDetail(executor: SourceCallExecutor, ids: AdIds) {
    return executor<AdDetail>({
      about: `details of ${ids.creativeId} by ${ids.advertiserId}`,
      unitsMax: 1,
      send: sendQuery(toDetailQuery(ids, key)),
      read: (reply) => ({ value: parseDetail(reply), says: 'found', units: 1 }),
    });
  }

  async function findAds(question: AdsQuestion, executor: SourceCallExecutor): Promise<AdsAnswer> {
    const { surface = null } = question;
    const geoTarget = question.region === null ? null : geoTargetOf(question.region);
    const way = searchWaysAtGoogle(question).find((each) => each.by !== 'name');
    if (way === undefined) return { kind: 'no_match' };
    const whose = way.by === 'domain' ? way.domain : nameAdvertisers(way.advertiserIds);
    const where = `${question.region === null ? '' : ` in ${question.region}`}${surface === null ? '' : ` on ${surface}`}`;
    const about = `ads of ${whose}${where}`;
    const { adsMax, mapping } = question;
    const { comesBack } = executor;
    const answer = await collectPages(
      (token, pageNumber) => askForPage(executor, about, pageNumber, { way, geoTarget, surface, token }),
      { pagesMax, adsMax, matchedBy: way.by, comesBack },
    );
    return completeAds(answer, { detailsMax, adsMax, mapping, comesBack }, (ids) =>
      askForDetail(executor, ids),
    );
  }

  const bucket = bucketOf('serpapi', base, key);
  return {
    kind: 'live',
    name: 'serpapi',
    ownMapping: googleMapping,
    bucket,
    limits,
    idempotent: false,
    findAds,
  };
}
