import type { CompanyQuery } from '../companies/company.ts';
import { EnrichError, InDoubt } from '../errors.ts';
import type { StoredResponse } from '../accounts/stored-response.ts';
import type { AdsOutcome, LookupResult } from '../work/outcomes.ts';
import type { AdsClaim, OpenLookup } from '../work/claim.ts';
import type { Lease, LeaseKeeper } from '../work/lease-keeper.ts';
import type { Ad } from '../ads/ad.ts';
import { askSources, type AskOptions } from './ask-sources.ts';
import { mostSevereError, type FinalResult, type LookupState } from './lookup-state.ts';
import { totalWaitBudget } from './wait-budget.ts';
import { callOptionsFor, type SearchContext } from './search-context.ts';
import type { Extent, PartialReason, SearchOptions } from '../ads/ads-answer.ts';

/** The answer to one search as it is stored: the charged ads, and the charge. */
export interface StoredAnswer {
  readonly lookupId: bigint;
  readonly company: CompanyQuery;
  readonly outcome: AdsOutcome;
  readonly reason: string | null;
  readonly source: string | null;
  readonly matchedBy: string | null;
  readonly ads: readonly Ad[];
  /** There may be more ads of the company. */
  readonly partial: boolean;
  /** Null for a complete answer. */
  readonly partialReason: PartialReason | null;
  /** Number of advertisers that may belong to the company, and whose ads are left out; null: none. */
  readonly uncertainAdvertisers: number | null;
  /** There are more ads than were requested. */
  readonly truncated: boolean;
  /** `Extent.estimate`. */
  readonly estimate: Extent['estimate'];
  readonly chargedMicro: bigint;
  /** Time at which the source answered, if the answer is reused; null: now. */
  readonly observedAt: Date | null;
}

/** One search, and its caller. */
export interface SearchRequest {
  readonly accountId: number;
  readonly company: CompanyQuery;
  readonly sources: readonly string[];
  readonly search: SearchOptions;
  /** Installations that have passed on the search; empty for a search by a user. */
  readonly via: readonly string[];
  /** Public id of the lookup; unique. */
  readonly requestId: string;
  /** Stores the response for a repeat of the request. */
  readonly kept?: StoredResponse<StoredAnswer> | null;
}

/** Port: single searches outside a batch. */
export interface RequestStore {
  /**
   * Creates a lookup, holds the price of a find, and claims it for the caller, in one transaction.
   *
   * @throws InsufficientCredits when the balance is below the price of a find; nothing is left behind.
   */
  open(request: SearchRequest, leaseMs: number): Promise<AdsClaim>;
  /**
   * Commits the result as `OutcomeStore.commit` does, and stores the response for a repeat, in one transaction.
   *
   * @throws LeaseLost when another process has taken over the claim or the idempotency key; nothing was written.
   */
  answer(
    claim: AdsClaim,
    result: LookupResult,
    kept: StoredResponse<StoredAnswer> | null,
  ): Promise<StoredAnswer>;
}

export interface SearchAdsOptions extends SearchContext {
  readonly requests: RequestStore;
  readonly leases: LeaseKeeper;
  /** Lifetime of a claim without a renewal; milliseconds. */
  readonly leaseMs: number;
}

/**
 * Maximum total wait of a caller for rate limits, unless the interval of a source is longer; then the caller has to retry
 * (docs/architecture/decisions/0006-rate-limits.md).
 */
const turnWaitMsMax = 10_000;

/**
 * Finds the ads a company runs and charges for the answer.
 *
 * Costs the price of the hold (0.2 credits) when at least one ad is found and nothing otherwise (docs/architecture/contract.md,
 * 4.1 and 8).
 *
 * @throws InsufficientCredits when the balance is below the price of a find: no source is called.
 * @throws SourceThrottled | SourceUnavailable | SourceRefused | SourceUnreadable | InDoubt when the sources could not answer;
 * the lookup ends as failed and nothing is charged.
 */
export async function searchAds(options: SearchAdsOptions, request: SearchRequest): Promise<StoredAnswer> {
  const { requests, outcomes, leases, leaseMs } = options;
  const askedAtMs = performance.now();
  // Beside the hold, so that the caller waits for one round trip instead of two. An error is reported where it is used.
  const mappings = options.mappings.find(request.accountId, [request.company.key]);
  mappings.catch(() => undefined);
  const claim = await requests.open(request, leaseMs);
  const lease = leases.keep(claim, askedAtMs);
  try {
    const { result, failure } = await askOnce(options, claim, {
      lease,
      via: request.via,
      findMappings: () => mappings,
    });
    if (failure === null) return await requests.answer(claim, result, request.kept ?? null);
    await outcomes.commit(claim, [result]);
    throw failure;
  } finally {
    lease.release();
  }
}

/** Runs the single lookup of the claim once; its caller decides about a retry. */
async function askOnce(
  options: SearchAdsOptions,
  claim: AdsClaim,
  asker: { readonly lease: Lease } & Pick<AskOptions, 'via' | 'findMappings'>,
): Promise<FinalResult> {
  const [lookup] = claim.lookups;
  if (lookup === undefined) throw new Error(`The claim of chunk ${claim.chunkId} has no lookup.`);
  const results: FinalResult[] = [];
  let asked: LookupState | null = null;
  try {
    const [sources, callOptions] = await Promise.all([
      options.sourcesFor(claim),
      callOptionsFor(options, claim),
    ]);
    const [deferred] = await askSources(sources, claim.lookups, {
      ...callOptions,
      line: undefined,
      ...asker,
      comesBack: false,
      waitBudget: totalWaitBudget(turnWaitMsMax, () => performance.now()),
      onPartialAnswer: (state) => {
        asked = state;
      },
      onResult: (result, failure) => void results.push({ result, failure }),
    });
    if (deferred !== undefined) return abandonedResult(lookup, asked, deferred.error);
  } catch (error) {
    if (error instanceof EnrichError) return abandonedResult(lookup, asked, error);
    throw error;
  }
  const [final] = results;
  if (final === undefined) throw new Error(`Lookup ${lookup.lookupId} got no answer.`);
  return final;
}

/**
 * End of a lookup that could be retried but is not: failed with `error` and all answers of its sources, unless a call is in
 * doubt, which is more severe.
 */
function abandonedResult(
  { lookupId }: OpenLookup,
  state: LookupState | null,
  error: EnrichError,
): FinalResult {
  const gravest = state === null ? null : mostSevereError(state);
  const { source, error: failure } =
    gravest?.error instanceof InDoubt ? gravest : { source: sourceOf(error, state), error };
  const answer = { kind: 'failed' as const, reason: failure.code };
  return { result: { lookupId, source, answer, ...(state === null ? {} : { asked: state.asked }) }, failure };
}

function sourceOf(error: EnrichError, state: LookupState | null): string | null {
  return state?.failures.find((failure) => failure.error === error)?.source ?? null;
}
