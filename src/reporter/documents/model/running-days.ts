import type { ShownAd } from '../../../core/reports/reported-ads.ts';
import { daysFrom } from '../../../core/reports/days.ts';

/** Counts the days on which an ad ran, first and last included; 0 without dates. */
export function runningDays({ start, lastSeen }: ShownAd): number {
  return start === null || lastSeen === null ? 0 : Math.max(0, daysFrom(start, lastSeen) + 1);
}
