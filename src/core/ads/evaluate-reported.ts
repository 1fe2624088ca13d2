import assert from 'node:assert/strict';
import type { UncertainAdvertiser } from '../companies/advertiser-candidates.ts';
import { profileAdvertiser, type MatchedAdvertiser } from '../companies/match/advertiser-profile.ts';
import {
  profileCompany,
  type CompanyProfile,
  type MatchedCompany,
} from '../companies/match/company-profile.ts';
import { evaluateProfiles, type AdvertiserMatch } from '../companies/match/evaluate-advertiser.ts';
import type { Ad } from './ad.ts';

/** An advertiser as a source knows it beside its ads. */
export interface KnownAdvertiser {
  readonly id: string;
  readonly name: string | null;
  /** Country, as ISO 3166-1 alpha-2. */
  readonly country: string | null;
  /** True if the network has verified it; absent or null if the source does not say. */
  readonly verified?: boolean | null;
  /** Number of its ads at the source. */
  readonly adsCount?: number | null;
}

/** The company, and how its advertisers were found. */
export interface Evaluation {
  readonly company: MatchedCompany;
  readonly foundBy: MatchedAdvertiser['foundBy'];
  readonly known: readonly KnownAdvertiser[];
}

/** An advertiser of ads, and its evaluation. */
export interface EvaluatedAdvertiser extends Omit<UncertainAdvertiser, 'confidence' | 'reasons'> {
  readonly match: AdvertiserMatch;
}

/** Evaluates the advertisers of ads, by their id, from everything that the source says about them. */
export function evaluateReported(
  { company, foundBy, known }: Evaluation,
  adsOf: ReadonlyMap<string, readonly Ad[]>,
): ReadonlyMap<string, EvaluatedAdvertiser> {
  if (adsOf.size === 0) return new Map();
  const profile = profileCompany(company);
  const besides = new Map(known.map((advertiser) => [advertiser.id, advertiser]));
  return new Map(
    [...adsOf].map(([id, ads]) => [id, evaluateOne(id, ads, { profile, foundBy, known: besides.get(id) })]),
  );
}

interface Comparison extends Pick<Evaluation, 'foundBy'> {
  readonly profile: CompanyProfile;
  readonly known: KnownAdvertiser | undefined;
}

/** Evaluates an advertiser under each of its names: sources shorten and translate them, and one that fits is enough. */
function evaluateOne(
  advertiserId: string,
  ads: readonly Ad[],
  { profile, foundBy, known }: Comparison,
): EvaluatedAdvertiser {
  const names = distinct([known?.name ?? null, ...ads.map(({ advertiserName }) => advertiserName)]);
  const details = ads.flatMap(({ details: each }) => each?.advertiser ?? []);
  const legalName = firstOf(details, (each) => each.legalName);
  const location = firstOf(details, (each) => each.location) ?? known?.country ?? null;
  const verification = firstOf(details, (each) => each.verification) ?? stateOf(known?.verified ?? null);
  const adsCount = Math.max(ads.length, known?.adsCount ?? 0) || null;
  const verified = isVerified(verification);
  const targetDomains = distinct(ads.map(({ details: each }) => each?.targetDomain ?? null));
  const rest = { foundBy, legalName, location, verified, adsCount, targetDomains };
  const [best, ...others] = (names.length === 0 ? [null] : names).map((name) => ({
    name,
    match: evaluateProfiles(profile, profileAdvertiser({ name, ...rest })),
  }));
  assert(best !== undefined);
  const { name, match } = others.reduce(likelier, best);
  return { advertiserId, name, legalName, location, verification, adsCount, match };
}

function stateOf(verified: boolean | null): string | null {
  if (verified === null) return null;
  return verified ? 'VERIFIED' : 'UNVERIFIED';
}

/** Converts the state of a verification, in the words of the source, for an evaluation; null for other words. */
function isVerified(verification: string | null): boolean | null {
  if (verification === 'VERIFIED') return true;
  return verification === 'UNVERIFIED' ? false : null;
}

function firstOf<T>(items: readonly T[], valueOf: (item: T) => string | null): string | null {
  for (const item of items) {
    const value = valueOf(item);
    if (value !== null) return value;
  }
  return null;
}

function distinct(texts: readonly (string | null)[]): readonly string[] {
  return [...new Set(texts.flatMap((text) => text ?? []))];
}

interface Named {
  readonly name: string | null;
  readonly match: AdvertiserMatch;
}

/** The evaluation that is more probably the company's own. */
function likelier(one: Named, other: Named): Named {
  return probabilityOfOwn(other.match) > probabilityOfOwn(one.match) ? other : one;
}

/** Probability that the advertiser is the company's own, whatever the relation. */
function probabilityOfOwn({ relation, confidence }: AdvertiserMatch): number {
  return relation === 'third_party' ? 1 - confidence : confidence;
}

/** An advertiser as a candidate for a decision by a person. */
export function toUncertain({ match, ...advertiser }: EvaluatedAdvertiser): UncertainAdvertiser {
  return { ...advertiser, confidence: match.confidence, reasons: match.reasons };
}
