import type { LimitsAtSources } from '../accounts/account-limits.ts';
import type { OutcomeStore } from '../work/outcomes.ts';
import type { AdsClaim } from '../work/claim.ts';
import type { AdSource } from './ad-source.ts';
import type { AskOptions } from './ask-sources.ts';
import type { Gate } from './rate-limiter.ts';
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
  /** Reads the limits of an account at sources. */
  readonly limitsAtSources: (accountId: number) => Promise<LimitsAtSources>;
  /** Admits as many callers at a time as an account may have calls in flight at a source, so that the others leave room to other accounts. */
  readonly gateOf: (accountId: number, source: string, placesMax: number) => Gate;
  readonly asking: Pick<
    AskOptions,
    | 'rateLimiter'
    | 'calls'
    | 'limit'
    | 'sleep'
    | 'nowMs'
    | 'refusedWaitMs'
    | 'noneOutvotesFailed'
    | 'onError'
    | 'onWait'
  >;
}

/** Call options for the companies of a claim. */
export async function callOptionsFor(
  { asking, mappings, limitsAtSources, gateOf }: SearchContext,
  { accountId, search }: AdsClaim,
) {
  const limits = await limitsAtSources(accountId);
  return {
    ...asking,
    caller: { accountId, limits },
    gateFor: (source: string): Gate => {
      const placesMax = limits.get(source)?.concurrency ?? null;
      return placesMax === null ? (work) => work() : gateOf(accountId, source, placesMax);
    },
    search,
    findMappings: (companyKeys: readonly string[]) => mappings.find(accountId, companyKeys),
  };
}
