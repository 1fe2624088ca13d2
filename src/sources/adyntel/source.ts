import type { AdsQuestion, LiveAdSource } from '../../core/sources/ad-source.ts';
import type { AdsAnswer } from '../../core/ads/ads-answer.ts';
import { googleMapping } from '../../core/companies/company-mapping.ts';
import { searchWays } from '../../core/sources/search-ways.ts';
import type { SourceCallExecutor, SourceLimits } from '../../core/sources/source-call.ts';
import { Misconfigured, SourceUnreadable, type EnrichError } from '../../core/errors.ts';
import type { HttpAnswer, HttpClient } from '../../adapters/http/http.ts';
import { collectPages, saysOfPage, type AdsPage } from '../calls/collect-pages.ts';
import { bucketOf, parseBaseUrl, parseKey } from '../calls/credentials.ts';
import { parsePage, toBody } from './wire.ts';

export interface AdyntelOptions {
  readonly http: Pick<HttpClient, 'send'>;
  /** Base address, http or https, without user, query or fragment. */
  readonly url: string;
  /** The account's API key. A secret. */
  readonly key: string;
  /** The account's e-mail address, which belongs to the credential. A secret. */
  readonly email: string;
  readonly limits: SourceLimits;
  /** Maximum number of pages, each of which costs a credit. Default: 2, our choice. */
  readonly pagesMax?: number;
  /** True if a 204 means that there are no ads, which is the default; otherwise a 204 is unreadable. */
  readonly is204None?: boolean;
}

const bodyBytesMax = 10_000_000;

/**
 * The ad source `adyntel`: the Ads Transparency Center through Adyntel, whose ads are shape B.
 *
 * It knows companies only by domain; a company without one is `no_match` without a call. It returns the ads of all advertisers
 * that advertise the domain, from anywhere. A unit is a call, which costs a credit; Adyntel does not report charges.
 *
 * @throws Misconfigured when the URL, the key or the address cannot be used.
 */
export function createAdyntelSource(options: AdyntelOptions): LiveAdSource {
  const { http, limits, pagesMax = 2, is204None = true } = options;
  const evaluate = rejectSilence(is204None);
  const base = parseBaseUrl('adyntel', options.url);
  const account = { key: parseKey('adyntel', options.key), email: parseEmail(options.email) };
  const url = new URL(`${base}/google`);
  const bounds = { deadlineMs: limits.deadlineMs, bodyBytesMax };

  function askForPage(executor: SourceCallExecutor, about: string, pageNumber: number, json: unknown) {
    return executor<AdsPage>({
      about: `${about}, page ${pageNumber}`,
      unitsMax: 1,
      send: (signal) =>
        http.send(
          url,
          {
            method: 'POST',
            headers: { accept: 'application/json' },
            json,
            evaluate,
            secrets: [account.key, account.email],
          },
          { ...bounds, signal },
        ),
      read: (reply) => {
        const page = parsePage(reply, pageNumber);
        return { value: page, says: saysOfPage(page), units: 1 };
      },
    });
  }

  async function findAds(question: AdsQuestion, executor: SourceCallExecutor): Promise<AdsAnswer> {
    const way = searchWays(question).find(({ by }) => by === 'domain');
    if (way?.by !== 'domain') return { kind: 'no_match' };
    const { domain } = way;
    const about = `ads of ${domain}`;
    return collectPages(
      (token, pageNumber) => askForPage(executor, about, pageNumber, toBody(account, domain, token)),
      { pagesMax, adsMax: question.adsMax, matchedBy: 'domain', comesBack: executor.comesBack },
    );
  }

  const bucket = bucketOf('adyntel', base, account.email, account.key);
  return {
    kind: 'live',
    name: 'adyntel',
    ownMapping: googleMapping,
    bucket,
    limits,
    idempotent: false,
    findAds,
  };
}

/**
 * An empty body is not an answer, except with a 204: Adyntel reports no ads that way, according to its users. The operator can
 * make a 204 unreadable too.
 */
function rejectSilence(is204None: boolean) {
  return ({ status, text }: HttpAnswer): EnrichError | null => {
    const isSilent = text === '' && status >= 200 && status < 300;
    if (!isSilent || (status === 204 && is204None)) return null;
    return new SourceUnreadable(`Adyntel answered ${status} with an empty body`);
  };
}

/** @throws Misconfigured without the text itself, because it may be the key. */
function parseEmail(email: string): string {
  if (/^[^\s@]+@[^\s@]+$/.test(email)) return email;
  throw new Misconfigured('The adyntel e-mail address must be one address, without blanks');
}
