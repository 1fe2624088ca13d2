import type { PauseKind } from '../work/pause.ts';
import type { Pause } from '../work/wait-cause.ts';
import {
  InDoubt,
  Misconfigured,
  SourceBlocked,
  SourcePaused,
  SourceRefused,
  SourceThrottled,
  SourceUnavailable,
  SourceUnreadable,
  ValidationError,
  type EnrichError,
  messageWithVendor,
} from '../errors.ts';
import type { BatchDeferral } from '../work/work-chunk.ts';
import type { OpenLookup } from '../work/claim.ts';
import type { CallRefusal, SourceHealth } from './call-log.ts';
import { backoffMs, circuitBreaker, sourceFailure, throttling } from '../work/retry-policies.ts';

/**
 * A rejection that could concern the credential, received by the probe of a half-open circuit breaker. It may concern this
 * company alone, so it uses up a try of the lookup; otherwise the same company would end every pause.
 */
export class HalfOpenRejected extends SourceRefused {
  readonly lookupId: bigint;
  constructor(refusal: SourceRefused, lookupId: bigint) {
    super(refusal.message, { status: refusal.status, vendorMessage: refusal.vendorMessage, cause: refusal });
    this.lookupId = lookupId;
  }
}

/** The same once the lookup has used up its tries: it concerns the company, and no other lookup has to wait. */
export class CompanyRefused extends SourceRefused {}

/** Error of a probe, for the lookup that made it. */
export function errorWhileHalfOpen(error: EnrichError, { lookupId, tries }: OpenLookup): EnrichError {
  if (!(error instanceof SourceRefused) || !mayBeOneCompanys(error)) return error;
  return tries + 1 < sourceFailure.triesMax
    ? new HalfOpenRejected(error, lookupId)
    : new CompanyRefused(error.message, {
        status: error.status,
        vendorMessage: error.vendorMessage,
        cause: error,
      });
}

/**
 * 401 and 402 concern the key and the account. A 403 may come from a firewall that rejects one name, a 404 from the page of one
 * company.
 */
function mayBeOneCompanys({ status }: SourceRefused): boolean {
  return status === 403 || status === 404;
}

interface RefusalBounds {
  readonly refusedWaitMs: number;
  readonly refusalsAlikeMax?: number;
}

/**
 * Rejection that concerns this question, as recorded for the source; null where it pauses the source by itself, and at the last try of a
 * lookup, which then fails. Two rejections are alike with one status and the same message, whichever company they name and whatever number
 * they contain.
 */
export function refusalOf(
  error: EnrichError,
  { company, tries }: OpenLookup,
  { refusedWaitMs, refusalsAlikeMax = circuitBreaker.rejectedMax }: RefusalBounds,
): CallRefusal | null {
  if (!(error instanceof SourceRefused) || concernsTheCredential(error)) return null;
  if (error instanceof CompanyRefused || tries + 1 >= sourceFailure.triesMax) return null;
  const names = [company.domain, company.name].flatMap((name) => (name === null ? [] : [name.toLowerCase()]));
  const words = names.reduce(
    (rest, name) => rest.replaceAll(name, ''),
    (error.vendorMessage ?? '').toLowerCase(),
  );
  return {
    likeness: `${error.status} ${words.replace(/[\da-f-]*\d[\da-f-]*/g, '#')}`,
    alikeMax: refusalsAlikeMax,
    reason: messageWithVendor(error),
    delayMs: refusedWaitMs,
  };
}

/** Words that refer to a key or its permissions. */
const keyWords = /key|token|credential|log ?in|password|auth|permission|forbidden|access|scope/i;

/** Kind of pause after a rejection: a 403 without a message may concern the key; with a message, the message decides. */
export function refusalKind({ status, vendorMessage }: SourceRefused): PauseKind {
  if (status === 402) return 'unpaid';
  const isForbidden = status === 403 && (vendorMessage === null || keyWords.test(vendorMessage));
  return status === 401 || isForbidden ? 'refused' : 'declined';
}

/** Pause that spares all other callers this error; null if the error concerns this call alone. */
export function pauseAfter(error: EnrichError, refusedWaitMs: number): Pause | null {
  const reason = messageWithVendor(error);
  if (error instanceof SourcePaused) return { ...error.pause, reason };
  if (error instanceof SourceBlocked) return { kind: 'blocked', reason, delayMs: error.retry.delayMs };
  // A search that the source does not support, such as one by region: the same for every company.
  const isOurs = error instanceof Misconfigured || error instanceof ValidationError;
  if (isOurs) return { kind: 'declined', reason, delayMs: refusedWaitMs };
  if (!(error instanceof SourceRefused) || !concernsTheCredential(error)) return null;
  return { kind: refusalKind(error), reason, delayMs: refusedWaitMs };
}

/** Deferral of a batch after an error of its source, with the lookup whose try the error used up; null if the error concerns one call. */
export function deferAfter(error: EnrichError, refusedWaitMs: number): BatchDeferral | null {
  const pause = pauseAfter(error, refusedWaitMs);
  if (pause === null) return null;
  return { pause, failedTries: error instanceof HalfOpenRejected ? [error.lookupId] : [] };
}

/** The key, the account or the address: other companies would get the same rejection. */
function concernsTheCredential(error: SourceRefused): boolean {
  if (error instanceof CompanyRefused) return false;
  return error instanceof HalfOpenRejected || [401, 402, 403, 404].includes(error.status);
}

/** Health of the source after an error; null if the source answered, even with a rejection. */
export function healthAfter(error: EnrichError): SourceHealth | null {
  if (error instanceof SourceUnavailable) return 'down';
  return error instanceof SourceUnreadable ? 'unreadable' : null;
}

/** Delay of the calls to a source that throttled one, after as many others in a row; milliseconds. */
export function holdOffMs({ retry }: SourceThrottled, throttledTimes: number): number {
  return retry.kind === 'after' ? retry.delayMs : backoffMs(throttling, throttledTimes);
}

/** True for errors of the source. Every other error is internal: a lost lease, or an unavailable database or queue. */
export function isSourceError(error: unknown): error is EnrichError {
  const kinds = [
    SourceThrottled,
    SourceUnavailable,
    SourceRefused,
    SourceUnreadable,
    SourceBlocked,
    SourcePaused,
    Misconfigured,
    InDoubt,
  ];
  return kinds.some((kind) => error instanceof kind);
}

/** Error of a call that found no room among the calls in flight, of the source or of the account, within its wait budget. */
export function noRoom(source: string, waitedMs: number): SourceThrottled {
  return new SourceThrottled(`${source} has no room for another call.`, { delayMs: waitedMs });
}

/** True when the call was cut off after it was sent, so that its result is unknown. */
export function isCutOff(error: EnrichError): boolean {
  return error instanceof SourceUnavailable && error.inDoubt;
}

/** A source that reports its own failure has not charged. */
export function mayHaveCharged(error: EnrichError): boolean {
  return isCutOff(error) || error instanceof InDoubt || error instanceof SourceUnreadable;
}

/** Header with the installations that a lookup has passed, newest last. Ours: the contract has no such header. */
export const viaHeader = 'nightshift-via';

/** The source passed the lookup on until it came back: to this installation, or to another one that had it before. */
export class LoopDetected extends Misconfigured {}
