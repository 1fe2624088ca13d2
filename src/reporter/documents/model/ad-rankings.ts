import type { AdRankings, CompanyAd, ShownAd } from '../../../core/reports/reported-ads.ts';
import { countText } from './report-labels.ts';

/** A list of ads by a number that their sources count. */
export interface AdRanking {
  readonly title: string;
  readonly caption: string;
  readonly valueTitle: string;
  readonly ads: readonly CompanyAd[];
  readonly valueOf: (ad: ShownAd) => number;
  readonly textOf: (ad: ShownAd) => string;
}

/** Rankings for a report; one without ads is left out. */
export function adRankings({ largestReach, longestShown }: AdRankings): readonly AdRanking[] {
  return [
    {
      title: 'Ads with the largest reach',
      caption: 'Number of times that ads were shown, as their sources count it',
      valueTitle: 'Times shown',
      ads: largestReach,
      valueOf: reachOfAd,
      textOf: reachText,
    },
    {
      title: 'Longest really shown',
      caption: 'Number of days on which ads were shown, as their sources count them',
      valueTitle: 'Days',
      ads: longestShown,
      valueOf: daysOfAd,
      textOf: (ad: ShownAd) => countText(daysOfAd(ad)),
    },
  ].filter(({ ads }) => ads.length > 0);
}

function daysOfAd({ details }: ShownAd): number {
  return details?.daysShown ?? 0;
}

function reachOfAd({ details }: ShownAd): number {
  return details?.timesShownUpper ?? details?.timesShownLower ?? 0;
}

function reachText(ad: ShownAd): string {
  const { timesShownLower: lower = null, timesShownUpper: upper = null } = ad.details ?? {};
  if (upper === null) return `${countText(lower ?? 0)} or more`;
  return lower === upper ? countText(upper) : `${countText(lower ?? 0)} to ${countText(upper)}`;
}
