import type { CompanyQuery } from '../companies/company.ts';
import { EnrichError, InDoubt } from '../errors.ts';
import type { StoredResponse } from '../accounts/stored-response.ts';
import type { AdsOutcome, LookupResult } from '../work/outcomes.ts';
import type { AdsClaim, OpenLookup } from '../work/claim.ts';
import type { Lease, LeaseKeeper } from '../work/lease-keeper.ts';
import type { Ad } from '../ads/ad.ts';
import { askSources } from './ask-sources.ts';
import { mostSevereError, type LookupEnd, type LookupState } from './lookup-state.ts';
import { totalWaitBudget } from './wait-budget.ts';
import { callOptionsFor, type SearchContext } from './search-context.ts';
import type { Extent, SearchOptions } from '../ads/ads-answer.ts';

/** The answer to one search as it is stored: the ads that were charged for, and the charge. */
export interface StoredAnswer {
  readonly lookupId: bigint;
  readonly company: CompanyQuery;
  readonly outcome: AdsOutcome;
  readonly reason: string | null;
  readonly source: string | null;
  readonly matchedBy: string | null;
  readonly ads: readonly Ad[];
  /** A later page could not be had: there may be more ads. */
  readonly partial: boolean;
  /** There are more ads, and no more were asked for. */
  readonly truncated: boolean;
  /** `Extent.estimate`. */
  readonly estimate: Extent['estimate'];
  readonly chargedMicro: bigint;
  /** When the source said it, where it is shown again from an earlier answer; null: now. */
  readonly observedAt: Date | null;
}

/** One search, and who asks. */
export interface SearchRequest {
  readonly accountId: number;
  readonly company: CompanyQuery;
  readonly sources: readonly string[];
  readonly search: SearchOptions;
  /** The installations through which the question has come here; none from a person. */
  readonly via: readonly string[];
  /** Names the lookup where results are shown; unique. */
  readonly requestId: string;
  /** Stores the answer for a repeat of the request. */
  readonly kept?: StoredResponse<StoredAnswer> | null;
}

/** Port: single searches outside a batch. */
export interface RequestStore {
  /**
   * Opens a lookup of its own, holds the price of a find, and claims it for the caller; all together.
   *
   * @throws InsufficientCredits when the balance is below the price of a find; nothing is left behind.
   */
  open(request: SearchRequest, leaseMs: number): Promise<AdsClaim>;
  /**
   * Writes the result down as `OutcomeStore.commit` does, and keeps the answer for a repeat, all in one transaction.
   *
   * @throws LeaseLost when the claim, or the right to keep the answer, is no longer ours; nothing was written.
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
 * A caller waits at most so long for turns at sources, all together; then it is told to come back
 * (docs/architecture/decisions/0006-rate-limits.md).
 */
const turnWaitMsMax = 10_000;

/**
 * Finds the ads a company runs and charges for the answer.
 *
 * Costs the price of the hold (0.2 credits) when at least one ad is found and nothing otherwise (docs/architecture/contract.md, 4.1 and 8).
 *
 * @throws InsufficientCredits when the balance is below the price of a find: the source is not asked.
 * @throws SourceThrottled | SourceUnavailable | SourceRefused | SourceUnreadable | InDoubt when the sources could not answer; the lookup
 * ends as failed and nothing is charged.
 */
export async function searchAds(options: SearchAdsOptions, request: SearchRequest): Promise<StoredAnswer> {
  const { requests, outcomes, leases, leaseMs } = options;
  const askedAtMs = performance.now();
  const claim = await requests.open(request, leaseMs);
  const lease = leases.keep(claim, askedAtMs);
  try {
    const { result, failure } = await askOnce(options, claim, { lease, via: request.via });
    if (failure === null) return await requests.answer(claim, result, request.kept ?? null);
    await outcomes.commit(claim, [result]);
    throw failure;
  } finally {
    lease.release();
  }
}

/** The one lookup of the claim, asked once: whoever called decides about another try. */
async function askOnce(
  options: SearchAdsOptions,
  claim: AdsClaim,
  asker: { readonly lease: Lease; readonly via: readonly string[] },
): Promise<LookupEnd> {
  const [lookup] = claim.lookups;
  if (lookup === undefined) throw new Error(`The claim of chunk ${claim.chunkId} has no lookup.`);
  const ends: LookupEnd[] = [];
  let asked: LookupState | null = null;
  try {
    const sources = await options.sourcesFor(claim);
    const [deferred] = await askSources(sources, claim.lookups, {
      ...callOptionsFor(options, claim),
      ...asker,
      comesBack: false,
      waitBudget: totalWaitBudget(turnWaitMsMax, () => performance.now()),
      onPartialAnswer: (view) => {
        asked = view;
      },
      onResult: (result, failure) => void ends.push({ result, failure }),
    });
    if (deferred !== undefined) return abandonedResult(lookup, asked, deferred.error);
  } catch (error) {
    if (error instanceof EnrichError) return abandonedResult(lookup, asked, error);
    throw error;
  }
  const [end] = ends;
  if (end === undefined) throw new Error(`Lookup ${lookup.lookupId} got no answer.`);
  return end;
}

/**
 * The end of a lookup that could be tried again later, and is not: with all that its sources said, as failed for `error`, unless a call
 * is in doubt besides, which is graver.
 */
function abandonedResult({ lookupId }: OpenLookup, view: LookupState | null, error: EnrichError): LookupEnd {
  const gravest = view === null ? null : mostSevereError(view);
  const { source, error: failure } =
    gravest?.error instanceof InDoubt ? gravest : { source: sourceOf(error, view), error };
  const answer = { kind: 'failed' as const, reason: failure.code };
  return { result: { lookupId, source, answer, ...(view === null ? {} : { asked: view.asked }) }, failure };
}

function sourceOf(error: EnrichError, view: LookupState | null): string | null {
  return view?.failures.find((failure) => failure.error === error)?.source ?? null;
}
