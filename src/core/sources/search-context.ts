import type { OutcomeStore } from '../work/outcomes.ts';
import type { AdsClaim } from '../work/claim.ts';
import type { AdSource } from './ad-source.ts';
import type { AskOptions } from './ask-sources.ts';
import type { CompanyMappingStore } from '../companies/company-mapping.ts';

/** The parts that a search needs, for a chunk of a batch and for a single search alike. */
export interface SearchContext {
  readonly outcomes: OutcomeStore;
  readonly mappings: Pick<CompanyMappingStore, 'find'>;
  /**
   * The sources of a claim with the settings of its account.
   *
   * @throws Misconfigured when one of them is not loaded or not configured.
   */
  readonly sourcesFor: (claim: AdsClaim) => Promise<readonly AdSource[]>;
  readonly asking: Pick<
    AskOptions,
    | 'rateLimiter'
    | 'calls'
    | 'limit'
    | 'sleep'
    | 'refusedWaitMs'
    | 'noneOutvotesFailed'
    | 'onError'
    | 'onWait'
  >;
}

/** Call options for the companies of a claim. */
export function callOptionsFor({ asking, mappings }: SearchContext, { accountId, search }: AdsClaim) {
  return {
    ...asking,
    search,
    findMappings: (companyKeys: readonly string[]) => mappings.find(accountId, companyKeys),
  };
}
