import { SourceThrottled, type EnrichError } from '../errors.ts';
import type { LookupResult } from '../work/outcomes.ts';
import type { OpenLookup } from '../work/claim.ts';
import type { AdSource, BatchedAdSource, LiveAdSource, LocalAdSource } from './ad-source.ts';
import type { AdsAnswer, SearchOptions } from '../ads/ads-answer.ts';
import type { CompanyMapping } from '../companies/company-mapping.ts';
import { createSourceCallExecutor, type CallOptions } from './source-call-executor.ts';
import { limitAnswer } from './limit-answer.ts';
import {
  createView,
  endOf,
  isOpenFor,
  recordAnswer,
  recordError,
  transientError,
  type LookupEnd,
  type LookupState,
} from './lookup-state.ts';
import { isSourceError, pauseAfter, HalfOpenRejected } from './source-errors.ts';
import { circuitBreaker } from '../work/retry-policies.ts';
import { storableAd } from '../ads/storable-ad.ts';

export interface AskOptions extends CallOptions {
  readonly search: SearchOptions;
  /** Finds the operator's mappings by company key. */
  readonly findMappings: (companyKeys: readonly string[]) => Promise<ReadonlyMap<string, CompanyMapping>>;
  /** True when the operator's setting lets a source without ads outvote one that failed for good. */
  readonly noneOutvotesFailed: boolean;
  /** Runs a call when this process has room for one more. */
  readonly limit: <T>(work: () => Promise<T>) => Promise<T>;
  /** Called with each final answer as soon as it is known, in any order; for a failed lookup, with the error. */
  readonly onResult: (result: LookupResult, failure: EnrichError | null) => void;
  /** Called as soon as a source has answered or failed a lookup, whether or not the lookup ends. */
  readonly onPartialAnswer?: (view: LookupState) => void;
}

/** A lookup without a final answer, and the error for which it is retried later. */
export interface Deferred {
  readonly lookupId: bigint;
  readonly error: EnrichError;
}

/**
 * Calls the sources in order until the ads of each company are found, and passes every final answer, with the answers of all
 * called sources, to `onResult` as soon as it is known. A source that has already reported no ads for a company is not called
 * again for it.
 *
 * The outcome of a company is found, else failed, else none, else no_match (docs/architecture/concepts.md): a failed source is
 * never outvoted by one that found nothing, unless the operator's setting says so. Lookups that can be retried later are
 * returned instead of reported.
 *
 * @throws SourceRefused | SourceBlocked | SourcePaused | Misconfigured when a source rejects our credential, account or address
 * (401 to 404), or must not be called at the moment: this concerns every company.
 */
export async function askSources(
  sources: readonly AdSource[],
  lookups: readonly OpenLookup[],
  options: AskOptions,
): Promise<readonly Deferred[]> {
  if (sources.length === 0) throw new Error('Lookups were put to no source.');
  const mappings = await options.findMappings(lookups.map(({ company }) => company.key));
  const views = lookups.map((lookup) => createView(lookup, mappings.get(lookup.company.key) ?? [], options));
  const deferred: Deferred[] = [];
  function settle(view: LookupState): void {
    if (view.found) return;
    const error = transientError(view);
    if (error !== null) deferred.push({ lookupId: view.lookup.lookupId, error });
    else report(endOf(view, options.noneOutvotesFailed), options);
  }
  for (const [i, source] of sources.entries()) {
    const isLast = i === sources.length - 1;
    // Lookups that the last source leaves open are settled at once, so that aborted work keeps the answers it has.
    if (isLast) views.filter((view) => !view.waits && !isOpenFor(source.name, view)).forEach(settle);
    const open = views.filter((view) => isOpenFor(source.name, view));
    if (open.length > 0)
      await askSource(source, open, options, (view) => {
        if (isLast || view.waits) settle(view);
      });
  }
  return deferred;
}

function report({ result, failure }: LookupEnd, { onResult }: AskOptions): void {
  onResult(result, failure);
}

async function askSource(
  source: AdSource,
  views: readonly LookupState[],
  options: AskOptions,
  onAsked: (view: LookupState) => void,
): Promise<void> {
  switch (source.kind) {
    case 'local':
      return askLocal(source, views, options, onAsked);
    case 'batched':
      return askBatched(source, views, options, onAsked);
    case 'live':
      return askLive(source, views, options, onAsked);
  }
}

async function askLocal(
  source: LocalAdSource,
  views: readonly LookupState[],
  options: AskOptions,
  onAsked: (view: LookupState) => void,
): Promise<void> {
  const answers = await source.findAds(
    views.map(({ question }) => question),
    options.lease.signal,
  );
  noteAll(source, views, answers, options);
  views.forEach(onAsked);
}

