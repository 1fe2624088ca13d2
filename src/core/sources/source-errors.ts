import type { Pause, PauseKind } from '../work/pause.ts';
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
import type { BatchHold } from '../work/work-chunk.ts';
import type { OpenLookup } from '../work/claim.ts';
import type { CallRefusal, SourceHealth } from './call-log.ts';
import { circuitBreaker, sourceFailure } from '../work/retry-policies.ts';

/**
 * A refusal that looked like one of the credential, met by the call that tried the source again after a pause. It may be about this
 * company alone, so it counts as a try of the lookup: the pause after it must not end with the same company for ever.
 */
export class HalfOpenRejected extends SourceRefused {
  readonly lookupId: bigint;
  constructor(refusal: SourceRefused, lookupId: bigint) {
    super(refusal.message, { status: refusal.status, vendorMessage: refusal.vendorMessage, cause: refusal });
    this.lookupId = lookupId;
  }
}

/** The same once the lookup has had its tries: it is about the company, and nobody else has to wait for it. */
export class CompanyRefused extends SourceRefused {}

/** The trouble of a call that tried the source after a pause, for the lookup that it was made for. */
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

/** 401 and 402 are about our key and our account. A 403 may be a firewall's that does not like one name, a 404 one company's page. */
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

/** Words that name a key, or what it may do. */
const keyWords = /key|token|credential|log ?in|password|auth|permission|forbidden|access|scope/i;

/** Kind of pause after a rejection: a 403 without a message may concern the key; with a message it is what the message says. */
export function refusalKind({ status, vendorMessage }: SourceRefused): PauseKind {
  if (status === 402) return 'unpaid';
  const isForbidden = status === 403 && (vendorMessage === null || keyWords.test(vendorMessage));
  return status === 401 || isForbidden ? 'refused' : 'declined';
}

/** Pause that saves all other callers this error; null where the error concerns this call alone. */
export function pauseAfter(error: EnrichError, refusedWaitMs: number): Pause | null {
  const reason = messageWithVendor(error);
  if (error instanceof SourcePaused) return { kind: error.kind, reason, delayMs: error.retry.delayMs };
  if (error instanceof SourceBlocked) return { kind: 'blocked', reason, delayMs: error.retry.delayMs };
  // A search that cannot be put to the source as it is wanted, such as one by region: the same for every company.
  const isOurs = error instanceof Misconfigured || error instanceof ValidationError;
  if (isOurs) return { kind: 'declined', reason, delayMs: refusedWaitMs };
  if (!(error instanceof SourceRefused) || !concernsTheCredential(error)) return null;
  return { kind: refusalKind(error), reason, delayMs: refusedWaitMs };
}

/** Hold of a batch after an error of its source, with the lookup whose try the error used up; null where the error concerns one call. */
export function holdAfter(error: EnrichError, refusedWaitMs: number): BatchHold | null {
  const pause = pauseAfter(error, refusedWaitMs);
  if (pause === null) return null;
  return { pause, failedTries: error instanceof HalfOpenRejected ? [error.lookupId] : [] };
}

/** Our key, our account there, or the address itself: asking about another company would end the same. */
function concernsTheCredential(error: SourceRefused): boolean {
  if (error instanceof CompanyRefused) return false;
  return error instanceof HalfOpenRejected || [401, 402, 403, 404].includes(error.status);
}

/** Health of the source after an error; null where the source answers, if only to reject this question. */
export function healthAfter(error: EnrichError): SourceHealth | null {
  if (error instanceof SourceUnavailable) return 'down';
  return error instanceof SourceUnreadable ? 'unreadable' : null;
}

/** True for errors of the source. Every other error is ours: a lost lease, a database or a queue that is unavailable. */
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

/** The call was cut off after it was sent: what became of it nobody knows. */
export function isCutOff(error: EnrichError): boolean {
  return error instanceof SourceUnavailable && error.inDoubt;
}

/** A source that says itself that it did not answer has not charged. */
export function mayHaveCharged(error: EnrichError): boolean {
  return isCutOff(error) || error instanceof InDoubt || error instanceof SourceUnreadable;
}

/** The header that names the installations a question has passed, the newest last. Ours: the contract has no such header. */
export const viaHeader = 'nightshift-via';

/** The source has passed our question on until it came back: to us, or to another installation that it had passed before. */
export class LoopDetected extends Misconfigured {}
