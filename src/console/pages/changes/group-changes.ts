import type { components } from '../../../../examples/typescript-client/schema.ts';
import { formatCount } from '../../components/format.ts';
import { kindLabels, type Kind } from './change-labels.ts';

type Change = components['schemas']['Change'];

/** Changes of a company that the scans of a day found. */
export interface CompanyChanges {
  readonly company: string;
  readonly changes: readonly Change[];
}

/** Changes of a day, `YYYY-MM-DD`. */
export interface DayChanges {
  readonly day: string;
  readonly companies: readonly CompanyChanges[];
}

/**
 * Groups changes by day and company, both in the order in which they first occur.
 *
 * @param labels returns the day of a time, and the label of the company of a change.
 */
export function groupChanges(
  changes: readonly Change[],
  labels: { readonly day: (at: string) => string; readonly company: (change: Change) => string },
): readonly DayChanges[] {
  const days = new Map<string, Map<string, Change[]>>();
  for (const change of changes) {
    const day = labels.day(change.rests_on_at.at(-1) ?? change.observed_at);
    const companies = days.get(day) ?? new Map<string, Change[]>();
    const company = labels.company(change);
    companies.set(company, [...(companies.get(company) ?? []), change]);
    days.set(day, companies);
  }
  return [...days].map(([day, companies]) => ({
    day,
    companies: [...companies].map(([company, of]) => ({ company, changes: of })),
  }));
}

/** Counts changes by kind: "4 new, 1 changed". */
export function countsText(changes: readonly Change[]): string {
  return (Object.keys(kindLabels) as readonly Kind[])
    .map((kind) => [changes.filter((change) => change.kind === kind).length, kind] as const)
    .filter(([count]) => count > 0)
    .map(([count, kind]) => `${formatCount(count)} ${kindLabels[kind].name.toLowerCase()}`)
    .join(', ');
}
