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

/** A gateway lost the server behind it, which may go on with the request (RFC 9110 §15.6.3, §15.6.5). */
const gatewayStatuses = [502, 504];

/** A server that had enough of waiting for the rest of the request, and has not seen all of it (RFC 9110 §15.5.9). */
const requestTimeout = 408;

/**
 * The error for an answer whose status is not 2xx. `where` names the call without secrets: method, host and path. Without a
 * `Retry-After` a 429 holds until the window begins anew that its rate limit headers name. `said`: the words that a refusal came with.
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
  // A redirect could lead a key or a body to another server, and a followed block page reads as an answer.
  return new SourceUnreadable(`${answered}, which is not an answer: redirects are not followed`);
}

/** Error of a throttled call. The delay covers the rest of the window; the rate remains to be learned. */
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

/** Undefined where nothing is to be waited for. */
function untilReset(allowance: Allowance | null): number | undefined {
  const resetMs = allowance?.resetMs ?? 0;
  return resetMs > 0 ? Math.min(resetMs, namedDelay.delayMsMax) : undefined;
}

/**
 * The error for a call that `fetch` gave up on. Anything else that was thrown is a defect of ours, and thrown on.
 *
 * Not in doubt only where the connection was never made, because a paid call that is repeated by mistake costs money.
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
 * Not `SourceUnavailable`: every other call to the host would end the same, until the operator allows the host or mends its
 * address. A batch is held for that, and no company is given up.
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
