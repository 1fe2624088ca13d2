import { InDoubt, SourceUnavailable, SourceUnreadable, type EnrichError } from '../errors.ts';
import type { EarlierCall, OpenLookup } from '../work/claim.ts';
import type { CalledSource } from './ad-source.ts';
import type { NewCall, SourceCallLog } from './call-log.ts';
import { isCutOff } from './source-errors.ts';
import { withoutSecrets } from './without-secrets.ts';

/** Finds the same call, made earlier, with a stored reply; null if there is none. */
export function findKept(source: string, { earlier }: OpenLookup, about: string): EarlierCall | null {
  return (
    earlier.find((call) => call.state === 'kept' && call.source === source && call.about === about) ?? null
  );
}

/** True when a call to the source was sent earlier, and its answer never came or was not kept: it may have been charged. */
export function isOpenAt(source: string, { earlier }: OpenLookup): boolean {
  return openCalls(earlier).some((call) => call.source === source);
}

/** True when a call to any source is open. */
export function hasOpenCall({ earlier }: OpenLookup): boolean {
  return openCalls(earlier).length > 0;
}

/** True when the source has given a reply that led to another call and is not stored: the next call cannot be made without paying twice. */
export function hasUnkept(source: string, { earlier }: OpenLookup): boolean {
  return earlier.some((call) => call.source === source && call.state === 'candidates');
}

/** A call that was repeated later with the same description, and answered, is settled: it was one order. */
function openCalls(earlier: readonly EarlierCall[]): readonly EarlierCall[] {
  return earlier.filter(
    (call, i) => call.state === 'lost' && !earlier.slice(i + 1).some((later) => settles(later, call)),
  );
}

function settles(later: EarlierCall, call: EarlierCall): boolean {
  return later.state !== 'lost' && later.source === call.source && later.about === call.about;
}

/**
 * Final error of a lookup: a call that was cut off, and that no repeat has settled, is in doubt, whatever later errors the
 * source had.
 */
export function lastWord(error: EnrichError, source: string, lookup: OpenLookup): EnrichError {
  if (!(error instanceof SourceUnavailable)) return error;
  return isCutOff(error) || isOpenAt(source, lookup) ? orderInDoubt(source, error) : error;
}

/** The error for a call whose answer is lost. */
export function inDoubt(source: string, cause?: unknown): InDoubt {
  return new InDoubt(
    `A call to ${source} was cut off after it was sent. It may have been charged there, and ${source} is not set as one that ` +
      'recognises a repeat, so it is not sent again.',
    { cause },
  );
}

/** The same for a source that would have recognized a repeat: a new search would be a new order. */
function orderInDoubt(source: string, cause: unknown): InDoubt {
  return new InDoubt(
    `A call to ${source} was cut off after it was sent, and no repeat of it brought an answer. It may have been charged there.`,
    { cause },
  );
}

/** The error for a lookup that only parses stored replies, and finds one missing. */
export function notKept(source: string, about: string): SourceUnreadable {
  return new SourceUnreadable(
    `The reply of ${source} about "${about}" is not stored, so it cannot be parsed again.`,
  );
}

/**
 * Reads the reply to an equal call that a restore brought back; null if there is no such call.
 *
 * @throws InDoubt when its answer is lost: the lookup that it was made for had another key, so not even a source that recognizes repeats
 *   would recognize this one.
 */
export async function readRestored(
  source: CalledSource,
  call: NewCall,
  calls: Pick<SourceCallLog, 'adopt' | 'readReply'>,
): Promise<string | null> {
  const restored = await calls.adopt(source, call);
  if (restored === null) return null;
  const reply = restored.state === 'kept' ? await calls.readReply(restored.callId) : null;
  if (reply === null) throw inDoubt(source.name);
  return withoutSecrets(reply);
}
