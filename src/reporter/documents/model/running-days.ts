import type { ShownAd } from '../../../core/reports/reported-ads.ts';
import { daysFrom } from '../../../core/reports/days.ts';

/** Days on which an ad ran, its first and its last counted; 0 where its source does not say so. */
export function runningDays({ start, lastSeen }: ShownAd): number {
  return start === null || lastSeen === null ? 0 : Math.max(0, daysFrom(start, lastSeen) + 1);
}
