import type { AdvertiserRole, CompanyMapping } from '../companies/company-mapping.ts';
import type { MatchedCompany } from '../companies/match/company-profile.ts';
import type { Ad } from './ad.ts';
import { evaluateReported, type EvaluatedAdvertiser, type KnownAdvertiser } from './evaluate-reported.ts';

/**
 * Relation of an ad to the company. `third_party`: an ad of another advertiser, such as an agency, a dealer or a namesake. `unknown`: what is
 * known about the advertiser does not decide.
 */
export type Relation = 'own' | 'third_party' | 'unknown';

export interface RelatedAd {
  readonly ad: Ad;
  readonly relation: Relation;
  /** The evaluation that the relation follows from; null if it follows from the mapping, or if the ad has no advertiser. */
  readonly evaluated: EvaluatedAdvertiser | null;
}

/** The company that the ads are the answer for, and how the source was searched. */
export interface AskedCompany {
  /** With the domain that was searched, also if it was inferred from the company's name. */
  readonly company: MatchedCompany;
  /** The operator's mapping of this company. */
  readonly mapping: CompanyMapping;
  readonly searchedBy: 'mapping' | 'domain' | 'name';
  /** Facts about advertisers that the source gives elsewhere than in their ads. */
  readonly known?: readonly KnownAdvertiser[] | undefined;
}

/**
 * Sets the relation of each ad, in the given order, and leaves out ads of advertisers that are mapped as `deny`. All ads of one
 * advertiser have the same relation.
 *
 * 1. The operator's mapping applies: `allow` is the company's own, `agency` a third party.
 * 2. An ad without an advertiser (shape A) is the company's own: its source knows only companies.
 * 3. A search by mapped advertisers finds own ads only: the operator has chosen them.
 * 4. Every other advertiser is evaluated from all that is known about it (`evaluateAdvertiser`).
 */
export function relateAds(asked: AskedCompany, ads: readonly Ad[]): readonly RelatedAd[] {
  const { company, mapping, searchedBy, known = [] } = asked;
  const roles = new Map(mapping.map(({ advertiserId, role }) => [advertiserId, role]));
  const evaluations =
    searchedBy === 'mapping'
      ? new Map<string, EvaluatedAdvertiser>()
      : evaluateReported({ company, foundBy: searchedBy, known }, adsByAdvertiser(ads, roles));
  return ads.flatMap((ad) => {
    const { advertiserId } = ad;
    const role = advertiserId === null ? undefined : roles.get(advertiserId);
    const evaluated = (advertiserId === null ? undefined : evaluations.get(advertiserId)) ?? null;
    const relation = role === undefined ? (evaluated?.match.relation ?? 'own') : relationOfRole[role];
    return relation === null ? [] : [{ ad, relation, evaluated }];
  });
}

/** Answer without ads of third parties. */
export type OwnAds =
  | { readonly kind: 'found'; readonly ads: readonly RelatedAd[] }
  /** None of the ads is the company's own. */
  | { readonly kind: 'none' }
  /** No advertiser could be identified as the company. */
  | { readonly kind: 'no_match' };

/**
 * Keeps only the company's own ads.
 *
 * Without own ads, the result is `no_match`: the company may advertise under a name that is not recognized. It is `none` only
 * if the source returned no ads or only denied ones and the operator has mapped the company's own advertisers (`allow`) in this
 * source, which rules out the others.
 *
 * @param mapping the part of the mapping that `AdSource.ownMapping` selects.
 */
export function ownOnly(related: readonly RelatedAd[], mapping: CompanyMapping): OwnAds {
  const ads = related.filter(({ relation }) => relation === 'own');
  if (ads.length > 0) return { kind: 'found', ads };
  const isReported = related.length === 0 || mapping.some(({ role }) => role === 'allow');
  return { kind: isReported ? 'none' : 'no_match' };
}

/** Null: its ads are left out. */
const relationOfRole: Readonly<Record<AdvertiserRole, Relation | null>> = {
  allow: 'own',
  agency: 'third_party',
  deny: null,
};

/** The ads of each advertiser that is not mapped. */
function adsByAdvertiser(
  ads: readonly Ad[],
  mapped: ReadonlyMap<string, AdvertiserRole>,
): ReadonlyMap<string, readonly Ad[]> {
  const found = new Map<string, Ad[]>();
  for (const ad of ads) {
    const { advertiserId } = ad;
    if (advertiserId === null || mapped.has(advertiserId)) continue;
    const its = found.get(advertiserId);
    if (its === undefined) found.set(advertiserId, [ad]);
    else its.push(ad);
  }
  return found;
}
