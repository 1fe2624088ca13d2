import { InDoubt, SourceThrottled, type EnrichError, messageWithVendor } from '../errors.ts';
import type { AskedSource, LookupCandidate, LookupResult } from '../work/outcomes.ts';
import type { PriorAnswer, OpenLookup } from '../work/claim.ts';
import type { AdsQuestion } from './ad-source.ts';
import type { AdsAnswer, SearchOptions } from '../ads/ads-answer.ts';
import type { CompanyMapping } from '../companies/company-mapping.ts';
import { adsMaxFor } from './limit-answer.ts';
import { lastWord } from './open-calls.ts';
import { sourceFailure } from '../work/retry-policies.ts';

/** State of one lookup while the sources are called. */
export interface LookupState {
  readonly lookup: OpenLookup;
  readonly question: AdsQuestion;
  readonly asked: AskedSource[];
  /** Answers of sources that found no ads. */
  readonly reported: PriorAnswer[];
  readonly failures: SourceError[];
  /** Advertisers that may belong to the company, of all sources, by id. Those that the operator has mapped are decided. */
  readonly candidates: Map<string, LookupCandidate>;
  found: boolean;
  /** True when a source has ads that it will return later, or could not be called yet; until then no other source is called. */
  waits: boolean;
}

/** Error of a source. */
export interface SourceError {
  readonly source: string;
  readonly error: EnrichError;
}

/** Final result of a lookup, with the error of a failed one; null without an error. */
export interface FinalResult {
  readonly result: LookupResult;
  readonly failure: EnrichError | null;
}

export function createLookupState(
  lookup: OpenLookup,
  mapping: CompanyMapping,
  { search, via }: { readonly search: SearchOptions; readonly via: readonly string[] },
): LookupState {
  const { company, requestKey } = lookup;
  const { region, surface, ownOnly } = search;
  const adsMax = adsMaxFor(mapping, search);
  const question = { company, mapping, region, surface, adsMax, ownOnly, requestKey, via };
  const asked = lookup.reported.map(({ source, reported }) => ({ source, reported }));
  return {
    lookup,
    question,
    asked,
    reported: [...lookup.reported],
    failures: [],
    candidates: new Map(),
    found: false,
    waits: false,
  };
}

/** True when a source still has to be called: no ads are found or pending, and it has not answered earlier that it has none. */
export function isOpenFor(source: string, { found, waits, reported }: LookupState): boolean {
  return !found && !waits && !reported.some((word) => word.source === source);
}

export function recordAnswer(state: LookupState, source: string, answer: AdsAnswer): void {
  state.asked.push({ source, reported: answer.kind });
  const decided = new Set(state.question.mapping.map(({ advertiserId }) => advertiserId));
  for (const candidate of 'candidates' in answer ? (answer.candidates ?? []) : []) {
    if (!decided.has(candidate.advertiserId))
      state.candidates.set(candidate.advertiserId, { ...candidate, source });
  }
  if (answer.kind === 'none') state.reported.push({ source, reported: 'none', matchedBy: answer.matchedBy });
  if (answer.kind === 'no_match') state.reported.push({ source, reported: 'no_match' });
}

export function recordError({ asked, failures }: LookupState, failure: SourceError): void {
  const { source, error } = failure;
  asked.push({ source, reported: error.code, message: messageWithVendor(error) });
  failures.push(failure);
}

/**
 * The error for which the lookup is retried; null if no error is transient. An error that uses up a try comes first.
 *
 * A call in doubt at another source does not prevent a retry: that source is not called again.
 */
export function transientError({ failures, lookup }: LookupState): EnrichError | null {
  const isLastTry = lookup.tries + 1 >= sourceFailure.triesMax;
  const passing = failures
    .map(({ error }) => error)
    .filter((error) => error instanceof SourceThrottled || (error.retry.kind !== 'never' && !isLastTry));
  return passing.findLast((error) => !(error instanceof SourceThrottled)) ?? passing.at(-1) ?? null;
}

/** Most severe of several errors: a call in doubt must not be repeated, and a transient error is worth a retry. */
export function mostSevereError({ failures, lookup }: LookupState): SourceError | null {
  const words = failures.map(({ source, error }) => ({ source, error: lastWord(error, source, lookup) }));
  return words.reduce<SourceError | null>(
    (gravest, word) => (gravest !== null && gravity(gravest.error) > gravity(word.error) ? gravest : word),
    null,
  );
}

function gravity(error: EnrichError): number {
  if (error instanceof InDoubt) return 2;
  return error.retry.kind === 'never' ? 0 : 1;
}

/**
 * End of a lookup when no more source is called: found, else failed, else none, else no_match (docs/architecture/concepts.md). With
 * `noneOutvotesFailed`, an answer of no ads outvotes an error.
 */
export function finalResultOf(state: LookupState, noneOutvotesFailed: boolean): FinalResult {
  const { lookup, asked, reported } = state;
  const { lookupId } = lookup;
  const failure = mostSevereError(state);
  const best = reported.find((word) => word.reported === 'none') ?? reported[0] ?? null;
  if (failure !== null && !(noneOutvotesFailed && best?.reported === 'none')) {
    const answer = { kind: 'failed' as const, reason: failure.error.code };
    return {
      result: { lookupId, source: failure.source, answer, asked, ...ofCompany(state) },
      failure: failure.error,
    };
  }
  if (best === null) throw new Error(`Lookup ${lookupId} was put to no source.`);
  const result = { lookupId, source: best.source, answer: answerOf(best), asked, ...ofCompany(state) };
  return { result, failure: null };
}

/** Maximum number of candidates of a company that are recorded, the likeliest first: a domain may have hundreds of resellers. Our choice. */
const candidatesMax = 20;

/** Facts about the company in a result, beside the answer. */
export function ofCompany({
  lookup,
  candidates,
}: LookupState): Pick<LookupResult, 'companyKey' | 'candidates'> {
  if (candidates.size === 0) return {};
  const likeliest = [...candidates.values()].sort((one, other) => other.confidence - one.confidence);
  return { companyKey: lookup.company.key, candidates: likeliest.slice(0, candidatesMax) };
}

function answerOf(word: PriorAnswer): AdsAnswer {
  return word.reported === 'none' ? { kind: 'none', matchedBy: word.matchedBy } : { kind: 'no_match' };
}
