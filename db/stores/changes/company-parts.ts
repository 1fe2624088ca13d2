import { daysBefore, laterDay, type SeenAd } from '../../../src/core/changes/observation.ts';
import type { TrackSettings } from '../../../src/core/changes/observation-context.ts';
import type { Sql } from '../../connection/client.ts';
import { readAnswerDifferences, type AnswerDifferences } from './answer-differences.ts';
import { readSeenAds, type AnswerReference, type CompanyObservation } from './scan-observations.ts';
import { readSomeTrackedAds, readTrackedAds, type StoredAd } from './tracked-ads.ts';
import type { SeenAnswer, StoredCompany } from './tracked-companies.ts';

/** The known and the observed ads of a company: all of them, or those that the observation may change. */
export interface CompanyPart {
  readonly known: ReadonlyMap<bigint, StoredAd>;
  readonly seen: readonly SeenAd[];
  /** True for all ads. Otherwise the others are in the observation as they were in the one before. */
  readonly isWhole: boolean;
}

/**
 * Reads the ads that observations may change, by company.
 *
 * Of an answer of the same source as the one before, that is the difference of both, and the running ads that the answer before did
 * not have. An ad with the same version and days in both answers stays as it is, unless it turns stale or fresh. Otherwise, and
 * in every doubt, all ads are read.
 */
export async function readCompanyParts(
  db: Sql,
  { scheduleId, settings }: { readonly scheduleId: number; readonly settings: TrackSettings },
  observations: readonly CompanyObservation[],
  companies: ReadonlyMap<string, StoredCompany>,
): Promise<ReadonlyMap<string, CompanyPart>> {
  const compared = observations.flatMap((one) => comparedOf(one, companies.get(one.companyKey), settings));
  const changed = await readChangedParts(db, scheduleId, compared);
  const others = observations.filter(({ companyKey }) => !changed.has(companyKey));
  return new Map([...changed, ...(await readWholeParts(db, scheduleId, others))]);
}

interface Compared {
  readonly companyKey: string;
  readonly lookupId: bigint;
  readonly freshFrom: string;
  readonly answer: AnswerReference;
  readonly before: SeenAnswer;
}

/** The answers of a company to compare; empty if they are not comparable. */
function comparedOf(
  { companyKey, lookupId, observation, answer }: CompanyObservation,
  known: StoredCompany | undefined,
  { staleDays }: TrackSettings,
): readonly Compared[] {
  if (known === undefined || observation.outcome !== 'found' || answer === null) return [];
  const { company, adsActive, seen } = known;
  if (adsActive === null || seen === null || seen.answerId === null) return [];
  if (company.lastSources[0] !== observation.sources[0]) return [];
  const isOlder = seen.newestDay !== null && (answer.newestDay ?? '') < seen.newestDay;
  const freshFrom = daysBefore(laterDay(company.lastDay, observation.day), staleDays);
  return isOlder ? [] : [{ companyKey, lookupId, freshFrom, answer, before: seen }];
}

async function readChangedParts(
  db: Sql,
  scheduleId: number,
  compared: readonly Compared[],
): Promise<ReadonlyMap<string, CompanyPart>> {
  if (compared.length === 0) return new Map();
  const found = await readAnswerDifferences(db, scheduleId, compared);
  const differing = compared.flatMap((one) => {
    const differences = found.get(one.companyKey);
    return differences === undefined || !areAlike(one, differences) ? [] : [{ ...one, differences }];
  });
  const ads = differing.flatMap(({ companyKey, differences: { seen, before } }) =>
    [...new Set([...seen.map(({ adId }) => adId), ...before.values()])].map((adId) => ({ companyKey, adId })),
  );
  const companyKeys = differing.map(({ companyKey }) => companyKey);
  const stored = await readSomeTrackedAds(db, scheduleId, { ads, companyKeys });
  return new Map(
    differing.flatMap(({ companyKey, differences }) => {
      const known = stored.get(companyKey) ?? new Map<bigint, StoredAd>();
      const part = { known, seen: differences.seen, isWhole: false };
      return repeatsCarriedAd(part, differences) ? [] : [[companyKey, part] as const];
    }),
  );
}

/** True if the answers have each ad once, as far as the differences show; the one before has. */
function areAlike(
  { answer, before }: Compared,
  { seen, added, removed, hasUntracked }: AnswerDifferences,
): boolean {
  return (
    !hasUntracked &&
    answer.ads - added === before.ads - removed &&
    new Set(seen.map(({ adId }) => adId)).size === seen.length
  );
}

/** True if an ad of the differences is in the answer a second time, in the version of the answer before. */
function repeatsCarriedAd({ known, seen }: CompanyPart, { before }: AnswerDifferences): boolean {
  return seen.some(({ adId }) => {
    const stored = known.get(adId);
    return stored?.isCarried === true && !before.has(stored.ad.last.versionId);
  });
}

async function readWholeParts(
  db: Sql,
  scheduleId: number,
  observations: readonly CompanyObservation[],
): Promise<ReadonlyMap<string, CompanyPart>> {
  if (observations.length === 0) return new Map();
  const seen = await readSeenAds(
    db,
    observations.flatMap(({ lookupId, answer }) => (answer === null ? [] : [lookupId])),
  );
  const keys = observations.map(({ companyKey }) => companyKey);
  const known = await readTrackedAds(db, scheduleId, keys);
  return new Map(
    observations.map(({ companyKey, lookupId }) => [
      companyKey,
      {
        known: known.get(companyKey) ?? new Map<bigint, StoredAd>(),
        seen: seen.get(String(lookupId)) ?? [],
        isWhole: true,
      },
    ]),
  );
}
