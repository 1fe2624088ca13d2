import { accountLimit } from './work/retry-policies.ts';
import type { Allowance } from './sources/allowance.ts';
import type { PauseKind } from './work/pause.ts';
import type { Pause } from './work/wait-cause.ts';

/**
 * Every error that a user can meet, with a stable code and advice on retries.
 *
 * Two translators turn a code into something for a reader: an HTTP body (`src/api/http/problem.ts`) and an exit code
 * (`src/cli/context/exit-codes.ts`). Each is a `Record<ErrorCode, …>`, so a new code does not compile until both answer. Anything else that is thrown is a defect of ours, not an expected error.
 */
export type ErrorCode =
  | 'validation_error'
  | 'too_large'
  | 'misconfigured'
  | 'not_found'
  | 'conflict'
  | 'not_permitted'
  | 'insufficient_credits'
  | 'limit_reached'
  | 'source_throttled'
  | 'source_unavailable'
  | 'source_refused'
  | 'source_unreadable'
  | 'source_blocked'
  | 'source_paused'
  | 'in_doubt'
  | 'storage_unavailable'
  | 'storage_rejected'
  | 'database_unavailable'
  | 'queue_unavailable'
  | 'lease_lost';

/** Advice on retries: `never`, with backoff, or `after` a delay in milliseconds. */
export type Retry =
  | { readonly kind: 'never' }
  | { readonly kind: 'backoff' }
  | { readonly kind: 'after'; readonly delayMs: number };

const never: Retry = { kind: 'never' };
const backoff: Retry = { kind: 'backoff' };

/** An expected error. The message says what happened, where, and what to do about it. */
export abstract class EnrichError extends Error {
  abstract readonly code: ErrorCode;
  abstract readonly retry: Retry;
  override get name(): string {
    return this.constructor.name;
  }
}

/** Input that does not have the agreed form: a file, an argument, a body. `where` names the field, line or file. */
export class ValidationError extends EnrichError {
  readonly code: 'validation_error' | 'too_large' = 'validation_error';
  readonly retry = never;
  readonly where: string | undefined;
  constructor(message: string, options?: ErrorOptions & { readonly where?: string }) {
    super(message, options);
    this.where = options?.where;
  }
}

/** Input that exceeds a limit, even if it is well-formed. */
export class TooLarge extends ValidationError {
  override readonly code = 'too_large';
}

/** A setting of the installation is missing or wrong; only the operator can fix it. */
export class Misconfigured extends EnrichError {
  readonly code = 'misconfigured';
  readonly retry = never;
}

/** The requested object does not exist, or belongs to another account: the error does not reveal which. */
export class NotFound extends EnrichError {
  readonly code = 'not_found';
  readonly retry = never;
}

/** The requested object exists, but its state does not allow the operation. */
export class Conflict extends EnrichError {
  readonly code = 'conflict';
  readonly retry = never;
}

/** The caller's permissions do not cover the operation. */
export class NotPermitted extends EnrichError {
  readonly code = 'not_permitted';
  readonly retry = never;
}

/** The balance of the account is below the price of the request. No source was called, and nothing was charged. */
export class InsufficientCredits extends EnrichError {
  readonly code = 'insufficient_credits';
  readonly retry = never;
}

/** The account has reached a limit of concurrent work. The request left nothing behind. */
export class LimitReached extends EnrichError {
  readonly code = 'limit_reached';
  readonly retry = { kind: 'after', ...accountLimit } as const;
}

/**
 * The source asks for fewer calls (HTTP 429 or an equivalent). `retry` holds the delay, if the source named one; `allowance`
 * holds the rate limit, if it named one.
 */
export class SourceThrottled extends EnrichError {
  readonly code = 'source_throttled';
  readonly retry: Retry;
  readonly allowance: Allowance | null;
  constructor(
    message: string,
    options?: ErrorOptions & { readonly delayMs?: number; readonly allowance?: Allowance | null },
  ) {
    super(message, options);
    this.retry = options?.delayMs === undefined ? backoff : { kind: 'after', delayMs: options.delayMs };
    this.allowance = options?.allowance ?? null;
  }
}

