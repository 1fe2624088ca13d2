import { InDoubt, Misconfigured, SourceRefused, SourceThrottled, type EnrichError } from '../errors.ts';
import type { LookupResult } from '../outcomes.ts';
import type { CompanyQuery } from '../company.ts';
import type { OpenLookup } from '../work/claim.ts';
import type { AdsAnswer, AdSource, LiveAdSource } from './ad-source.ts';
import { callWhenAllowed, inDoubt, isSourceTrouble, type CallOptions } from './call-source.ts';

export interface AskOptions extends CallOptions {
  /** Runs a call when the process has room for one more. */
  readonly limit: <T>(work: () => Promise<T>) => Promise<T>;
  /** Called as soon as a lookup has its final answer, in any order; for one that failed, with what made it fail. */
  readonly onResult: (result: LookupResult, trouble: EnrichError | null) => void;
}

/** Tries that fail in a passing way before a lookup ends as `failed` (reliability: at most five, one layer retries). */
export const triesMax = 5;

/** A lookup without an answer yet, and why: its next try comes later. */
export interface Deferred {
  readonly lookupId: bigint;
  readonly error: EnrichError;
}

/**
 * Asks the sources in order until each company's ads are found, and reports every final answer to `onResult` as soon as it is known.
 *
 * A company's outcome is found, else failed, else none, else no_match (DESIGN §2): a source that failed is never outvoted by one
 * that found nothing. What can be tried again later is returned instead of reported.
 *
 * @throws SourceRefused | Misconfigured when a source refuses our credential, account or address (401 to 404): that concerns every
 *   company.
 */
export async function askSources(
  sources: readonly AdSource[],
  lookups: readonly OpenLookup[],
  options: AskOptions,
): Promise<readonly Deferred[]> {
  if (sources.length === 0) throw new Error('Lookups were put to no source.');
  const views = new Map(lookups.map((lookup) => [lookup.lookupId, createView(lookup)]));
  const deferred: Deferred[] = [];
  function settle(view: View): void {
    if (view.found) return;
    if (view.trouble !== null && mayTryAgain(view))
      deferred.push({ lookupId: view.lookup.lookupId, error: view.trouble });
    else options.onResult(verdictOf(view), view.trouble);
  }
  for (const [i, source] of sources.entries()) {
    const open = [...views.values()].filter((view) => !view.found);
    if (open.length === 0) break;
    // What the last source leaves open is settled at once: work that is called off half-way keeps what has come back.
    const onAsked = i === sources.length - 1 ? settle : () => undefined;
    await (source.kind === 'local'
      ? askLocal(source, open, options, onAsked)
      : askLive(source, open, options, onAsked));
  }
  return deferred;
}

/** What is known about one lookup while the sources are asked. */
interface View {
  readonly lookup: OpenLookup;
  found: boolean;
  trouble: EnrichError | null;
  troubleSource: string | null;
  best: { readonly source: string; readonly answer: AdsAnswer } | null;
}

function createView(lookup: OpenLookup): View {
  return { lookup, found: false, trouble: null, troubleSource: null, best: null };
}

async function askLocal(
  source: Extract<AdSource, { kind: 'local' }>,
  views: readonly View[],
  { lease, onResult }: AskOptions,
  onAsked: (view: View) => void,
): Promise<void> {
  const answers = await source.findAds(
    views.map((view) => view.lookup.company),
    lease.signal,
  );
  views.forEach((view, i) => {
    const answer = answers[i];
    if (answer === undefined)
      throw new Error(`Source ${source.name} answered fewer companies than it was asked about.`);
    note(view, source.name, answer, onResult);
    onAsked(view);
  });
}

/** Once the source has refused us, or the work has to stop, nothing more is asked; what is under way ends first. */
async function askLive(
  source: LiveAdSource,
  views: readonly View[],
  options: AskOptions,
  onAsked: (view: View) => void,
): Promise<void> {
  const refusals: unknown[] = [];
  async function ask(view: View): Promise<void> {
    if (refusals.length > 0) return;
    try {
      await askAbout(source, view, options);
      onAsked(view);
    } catch (error) {
      refusals.push(error);
    }
  }
  await Promise.all(views.map((view) => options.limit(() => ask(view))));
  if (refusals.length > 0) throw refusals[0];
}

async function askAbout(source: LiveAdSource, view: View, options: AskOptions): Promise<void> {
  const earlier = view.lookup.earlier.get(source.name);
  if (earlier === 'lost' && !source.idempotent) {
    noteTrouble(view, source.name, inDoubt(source.name));
    return;
  }
  if (earlier === 'none' || earlier === 'no_match') {
    note(view, source.name, repeatedAnswer(earlier, view.lookup.company), options.onResult);
    return;
  }
  try {
    note(view, source.name, await callWhenAllowed(source, view.lookup, options), options.onResult);
  } catch (error) {
    if (!isSourceTrouble(error) || concernsEveryCompany(error)) throw error;
    noteTrouble(view, source.name, error);
  }
}

/** An answer without ads as it is on record; asking again would cost a call and say the same. */
function repeatedAnswer(kind: 'none' | 'no_match', { domain }: CompanyQuery): AdsAnswer {
  return kind === 'no_match' ? { kind } : { kind, matchedBy: domain === null ? 'name' : 'domain' };
}

/** Our key, our account there, or the address itself: asking about another company would end the same. */
function concernsEveryCompany(error: EnrichError): boolean {
  if (error instanceof Misconfigured) return true;
  return error instanceof SourceRefused && [401, 402, 403, 404].includes(error.status);
}

function note(view: View, source: string, answer: AdsAnswer, onResult: AskOptions['onResult']): void {
  if (answer.kind === 'found' || answer.kind === 'stored') {
    view.found = true;
    onResult({ lookupId: view.lookup.lookupId, source, answer }, null);
  } else if (view.best === null || (view.best.answer.kind === 'no_match' && answer.kind === 'none')) {
    view.best = { source, answer };
  }
}

/** Of several failed sources the gravest counts: a call in doubt must not be sent again, and what passes is worth another try. */
function noteTrouble(view: View, source: string, error: EnrichError): void {
  if (view.trouble !== null && gravity(view.trouble) > gravity(error)) return;
  view.trouble = error;
  view.troubleSource = source;
}

function gravity(error: EnrichError): number {
  if (error instanceof InDoubt) return 2;
  return error.retry.kind === 'never' ? 0 : 1;
}

function mayTryAgain(view: View): boolean {
  if (view.trouble === null || view.trouble.retry.kind === 'never') return false;
  return view.trouble instanceof SourceThrottled || view.lookup.tries + 1 < triesMax;
}

function verdictOf(view: View): LookupResult {
  const { lookupId } = view.lookup;
  if (view.trouble !== null) {
    return { lookupId, source: view.troubleSource, answer: { kind: 'failed', reason: view.trouble.code } };
  }
  if (view.best === null) throw new Error(`Lookup ${lookupId} was put to no source.`);
  return { lookupId, ...view.best };
}
