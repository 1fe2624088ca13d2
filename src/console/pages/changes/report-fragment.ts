import type { Kind } from './change-labels.ts';

/** Part of a filter of changes that the report of a schedule has; empty: any. */
interface ReportedFilter {
  readonly kinds: readonly Kind[];
  readonly company: string;
  readonly format: string;
  /** Age of the oldest changes, such as `7d`. */
  readonly since: string;
}

/** Returns the fragment that opens the report of a schedule with a filter, for the script of the report; empty for all changes. */
export function reportFragment({ kinds, company, format, since }: ReportedFilter): string {
  const params = new URLSearchParams([
    // Reports have no baselines.
    ...kinds.filter((kind) => kind !== 'baseline').map((kind): [string, string] => ['kind', kind]),
    ...(company.trim() === '' ? [] : [['company', company.trim()]]),
    ...(format === '' ? [] : [['format', format]]),
    // Reports know one period.
    ...(since === '7d' ? [['period', 'This week']] : []),
  ]);
  return params.size === 0 ? '' : `#${params.toString()}`;
}
