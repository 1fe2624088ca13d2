import { accountLimit } from './work/retry-policies.ts';
import type { Allowance } from './sources/allowance.ts';
import type { Pause, PauseKind } from './work/pause.ts';

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
  | 'insufficient_credits'
  | 'limit_reached'
  | 'source_throttled'
  | 'source_unavailable'
  | 'source_refused'
  | 'source_unreadable'
  | 'source_blocked'
  | 'source_paused'
  | 'in_doubt'
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

/** Input beyond a limit of ours: well formed as it may be, there is too much of it. */
export class TooLarge extends ValidationError {
  override readonly code = 'too_large';
}

/** A setting of ours is missing or wrong; the operator has to mend it. */
export class Misconfigured extends EnrichError {
  readonly code = 'misconfigured';
  readonly retry = never;
}

/** The thing asked for does not exist, or belongs to someone else: the two are not told apart on purpose. */
export class NotFound extends EnrichError {
  readonly code = 'not_found';
  readonly retry = never;
}

/** The thing asked for exists, but its state does not allow the move. */
export class Conflict extends EnrichError {
  readonly code = 'conflict';
  readonly retry = never;
}

/** The account's balance is below the price of what was asked for. Nothing was sent and nothing charged. */
export class InsufficientCredits extends EnrichError {
  readonly code = 'insufficient_credits';
  readonly retry = never;
}

/** The account has as much under way as it may have at a time. Nothing of what was asked for is left behind. */
export class LimitReached extends EnrichError {
  readonly code = 'limit_reached';
  readonly retry = { kind: 'after', ...accountLimit } as const;
}

/**
 * The source asks us to slow down (HTTP 429, or its like). `retry` says how long, where the source said so; `allowance` what pace it
 * names besides.
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
 * The source gave no answer, or a 5xx. `inDoubt` when the call was cut off after it was sent, or a gateway gave up on it: the source
 * may have answered and charged all the same. A source that says itself that it failed has not charged.
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

/** The source answered with a 4xx other than "slow down": our request, our key or our account there. */
export class SourceRefused extends EnrichError {
  readonly code = 'source_refused';
  readonly retry = never;
  /** The HTTP status the source answered with; 401, 402 and 403 concern the credential, not the company. */
  readonly status: number;
  /** Its own words, foreign text with secrets masked; the message is without them (`src/core/errors.ts`). Null: none that are known. */
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

/** The source answered, but not in the agreed shape. Never to be read as "no ads". */
export class SourceUnreadable extends EnrichError {
  readonly code = 'source_unreadable';
  readonly retry = never;
}

/** The source has put up a wall: a captcha, a page for robots. Asking on would only make it higher. */
export class SourceBlocked extends EnrichError {
  readonly code = 'source_blocked';
  readonly retry: Extract<Retry, { kind: 'after' }>;
  constructor(message: string, options: ErrorOptions & { readonly delayMs: number }) {
    super(message, options);
    this.retry = { kind: 'after', delayMs: options.delayMs };
  }
}

/** The source is not asked at the moment; `kind` and the message say why. Nothing was sent. */
export class SourcePaused extends EnrichError {
  readonly code = 'source_paused';
  readonly retry: Extract<Retry, { kind: 'after' }>;
  readonly kind: PauseKind;
  constructor({ kind, reason, delayMs }: Pause) {
    super(reason);
    this.kind = kind;
    this.retry = { kind: 'after', delayMs };
  }
}

/** A paid call was cut off after it was sent, and the source cannot tell a repeat from a second order (docs/architecture/concepts.md). */
export class InDoubt extends EnrichError {
  readonly code = 'in_doubt';
  readonly retry = never;
}

/** Postgres cannot be reached or was lost in the middle. Nothing uncommitted has taken effect. */
export class DatabaseUnavailable extends EnrichError {
  readonly code = 'database_unavailable';
  readonly retry = backoff;
}

/** The queue (Redis, or the queue's own schema on Postgres) cannot be reached. The record in Postgres is untouched. */
export class QueueUnavailable extends EnrichError {
  readonly code = 'queue_unavailable';
  readonly retry = backoff;
}

/** Another worker owns this chunk by now; whatever this one still holds must not be written. */
export class LeaseLost extends EnrichError {
  readonly code = 'lease_lost';
  readonly retry = never;
}

/** The message of an error, with what a source itself said where it refused: for whoever can mend it. */
export function messageWithVendor(error: EnrichError): string {
  const vendorMessage = error instanceof SourceRefused ? error.vendorMessage : null;
  return vendorMessage === null ? error.message : `${error.message}; it says "${vendorMessage}"`;
}
