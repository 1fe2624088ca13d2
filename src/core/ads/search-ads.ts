import type { CompanyQuery } from '../company.ts';
import { EnrichError } from '../errors.ts';
import type { KeptAnswer } from '../idempotency.ts';
import type { AdsOutcome, LookupResult } from '../outcomes.ts';
import type { AdsClaim } from '../work/claim.ts';
import type { Lease } from '../work/lease-keeper.ts';
import type { Ad } from './ad.ts';
import { askSources } from './ask-sources.ts';
import type { Searching } from './searching.ts';

/** The answer to one search as it is stored: the ads that were charged for, and the charge. */
export interface StoredAnswer {
  readonly lookupId: bigint;
  readonly company: CompanyQuery;
  readonly outcome: AdsOutcome;
  readonly reason: string | null;
  readonly source: string | null;
  readonly matchedBy: string | null;
  readonly ads: readonly Ad[];
  readonly chargedMicro: bigint;
}

/** One search, and who asks. */
export interface SearchRequest {
  readonly accountId: number;
  readonly company: CompanyQuery;
  readonly sources: readonly string[];
  /** Names the lookup where results are shown; unique. */
  readonly requestId: string;
  /** Where the answer is kept for a repeat of the request. */
  readonly kept?: KeptAnswer<StoredAnswer> | null;
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
  answer(claim: AdsClaim, result: LookupResult, kept: KeptAnswer<StoredAnswer> | null): Promise<StoredAnswer>;
}

export interface SearchAdsOptions extends Searching {
  readonly requests: RequestStore;
}

/** A caller waits at most so long for a turn at a source; then it is told to come back (DESIGN D6). */
const turnWaitMsMax = 10_000;

/**
 * Finds the ads a company runs and charges for the answer.
 *
 * Costs the price of the hold (0.2 credits) when at least one ad is found and nothing otherwise (service contract §4.1, §8).
 *
 * @throws InsufficientCredits when the balance is below the price of a find: the source is not asked.
 * @throws SourceThrottled | SourceUnavailable | SourceRefused | SourceUnreadable | InDoubt when the sources could not answer;
 *   the lookup ends as failed and nothing is charged.
 */
export async function searchAds(options: SearchAdsOptions, request: SearchRequest): Promise<StoredAnswer> {
  const { requests, outcomes, leases, leaseMs } = options;
  const askedAtMs = performance.now();
  const claim = await requests.open(request, leaseMs);
  const lease = leases.keep(claim, askedAtMs);
  try {
    const { result, trouble } = await askOnce(options, claim, lease);
    if (trouble === null) return await requests.answer(claim, result, request.kept ?? null);
    await outcomes.commit(claim, [result]);
    throw trouble;
  } finally {
    lease.release();
  }
}

/** What asking came to: a result to be written down, and the trouble that whoever asked is told instead of an answer. */
interface Asked {
  readonly result: LookupResult;
  readonly trouble: EnrichError | null;
}

/** The one lookup of the claim, asked once: whoever called decides about another try. */
async function askOnce(
  { sourcesNamed, asking }: SearchAdsOptions,
  claim: AdsClaim,
  lease: Lease,
): Promise<Asked> {
  const [lookup] = claim.lookups;
  if (lookup === undefined) throw new Error(`The claim of chunk ${claim.chunkId} has no lookup.`);
  const answered: Asked[] = [];
  const failedBy = (trouble: EnrichError): Asked => ({
    result: { lookupId: lookup.lookupId, source: null, answer: { kind: 'failed', reason: trouble.code } },
    trouble,
  });
  try {
    const sources = await sourcesNamed(claim.sources, claim.accountId);
    const [deferred] = await askSources(sources, claim.lookups, {
      ...asking,
      turnWaitMsMax,
      lease,
      onResult: (result, trouble) => void answered.push({ result, trouble }),
    });
    if (deferred !== undefined) return failedBy(deferred.error);
  } catch (error) {
    if (error instanceof EnrichError) return failedBy(error);
    throw error;
  }
  const [asked] = answered;
  if (asked === undefined) throw new Error(`Lookup ${lookup.lookupId} got no answer.`);
  return asked;
}
