import { addDays } from '../time/day.ts';
import type { CompanyActivity } from './schedule-data.ts';

/** Number of ads that ran from one day to another, both included; `YYYY-MM-DD`. */
export interface AdRuns {
  readonly start: string;
  readonly lastSeen: string;
  readonly ads: number;
}

/**
 * Counts running ads before a span of days, and on each of its days on which the number changed. A run that ends before it
 * starts does not count.
 */
export function countRunning(
  runs: readonly AdRuns[],
  { from, to }: { readonly from: string; readonly to: string },
): Pick<CompanyActivity, 'before' | 'days'> {
  const steps = new Map<string, number>();
  const step = (day: string, ads: number) => steps.set(day, (steps.get(day) ?? 0) + ads);
  for (const { start, lastSeen, ads } of runs) {
    if (start > lastSeen) continue;
    step(start, ads);
    step(addDays(lastSeen, 1), -ads);
  }
  let before = 0;
  let adsActive = 0;
  const days: { day: string; adsActive: number }[] = [];
  for (const [day, ads] of [...steps].sort(([a], [b]) => (a < b ? -1 : 1))) {
    if (ads === 0 || day > to) continue;
    adsActive += ads;
    if (day < from) before = adsActive;
    else days.push({ day, adsActive });
  }
  return { before, days };
}
