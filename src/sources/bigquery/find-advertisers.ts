import { fullId } from '../../core/companies/platform-id.ts';
import type { UncertainAdvertiser } from '../../core/companies/advertiser-candidates.ts';
import { profileAdvertiser } from '../../core/companies/match/advertiser-profile.ts';
import type { CompanyProfile } from '../../core/companies/match/company-profile.ts';
import { evaluateProfiles } from '../../core/companies/match/evaluate-advertiser.ts';
import type { Creative } from './creatives.ts';

/** The result of a query, by advertiser. */
export interface CreativeIndex {
  /** Each in the order of the query. */
  readonly byAdvertiser: ReadonlyMap<string, readonly Creative[]>;
  /** Advertisers whose names have a key. */
  readonly byKey: ReadonlyMap<string, ReadonlySet<string>>;
}

/** Indexes the rows of a query. */
export function indexCreatives(creatives: readonly Creative[]): CreativeIndex {
  const byAdvertiser = new Map<string, Creative[]>();
  const byKey = new Map<string, Set<string>>();
  for (const creative of creatives) {
    const { advertiserId } = creative;
    const there = byAdvertiser.get(advertiserId);
    if (there === undefined) byAdvertiser.set(advertiserId, [creative]);
    else there.push(creative);
    for (const key of creative.nameKeys) {
      const having = byKey.get(key);
      if (having === undefined) byKey.set(key, new Set([advertiserId]));
      else having.add(advertiserId);
    }
  }
  return { byAdvertiser, byKey };
}

/** A company, and the advertisers that are not evaluated because the operator has decided on them. */
export interface SoughtCompany {
  readonly profile: CompanyProfile;
  readonly keys: readonly string[];
  readonly decided: ReadonlySet<string>;
}

/** The advertisers with a name like the company's, by the evaluation of each; third parties are left out. */
export interface FoundAdvertisers {
  readonly own: readonly string[];
  readonly uncertain: readonly UncertainAdvertiser[];
}

/** Evaluates the advertisers that the query selected for a company. */
export function findAdvertisers(
  { profile, keys, decided }: SoughtCompany,
  { byAdvertiser, byKey }: CreativeIndex,
): FoundAdvertisers {
  const ids = new Set(keys.flatMap((key) => [...(byKey.get(key) ?? [])]));
  const own: string[] = [];
  const uncertain: UncertainAdvertiser[] = [];
  for (const advertiserId of ids) {
    const [newest] = byAdvertiser.get(advertiserId) ?? [];
    if (newest === undefined || decided.has(advertiserId)) continue;
    const { advertiserName: name, legalName, location, verification, adsOfAdvertiser: adsCount } = newest;
    const verified = isVerified(verification);
    const { relation, confidence, reasons } = evaluateProfiles(
      profile,
      profileAdvertiser({ name, legalName, location, verified, adsCount, foundBy: 'name' }),
    );
    if (relation === 'own') own.push(advertiserId);
    if (relation !== 'unknown') continue;
    uncertain.push({
      advertiserId: fullId(advertiserId),
      name,
      legalName,
      location,
      verification,
      adsCount,
      confidence,
      reasons,
    });
  }
  return { own, uncertain };
}

/** Null for a state that says neither. */
function isVerified(verification: string | null): boolean | null {
  if (verification === 'VERIFIED') return true;
  return verification === 'UNVERIFIED' ? false : null;
}
