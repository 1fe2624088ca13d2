import { createHash } from 'node:crypto';
import { NotFound } from '../errors.ts';
import { hashContent, renderingsOf } from '../changes/content-hash.ts';
import { earliestDay, laterDay } from '../changes/observation.ts';
import type { AdKey } from '../ads/ad-key.ts';
import type { Ad } from '../ads/ad.ts';
import type { AdDetails } from '../ads/ad-details.ts';
import type { Relation } from '../ads/relate.ts';

/** A stored version of an ad, with what lookups of one account report about it. */
export interface SeenVersion {
  /** Version of the ad; `start` and `lastSeen` are the first and the last day that these lookups reported. */
  readonly ad: Ad;
  readonly lookups: number;
  /** Names of the sources that reported it, in alphabetical order. */
  readonly sources: readonly string[];
  /** Times at which its sources first and last reported this version. */
  readonly firstAt: Date;
  readonly lastAt: Date;
}

/** Visible fields of an ad that can change. */
export const versionFields = [
  'advertiserName',
  'format',
  'headline',
  'description',
  'displayUrl',
  'finalUrl',
  'renderings',
] as const;
export type VersionField = (typeof versionFields)[number];

/** Version of an ad over a span of time. Indistinguishable versions are one. */
export interface AdVersion extends SeenVersion {
  /** Identical for identical content and advertiser, whichever source reported it. */
  readonly versionKey: string;
  /** Fields that differ from the previous version; empty for the first. */
  readonly changed: readonly VersionField[];
}

/** An ad with everything that an account knows about it. */
export interface AdHistory {
  readonly key: AdKey;
  /** At least one, newest first. */
  readonly versions: readonly AdVersion[];
  /** Details by the source of the newest of these lookups that has any; null: none has. */
  readonly details: AdDetails | null;
}

/** A lookup that found an ad. */
export interface AdObservation {
  readonly lookupId: bigint;
  readonly versionKey: string;
  /** The batch, the scan and its schedule, by their public ids and names; all null for a single search. */
  readonly batch: string | null;
  readonly fileName: string | null;
  readonly scan: string | null;
  readonly schedule: string | null;
  readonly scheduleName: string | null;
  readonly companyDomain: string | null;
  readonly companyName: string | null;
  readonly source: string | null;
  readonly observedAt: Date;
  /** Position in the answer, from 1, and relation to the company. */
  readonly position: number;
  readonly relation: Relation;
  /** Probability that the relation is right, and the reasons; null if it follows from the operator's mapping, or the ad has no advertiser. */
  readonly confidence: number | null;
  readonly relationReasons: readonly string[] | null;
  readonly start: string | null;
  readonly lastSeen: string | null;
}

/** Port: what an account knows about an ad. It excludes what only other accounts observed. */
export interface AdHistories {
  /**
   * Reads the versions of an ad from the newest 10,000 lookups that found ads of its advertiser.
   *
   * @throws NotFound when no lookup of the account found the ad.
   */
  read(accountId: number, key: AdKey): Promise<AdHistory>;
  /** Lists observations, newest lookup first, from before the given one. @throws NotFound, as `read` does. */
  listObservations(
    accountId: number,
    key: AdKey,
    page: { readonly limit: number; readonly before: bigint | null },
  ): Promise<readonly AdObservation[]>;
}

/** Error for an ad that does not exist, and for one that only other accounts observed. */
export function noSuchAd(): NotFound {
  return new NotFound('There is no such ad.');
}

/** Versions of an ad, newest first: identical versions are merged, and each lists its changes. */
export function toVersions(versions: readonly SeenVersion[]): readonly AdVersion[] {
  const byKey = new Map<string, SeenVersion>();
  for (const version of versions) {
    const versionKey = versionKeyOf(version.ad);
    const known = byKey.get(versionKey);
    byKey.set(versionKey, known === undefined ? version : together(known, version));
  }
  const inOrder = [...byKey].sort(([, one], [, other]) => one.firstAt.getTime() - other.firstAt.getTime());
  return inOrder
    .map(([versionKey, version], i) => ({
      ...version,
      versionKey,
      changed: changedFields(inOrder[i - 1]?.[1].ad, version.ad),
    }))
    .reverse();
}

/** Key of a version: its content, as `hashContent` compares it, and its advertiser. */
export function versionKeyOf(ad: Ad): string {
  const content = JSON.stringify([hashContent(ad), ad.advertiserName]);
  return createHash('sha256').update(content).digest('hex').slice(0, 16);
}

/** Merges two observations of one version; the newer one provides the fields. */
function together(one: SeenVersion, other: SeenVersion): SeenVersion {
  const [older, newer] = one.lastAt <= other.lastAt ? [one, other] : [other, one];
  return {
    ad: {
      ...newer.ad,
      start: earliestDay(older.ad.start, newer.ad.start),
      lastSeen: laterDay(older.ad.lastSeen, newer.ad.lastSeen),
    },
    lookups: one.lookups + other.lookups,
    sources: [...new Set([...one.sources, ...other.sources])].sort(),
    firstAt: one.firstAt <= other.firstAt ? one.firstAt : other.firstAt,
    lastAt: newer.lastAt,
  };
}

function changedFields(before: Ad | undefined, after: Ad): readonly VersionField[] {
  if (before === undefined) return [];
  const [old, now] = [shownOf(before), shownOf(after)];
  return versionFields.filter((field) => old[field] !== now[field]);
}

function shownOf({
  advertiserName,
  format,
  text,
  variants,
}: Ad): Readonly<Record<VersionField, string | null>> {
  return {
    advertiserName,
    format,
    headline: text?.headline ?? null,
    description: text?.description ?? null,
    displayUrl: text?.displayUrl ?? null,
    finalUrl: text?.finalUrl ?? null,
    renderings: JSON.stringify(renderingsOf(variants)),
  };
}
