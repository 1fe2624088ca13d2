import type { LiveSourceDefinition } from '../../../src/sources/definition/source-definition.ts';

/** Returns the seconds that a number of companies takes at the default rate of a source, with one call for each. */
export function secondsFor(
  { limits, companiesPerCall = 1 }: LiveSourceDefinition,
  companies: number,
): number {
  const perSecond =
    limits.kind === 'adjustable' ? limits.requestsPerSecond : limits.limits.pace?.requestsPerSecond;
  return Math.ceil(companies / companiesPerCall) / (perSecond ?? Infinity);
}

/** Describes that time. */
export function defaultDuration(source: LiveSourceDefinition, companies: number): string {
  if (companies <= (source.companiesPerCall ?? 1)) return 'one call';
  const seconds = secondsFor(source, companies);
  if (seconds < 120) return `${Math.ceil(seconds)} s`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 120) return `${minutes} min`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
