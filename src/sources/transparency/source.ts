import type { AdsQuestion, LiveAdSource } from '../../core/sources/ad-source.ts';
import { geoTargetOf } from '../../core/ads/regions.ts';
import { googleMapping } from '../../core/companies/company-mapping.ts';
import type { SourceLimits } from '../../core/sources/source-call.ts';
import { Misconfigured } from '../../core/errors.ts';
import type { HttpClient } from '../../adapters/http/http.ts';
import { bucketOf, parseBaseUrl } from '../calls/credentials.ts';
import { createCallGap, type CallGap } from './call-gap.ts';
import { createControls } from './controls.ts';
import { findAds } from './find-ads.ts';
import type { Place } from './requests.ts';
import { createSendQuery, type Asker } from './send-query.ts';
import { createService } from './service.ts';

export interface TransparencyOptions {
  readonly http: Pick<HttpClient, 'send'>;
  /** Base address, the part before `/anji`. */
  readonly url: string;
  readonly asker: Asker;
  /** At most `transparencyLimits`, with a deadline. */
  readonly limits: SourceLimits;
  /** Maximum number of pages of 40 ads for one company: 1 to 5. Default 3. */
  readonly pagesMax?: number;
  /** Maximum number of ads without a picture whose details are called. Default: 0. */
  readonly detailsMax?: number;
  /** Keeps calls apart beyond the limits. Default: `createCallGap()`. */
  readonly waitForGap?: CallGap;
  /** A monotonic clock in milliseconds. Default: the system's. */
  readonly nowMs?: () => number;
}

/** Five pages hold all current ads of most advertisers (recorded replies). */
const pagesMaxMax = 5;

/**
 * The ad source `transparency`: the interface behind Google's public Ads Transparency Center. It needs no key and costs nothing
 * (0 units a call). It is not documented and may change, and the operator is responsible for complying with its terms.
 *
 * It knows advertisers by their id, companies by their domain, and suggestions for names, of which only certain ones are used.
 * Ads come from all advertisers that a search finds, the most recently shown first. Calls identify Nightshift, and stop at a
 * block.
 *
 * The caller has checked that the operator accepts `transparencyTerms`.
 *
 * @throws Misconfigured for options that cannot be used.
 */
export function createTransparencySource(options: TransparencyOptions): LiveAdSource {
  const { http, url, asker, limits, pagesMax = 3, detailsMax = 0, waitForGap = createCallGap() } = options;
  const { nowMs } = options;
  if (!Number.isInteger(pagesMax) || pagesMax < 1 || pagesMax > pagesMaxMax) {
    throw new Misconfigured(`The source transparency reads 1 to ${pagesMaxMax} pages of a company's ads.`);
  }
  const base = parseBaseUrl('transparency', url);
  const send = createSendQuery({ http, base, asker, deadlineMs: limits.deadlineMs, waitForGap });
  const controls = createControls(nowMs);
  return {
    kind: 'live',
    name: 'transparency',
    ownMapping: googleMapping,
    bucket: bucketOf('transparency', base),
    limits,
    // A repeat costs nothing and changes nothing.
    idempotent: true,
    findAds: async (question, executor) =>
      findAds(question, createService({ executor, send, place: placeOf(question), controls }), {
        pagesMax,
        detailsMax,
      }),
  };
}

/** @throws ValidationError for an unknown region: the service would return an empty list. */
function placeOf({ region }: AdsQuestion): Place | null {
  return region === null ? null : { region, geoTarget: geoTargetOf(region) };
}
