import { failpoint } from '../failpoint.ts';
import {
  SourcePaused,
  SourceRefused,
  SourceThrottled,
  SourceUnavailable,
  type EnrichError,
} from '../errors.ts';
import type { OpenLookup } from '../work/claim.ts';
import type { CalledSource } from './ad-source.ts';
import type { Allowance } from './allowance.ts';
import { callerOf, type CallOptions } from './call-options.ts';
import { nothingCame, type BegunCall, type CallEnd, type Caller, type NewCall } from './call-log.ts';
import { findKept, hasUnkept, inDoubt, isOpenAt, notKept, readRestored } from './open-calls.ts';
import type { Reservation } from './rate-limiter.ts';
import { inPlace } from './pace/call-place.ts';
import { openLookupLine, type LookupLine } from './pace/lookup-line.ts';
import { batchSlotMsMax, forFurtherCalls } from './wait-budget.ts';
import type { SourceCallExecutor, ReadReply, SourceCall, SourceReply } from './source-call.ts';
import {
  healthAfter,
  holdOffMs,
  isCutOff,
  isSourceError,
  mayHaveCharged,
  noRoom,
  pauseAfter,
  HalfOpenRejected,
  refusalOf,
  errorWhileHalfOpen,
  LoopDetected,
} from './source-errors.ts';
import { withoutSecrets } from './without-secrets.ts';
import type { Pause, Throttle } from '../work/wait-cause.ts';
import { paceWait, rateLimitWait, windowWait, type SlotWait } from './apply-rate-limit-headers.ts';

/** An executor that also reports to its owner. */
export interface LookupCallExecutor extends SourceCallExecutor {
  /** True when a reply contained ads. */
  readonly hasAds: () => boolean;
}

/** Creates the executor of all calls of one lookup to one source; see `SourceCallExecutor` for its guarantees. */
export function createSourceCallExecutor(
  source: CalledSource,
  lookup: OpenLookup,
  options: CallOptions,
): LookupCallExecutor {
  let hasAds = false;
  const line = openLookupLine(source, lookup, options);
  let { waitBudget } = options;
  function noting<T>(call: SourceCall<T>): SourceCall<T> {
    const read = (text: string) => {
      const reply = call.read(text);
      hasAds ||= reply.says === 'found';
      return reply;
    };
    return { ...call, read };
  }
  async function answer<T>(call: SourceCall<T>): Promise<T> {
    const made = findKept(source.name, lookup, call.about);
    const reply = made === null ? null : await options.calls.readReply(made.callId);
    // A reply that an earlier release stored still contains secrets.
    if (reply !== null) return call.read(withoutSecrets(reply)).value;
    if (lookup.repliesOnly) throw notKept(source.name, call.about);
    // A reply that was purged after the claim counts as lost.
    const isOpen = made !== null || isOpenAt(source.name, lookup) || hasUnkept(source.name, lookup);
    if (isOpen && !source.idempotent) throw inDoubt(source.name);
    const restored = await readRestored(source, newCallOf(source, lookup, call, options), options.calls);
    if (restored !== null) return call.read(restored).value;
    const waiting = { ...options, waitBudget };
    waitBudget = forFurtherCalls(options.waitBudget);
    return line.withRoom(() =>
      inPlace(waiting, (placed) => callWhenAllowed({ source, line, lookup }, call, placed)),
    );
  }
  const comesBack = options.comesBack && options.calls.storesResponses;
  const executor = <T>(call: SourceCall<T>): Promise<T> => answer(noting(call));
  return Object.assign(executor, { comesBack, hasAds: () => hasAds });
}

function newCallOf<T>(
  source: CalledSource,
  { lookupId, requestKey }: OpenLookup,
  { about, unitsMax }: SourceCall<T>,
  options: CallOptions,
): NewCall {
  return { lookupId, caller: callerOf(source, options), requestKey, about, unitsMax };
}

/** A lookup at a source, and the line of its calls there. */
interface AskedSource {
  readonly source: CalledSource;
  readonly line: LookupLine;
  readonly lookup: OpenLookup;
}

/** Waits for reservations and for delays that the source asks for, and makes at most one successful call. */
async function callWhenAllowed<T>(asked: AskedSource, call: SourceCall<T>, options: CallOptions): Promise<T> {
  const { source, lookup } = asked;
  for (let throttledTimes = 0; ; throttledTimes++) {
    const begun = await beginInTurn(asked, call, options);
    try {
      return await callOnce({ source, lookup, begun }, call, options);
    } catch (error) {
      if (!(error instanceof SourceThrottled)) throw error;
      await applyRateLimitHeaders(source, error.allowance, options);
      const delayMs = holdOffMs(error, throttledTimes);
      await options.rateLimiter.pauseUntil(source.bucket, delayMs);
      await reportWait(source, rateLimitWait(error, delayMs), options);
    }
  }
}

/** Delay before checking again if a source has room for a call. */
const roomWaitMs = 100;