/** Makes one call for all of them, recorded under the first. */
async function askBatched(
  source: BatchedAdSource,
  views: readonly LookupState[],
  options: AskOptions,
  onAsked: (view: LookupState) => void,
): Promise<void> {
  const [first] = views;
  if (first === undefined) return;
  // A rejection concerns all of them together, whatever the first has gone through before.
  const exchange = createSourceCallExecutor(
    source,
    { ...first.lookup, tries: 0 },
    { ...options, refusalsAlikeMax: circuitBreaker.rejectedTogetherMax },
  );
  try {
    const answers = await source.findAds(questionsTogether(views), exchange);
    noteAll(source, views, answers, options);
  } catch (error) {
    const failure = error instanceof HalfOpenRejected ? error.cause : error;
    for (const view of views) noteError(view, source.name, failure, options);
  }
  views.forEach(onAsked);
}

/** The lookups share one bound: the largest of any company. */
function questionsTogether(views: readonly LookupState[]) {
  const questions = views.map(({ question }) => question);
  const isBounded = questions.every(({ adsMax }) => adsMax !== null);
  return isBounded ? questions : questions.map((question) => ({ ...question, adsMax: null }));
}

/** Starts no more calls once the source has rejected the credential or the work has to stop; running calls finish first. */
async function askLive(
  source: LiveAdSource,
  views: readonly LookupState[],
  options: AskOptions,
  onAsked: (view: LookupState) => void,
): Promise<void> {
  const refusals: unknown[] = [];
  async function ask(view: LookupState): Promise<void> {
    if (refusals.length > 0) return;
    try {
      await askAbout(source, view, options);
      onAsked(view);
    } catch (error) {
      refusals.push(error);
    }
  }
  await Promise.all(views.map((view) => options.limit(() => ask(view))));
  // The other calls only learned that a probe is running.
  const inTrial = refusals.find((error) => error instanceof HalfOpenRejected);
  if (refusals.length > 0) throw inTrial ?? refusals[0];
}

async function askAbout(source: LiveAdSource, view: LookupState, options: AskOptions): Promise<void> {
  const { lookup, question } = view;
  const exchange = createSourceCallExecutor(source, lookup, options);
  try {
    const answer = repeatedAnswer(source.name, lookup) ?? (await source.findAds(question, exchange));
    note(view, source, answer, options);
  } catch (error) {
    noteError(view, source.name, error, options);
    view.waits = exchange.comesBack && exchange.hasAds() && error instanceof SourceThrottled;
  }
}

/**
 * A recorded answer without ads whose reply was not stored; another call would cost and return the same. Candidates before it
 * are not an answer.
 */
function repeatedAnswer(source: string, { earlier, company: { domain } }: OpenLookup): AdsAnswer | null {
  const states = earlier
    .filter((call) => call.source === source && call.state !== 'candidates')
    .map(({ state }) => state);
  if (states.length === 0 || states.some((state) => state === 'lost' || state === 'kept')) return null;
  if (!states.includes('none')) return { kind: 'no_match' };
  return { kind: 'none', matchedBy: domain === null ? 'name' : 'domain' };
}

function noteAll(
  source: AdSource,
  views: readonly LookupState[],
  answers: readonly (AdsAnswer | null)[],
  options: AskOptions,
): void {
  if (answers.length < views.length)
    throw new Error(`Source ${source.name} answered fewer companies than it was asked about.`);
  views.forEach((view, i) => {
    const answer = answers[i] ?? null;
    if (answer === null) return;
    try {
      note(view, source, answer, options);
    } catch (error) {
      noteError(view, source.name, error, options);
    }
  });
}

/** @throws SourceUnavailable when no ads remain of a partial answer; see `limitAnswer`. */
function note(
  view: LookupState,
  { name, ownMapping }: AdSource,
  reported: AdsAnswer,
  options: AskOptions,
): void {
  const { search, onResult, onPartialAnswer } = options;
  const { lookup, question, asked } = view;
  const answer = limitAnswer(storable(reported), question, { ...search, ownMapping });
  recordAnswer(view, name, answer);
  view.found = answer.kind !== 'none' && answer.kind !== 'no_match';
  if (view.found) onResult({ lookupId: lookup.lookupId, source: name, answer, asked }, null);
  else onPartialAnswer?.(view);
}

function storable(answer: AdsAnswer): AdsAnswer {
  return answer.kind === 'found' ? { ...answer, ads: answer.ads.map(storableAd) } : answer;
}

/** @throws the error if it does not concern only this company. */
function noteError(view: LookupState, source: string, error: unknown, { onPartialAnswer }: AskOptions): void {
  if (!isSourceError(error)) throw error;
  recordError(view, { source, error });
  onPartialAnswer?.(view);
  if (pauseAfter(error, 0) !== null) throw error;
}
