import { setMaxListeners } from 'node:events';
import { ShutdownError } from '../async/shutdown-error.ts';
import { SourcePaused, SourceThrottled, type EnrichError } from '../errors.ts';
import type { LookupResult } from '../work/outcomes.ts';
import type { OpenLookup } from '../work/claim.ts';
import type { AdSource, BatchedAdSource, LiveAdSource, LocalAdSource } from './ad-source.ts';
import type { AdsAnswer, SearchOptions } from '../ads/ads-answer.ts';
import type { CompanyMapping } from '../companies/company-mapping.ts';
import type { CallOptions } from './call-options.ts';
import { createSourceCallExecutor } from './source-call-executor.ts';
import { limitAnswer } from './limit-answer.ts';
import {
  createLookupState,
  finalResultOf,
  isOpenFor,
  ofCompany,
  recordAnswer,
  recordError,
  transientError,
  type FinalResult,
  type LookupState,
} from './lookup-state.ts';
import { LineFull } from './pace/source-line.ts';
import type { Gate } from './rate-limiter.ts';
import { isSourceError, pauseAfter, HalfOpenRejected } from './source-errors.ts';
import { circuitBreaker } from '../work/retry-policies.ts';
import { storableAd } from '../ads/storable-ad.ts';

export interface AskOptions extends CallOptions {
  readonly search: SearchOptions;
  /** Finds the operator's mappings by company key. */
  readonly findMappings: (companyKeys: readonly string[]) => Promise<ReadonlyMap<string, CompanyMapping>>;
  /** True when the operator's setting lets a source without ads outvote one that failed for good. */
  readonly noneOutvotesFailed: boolean;
  /** Returns the gate that a lookup passes before it is put to a live source. Default: none. */
  readonly gateFor?: (lookup: OpenLookup) => Gate;
  /** Called with each final answer as soon as it is known, in any order; for a failed lookup, with the error. */
  readonly onResult: (result: LookupResult, failure: EnrichError | null) => void;
  /** Called as soon as a source has answered or failed a lookup, whether or not the lookup ends. */
  readonly onPartialAnswer?: (state: LookupState) => void;
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
 * never outvoted by one that found nothing, unless the operator's setting allows it. Lookups that can be retried later are
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
  const states = lookups.map((lookup) =>
    createLookupState(lookup, mappings.get(lookup.company.key) ?? [], options),
  );
  const deferred: Deferred[] = [];
  function settle(state: LookupState): void {
    if (state.found) return;
    const error = transientError(state);
    if (error !== null) deferred.push({ lookupId: state.lookup.lookupId, error });
    else report(finalResultOf(state, options.noneOutvotesFailed), options);
  }
  for (const [i, source] of sources.entries()) {
    const isLast = i === sources.length - 1;
    // Lookups that the last source leaves open are settled at once, so that aborted work keeps the answers it has.
    if (isLast) states.filter((state) => !state.waits && !isOpenFor(source.name, state)).forEach(settle);
    const open = states.filter((state) => isOpenFor(source.name, state));
    if (open.length > 0)
      await askSource(source, open, options, (state) => {
        if (isLast || state.waits) settle(state);
      });
  }
  return deferred;
}

function report({ result, failure }: FinalResult, { onResult }: AskOptions): void {
  onResult(result, failure);
}

async function askSource(
  source: AdSource,
  states: readonly LookupState[],
  options: AskOptions,
  onAsked: (state: LookupState) => void,
): Promise<void> {
  switch (source.kind) {
    case 'local':
      return askLocal(source, states, options, onAsked);
    case 'batched':
      return askBatched(source, states, options, onAsked);
    case 'live':
      return askLive(source, states, options, onAsked);
  }
}

async function askLocal(
  source: LocalAdSource,
  states: readonly LookupState[],
  options: AskOptions,
  onAsked: (state: LookupState) => void,
): Promise<void> {
  const answers = await source.findAds(
    states.map(({ question }) => question),
    options.lease.signal,
  );
  noteAll(source, states, answers, options);
  states.forEach(onAsked);
}

/** Makes one call for all of them, recorded under the first. */
async function askBatched(
  source: BatchedAdSource,
  states: readonly LookupState[],
  options: AskOptions,
  onAsked: (state: LookupState) => void,
): Promise<void> {
  const [first] = states;
  if (first === undefined) return;
  // A rejection concerns all of them together, whatever the first has gone through before.
  const executor = createSourceCallExecutor(
    source,
    { ...first.lookup, tries: 0 },
    { ...options, line: undefined, refusalsAlikeMax: circuitBreaker.rejectedTogetherMax },
  );
  try {
    const answers = await source.findAds(questionsTogether(states), executor);
    noteAll(source, states, answers, options);
  } catch (error) {
    const failure = error instanceof HalfOpenRejected ? error.cause : error;
    for (const state of states) noteError(state, source.name, failure, options);
  }
  states.forEach(onAsked);
}

