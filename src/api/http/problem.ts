import { EnrichError, ValidationError, type ErrorCode } from '../../core/errors.ts';
import { apiRetryAfter } from '../../core/work/retry-policies.ts';

/** Kind of API error: its meaning and its remedy, as `/errors/<code>` and docs/reference/errors.md show them. */
export interface ProblemKind {
  readonly status: number;
  readonly title: string;
  /** Situations in which the error occurs. */
  readonly when: string;
  readonly remedy: string;
}

/**
 * All errors of the API, by code. The contract defines `invalid_api_key` (docs/architecture/contract.md, 5 and 7) and no other: all
 * others are our choice (docs/architecture/api.md).
 */
export const problemKinds = {
  validation_error: {
    status: 400,
    title: 'The request is invalid',
    when: 'A field, parameter or file is missing, has the wrong type or is out of bounds.',
    remedy: 'Fix what the title names. The body has one error for each problem. Nothing was changed.',
  },
  invalid_api_key: {
    status: 401,
    title: 'The key does not exist or is incorrect',
    when: 'The header X-API-Key is missing or repeated, or its key does not exist, has expired, or was revoked or regenerated.',
    remedy: 'Send a valid key in the header X-API-Key, once. Create or regenerate one where necessary.',
  },
  session_ended: {
    status: 401,
    title: 'There is no session, or the session has ended',
    when: 'A page of the console calls the API without a session, or after the session has ended.',
    remedy:
      'Sign in again. Work that is in progress continues. Programs send an API key in the header X-API-Key instead.',
  },
  sign_in_refused: {
    status: 401,
    title: 'The sign-in failed',
    when: 'The name or the password is wrong, the user is disabled, or the link was used or has expired.',
    remedy:
      'Check the name and the password. A link works once and for a limited time: an admin of the account creates a new one in the console under Settings, Users, or the operator with `nightshift users link`.',
  },
  insufficient_credits: {
    status: 402,
    title: 'The balance is below the price of this request',
    when: 'The account has fewer credits than the request can cost.',
    remedy:
      'Add credits to the account and repeat the request. Nightshift called no source and charged nothing.',
  },
  insufficient_scope: {
    status: 403,
    title: 'The key is not allowed to do this',
    when: 'The key lacks a scope, or the user a role, that the operation needs.',
    remedy: 'Use a key with the scope that the title names, or create one. A user needs another role.',
  },
  foreign_origin: {
    status: 403,
    title: 'This request was made by another site',
    when: 'A page of another site sends a request with the session cookie of the console.',
    remedy: 'Use a session only from the console. Programs send an API key instead.',
  },
  not_found: {
    status: 404,
    title: 'There is nothing at this path',
    when: 'The path does not exist, or the account has nothing with this id.',
    remedy: 'Check the path and the id. Data of other accounts is not found either.',
  },
  method_not_allowed: {
    status: 405,
    title: 'The path does not accept this method',
    when: 'The path exists, but not with this method.',
    remedy: 'Use one of the methods that the header Allow names.',
  },
  request_timeout: {
    status: 408,
    title: 'The request did not arrive in time',
    when: 'The headers or the body took too long to arrive.',
    remedy:
      'Send the headers within 10 seconds, and the whole request within the time that the documents state.',
  },
  conflict: {
    status: 409,
    title: 'The current state does not allow this operation',
    when: 'The batch, schedule or webhook is in a state that does not allow the operation.',
    remedy: 'Read the state first. The title names the states that allow the operation.',
  },
  idempotency_conflict: {
    status: 409,
    title: 'A request with this Idempotency-Key is in progress',
    when: 'An earlier request with the same Idempotency-Key has no response yet.',
    remedy: 'Wait for its response, or repeat the same request after the time of Retry-After.',
  },
  payload_too_large: {
    status: 413,
    title: 'The body is too large',
    when: 'The body or the file exceeds a limit.',
    remedy:
      'The limits are 64 KiB for a JSON body, 200 MB and 1,000,000 rows for a file, and 16 MiB for the file of a schedule. Split a larger file.',
  },
  unsupported_media_type: {
    status: 415,
    title: 'The media type of the body is not supported here',
    when: 'Content-Type is missing, or is not one that the operation accepts.',
    remedy:
      'Send Content-Type: application/json. Files can also be text/csv, application/octet-stream, the media type of their format, or multipart/form-data.',
  },
  idempotency_key_reused: {
    status: 422,
    title: 'This Idempotency-Key belongs to another request',
    when: 'The Idempotency-Key belongs to an earlier request with another method, path or body.',
    remedy: 'Use a new key for a new request. Nightshift remembers a key for 24 hours.',
  },
  rate_limit_exceeded: {
    status: 429,
    title: 'Too many requests',
    when: 'The key, the account or your address sent too many requests, or the account has reached its limit of open work.',
    remedy: 'Wait for the number of seconds in Retry-After, then repeat the request.',
  },
  headers_too_large: {
    status: 431,
    title: 'The headers are too large',
    when: 'The headers of the request exceed 16 KiB in total.',
    remedy: 'Send fewer or shorter headers.',
  },
  internal_error: {
    status: 500,
    title: 'An internal error occurred',
    when: 'An unexpected error occurred. The log of the service has the details under the request id.',
    remedy:
      'Repeat the request, with an Idempotency-Key if it must not take effect twice. Report the request id if the error persists.',
  },
  not_configured: {
    status: 500,
    title: 'The service is not configured for this',
    when: 'A setting that the request needs is missing or invalid.',
    remedy:
      'Do not repeat the request: the operator has to configure the service. The log and `nightshift doctor` name the reason. Nothing was charged.',
  },
  source_unavailable: {
    status: 503,
    title: 'The ad source returned no usable response',
    when: 'The ad source is down, rejects the request, or sends a response that Nightshift cannot use.',
    remedy:
      'Repeat the request after the time of Retry-After. Nothing was charged. This error does not mean that there are no ads.',
  },
  service_unavailable: {
    status: 503,
    title: 'The service cannot process this request at the moment',
    when: 'The database or the queue is unreachable, too much work is open, or the service is shutting down.',
    remedy: 'Repeat the request after the time of Retry-After.',
  },
  loop_detected: {
    status: 508,
    title: 'The request has looped back to this service',
    when: 'The source `upstream` leads back to this service.',
    remedy: 'The operator has to set NIGHTSHIFT_UPSTREAM_URL to another service. Nothing was charged.',
  },
} as const satisfies Readonly<Record<string, ProblemKind>>;

