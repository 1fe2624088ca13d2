import type { CallerLimits } from '../accounts/account-limits.ts';
import type { OutcomeStore } from '../work/outcomes.ts';
import type { AdsClaim, OpenLookup } from '../work/claim.ts';
import type { AdSource } from './ad-source.ts';
import { withoutGate, type AskOptions } from './ask-sources.ts';
import type { Gate } from './rate-limiter.ts';
import type { SourceLines } from './pace/source-line.ts';
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
  /** Lines in which calls of batches wait. */
  readonly lines: SourceLines;
  /** Limits the lookups whose stored replies are parsed again. */
  readonly reparses: Gate;
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
  { asking, mappings, callerLimits, lines, reparses }: SearchContext,
  { accountId, batchId, search }: AdsClaim,
) {
  const { weight, atSources } = await callerLimits(accountId);
  return {
    ...asking,
    caller: { accountId, limits: atSources },
    line: { lines, share: { accountId, weight, batchId } },
    gateFor: (lookup: OpenLookup) => (lookup.repliesOnly ? reparses : withoutGate),
    search,
    findMappings: (companyKeys: readonly string[]) => mappings.find(accountId, companyKeys),
  };
}
