import {
  Misconfigured,
  SourceRefused,
  SourceThrottled,
  SourceUnavailable,
  SourceUnreadable,
  type EnrichError,
} from '../core/errors.ts';
import { readRetryAfter } from './retry-after.ts';

/** What an operator can do about the refusals that concern the credential or the address, not the company. */
const remedies: Readonly<Record<number, string>> = {
  401: ': check the key',
  402: ': the account there is out of credits',
  403: ': check what the key is allowed to do',
  404: ': check the URL',
};

/** A gateway lost the server behind it, which may go on with the request (RFC 9110 §15.6.3, §15.6.5). */
const gatewayStatuses = [502, 504];

/** The error for an answer whose status is not 2xx. `where` names the call without secrets: method, host and path. */
export function statusTrouble(where: string, response: Response, nowMs: number): EnrichError {
  const { status } = response;
  const answered = `${where} answered ${status}`;
  const delayMs = readRetryAfter(response.headers.get('retry-after'), nowMs);
  if (status === 429 || (status === 503 && delayMs !== undefined)) {
    const wait = delayMs === undefined ? {} : { delayMs };
    return new SourceThrottled(`${answered}: it asks us to slow down`, wait);
  }
  if (status >= 500) return new SourceUnavailable(answered, { inDoubt: gatewayStatuses.includes(status) });
  if (status >= 400) return new SourceRefused(`${answered}${remedies[status] ?? ''}`, { status });
  // A redirect could lead a key or a body to another server, and a followed block page reads as an answer.
  return new SourceUnreadable(`${answered}, which is not an answer: redirects are not followed`);
}

/**
 * The error for a call that `fetch` gave up on. Anything else that was thrown is a defect of ours, and thrown on.
 *
 * Not in doubt only where the connection was never made, because a paid call that is
 * repeated by mistake costs money.
 */
export function connectionTrouble(where: string, error: unknown): EnrichError {
  if (!(error instanceof TypeError && error.cause instanceof Error)) throw error;
  const { cause } = error;
  // fetch never calls the ports of other protocols (Fetch standard, "port blocking").
  if (cause.message === 'bad port') return new Misconfigured(`${where}: a blocked port`, { cause: error });
  const reason = codeOf(cause) ?? cause.name;
  return neverConnected(cause)
    ? new SourceUnavailable(`${where} cannot be reached (${reason})`, { inDoubt: false, cause: error })
    : new SourceUnavailable(`${where} was cut off in the middle (${reason})`, {
        inDoubt: true,
        cause: error,
      });
}

/** Steps before the first byte of a request. */
const connectingSteps = ['getaddrinfo', 'connect'];
/** Failures before the first byte of a request that name no step: a slow connection, a certificate that is not trusted. */
const connectingCodes = [
  'UND_ERR_CONNECT_TIMEOUT',
  'ERR_TLS_CERT_ALTNAME_INVALID',
  'CERT_HAS_EXPIRED',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
];

function neverConnected(cause: Error): boolean {
  // Several addresses were tried, one after the other, and each failed: only connecting does that.
  if (cause instanceof AggregateError) return true;
  if ('syscall' in cause && connectingSteps.includes(String(cause.syscall))) return true;
  return connectingCodes.includes(codeOf(cause) ?? '');
}

function codeOf(error: Error): string | undefined {
  return 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}
