import type { Ad } from '../../core/ads/ad.ts';
import type { AdsAnswer, Extent, MatchedBy } from '../../core/ads/ads-answer.ts';
import { isSourceError } from '../../core/sources/source-call-executor.ts';
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

/** Meaning of a page for the company. `asksOn`: another question follows where this one finds no ads. */
export function saysOfPage({ ads, next }: AdsPage, { asksOn = false } = {}): ReadReply<AdsPage>['says'] {
  if (ads.length > 0) return 'found';
  return asksOn || next !== null ? 'candidates' : 'none';
}

export interface PageBounds {
  /** Pages asked for at most; every one is a call. */
  readonly pagesMax: number;
  /** Ads after which no further page is asked for; null: only `pagesMax` counts. */
  readonly adsMax: number | null;
  readonly matchedBy: MatchedBy;
  /** `Exchange.comesBack`. */
  readonly comesBack: boolean;
}

/**
 * Asks for one page after the other, and puts their ads together in their order.
 *
 * Trouble before the first ad is thrown; trouble with a later page leaves what came before it, marked as partial, unless it passes and
 * one comes back (`orTrouble`). An answer without ads is `none`: the source was asked and has none.
 *
 * It is truncated where there are pages that were not asked for, and where the last page comes long before the ads that were counted.
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

/** @throws SourceUnreadable for a page that is followed by itself or by one before it. */
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

/** Fewer than half of the ads that were counted: Google's counts are rounded, to one digit at worst, and pages overlap. */
function endsEarly(ads: readonly Ad[], estimate: Extent['estimate']): boolean {
  return ads.length * 2 < (estimate?.low ?? 0);
}

/** Pages collected so far. */
export interface SoFar {
  readonly hasAds: boolean;
  /** `Exchange.comesBack`. */
  readonly comesBack: boolean;
}

/**
 * Null for trouble that the source made, where ads are there to go on with. Any other error is thrown on; so is a turn that is too far
 * away, a spent budget or a pause, where one comes back to the ads: then there is nothing lost, and more to be had.
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
