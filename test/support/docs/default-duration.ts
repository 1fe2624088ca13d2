import type { LiveSourceDefinition } from '../../../src/sources/definition/source-definition.ts';

/** Describes the time that a number of companies takes at the default rate of a source, with one call for each. */
export function defaultDuration(
  { limits, companiesPerCall = 1 }: LiveSourceDefinition,
  companies: number,
): string {
  const perSecond =
    limits.kind === 'adjustable' ? limits.requestsPerSecond : limits.limits.pace?.requestsPerSecond;
  if (perSecond === undefined) return '';
  const calls = Math.ceil(companies / companiesPerCall);
  if (calls === 1) return 'one call';
  const seconds = calls / perSecond;
  if (seconds < 120) return `${Math.ceil(seconds)} s`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 120) return `${minutes} min`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
