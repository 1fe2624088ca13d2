import type { UncertainAdvertiser } from '../../core/companies/advertiser-candidates.ts';
import { profileAdvertiser, type AdvertiserProfile } from '../../core/companies/match/advertiser-profile.ts';
import { fullId } from '../../core/companies/platform-id.ts';
import type { CompanyProfile } from '../../core/companies/match/company-profile.ts';
import { evaluateProfiles, type AdvertiserMatch } from '../../core/companies/match/evaluate-advertiser.ts';
import type { SnapshotAdvertiser } from '../../core/sources/snapshot-store.ts';
import { createMemo, type Memo } from '../../core/memo.ts';

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

/** Evaluates each advertiser of a snapshot; `confidence` is the probability that it is the company's own. */
export function rateAdvertisers(
  company: CompanyProfile,
  advertisers: readonly SnapshotAdvertiser[],
): readonly UncertainAdvertiser[] {
  return advertisers.map((advertiser) => {
    const match = matchOf(company, profileOf(advertiser));
    const isOther = match.relation === 'third_party';
    const percent = Math.round(100 * (isOther ? 1 - match.confidence : match.confidence));
    return toCandidate(advertiser, { ...match, confidence: Math.max(1, percent) / 100 });
  });
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
const matches = new WeakMap<CompanyProfile, Memo<AdvertiserProfile, AdvertiserMatch>>();
const matchesMax = 20;

function matchOf(company: CompanyProfile, advertiser: AdvertiserProfile): AdvertiserMatch {
  const ofCompany = matches.get(company) ?? createMemo<AdvertiserProfile, AdvertiserMatch>(matchesMax);
  matches.set(company, ofCompany);
  return ofCompany.get(advertiser, () => evaluateProfiles(company, advertiser));
}

/** Profiles by names and country: companies of a chunk share advertisers, and repeats of a search have the same ones. */
const profiles = createMemo<string, AdvertiserProfile>(20_000);

function profileOf({ disclosedName, legalName, location }: SnapshotAdvertiser): AdvertiserProfile {
  const name = disclosedName ?? legalName;
  return profiles.get(`${disclosedName ?? ''}\n${legalName ?? ''}\n${location ?? ''}`, () =>
    profileAdvertiser({ name, legalName, location, foundBy: 'name' }),
  );
}
