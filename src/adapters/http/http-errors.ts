import type { Response } from 'undici';
import type { Allowance } from '../../core/sources/allowance.ts';
import {
  Misconfigured,
  SourceRefused,
  SourceThrottled,
  SourceUnavailable,
  SourceUnreadable,
  type EnrichError,
} from '../../core/errors.ts';
import { namedDelay } from '../../core/work/retry-policies.ts';
import { NotConnected, NotPublic } from './http-connect.ts';
import { readAllowance } from './rate-limit-headers.ts';
import { readRetryAfter } from './retry-after.ts';

/** Remedies for rejections that concern the credential or the address, not the company. */
const remedies: Readonly<Record<number, string>> = {
  401: ': check the key',
  402: ': the account there is out of credits',
  403: ': check what the key is allowed to do',
  404: ': check the URL',
};

/** A gateway lost its server, which may still process the request (RFC 9110 §15.6.3, §15.6.5). */
const gatewayStatuses = [502, 504];

/** The server stopped waiting for the rest of the request, and has not received all of it (RFC 9110 §15.5.9). */
const requestTimeout = 408;

/**
 * Error of an answer whose status is not 2xx. `where` names the call without secrets: method, host and path. Without a
 * `Retry-After`, a 429 lasts until the reset in its rate limit headers. `said`: the message of a rejection.
 */
export function statusError(
  where: string,
  { status, headers }: Response,
  nowMs: number,
  vendorMessage: string | null = null,
): EnrichError {
  const answered = `${where} answered ${status}`;
  const retryAfterMs = readRetryAfter(headers.get('retry-after'), nowMs);
  if (status === 429 || (status === 503 && retryAfterMs !== undefined)) {
    const allowance = readAllowance(headers, nowMs);
    return throttledBy(answered, retryAfterMs ?? untilReset(allowance), allowance);
  }
  if (status === requestTimeout) return new SourceUnavailable(answered, { inDoubt: false });
  if (status >= 500) return new SourceUnavailable(answered, { inDoubt: gatewayStatuses.includes(status) });
  if (status >= 400)
    return new SourceRefused(`${answered}${remedies[status] ?? ''}`, { status, vendorMessage });
  // A redirect could send a key or a body to another server, and a block page that was followed would look like an answer.
  return new SourceUnreadable(`${answered}, which is not an answer: redirects are not followed`);
}

/** Error of a throttled call. The delay covers the rest of the window; the rate itself is applied separately. */
function throttledBy(
  answered: string,
  delayMs: number | undefined,
  allowance: Allowance | null,
): SourceThrottled {
  return new SourceThrottled(`${answered}: it asks us to slow down`, {
    ...(delayMs === undefined ? {} : { delayMs }),
    allowance: allowance === null ? null : { ...allowance, remaining: null, resetMs: null },
  });
}

/** Undefined if there is nothing to wait for. */
function untilReset(allowance: Allowance | null): number | undefined {
  const resetMs = allowance?.resetMs ?? 0;
  return resetMs > 0 ? Math.min(resetMs, namedDelay.delayMsMax) : undefined;
}

/**
 * Error of a call for which `fetch` threw. Any other thrown value is a bug of ours and rethrown.
 *
 * Only a connection that was never established is not in doubt, because repeating a paid call by mistake costs money.
 */
export function connectionError(where: string, error: unknown): EnrichError {
  if (!(error instanceof TypeError && error.cause instanceof Error)) throw error;
  const { cause } = error;
  // fetch never calls the ports of other protocols (Fetch standard, "port blocking").
  if (cause.message === 'bad port') return new Misconfigured(`${where}: a blocked port`, { cause: error });
  if (cause instanceof NotPublic) return notPublicError(where, cause);
  return cause instanceof NotConnected
    ? new SourceUnavailable(`${where} cannot be reached (${reasonOf(cause.cause ?? cause)})`, {
        inDoubt: false,
        cause: error,
      })
    : new SourceUnavailable(`${where} was cut off in the middle (${reasonOf(cause)})`, {
        inDoubt: true,
        cause: error,
      });
}

/**
 * Not `SourceUnavailable`: every other call to the host would fail the same way, until the operator allows the host or fixes
 * its address. The batch is held, and no lookup fails.
 */
function notPublicError(where: string, { host }: NotPublic): Misconfigured {
  return new Misconfigured(
    `${where} was not sent: ${host} has an address that is not public. If the host is one of your own network, list ${host} in NIGHTSHIFT_ALLOWED_HOSTS.`,
  );
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'no reason given';
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name;
}
