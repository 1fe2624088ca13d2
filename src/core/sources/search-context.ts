import type { CallerLimits } from '../accounts/account-limits.ts';
import type { OutcomeStore } from '../work/outcomes.ts';
import type { AdsClaim, OpenLookup } from '../work/claim.ts';
import type { AdSource, LiveAdSource } from './ad-source.ts';
import type { AskOptions } from './ask-sources.ts';
import type { GateOf } from './pace/source-line.ts';
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
  /** Reads the weight of an account, and its limits at sources. */
  readonly callerLimits: (accountId: number) => Promise<CallerLimits>;
  readonly gateOf: GateOf;
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
  { asking, mappings, callerLimits, gateOf }: SearchContext,
  { accountId, batchId, search }: AdsClaim,
) {
  const { weight, atSources: limits } = await callerLimits(accountId);
  const share = { accountId, weight, batchId };
  return {
    ...asking,
    caller: { accountId, limits },
    gateFor: (source: LiveAdSource, lookup: OpenLookup) =>
      gateOf({ source, lookup, share, accountCallsMax: limits.get(source.name)?.concurrency ?? null }),
    search,
    findMappings: (companyKeys: readonly string[]) => mappings.find(accountId, companyKeys),
  };
}
