import {
  Conflict,
  Misconfigured,
  SourceRefused,
  SourceThrottled,
  SourceUnavailable,
  type EnrichError,
} from '../../core/errors.ts';
import { bigQueryQuota } from '../../core/work/retry-policies.ts';
import { parseLeniently } from '../../adapters/http/parse-leniently.ts';
import type { SentAnswer } from './send.ts';
import { errorReply, type WireError } from './wire.ts';

/** Cap of a query, and its size by a dry run; bytes. Null without a dry run. */
export interface ReadingLimit {
  readonly cap: bigint;
  readonly estimate: bigint | null;
}

/** HTTP status for the reason of a failed job, which has none of its own (BigQuery's table of errors). */
const statusOfReason: Readonly<Record<string, number>> = {
  accessDenied: 403,
  billingNotEnabled: 403,
  blocked: 403,
  responseTooLarge: 403,
  notFound: 404,
};

/** Reasons for a pause. */
const throttleReasons = ['rateLimitExceeded', 'jobRateLimitExceeded', 'quotaExceeded'];
/** Temporary failures of BigQuery. */
const passingReasons = ['backendError', 'internalError', 'jobBackendError', 'jobInternalError'];

/** Evaluates a non-2xx answer of BigQuery; null if the body does not have BigQuery's form. */
export function evaluateAnswer({ status, text }: SentAnswer, limit: ReadingLimit): EnrichError | null {
  if (status < 400) return null;
  const error = readError(text);
  if (error === null) return null;
  return status === 409 && error.reason === 'duplicate'
    ? new Conflict(`BigQuery has the job already${messageOf(error)}`)
    : errorOf(error, status, limit);
}

/** The error for a job that ended with `errorResult`. */
export function jobError(error: WireError, limit: ReadingLimit): EnrichError {
  return errorOf(error, statusOfReason[error.reason] ?? 400, limit);
}

function errorOf(error: WireError, status: number, limit: ReadingLimit): EnrichError {
  const { reason } = error;
  if (reason === 'bytesBilledLimitExceeded') return beyondCap(limit);
  if (status === 429 || throttleReasons.includes(reason)) {
    const wait = reason === 'quotaExceeded' ? bigQueryQuota : {};
    return new SourceThrottled(`BigQuery asks us to slow down (${reason})${messageOf(error)}`, wait);
  }
  // A repeat continues the same job, so nothing is in doubt that could cost twice.
  if (status >= 500 || passingReasons.includes(reason))
    return new SourceUnavailable(`BigQuery failed (${reason})${messageOf(error)}`, { inDoubt: false });
  return new SourceRefused(`BigQuery refused (${status}, ${reason})${messageOf(error)}`, { status });
}

const bytesPerGib = 2n ** 30n;
/** BigQuery rounds the billed bytes up, and bills at least 10 MiB. */
const roundingBytes = 10n * 2n ** 20n;

/** Error of a query that would read more than the operator allows. Nothing was read or billed. */
export function beyondCap({ cap, estimate }: ReadingLimit): Misconfigured {
  const reads = estimate === null ? 'more' : formatGib(estimate);
  const needed = estimate === null ? '' : ` to ${(estimate + roundingBytes) / bytesPerGib + 1n} or more`;
  return new Misconfigured(
    `The BigQuery query would read ${reads}, and the cap is ${formatGib(cap)}: ` +
      `raise NIGHTSHIFT_BIGQUERY_MAX_GIB${needed}, or leave this source out`,
  );
}

function formatGib(bytes: bigint): string {
  return `${(Number(bytes) / Number(bytesPerGib)).toFixed(1)} GiB (${bytes} bytes)`;
}

function readError(text: string): WireError | null {
  const parsed = errorReply.safeParse(parseLeniently(text));
  return parsed.success ? (parsed.data.error.errors[0] ?? null) : null;
}

const wordsCharsMax = 300;

/** Message of BigQuery, such as the missing permission; truncated, because a text without one may be as long as a token. */
function messageOf({ message }: WireError): string {
  const words = message
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .replace(/\S{80,}/g, '…')
    .trim();
  return words === '' ? '' : `: ${words.slice(0, wordsCharsMax)}`;
}
