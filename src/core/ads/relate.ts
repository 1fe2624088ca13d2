import { registrableLabel, type CompanyQuery } from '../companies/company.ts';
import { compactKeys, nameKeys } from '../companies/name-keys.ts';
import type { Ad } from './ad.ts';
import type { AdvertiserRole, CompanyMapping } from '../companies/company-mapping.ts';

/**
 * Relation of an ad to the company. `third_party`: an ad of another advertiser for the company, such as an agency, an affiliate
 * or a reseller. `unknown`: the source does not name the advertiser, and there is no other evidence.
 */
export type Relation = 'own' | 'third_party' | 'unknown';

export interface RelatedAd {
  readonly ad: Ad;
  readonly relation: Relation;
}

/** The company that the ads are the answer for, and how the source was searched. */
export interface AskedCompany {
  readonly company: Pick<CompanyQuery, 'name'>;
  /** The operator's mapping of this company. */
  readonly mapping: CompanyMapping;
  /** The domain that was searched, also one that was inferred from the company's name; null for a search by advertisers. */
  readonly searchedDomain: string | null;
}

/**
 * Sets the relation of each ad, in the given order, and leaves out ads of advertisers that are mapped as `deny`. All ads of one
 * advertiser have the same relation.
 *
 * 1. The operator's mapping applies: `allow` is the company's own, `agency` a third party.
 * 2. An ad without an advertiser (shape A) is the company's own: its source knows only companies.
 * 3. A search by advertisers finds own ads only: the advertisers were chosen by their name or by the operator.
 * 4. A search by domain finds everyone who advertises it. An advertiser is the company itself if it bears the company's name,
 *    legal forms aside: its name begins with the words of the given name (Nike, for "Nike Retail BV"), or its first words written
 *    together are the label of the domain (coca-cola.com, for "Coca Cola Hellenic").
 * 5. Every other advertiser is a third party, or `unknown` if it has no name in any of these ads.
 *
 * A name in another script, or that of a parent company, is not recognized: the operator maps it.
 */
export function relateAds(asked: AskedCompany, ads: readonly Ad[]): readonly RelatedAd[] {
  const roles = new Map(asked.mapping.map(({ advertiserId, role }) => [advertiserId, role]));
  const relate = asked.searchedDomain === null ? () => 'own' as const : byNameOf(asked, asked.searchedDomain);
  const relations = new Map(
    [...namesByAdvertiser(ads)].map(([advertiserId, names]) => {
      const role = roles.get(advertiserId);
      return [advertiserId, role === undefined ? relate(names) : relationOfRole[role]];
    }),
  );
  return ads.flatMap((ad) => {
    const relation = ad.advertiserId === null ? 'own' : relations.get(ad.advertiserId);
    return relation === undefined || relation === null ? [] : [{ ad, relation }];
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

/** All names that an advertiser has in these ads. */
function namesByAdvertiser(ads: readonly Ad[]): ReadonlyMap<string, ReadonlySet<string>> {
  const names = new Map<string, Set<string>>();
  for (const { advertiserId, advertiserName } of ads) {
    if (advertiserId === null) continue;
    const known = names.get(advertiserId) ?? new Set<string>();
    if (advertiserName !== null) known.add(advertiserName);
    names.set(advertiserId, known);
  }
  return names;
}

/** Evaluates advertisers by their names; one conclusive name is enough. */
function byNameOf({ company }: AskedCompany, domain: string): (names: ReadonlySet<string>) => Relation {
  const given = new Set(company.name === null ? [] : nameKeys(company.name));
  const labels = new Set(compactKeys(registrableLabel(domain)));
  const bearsName = (name: string) =>
    nameKeys(name)
      .flatMap(beginningsOf)
      .some((words) => given.has(words.join(' ')) || labels.has(words.join('')));
  return (names) => {
    const telling = [...names].filter((name) => nameKeys(name).length > 0);
    if (telling.length === 0) return 'unknown';
    return telling.some(bearsName) ? 'own' : 'third_party';
  };
}

/** The first word of a key, the first two, and so on. */
function beginningsOf(key: string): readonly (readonly string[])[] {
  const words = key.split(' ');
  return words.map((_, i) => words.slice(0, i + 1));
}