/** Resolves when the call is recorded and may be sent at this moment. */
async function beginInTurn<T>(
  { source, line, lookup }: AskedSource,
  call: SourceCall<T>,
  options: CallOptions,
): Promise<BegunCall> {
  const waitMsMax = options.waitBudget.leftMs(source.limits.pace);
  const next = newCallOf(source, lookup, call, options);
  for (let waitedMs = 0; ; waitedMs += roomWaitMs) {
    const due = await line.inTurn(() => beginNext(source, next, options));
    if (due !== null) {
      await untilItsTurn(source, due.begun, due.reservation, options);
      return due.begun;
    }
    if (waitedMs >= waitMsMax) throw noRoom(source.name, waitedMs);
    await waitForRoom(options, options.lease.turnSignal);
  }
}

/** Records a call shortly before its slot. Null if there is no room for it, as far as others must not wait for that. */
async function beginNext(
  source: CalledSource,
  call: NewCall,
  options: CallOptions,
): Promise<{ readonly begun: BegunCall; readonly reservation: Reservation } | null> {
  if (!(await untilThereIsRoom(source, options))) return null;
  const reservation = await waitForTurn(source, options, options.lease.turnSignal);
  const begun = await options.calls.begin(source, call);
  if (begun.kind === 'full') return null;
  if (begun.kind === 'begun') return { begun, reservation };
  await reportWait(source, begun.pause, options);
  throw new SourcePaused(begun.pause);
}

/** True if calls in flight are limited, for the source or for the account. */
function limitsConcurrency(source: CalledSource, { limits }: Caller): boolean {
  return source.limits.concurrency !== null || (limits?.concurrency ?? null) !== null;
}

/** Resolves with false at once if calls of the account are limited, which may have no room where others have. */
async function untilThereIsRoom(source: CalledSource, options: CallOptions): Promise<boolean> {
  const caller = callerOf(source, options);
  if (!limitsConcurrency(source, caller)) return true;
  if (caller.limits?.concurrency != null) return options.calls.hasRoom(source, caller);
  const waitMsMax = options.waitBudget.leftMs(source.limits.pace);
  for (let waitedMs = 0; !(await options.calls.hasRoom(source, caller)); waitedMs += roomWaitMs) {
    if (waitedMs >= waitMsMax) throw noRoom(source.name, waitedMs);
    await waitForRoom(options, options.lease.turnSignal);
  }
  return true;
}

function waitForRoom({ waitBudget, sleep }: CallOptions, signal: AbortSignal): Promise<void> {
  return waitBudget.waiting(() => sleep(roomWaitMs, signal));
}

function waitForTurn(source: CalledSource, options: CallOptions, signal: AbortSignal): Promise<Reservation> {
  const { bucket, limits } = source;
  const { rateLimiter, waitBudget } = options;
  const waitMsMax = waitBudget.leftMs(limits.pace);
  const onWait = (slot: SlotWait) => reportWait(source, paceWait(limits.pace, slot), options);
  const lane = options.comesBack ? { slotMsMax: batchSlotMsMax } : {};
  return waitBudget.waiting(() =>
    rateLimiter.reserve(bucket, limits.pace, { waitMsMax, ...lane, signal, onWait }),
  );
}

/** Reports why calls wait. An error of the database must not cost a call. */
async function reportWait(
  source: CalledSource,
  wait: Pause | Throttle | null,
  { onWait, onError }: CallOptions,
): Promise<void> {
  if (wait !== null) await onWait?.(source, wait).catch(onError);
}

/**
 * Waits for the reservation of a recorded call. A call that missed its slot takes another: while a slow database records calls
 * they pile up, and the source would see them all at once.
 */
async function untilItsTurn(
  source: CalledSource,
  begun: BegunCall,
  reservation: Reservation,
  options: CallOptions,
): Promise<void> {
  const { lease, comesBack, nowMs, waitBudget } = options;
  const comes = (next: Reservation) => waitBudget.waiting(() => next.comes(lease.sendSignal));
  const waitMsMax = waitBudget.leftMs(source.limits.pace);
  const recordedAtMs = nowMs();
  try {
    let next = reservation;
    while (!(await comes(next))) {
      const waitedMs = nowMs() - recordedAtMs;
      // A process whose slots have always passed must not hold the probe of the source.
      if (comesBack && waitedMs > waitMsMax) throw noRoom(source.name, waitedMs);
      next = await takeAnotherTurn(source, begun, options);
    }
    lease.assertHeld();
  } catch (error) {
    const recordUnsent = (signal: AbortSignal) =>
      endCall(source, begun, options, { ...nothingCame, answer: 'not_sent' }, signal);
    // Without it, a later start could not know that nothing was sent. So it is recorded after an outage that has ended the lease, too.
    if (comesBack) await recordUnsent(lease.stopSignal).catch(() => recordUnsent(lease.signal));
    else await recordUnsent(lease.signal);
    throw error;
  }
}

/** Wait for another slot from which a record is renewed: `verify` compares the recorded times with the rate limit. */
const renewedAgeMs = 500;