/** The lookups share one bound: the largest of any company. */
function questionsTogether(states: readonly LookupState[]) {
  const questions = states.map(({ question }) => question);
  const isBounded = questions.every(({ adsMax }) => adsMax !== null);
  return isBounded ? questions : questions.map((question) => ({ ...question, adsMax: null }));
}

/**
 * Starts no more calls once the source has rejected the credential, is paused, or the work has to stop; running calls finish first.
 *
 * A pause, of the source or of the batch that waits for it, does not withdraw the calls that are recorded: they were admitted before it, and one of
 * them may be the probe that ends it, or the last one of a budget. The lease withdraws them if even these may not be sent.
 */
async function askLive(
  source: LiveAdSource,
  states: readonly LookupState[],
  options: AskOptions,
  onAsked: (state: LookupState) => void,
): Promise<void> {
  const refusals: unknown[] = [];
  const [stop, withdrawal] = [new AbortController(), new AbortController()];
  const turnSignal = AbortSignal.any([options.lease.turnSignal, stop.signal]);
  const sendSignal = AbortSignal.any([options.lease.sendSignal, withdrawal.signal]);
  // Every lookup waits on them.
  setMaxListeners(0, turnSignal, sendSignal);
  const asking = { ...options, lease: { ...options.lease, turnSignal, sendSignal } };
  async function ask(state: LookupState): Promise<void> {
    if (refusals.length > 0) return;
    try {
      await askAbout(source, state, asking);
      onAsked(state);
    } catch (error) {
      refusals.push(error);
      stop.abort(error);
      if (!(error instanceof SourcePaused || error instanceof ShutdownError)) withdrawal.abort(error);
    }
  }
  const gateFor = options.gateFor ?? (() => withoutGate);
  await Promise.all(states.map((state) => gateFor(state.lookup)(() => ask(state))));
  if (refusals.length > 0) throw decisiveOf(refusals);
}

/** Admits every lookup at once. */
export const withoutGate: Gate = (work) => work();

/** Error of the calls that says most: calls that were not admitted know only that another one probes the source. */
function decisiveOf(errors: readonly unknown[]): unknown {
  const ofProbe = errors.find((error) => error instanceof HalfOpenRejected);
  return ofProbe ?? errors.find((error) => !(error instanceof SourcePaused)) ?? errors[0];
}

async function askAbout(source: LiveAdSource, state: LookupState, options: AskOptions): Promise<void> {
  const { lookup, question } = state;
  const executor = createSourceCallExecutor(source, lookup, options);
  try {
    const answer = repeatedAnswer(source.name, lookup) ?? (await source.findAds(question, executor));
    note(state, source, answer, options);
  } catch (error) {
    noteError(state, source.name, error, options);
    state.waits =
      error instanceof LineFull ||
      (executor.comesBack && executor.hasAds() && error instanceof SourceThrottled);
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
  states: readonly LookupState[],
  answers: readonly (AdsAnswer | null)[],
  options: AskOptions,
): void {
  if (answers.length < states.length)
    throw new Error(`Source ${source.name} answered fewer companies than it was asked about.`);
  states.forEach((state, i) => {
    const answer = answers[i] ?? null;
    if (answer === null) return;
    try {
      note(state, source, answer, options);
    } catch (error) {
      noteError(state, source.name, error, options);
    }
  });
}

/** @throws SourceUnavailable when no ads remain of a partial answer; see `limitAnswer`. */
function note(
  state: LookupState,
  { name, ownMapping }: AdSource,
  reported: AdsAnswer,
  options: AskOptions,
): void {
  const { search, onResult, onPartialAnswer } = options;
  const { lookup, question, asked } = state;
  const answer = limitAnswer(storable(reported), question, { ...search, ownMapping });
  recordAnswer(state, name, answer);
  state.found = answer.kind !== 'none' && answer.kind !== 'no_match';
  if (state.found)
    onResult({ lookupId: lookup.lookupId, source: name, answer, asked, ...ofCompany(state) }, null);
  else onPartialAnswer?.(state);
}

function storable(answer: AdsAnswer): AdsAnswer {
  return answer.kind === 'found' ? { ...answer, ads: answer.ads.map(storableAd) } : answer;
}

/** @throws the error if it does not concern only this company. */
function noteError(
  state: LookupState,
  source: string,
  error: unknown,
  { onPartialAnswer }: AskOptions,
): void {
  if (!isSourceError(error)) throw error;
  recordError(state, { source, error });
  onPartialAnswer?.(state);
  if (pauseAfter(error, 0) !== null) throw error;
}
