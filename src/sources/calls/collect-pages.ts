import type { Ad } from '../../core/ads/ad.ts';
import type { AdsAnswer, Extent, MatchedBy } from '../../core/ads/ads-answer.ts';
import { isSourceError } from '../../core/sources/source-errors.ts';
import type { ReadReply } from '../../core/sources/source-call.ts';
import { SourcePaused, SourceThrottled, SourceUnreadable } from '../../core/errors.ts';
import { distinctAds } from '../ads/distinct-ads.ts';

/** One page of a source's answer. */
export interface AdsPage {
  readonly ads: readonly Ad[];
  /** Token of the next page; null on the last one. */
  readonly next: string | null;
  /** Total number of ads, if the page reports it. */
  readonly estimate: Extent['estimate'];
}

/** Meaning of a page for the company. `asksOn`: another call follows if this page has no ads. */
export function saysOfPage({ ads, next }: AdsPage, { asksOn = false } = {}): ReadReply<AdsPage>['says'] {
  if (ads.length > 0) return 'found';
  return asksOn || next !== null ? 'candidates' : 'none';
}

export interface PageBounds {
  /** Maximum number of pages; each page is a call. */
  readonly pagesMax: number;
  /** Number of ads after which no further page is requested; null: only `pagesMax` applies. */
  readonly adsMax: number | null;
  readonly matchedBy: MatchedBy;
  /** `SourceCallExecutor.comesBack`. */
  readonly comesBack: boolean;
}

/**
 * Requests page after page and combines their ads in order.
 *
 * An error before the first ad is thrown. An error in a later page keeps the earlier ads and marks them as partial, unless it
 * is transient and the lookup is retried (`orError`). An answer without ads is `none`: the source was called and has none.
 *
 * The answer is truncated if there are further pages, or if the last page comes long before the reported total.
 *
 * @throws SourceUnreadable when no page has an ad and there are still more pages.
 */
export async function collectPages(
  readPage: ReadPage,
  { pagesMax, adsMax, matchedBy, comesBack }: PageBounds,
): Promise<AdsAnswer> {
  const readNew = refusingCircles(readPage);
  const first = await readNew(null, 1);
  let { ads, next } = first;
  let partial = false;
  for (let asked = 1; next !== null && asked < pagesMax && ads.length < (adsMax ?? Infinity); asked++) {
    const page = await orError(readNew(next, asked + 1), { hasAds: ads.length > 0, comesBack });
    partial = page === null;
    if (page === null) break;
    ads = distinctAds([...ads, ...page.ads]);
    next = page.next;
  }
  if (ads.length === 0 && next === null) return { kind: 'none', matchedBy };
  if (ads.length === 0) throw new SourceUnreadable('The source gives page after page without an ad.');
  const { estimate } = first;
  const truncated = !partial && (next !== null || endsEarly(ads, estimate));
  return { kind: 'found', ads: distinctAds(ads), matchedBy, extent: { partial, truncated, estimate } };
}

type ReadPage = (token: string | null, pageNumber: number) => Promise<AdsPage>;

/** @throws SourceUnreadable for a page that is followed by itself or by an earlier page. */
function refusingCircles(readPage: ReadPage): ReadPage {
  const asked = new Set<string | null>();
  return async (token, pageNumber) => {
    asked.add(token);
    const page = await readPage(token, pageNumber);
    if (page.next !== null && asked.has(page.next))
      throw new SourceUnreadable('The source answered with the token of a page that was asked for already.');
    return page;
  };
}

/** Fewer than half of the reported total: Google rounds its totals, to one digit in the worst case, and pages overlap. */
function endsEarly(ads: readonly Ad[], estimate: Extent['estimate']): boolean {
  return ads.length * 2 < (estimate?.low ?? 0);
}

/** Pages collected so far. */
export interface SoFar {
  readonly hasAds: boolean;
  /** `SourceCallExecutor.comesBack`. */
  readonly comesBack: boolean;
}

/**
 * Null for an error of the source if there are ads to continue with. Any other error is rethrown. So is a distant reservation,
 * a spent budget or a pause if the lookup is retried: then nothing is lost, and more ads can follow.
 */
export async function orError<T>(work: Promise<T>, { hasAds, comesBack }: SoFar): Promise<T | null> {
  try {
    return await work;
  } catch (error) {
    const canWait = comesBack && (error instanceof SourceThrottled || error instanceof SourcePaused);
    if (hasAds && isSourceError(error) && !canWait) return null;
    throw error;
  }
}
