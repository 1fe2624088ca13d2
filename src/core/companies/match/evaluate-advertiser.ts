import { addedWords } from './added-words.ts';
import { profileAdvertiser, type AdvertiserProfile, type MatchedAdvertiser } from './advertiser-profile.ts';
import { alignmentsOf, isSimilar } from './align.ts';
import { calibrate } from './calibrate.ts';
import { profileCompany, type CompanyProfile, type MatchedCompany } from './company-profile.ts';
import { contextOf } from './context.ts';
import { isKnownOther, isOtherFamily, namesakeOf } from './known-others.ts';
import type { NameProfile } from './name-profile.ts';
import type { MatchReason } from './reasons.ts';
import { scoreAlignment, scoreStranger, type Score } from './score.ts';
import { scoreAds } from './score-ads.ts';

/** Relation of an advertiser to a company, and why. */
export interface AdvertiserMatch {
  /** `own`: the company or a part of it; `third_party`: another business; `unknown`: the evidence does not decide. */
  readonly relation: 'own' | 'unknown' | 'third_party';
  /** Probability, from 0.01 to 0.99, that the relation is right; with `unknown`, that the advertiser is the company's own. */
  readonly confidence: number;
  readonly reasons: readonly MatchReason[];
}

/** Probabilities of being the company's own. Our choice: what is called own has to be right in 98 of 100 cases. */
const ownMin = 0.94;
const thirdPartyMax = 0.14;
const isNumber = /^\d+$/;
/** Without a name there is no evidence. */
const prior = 0.3;

/**
 * Evaluates who an advertiser is to a company, by their names and what else is known (docs/guides/advertisers.md). Offline and
 * without the operator's mapping, which precedes it.
 */
export function evaluateAdvertiser(company: MatchedCompany, advertiser: MatchedAdvertiser): AdvertiserMatch {
  return evaluateProfiles(profileCompany(company), profileAdvertiser(advertiser));
}

/** Evaluates a prepared advertiser of a prepared company: for sets, in which each is prepared once. */
export function evaluateProfiles(company: CompanyProfile, advertiser: AdvertiserProfile): AdvertiserMatch {
  if (company.identities.length === 0) return undecided('no_company');
  const name = advertiser.name ?? advertiser.legalName;
  if (name === null) return undecided('no_advertiser_name');
  const score = scoreNames(company, advertiser, name);
  scoreAds(score, company, advertiser);
  return matchOf(score);
}

function undecided(reason: MatchReason): AdvertiserMatch {
  return { relation: 'unknown', confidence: prior, reasons: [reason] };
}

/** Scores the name, and the legal name beside it: of two that fit, the less likely one counts, because it says more. */
function scoreNames(company: CompanyProfile, advertiser: AdvertiserProfile, name: NameProfile): Score {
  const shown = bestScore(company, advertiser, name);
  const { legalName } = advertiser;
  if (legalName === null || legalName === name) return shown ?? stranger(company, advertiser, name);
  const legal = bestScore(company, advertiser, legalName);
  if (shown === null && legal === null) return stranger(company, advertiser, name);
  const found = lowerOf(shown, legal);
  if (legal === null) add(found, 'legal_name_differs', found.reasons.has('common_name') ? -3.5 : -3);
  else add(found, 'legal_name_fits', shown === null ? -0.3 : 0.3);
  return found;
}

function lowerOf(a: Score | null, b: Score | null): Score {
  if (a === null || b === null) return a ?? b ?? { logit: 0, reasons: new Set() };
  return a.logit < b.logit ? a : b;
}

function add(score: Score, reason: MatchReason, logit: number): void {
  score.reasons.add(reason);
  score.logit += logit;
}

function bestScore(company: CompanyProfile, advertiser: AdvertiserProfile, name: NameProfile): Score | null {
  let best: Score | null = null;
  let context: ReturnType<typeof contextOf> | null = null;
  for (const alignment of alignmentsOf(company, name)) {
    context ??= contextOf(company, advertiser, name);
    const isKnown = company.families.families.size > 0;
    const score = scoreAlignment(alignment, addedWords(company, alignment), { isKnown, ...context });
    if (namesakeOf(company, name) || isKnownOther(company, name, alignment)) add(score, 'known_other', -5);
    if (hasOtherNumber(company, name)) add(score, 'other_branch', -4);
    if (best === null || score.logit > best.logit) best = score;
  }
  return best;
}

/** True if both names have numbers, and none in common: `Motel 6` and `Motel 8`. */
function hasOtherNumber({ name }: CompanyProfile, advertiser: NameProfile): boolean {
  const own = name?.texts.filter((text) => isNumber.test(text)) ?? [];
  const its = advertiser.texts.filter((text) => isNumber.test(text));
  return own.length > 0 && its.length > 0 && !its.some((text) => own.includes(text));
}

function stranger(company: CompanyProfile, advertiser: AdvertiserProfile, name: NameProfile): Score {
  const evidence = { similar: isSimilar(company, name), isKnown: isOtherFamily(company, name) };
  return scoreStranger(name, evidence, contextOf(company, advertiser, name));
}

function matchOf({ logit, reasons }: Score): AdvertiserMatch {
  const own = calibrate(logit);
  if (own >= ownMin) return { relation: 'own', confidence: own, reasons: [...reasons] };
  if (own <= thirdPartyMax) return { relation: 'third_party', confidence: 1 - own, reasons: [...reasons] };
  return { relation: 'unknown', confidence: own, reasons: [...reasons] };
}
