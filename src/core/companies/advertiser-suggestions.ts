import type { UncertainAdvertiser } from './advertiser-candidates.ts';
import type { CompanyQuery } from './company.ts';

/** The local data sets, by their names (`SnapshotName`). */
export type LocalDataSet = 'snapshot' | 'sample';

/** Maximum number of suggestions for a company. */
export const suggestionsMax = 5;

/** Port: advertisers of a local data set that may belong to a company. Calls no source and costs nothing. */
export interface AdvertiserSuggestions {
  /**
   * Suggests up to `suggestionsMax` advertisers for each company, in the given order, the most likely first; none if the data set is not loaded.
   * `confidence` is the probability that the advertiser is the company's own.
   */
  suggest(
    companies: readonly Pick<CompanyQuery, 'domain' | 'name'>[],
    dataSet: LocalDataSet,
  ): Promise<readonly (readonly UncertainAdvertiser[])[]>;
}
