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
  /** A source that found nothing outvotes one that failed for good: the operator chose so. */
  readonly noneOutvotesFailed: boolean;
  /** Runs a call when the process has room for one more. */
  readonly limit: <T>(work: () => Promise<T>) => Promise<T>;
  /** Called as soon as a lookup has its final answer, in any order; for one that failed, with what made it fail. */
  readonly onResult: (result: LookupResult, failure: EnrichError | null) => void;
  /** Called as soon as a source has said something of a lookup, or has failed it, whatever comes of it. */
  readonly onPartialAnswer?: (view: LookupState) => void;
}

/** A lookup without an answer yet, and why: its next try comes later. */
export interface Deferred {
  readonly lookupId: bigint;
  readonly error: EnrichError;
}

/**
 * Asks the sources in order until each company's ads are found, and reports every final answer to `onResult` as soon as it is known, with
 * what each source said. A source that has said before that it has no ads of a company is not asked about it again.
 *
 * A company's outcome is found, else failed, else none, else no_match (docs/architecture/concepts.md): a source that failed is never
 * outvoted by one that found nothing, unless the operator chose so. What can be tried again later is returned instead of reported.
 *
 * @throws SourceRefused | SourceBlocked | SourcePaused | Misconfigured when a source refuses our credential, account or address (401 to
 * 404), or is not to be asked at the moment: that concerns every company.
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
    // What the last source leaves open is settled at once: work that is called off half-way keeps what has come back.
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

/** One call for all of them, on record under the first. */
async function askBatched(
  source: BatchedAdSource,
  views: readonly LookupState[],
  options: AskOptions,
  onAsked: (view: LookupState) => void,
): Promise<void> {
  const [first] = views;
  if (first === undefined) return;
  // What the source refuses is the question about all of them, whatever the first has been through.
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

/** They have one bound: that of the company for which most is asked. */
function questionsTogether(views: readonly LookupState[]) {
  const questions = views.map(({ question }) => question);
  const isBounded = questions.every(({ adsMax }) => adsMax !== null);
  return isBounded ? questions : questions.map((question) => ({ ...question, adsMax: null }));
}

/** Once the source has refused us, or the work has to stop, nothing more is asked; what is under way ends first. */
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
  // The others have only heard that the source is being tried.
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
 * An answer without ads as it is on record, where the reply itself is not; asking again would cost a call and say the same. Candidates
 * before it count for nothing, and are no answer by themselves.
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

/** @throws SourceUnavailable when nothing is left of an answer that was cut short; see `limitAnswer`. */
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

/** @throws the error where it is not about this company. */
function noteError(view: LookupState, source: string, error: unknown, { onPartialAnswer }: AskOptions): void {
  if (!isSourceError(error)) throw error;
  recordError(view, { source, error });
  onPartialAnswer?.(view);
  if (pauseAfter(error, 0) !== null) throw error;
}
