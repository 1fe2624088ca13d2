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
  const params = new URLSearchParams();
  // Reports have no baselines.
  for (const kind of kinds.filter((each) => each !== 'baseline')) params.append('kind', kind);
  if (company.trim() !== '') params.set('company', company.trim());
  if (format !== '') params.set('format', format);
  // Reports know one period.
  if (since === '7d') params.set('period', 'This week');
  const text = params.toString();
  return text === '' ? '' : `#${text}`;
}
