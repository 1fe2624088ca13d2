import { suggestionsMax, type AdvertiserSuggestions } from '../../core/companies/advertiser-suggestions.ts';
import type { SnapshotStore } from '../../core/sources/snapshot-store.ts';
import { askedCompany } from './asked-company.ts';
import { rankAdvertisers } from './evaluate-advertisers.ts';

/** Suggests advertisers from the local data sets: those that share a word with the company, by their evaluation. */
export function createAdvertiserSuggestions(
  store: Pick<SnapshotStore, 'find' | 'findCandidates'>,
): AdvertiserSuggestions {
  return {
    async suggest(companies, name) {
      const snapshot = await store.find(name);
      if (snapshot === null) return companies.map(() => []);
      const asked = companies.map(askedCompany);
      const keys = asked.map(({ words, nameKeys, labelKeys }) => ({
        mapping: [],
        words,
        nameKeys,
        labelKeys,
      }));
      const found = await store.findCandidates(snapshot.id, keys);
      return asked.map(({ profile }, i) =>
        rankAdvertisers(profile, found[i]?.advertisers ?? []).slice(0, suggestionsMax),
      );
    },
  };
}
