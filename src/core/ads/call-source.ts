import { EnrichError, InDoubt, SourceThrottled, SourceUnavailable } from '../errors.ts';
import type { OpenLookup } from '../work/claim.ts';
import type { AdsAnswer, LiveAdSource } from './ad-source.ts';
import type { Pacer } from './pace.ts';

/** Calls to live sources, recorded before they are sent (DESIGN D4). */
export interface CallLog {
  /** Resolves when the call is on record; only then may it be sent. */
  begin(call: { lookupId: bigint; source: string; requestKey: string }): Promise<bigint>;
  end(callId: bigint, answer: string, sourceCharge: number | undefined): Promise<void>;
}

export interface CallOptions {
  readonly pacer: Pacer;
  readonly calls: CallLog;
  /** A turn at the source that is further away than this is not waited for; milliseconds. */
  readonly turnWaitMsMax: number;
  readonly signal: AbortSignal;
}

/** One company at one source: waits for its turn, and for as long as the source asks, but calls at most once successfully. */
export async function callWhenAllowed(
  source: LiveAdSource,
  lookup: OpenLookup,
  options: CallOptions,
): Promise<AdsAnswer> {
  const { pacer, turnWaitMsMax: waitMsMax, signal } = options;
  for (let throttledTimes = 0; ; throttledTimes++) {
    await pacer.turn(source.bucket, source.pace, { waitMsMax, signal });
    try {
      return await callOnce(source, lookup, options);
    } catch (error) {
      if (!(error instanceof SourceThrottled)) throw error;
      await pacer.holdOff(source.bucket, holdOffMs(error, throttledTimes));
    }
  }
}

async function callOnce(
  source: LiveAdSource,
  lookup: OpenLookup,
  { calls, signal }: CallOptions,
): Promise<AdsAnswer> {
  const { lookupId, requestKey, company } = lookup;
  const callId = await calls.begin({ lookupId, source: source.name, requestKey });
  try {
    const answer = await source.findAds({ company, requestKey }, signal);
    await calls.end(callId, answer.kind, answer.kind === 'stored' ? undefined : answer.sourceCharge);
    return answer;
  } catch (error) {
    if (!(error instanceof EnrichError)) throw error;
    const known = isCutOff(error) && !source.idempotent ? inDoubt(source.name, error) : error;
    await calls.end(callId, known.code, undefined);
    throw known;
  }
}

/** A 429 without a time gets a growing one: 1, 2, 4 … 60 s. */
function holdOffMs(error: SourceThrottled, throttledTimes: number): number {
  return error.retry.kind === 'after' ? error.retry.delayMs : Math.min(1000 * 2 ** throttledTimes, 60_000);
}

function isCutOff(error: EnrichError): boolean {
  return error instanceof SourceUnavailable && error.inDoubt;
}

/** The error for a call whose answer nobody will ever see. */
export function inDoubt(source: string, cause?: unknown): InDoubt {
  return new InDoubt(
    `A call to ${source} was cut off after it was sent. It may have been charged there, and ${source} is not set as one that ` +
      'recognises a repeat, so it is not sent again.',
    { cause },
  );
}
