import { addDays } from '../time/day.ts';
import type { DrawnDays } from './charts.ts';
import type { CompanyActivity } from './schedule-data.ts';

/** Data of charts, reduced to its last days. */
export function lastDays<Figures extends DrawnDays & { readonly days: readonly { readonly day: string }[] }>(
  figures: Figures,
  count: number,
): Figures {
  const { window } = figures;
  if (window === null) return figures;
  const from = addDays(window.to, 1 - count);
  if (from <= window.from) return figures;
  return {
    ...figures,
    window: { from, to: window.to },
    activity: figures.activity.map((each) => activityFrom(each, from)),
    days: figures.days.filter(({ day }) => day >= from),
  };
}

/** Continues the value of the last day before the first day. */
function activityFrom({ company, before, days }: CompanyActivity, from: string): CompanyActivity {
  const earlier = days.filter(({ day }) => day < from);
  return {
    company,
    before: earlier.at(-1)?.adsActive ?? before,
    days: days.slice(earlier.length),
  };
}