export type ProblemCode = keyof typeof problemKinds;

/** Error of the API layer. The core does not use it. */
export class Problem extends Error {
  readonly code: ProblemCode;
  /** Titles of the error objects, one for each. */
  readonly titles: readonly string[];
  readonly headers: Readonly<Record<string, string>>;
  constructor(
    code: ProblemCode,
    options: ErrorOptions & {
      readonly titles?: readonly string[];
      readonly headers?: Readonly<Record<string, string>>;
    } = {},
  ) {
    super(options.titles?.join('; ') ?? problemKinds[code].title, options);
    this.code = code;
    this.titles = options.titles ?? [problemKinds[code].title];
    this.headers = options.headers ?? {};
  }
  override get name(): string {
    return 'Problem';
  }
}

/**
 * Creates the problem of a client that disconnected during its request. It is not logged as an error, because no client reads the
 * response.
 */
export function brokenOff(cause: unknown): Problem {
  return new Problem('validation_error', { titles: ['The request ended before it was complete'], cause });
}

/** Converts the issues of a schema to errors, one for each. */
export function invalidInput(
  issues: readonly { readonly path: readonly PropertyKey[]; readonly message: string }[],
): Problem {
  const titles = issues.map(({ path, message }) =>
    path.length === 0 ? message : `${path.map(String).join('.')}: ${message}`,
  );
  return new Problem('validation_error', { titles });
}

/**
 * Problem of each expected error. `exposesMessage` uses the error's own message; otherwise the kind's title, because the message is
 * for the operator and names settings or addresses.
 */
const problemOf: Readonly<
  Record<ErrorCode, { readonly code: ProblemCode; readonly exposesMessage: boolean }>
> = {
  validation_error: { code: 'validation_error', exposesMessage: true },
  too_large: { code: 'payload_too_large', exposesMessage: true },
  misconfigured: { code: 'not_configured', exposesMessage: false },
  not_found: { code: 'not_found', exposesMessage: false },
  conflict: { code: 'conflict', exposesMessage: true },
  not_permitted: { code: 'insufficient_scope', exposesMessage: true },
  insufficient_credits: { code: 'insufficient_credits', exposesMessage: false },
  limit_reached: { code: 'rate_limit_exceeded', exposesMessage: true },
  source_throttled: { code: 'rate_limit_exceeded', exposesMessage: false },
  source_unavailable: { code: 'source_unavailable', exposesMessage: false },
  source_refused: { code: 'source_unavailable', exposesMessage: false },
  source_unreadable: { code: 'source_unavailable', exposesMessage: false },
  source_blocked: { code: 'source_unavailable', exposesMessage: false },
  source_paused: { code: 'source_unavailable', exposesMessage: false },
  in_doubt: { code: 'source_unavailable', exposesMessage: false },
  storage_unavailable: { code: 'validation_error', exposesMessage: true },
  storage_rejected: { code: 'validation_error', exposesMessage: true },
  database_unavailable: { code: 'service_unavailable', exposesMessage: false },
  queue_unavailable: { code: 'service_unavailable', exposesMessage: false },
  lease_lost: { code: 'service_unavailable', exposesMessage: false },
};

/** Converts any error to a problem. An unexpected error is an `internal_error` and is kept as the cause, for the log. */
export function toProblem(error: unknown): Problem {
  if (error instanceof Problem) return error;
  if (!(error instanceof EnrichError)) return new Problem('internal_error', { cause: error });
  const { code, exposesMessage } = problemOf[error.code];
  return new Problem(code, {
    cause: error,
    ...(exposesMessage ? { titles: [titleOf(error)] } : {}),
    headers: retryHeaders(error, code),
  });
}

/** Problem code of an error; of an unexpected one `internal_error`. */
export function problemCodeOf(error: unknown): ProblemCode {
  return error instanceof EnrichError ? problemOf[error.code].code : 'internal_error';
}

/** Title of an error with its place, unless its message names the place already, as errors of files do. */
function titleOf(error: EnrichError): string {
  const where = error instanceof ValidationError ? error.where : undefined;
  const isNamed = where === undefined || error.message.startsWith(where.split(':', 1)[0] ?? '');
  return isNamed ? error.message : `${where}: ${error.message}`;
}

function retryHeaders({ retry }: EnrichError, code: ProblemCode): Readonly<Record<string, string>> {
  const { status } = problemKinds[code];
  if (status !== 429 && status !== 503) return {};
  return { 'Retry-After': String(retry.kind === 'after' ? secondsOf(retry.delayMs) : apiRetryAfter.seconds) };
}

/** Converts milliseconds to whole seconds, at least one, as `Retry-After` needs them. */
export function secondsOf(delayMs: number): number {
  return Math.max(1, Math.ceil(delayMs / 1000));
}

/** Context of an error body: the service, the request and the time. */
export interface ProblemContext {
  readonly baseUrl: string;
  readonly requestId: string;
  readonly now: Date;
}
