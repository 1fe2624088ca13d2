import { InDoubt, SourceThrottled, type EnrichError } from '../errors.ts';
import { withWords } from '../text/with-words.ts';
import type { AskedSource, LookupResult } from '../work/outcomes.ts';
import type { EarlierWord, OpenLookup } from '../work/claim.ts';
import type { AdsAnswer, AdsQuestion, SearchOptions } from './ad-source.ts';
import type { CompanyMapping } from '../companies/company-mapping.ts';
import { adsMaxFor } from './limit-answer.ts';
import { lastWord } from './open-calls.ts';
import { triesMax } from './source-errors.ts';

/** What is known about one lookup while the sources are asked. */
export interface LookupView {
  readonly lookup: OpenLookup;
  readonly question: AdsQuestion;
  readonly asked: AskedSource[];
  /** What sources have said that did not find ads. */
  readonly said: EarlierWord[];
  readonly troubles: SourceTrouble[];
  found: boolean;
  /** A source has ads of it, and more when it is asked later: in between no other is. */
  waits: boolean;
}

/** What kept a source from answering. */
export interface SourceTrouble {
  readonly source: string;
  readonly error: EnrichError;
}

/** What a lookup comes to, and what made it fail; null where it did not. */
export interface LookupEnd {
  readonly result: LookupResult;
  readonly trouble: EnrichError | null;
}

export function createView(
  lookup: OpenLookup,
  mapping: CompanyMapping,
  { search, via }: { readonly search: SearchOptions; readonly via: readonly string[] },
): LookupView {
  const { company, requestKey } = lookup;
  const { region, ownOnly } = search;
  const adsMax = adsMaxFor(mapping, search);
  const question = { company, mapping, region, adsMax, ownOnly, requestKey, via };
  const asked = lookup.said.map(({ source, said }) => ({ source, said }));
  return { lookup, question, asked, said: [...lookup.said], troubles: [], found: false, waits: false };
}

/** Whether a source still has to be asked: no ads are found or waited for, and it has not said before that it has none. */
export function isOpenFor(source: string, { found, waits, said }: LookupView): boolean {
  return !found && !waits && !said.some((word) => word.source === source);
}

export function noteSaid(view: LookupView, source: string, answer: AdsAnswer): void {
  view.asked.push({ source, said: answer.kind });
  if (answer.kind === 'none') view.said.push({ source, said: 'none', matchedBy: answer.matchedBy });
  if (answer.kind === 'no_match') view.said.push({ source, said: 'no_match' });
}

export function noteTrouble({ asked, troubles }: LookupView, trouble: SourceTrouble): void {
  const { source, error } = trouble;
  asked.push({ source, said: error.code, message: withWords(error) });
  troubles.push(trouble);
}

/**
 * Trouble for which the lookup is tried again; null when none of it passes. One that uses up a try comes first.
 *
 * Another source's call in doubt is no reason to give up: that one is not called again.
 */
export function passingTrouble({ troubles, lookup }: LookupView): EnrichError | null {
  const isLastTry = lookup.tries + 1 >= triesMax;
  const passing = troubles
    .map(({ error }) => error)
    .filter((error) => error instanceof SourceThrottled || (error.retry.kind !== 'never' && !isLastTry));
  return passing.findLast((error) => !(error instanceof SourceThrottled)) ?? passing.at(-1) ?? null;
}

/** Of several failed sources the gravest counts: a call in doubt must not be sent again, and what passes is worth another try. */
export function gravestTrouble({ troubles, lookup }: LookupView): SourceTrouble | null {
  const words = troubles.map(({ source, error }) => ({ source, error: lastWord(error, source, lookup) }));
  return words.reduce<SourceTrouble | null>(
    (gravest, word) => (gravest !== null && gravity(gravest.error) > gravity(word.error) ? gravest : word),
    null,
  );
}

function gravity(error: EnrichError): number {
  if (error instanceof InDoubt) return 2;
  return error.retry.kind === 'never' ? 0 : 1;
}

/**
 * What the lookup comes to if no source is asked any more: found, else failed, else none, else no_match (DESIGN §2). With
 * `noneOutvotesFailed`, who found nothing outvotes who failed.
 */
export function endOf(view: LookupView, noneOutvotesFailed: boolean): LookupEnd {
  const { lookup, asked, said } = view;
  const { lookupId } = lookup;
  const trouble = gravestTrouble(view);
  const best = said.find((word) => word.said === 'none') ?? said[0] ?? null;
  if (trouble !== null && !(noneOutvotesFailed && best?.said === 'none')) {
    const answer = { kind: 'failed' as const, reason: trouble.error.code };
    return { result: { lookupId, source: trouble.source, answer, asked }, trouble: trouble.error };
  }
  if (best === null) throw new Error(`Lookup ${lookupId} was put to no source.`);
  return { result: { lookupId, source: best.source, answer: answerOf(best), asked }, trouble: null };
}

function answerOf(word: EarlierWord): AdsAnswer {
  return word.said === 'none' ? { kind: 'none', matchedBy: word.matchedBy } : { kind: 'no_match' };
}
