import type { UncertainAdvertiser } from '../../core/companies/advertiser-candidates.ts';
import { profileAdvertiser, type AdvertiserProfile } from '../../core/companies/match/advertiser-profile.ts';
import { fullId } from '../../core/companies/platform-id.ts';
import type { CompanyProfile } from '../../core/companies/match/company-profile.ts';
import { evaluateProfiles, type AdvertiserMatch } from '../../core/companies/match/evaluate-advertiser.ts';
import type { SnapshotAdvertiser } from '../../core/sources/snapshot-store.ts';

/** The advertisers of a company in a snapshot. */
export interface EvaluatedAdvertisers {
  readonly own: readonly { readonly key: bigint; readonly match: AdvertiserMatch }[];
  /** Advertisers that may belong to it. */
  readonly candidates: readonly UncertainAdvertiser[];
  /** The label of the company's domain is in the name of one of its own advertisers. */
  readonly isByLabel: boolean;
}

/** Evaluates the advertisers of a snapshot that share a word with a company. */
export function evaluateAdvertisers(
  company: CompanyProfile,
  advertisers: readonly SnapshotAdvertiser[],
): EvaluatedAdvertisers {
  const own: { key: bigint; match: AdvertiserMatch }[] = [];
  const candidates: UncertainAdvertiser[] = [];
  let isByLabel = false;
  for (const advertiser of advertisers) {
    const profile = profileOf(advertiser);
    const match = matchOf(company, profile);
    if (match.relation === 'own') {
      own.push({ key: advertiser.key, match });
      isByLabel ||= hasLabel(company, profile);
    } else if (match.relation === 'unknown') candidates.push(toCandidate(advertiser, match));
  }
  return { own, candidates, isByLabel };
}

/** True if the label of the company's domain is at the beginning of the advertiser's name, or a word of it. */
function hasLabel({ identities }: CompanyProfile, { name, legalName }: AdvertiserProfile): boolean {
  const labels = identities.filter(({ isLabel, kind }) => isLabel || kind === 'label');
  return [name, legalName].some(
    (each) =>
      each !== null &&
      labels.some(({ compact }) => each.compact.startsWith(compact) || each.texts.includes(compact)),
  );
}

function toCandidate(
  { advertiserId, disclosedName, legalName, location, adsCount }: SnapshotAdvertiser,
  { confidence, reasons }: AdvertiserMatch,
): UncertainAdvertiser {
  const name = disclosedName ?? legalName;
  return {
    advertiserId: fullId(advertiserId),
    name,
    legalName,
    location,
    verification: null,
    adsCount,
    confidence,
    reasons,
  };
}

/** Evaluations by company: a repeat of a search has the same advertisers. */
const matches = new WeakMap<CompanyProfile, Map<AdvertiserProfile, AdvertiserMatch>>();
const matchesMax = 20;

function matchOf(company: CompanyProfile, advertiser: AdvertiserProfile): AdvertiserMatch {
  const ofCompany = matches.get(company) ?? new Map<AdvertiserProfile, AdvertiserMatch>();
  const known = ofCompany.get(advertiser);
  if (known !== undefined) return known;
  const match = evaluateProfiles(company, advertiser);
  if (ofCompany.size >= matchesMax) ofCompany.clear();
  matches.set(company, ofCompany.set(advertiser, match));
  return match;
}

/** Profiles by names and country: companies of a chunk share advertisers, and repeats of a search have the same ones. */
const profiles = new Map<string, AdvertiserProfile>();
const profilesMax = 20_000;

function profileOf({ disclosedName, legalName, location }: SnapshotAdvertiser): AdvertiserProfile {
  const key = `${disclosedName ?? ''}\n${legalName ?? ''}\n${location ?? ''}`;
  const known = profiles.get(key);
  if (known !== undefined) return known;
  const name = disclosedName ?? legalName;
  const profile = profileAdvertiser({ name, legalName, location, foundBy: 'name' });
  if (profiles.size >= profilesMax) profiles.clear();
  profiles.set(key, profile);
  return profile;
}
