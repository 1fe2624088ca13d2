import { noDetails, type AdDetails, type AdRegion, type Targeting } from '../../core/ads/ad-details.ts';
import type { Disapproval } from '../../core/ads/disapproval.ts';
import type { SnapshotColumn } from './columns.ts';
import { parseBoolean, parseObject, parseObjects, parseText, type Fields } from './fields.ts';

/** Values of a row by column; undefined for a missing column. */
export type ReadColumn = (column: SnapshotColumn) => unknown;

/** Columns of a row that are parsed already. */
export interface KnownColumns {
  readonly legalName: string | null;
  readonly location: string | null;
  readonly regions: readonly AdRegion[];
}

/**
 * Parses what a row says about its ad beside content and days; null if that is nothing but the name and the country of the advertiser, which
 * `nightshift.advertisers` has.
 *
 * @throws ValidationError that names the field.
 */
export function parseDetails(read: ReadColumn, known: KnownColumns): AdDetails | null {
  const { legalName, location, regions } = known;
  const topic = textOf(read, 'topic');
  const payer = textOf(read, 'ad_funded_by');
  const isGrantFunded = parseBoolean(read('is_funded_by_google_ad_grants'), 'is_funded_by_google_ad_grants');
  const targeting = parseTargeting(read('audience_selection_approach_info'));
  const verification = textOf(read, 'advertiser_verification_status')?.toUpperCase() ?? null;
  const isEmpty =
    topic === null &&
    payer === null &&
    isGrantFunded === null &&
    targeting === null &&
    verification === null &&
    regions.length === 0;
  if (isEmpty) return null;
  const isNamed = legalName !== null || location !== null || verification !== null;
  const advertiser = isNamed ? { legalName, location, verification } : null;
  return { ...noDetails, topic, payer, isGrantFunded, targeting, regions, advertiser };
}

/** Parses the decisions about a removed ad; null for a row without the column. */
export function parseDisapprovals(read: ReadColumn): readonly Disapproval[] | null {
  const given = read('disapproval');
  if (given === undefined) return null;
  return (parseObjects(given, 'disapproval') ?? []).map(parseDisapproval);
}

function parseDisapproval(fields: Fields, i: number): Disapproval {
  const field = (name: string) => parseText(fields[name], `disapproval[${i}].${name}`);
  return {
    removalReason: field('removal_reason'),
    violationCategory: field('violation_category'),
    isAutomated: parseBoolean(fields.use_of_automated_means, `disapproval[${i}].use_of_automated_means`),
    removalLocation: field('removal_location'),
    decisionType: field('decision_type'),
  };
}

function parseTargeting(given: unknown): Targeting | null {
  const fields = parseObject(given, 'audience_selection_approach_info');
  if (fields === null) return null;
  const field = (name: string) => parseText(fields[name], `audience_selection_approach_info.${name}`);
  const targeting = {
    demographicInfo: field('demographic_info'),
    geoLocation: field('geo_location'),
    contextualSignals: field('contextual_signals'),
    customerLists: field('customer_lists'),
    topicsOfInterest: field('topics_of_interest'),
  };
  return Object.values(targeting).every((value) => value === null) ? null : targeting;
}

function textOf(read: ReadColumn, column: SnapshotColumn): string | null {
  return parseText(read(column), column);
}
