import type { UncertainAdvertiser } from '../../core/companies/advertiser-candidates.ts';
import { suggestionsMax, type AdvertiserSuggestions } from '../../core/companies/advertiser-suggestions.ts';
import { registrableLabel, type CompanyQuery } from '../../core/companies/company.ts';
import type { CompanyProfile } from '../../core/companies/match/company-profile.ts';
import { advertiserWords } from '../../core/companies/match/search-words.ts';
import type { SnapshotAdvertiser, SnapshotStore } from '../../core/sources/snapshot-store.ts';
import { askedCompany } from './asked-company.ts';
import { rateAdvertisers } from './evaluate-advertisers.ts';

/**
 * Suggests advertisers from the local data sets by their evaluation. It looks further than a search, which must find only own advertisers: also
 * by single words of the name, and by a name that does not fit the domain beside it.
 */
export function createAdvertiserSuggestions(
  store: Pick<SnapshotStore, 'find' | 'findCandidates'>,
): AdvertiserSuggestions {
  return {
    async suggest(companies, name) {
      const snapshot = await store.find(name);
      if (snapshot === null) return companies.map(() => []);
      const keys = companies.map((company) => {
        const { nameKeys, labelKeys } = askedCompany(company);
        return { mapping: [], words: searchWordsFor(company), nameKeys, labelKeys };
      });
      const found = await store.findCandidates(snapshot.id, keys);
      return companies.map((company, i) => rank(profilesOf(company), found[i]?.advertisers ?? []));
    },
  };
}

type AskedBy = Pick<CompanyQuery, 'domain' | 'name'>;

function searchWordsFor({ name, domain }: AskedBy): readonly string[] {
  const label = domain === null ? null : registrableLabel(domain).replaceAll('-', ' ');
  const names = [name, label].filter((each) => each !== null);
  return [...new Set([...askedCompany({ name, domain }).words, ...names.flatMap(advertiserWords)])];
}

/** The company as a search sees it, and by its name alone. */
function profilesOf({ name, domain }: AskedBy): readonly CompanyProfile[] {
  const { profile } = askedCompany({ name, domain });
  return name === null || domain === null
    ? [profile]
    : [profile, askedCompany({ name, domain: null }).profile];
}

/** The most likely evaluation of an advertiser counts. Of equally likely ones, those with more ads come first. */
function rank(
  profiles: readonly CompanyProfile[],
  advertisers: readonly SnapshotAdvertiser[],
): readonly UncertainAdvertiser[] {
  const ranked = profiles
    .flatMap((profile) => rateAdvertisers(profile, advertisers))
    .toSorted(
      (one, other) => other.confidence - one.confidence || (other.adsCount ?? 0) - (one.adsCount ?? 0),
    );
  const distinct = new Map<string, UncertainAdvertiser>();
  for (const each of ranked) if (!distinct.has(each.advertiserId)) distinct.set(each.advertiserId, each);
  return [...distinct.values()].slice(0, suggestionsMax);
}