/** By then its record may be older than the deadline of a call, and no longer count as running. */
async function takeAnotherTurn(
  source: CalledSource,
  begun: BegunCall,
  options: CallOptions,
): Promise<Reservation> {
  const missedAtMs = options.nowMs();
  const waitMsMax = options.waitBudget.leftMs(source.limits.pace);
  const caller = callerOf(source, options);
  for (;;) {
    const reservation = await waitForTurn(source, options, options.lease.sendSignal);
    const waitedMs = options.nowMs() - missedAtMs;
    const isCounted = limitsConcurrency(source, caller) || begun.isProbe;
    const isRenewed = isCounted || waitedMs > renewedAgeMs;
    if (!isRenewed || (await options.calls.renew(source, begun, caller))) return reservation;
    if (waitedMs >= waitMsMax) throw noRoom(source.name, waitedMs);
    await waitForRoom(options, options.lease.sendSignal);
  }
}

/** A call that may be sent, with its context. */
interface DueCall {
  readonly source: CalledSource;
  readonly lookup: OpenLookup;
  readonly begun: BegunCall;
}

async function callOnce<T>(due: DueCall, call: SourceCall<T>, options: CallOptions): Promise<T> {
  const { source, begun } = due;
  failpoint('work:call-recorded');
  let reply: SourceReply | null = null;
  try {
    const came = await call.send(options.lease.signal);
    // Secrets are removed here, before anything parses or stores the reply, for every source.
    reply = { ...came, text: withoutSecrets(came.text) };
    failpoint('work:answered');
    const { value, ...end } = callResultOf(call.read(reply.text));
    await endCall(source, begun, options, { ...end, reply: reply.text });
    failpoint('work:answer-recorded');
    await applyRateLimitHeaders(source, reply.allowance, options);
    return value;
  } catch (error) {
    // Aborted work leaves the call recorded without an answer: its result is unknown.
    if (!isSourceError(error)) throw error;
    throw await endFailed({ ...due, unitsMax: call.unitsMax, reply }, error, options);
  }
}

/** Records the result of a call, if need be again and again, by default as long as the lease is held. */
function endCall(
  source: CalledSource,
  { callId, isProbe }: BegunCall,
  { calls, lease }: CallOptions,
  end: Omit<CallEnd, 'isProbe'>,
  signal = lease.signal,
): Promise<Pause | null> {
  return calls.end(source, callId, { ...end, isProbe }, signal);
}

function callResultOf<T>({ value, says, units, charged }: ReadReply<T>) {
  return { value, answer: says, units, charged: charged ?? null, health: 'good' as const, refusal: null };
}

/** Applies rate limit headers. An error of the queue must not lose a paid answer. */
async function applyRateLimitHeaders(
  source: CalledSource,
  allowance: Allowance | null,
  options: CallOptions,
): Promise<void> {
  const { bucket, limits } = source;
  await options.rateLimiter.learn(bucket, limits.pace, allowance).catch(options.onError);
  await reportWait(source, windowWait(allowance, limits.pace), options);
}

/** A failed call, with the reply if there was one. */
interface FailedCall extends DueCall {
  readonly unitsMax: number;
  readonly reply: SourceReply | null;
}

/** Records the error and returns the error for the lookup. */
async function endFailed(
  { source, lookup, begun, unitsMax, reply }: FailedCall,
  error: EnrichError,
  options: CallOptions,
): Promise<EnrichError> {
  const { calls, refusedWaitMs, via } = options;
  const known = errorOf(error, { source, lookup, begun });
  const refusal = refusalOf(known, lookup, options);
  const pause = await endCall(source, begun, options, {
    // Also if a repeat is allowed: until a repeat is answered, this call may have been charged.
    answer: isCutOff(error) ? 'in_doubt' : known.code,
    units: mayHaveCharged(error) ? unitsMax : 0,
    charged: null,
    reply: reply?.text ?? null,
    health: healthAfter(error),
    refusal,
  });
  // Callers can name previous installations themselves, so a loop that follows from it concerns only the caller.
  const named = known instanceof LoopDetected && via.length > 0 ? null : pauseAfter(known, refusedWaitMs);
  if (named !== null) await calls.pause(source, named);
  await reportWait(source, named ?? pause, options);
  if (pause === null) return known;
  // A probe with an equal rejection uses up a try of its lookup; otherwise the same lookup would end every pause.
  if (begun.isProbe && known instanceof SourceRefused) return new HalfOpenRejected(known, lookup.lookupId);
  // While no lookup gets an answer, the company is not the cause: its try does not count.
  return known instanceof SourceUnavailable || refusal !== null ? new SourcePaused(pause) : known;
}

function errorOf(error: EnrichError, { source, lookup, begun }: DueCall): EnrichError {
  if (isCutOff(error) && !source.idempotent) return inDoubt(source.name, error);
  return begun.isProbe ? errorWhileHalfOpen(error, lookup) : error;
}
