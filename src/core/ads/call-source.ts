import { crashPoint } from '../crash-point.ts';
import {
  InDoubt,
  Misconfigured,
  SourceRefused,
  SourceThrottled,
  SourceUnavailable,
  SourceUnreadable,
  type EnrichError,
} from '../errors.ts';
import type { OpenLookup } from '../work/claim.ts';
import type { AdsAnswer, LiveAdSource } from './ad-source.ts';
import type { Pacer, Turn } from './pace.ts';

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
  /** The right under which the calls are made. */
  readonly lease: CallLease;
}

/** What calls need of the lease that they are made under. */
export interface CallLease {
  /** Aborts when no further call may begin; those under way go on. */
  readonly turnSignal: AbortSignal;
  /** Aborts when the calls under way have to end. */
  readonly signal: AbortSignal;
  /** @throws the reason when no call may begin at this moment; a process that slept through its lease learns it here. */
  readonly assertHeld: () => void;
}

/** One company at one source: waits for its turn, and for as long as the source asks, but calls at most once successfully. */
export async function callWhenAllowed(
  source: LiveAdSource,
  lookup: OpenLookup,
  options: CallOptions,
): Promise<AdsAnswer> {
  for (let throttledTimes = 0; ; throttledTimes++) {
    const turn = await waitForTurn(source, options);
    try {
      return await callOnce(source, lookup, turn, options);
    } catch (error) {
      if (!(error instanceof SourceThrottled)) throw error;
      await options.pacer.holdOff(source.bucket, holdOffMs(error, throttledTimes));
    }
  }
}

function waitForTurn(source: LiveAdSource, options: CallOptions): Promise<Turn> {
  const { pacer, turnWaitMsMax: waitMsMax, lease } = options;
  return pacer.turn(source.bucket, source.pace, { waitMsMax, signal: lease.turnSignal });
}

async function callOnce(
  source: LiveAdSource,
  lookup: OpenLookup,
  turn: Turn,
  options: CallOptions,
): Promise<AdsAnswer> {
  const {
    calls,
    lease: { signal },
  } = options;
  const { lookupId, requestKey, company } = lookup;
  const callId = await calls.begin({ lookupId, source: source.name, requestKey });
  await untilItsTurn(source, callId, turn, options);
  crashPoint('work:call-recorded');
  const answer = await source.findAds({ company, requestKey }, signal).catch(async (error: unknown) => {
    // Work that is called off leaves the call on record without an answer: nobody knows what became of it.
    if (!isSourceTrouble(error)) throw error;
    const known = isCutOff(error) && !source.idempotent ? inDoubt(source.name, error) : error;
    await calls.end(callId, known.code, undefined);
    throw known;
  });
  crashPoint('work:answered');
  await calls.end(callId, answer.kind, answer.kind === 'stored' ? undefined : answer.sourceCharge);
  crashPoint('work:answer-recorded');
  return answer;
}

/**
 * For a call that is on record and not sent yet. One that has missed its turn takes another: while a database is slow to record
 * them calls pile up, and the source would see them all at once.
 */
async function untilItsTurn(
  source: LiveAdSource,
  callId: bigint,
  turn: Turn,
  options: CallOptions,
): Promise<void> {
  try {
    let next = turn;
    while (!(await next.comes(options.lease.turnSignal))) next = await waitForTurn(source, options);
    options.lease.assertHeld();
  } catch (error) {
    await options.calls.end(callId, 'not_sent', undefined);
    throw error;
  }
}

/** What a source did with a call. Every other error is trouble of our own: a lost lease, a database or a queue that is away. */
export function isSourceTrouble(error: unknown): error is EnrichError {
  const kinds = [SourceThrottled, SourceUnavailable, SourceRefused, SourceUnreadable, Misconfigured, InDoubt];
  return kinds.some((kind) => error instanceof kind);
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