/**
 * The source gave no answer, or a 5xx. `inDoubt` when the call was cut off after it was sent, or a gateway gave up on it: the
 * source may still have answered and charged. A source that reports its own failure has not charged.
 */
export class SourceUnavailable extends EnrichError {
  readonly code = 'source_unavailable';
  readonly retry = backoff;
  readonly inDoubt: boolean;
  constructor(message: string, options: ErrorOptions & { readonly inDoubt: boolean }) {
    super(message, options);
    this.inDoubt = options.inDoubt;
  }
}

/** The source answered with a 4xx other than 429: it rejects the request, the key or the account. */
export class SourceRefused extends EnrichError {
  readonly code = 'source_refused';
  readonly retry = never;
  /** HTTP status of the answer; 401, 402 and 403 concern the credential, not the company. */
  readonly status: number;
  /** Message of the source with masked secrets. Untrusted, so the message of this error does not contain it. Null without one. */
  readonly vendorMessage: string | null;
  constructor(
    message: string,
    options: ErrorOptions & { readonly status: number; readonly vendorMessage?: string | null },
  ) {
    super(message, options);
    this.status = options.status;
    this.vendorMessage = options.vendorMessage ?? null;
  }
}

/** The source answered, but not in the agreed format. Never to be treated as "no ads". */
export class SourceUnreadable extends EnrichError {
  readonly code = 'source_unreadable';
  readonly retry = never;
}

/** The source shows a captcha or a page for robots. More calls would prolong the block. */
export class SourceBlocked extends EnrichError {
  readonly code = 'source_blocked';
  readonly retry: Extract<Retry, { kind: 'after' }>;
  constructor(message: string, options: ErrorOptions & { readonly delayMs: number }) {
    super(message, options);
    this.retry = { kind: 'after', delayMs: options.delayMs };
  }
}

/** The source is not called at the moment; `kind` and the message give the reason. Nothing was sent. */
export class SourcePaused extends EnrichError {
  readonly code = 'source_paused';
  readonly retry: Extract<Retry, { kind: 'after' }>;
  readonly kind: PauseKind;
  readonly pause: Pause;
  constructor(pause: Pause) {
    const { kind, reason, delayMs } = pause;
    super(reason);
    this.kind = kind;
    this.pause = pause;
    this.retry = { kind: 'after', delayMs };
  }
}

/** A paid call was cut off after it was sent, and the source cannot recognize a repeat of it (docs/architecture/concepts.md). */
export class InDoubt extends EnrichError {
  readonly code = 'in_doubt';
  readonly retry = never;
}

/** A storage, or a Postgres server of the user's own, does not answer or is overloaded. */
export class StorageUnavailable extends EnrichError {
  readonly code = 'storage_unavailable';
  readonly retry = backoff;
}

/** A storage, or a Postgres server of the user's own, rejects the operation: a person has to change credentials, permissions or the location. */
export class StorageRejected extends EnrichError {
  readonly code = 'storage_rejected';
  readonly retry = never;
}

/** Postgres cannot be reached, or the connection was lost. Nothing uncommitted has taken effect. */
export class DatabaseUnavailable extends EnrichError {
  readonly code = 'database_unavailable';
  readonly retry = backoff;
}

/** The queue (Redis, or the queue's schema on Postgres) cannot be reached. The data in Postgres is unaffected. */
export class QueueUnavailable extends EnrichError {
  readonly code = 'queue_unavailable';
  readonly retry = backoff;
}

/** Another worker owns the chunk now. The results that this worker still holds must not be written. */
export class LeaseLost extends EnrichError {
  readonly code = 'lease_lost';
  readonly retry = never;
}

/** Message of an error with the message of the source that rejected the call, for people who can fix the cause. */
export function messageWithVendor(error: EnrichError): string {
  const vendorMessage = error instanceof SourceRefused ? error.vendorMessage : null;
  return vendorMessage === null ? error.message : `${error.message}; it says "${vendorMessage}"`;
}

/** Returns the message of what was thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
