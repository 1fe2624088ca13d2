import assert from 'node:assert/strict';
import { applyObservation, type Tracked } from '../../../src/core/changes/apply-observation.ts';
import { daysBefore, type SeenAd } from '../../../src/core/changes/observation.ts';
import type { TrackSettings } from '../../../src/core/changes/observation-context.ts';
import { countActive, type TrackedAd, type TrackedState } from '../../../src/core/changes/tracked-ad.ts';
import type { CompanyPart } from './company-parts.ts';
import type { AnswerReference, CompanyObservation } from './scan-observations.ts';
import type { StoredAd } from './tracked-ads.ts';
import type { SeenAnswer, StoredCompany } from './tracked-companies.ts';
import { haveSameRow, type TrackedWrite } from './write-tracked.ts';

/** An observation of a company, and what it changes. */
export interface EvaluatedCompany extends CompanyObservation {
  readonly tracked: Tracked;
  /** Null: the state stays as it is. */
  readonly write: TrackedWrite | null;
}

/** Applies an observation to the part of a company's state that it may change. `stored`: null for an unknown company. */
export function evaluateCompany(
  one: CompanyObservation,
  stored: StoredCompany | null,
  part: CompanyPart,
  settings: TrackSettings,
): EvaluatedCompany {
  const before = stateOf(stored, part);
  const applied = applyObservation(before, { ...one.observation, ads: part.seen }, settings);
  const tracked = { ...applied, adsActive: applied.adsActive + activeBeside(stored, part) };
  if (tracked.state === null || tracked.state === before) return { ...one, tracked, write: null };
  const { company, ads } = tracked.state;
  const reported = new Map(part.seen.map((ad) => [ad.adId, ad]));
  const seen = seenAfter(one, stored, { part, ads, day: tracked.day, settings });
  const { companyKey, answer } = one;
  const rows = [...ads.values()].map((ad) =>
    rowOf(ad, { known: part.known.get(ad.adId), reported: reported.get(ad.adId), answer }),
  );
  const changed = rows.filter((row) => {
    const known = part.known.get(row.ad.adId);
    return known === undefined || !haveSameRow(known, row);
  });
  return { ...one, tracked, write: { companyKey, company, seen, ads: changed } };
}

function stateOf(stored: StoredCompany | null, { known }: CompanyPart): TrackedState | null {
  if (stored === null) return null;
  return { company: stored.company, ads: adsOf(known) };
}

function adsOf(known: CompanyPart['known']): ReadonlyMap<bigint, TrackedAd> {
  return new Map([...known].map(([adId, { ad }]) => [adId, ad]));
}

/** Number of running ads that are not in the part. */
function activeBeside(stored: StoredCompany | null, { known, isWhole }: CompanyPart): number {
  if (isWhole) return 0;
  const adsActive = stored?.adsActive ?? null;
  assert(adsActive !== null, 'A part of an unknown company has been read.');
  return adsActive - countActive(adsOf(known));
}

/** The form of an ad's row after the observation. `reported`: the ad in it, if it has it. */
function rowOf(
  ad: TrackedAd,
  {
    known,
    reported,
    answer,
  }: {
    readonly known: StoredAd | undefined;
    readonly reported: SeenAd | undefined;
    readonly answer: AnswerReference | null;
  },
): StoredAd {
  // Without an answer the ads of the one before still refer to it.
  if (answer === null && known?.ad === ad) return known;
  if (answer === null || reported === undefined) return { ad, isCarried: false, isNewest: false };
  // The last day of an ad that was seen on the newest day of the answer is not part of the answer, and moves with it.
  const isNewest =
    answer.newestDay !== null && reported.lastSeen === answer.newestDay && ad.lastSeen === answer.newestDay;
  return { ad, isCarried: true, isNewest };
}

/** The newest answer with ads after the observation. */
function seenAfter(
  { observation: { scanId }, answer }: CompanyObservation,
  stored: StoredCompany | null,
  {
    part,
    ads,
    day,
    settings,
  }: {
    readonly part: CompanyPart;
    readonly ads: ReadonlyMap<bigint, TrackedAd>;
    readonly day: string;
    readonly settings: TrackSettings;
  },
): SeenAnswer | null {
  const before = stored?.seen ?? null;
  if (answer === null) return before === null ? null : { ...before, answerId: null };
  const hasEachOnce = !part.isWhole || (part.seen.length === answer.ads && isDistinct(part.seen));
  return {
    scanId,
    day,
    newestDay: answer.newestDay,
    freshFrom: daysBefore(day, settings.staleDays),
    answerId: hasEachOnce && part.seen.every((ad) => isNewestKnown(ad, ads)) ? answer.answerId : null,
    ads: answer.ads,
  };
}

function isDistinct(seen: readonly SeenAd[]): boolean {
  return new Set(seen.map(({ adId }) => adId)).size === seen.length;
}

/** True unless another answer has seen the ad later: then its staleness does not follow from this answer. */
function isNewestKnown({ adId, lastSeen }: SeenAd, ads: ReadonlyMap<bigint, TrackedAd>): boolean {
  return lastSeen === null || ads.get(adId)?.lastSeen === lastSeen;
}
