import type { LookupFunction } from 'node:net';
import { Agent, fetch, type Response } from 'undici';
import type { Allowance } from '../../core/sources/allowance.ts';
import { EnrichError, SourceUnavailable, SourceUnreadable } from '../../core/errors.ts';
import { readAllowedHosts, type IsAllowedHost } from './allowed-hosts.ts';
import { openDeadline } from './deadline.ts';
import { readStart, readText } from './http-body.ts';
import { createConnector } from './http-connect.ts';
import { placeOf, toFetch, type HttpRequest } from './http-request.ts';
import { connectionError, statusError } from './http-errors.ts';
import { readAllowance } from './rate-limit-headers.ts';
import { readRetryAfter } from './retry-after.ts';
import { vendorMessage } from './vendor-message.ts';

export type { HttpAnswer, HttpRequest } from './http-request.ts';

/** Raw reply of a call. */
export interface HttpReply {
  /** The body, read as UTF-8, of at most `bodyBytesMax` bytes after decompression. */
  readonly text: string;
  /** Rate limit of the headers; null without usable ones. */
  readonly allowance: Allowance | null;
}

/** Limits of time and size of a call. */
export interface CallBounds {
  /** Signal of the caller. When it aborts, its reason is thrown unchanged, not as an error of the source. */
  readonly signal: AbortSignal;
  /** Milliseconds from the start of the call to the last byte of the answer. */
  readonly deadlineMs: number;
  /** Maximum size of an answer, in bytes after decompression; counted while they arrive, so that a longer one is not buffered. */
  readonly bodyBytesMax: number;
}

/** Makes every outgoing HTTP call of the product. */
export interface HttpClient {
  /**
   * Makes one exchange with a 2xx answer. Retries nothing and follows no redirect. Sends nothing to an address that is not
   * public, unless the host is allowed.
   *
   * @throws EnrichError from the request's `evaluate`, before all others.
   * @throws SourceThrottled on 429, and on 503 with a `Retry-After`.
   * @throws SourceUnavailable on another 5xx, on 408, for a failed or lost connection or a passed deadline; `inDoubt` is false
   * when the connection was never established, and when the source itself reports a failure.
   * @throws SourceRefused on another 4xx.
   * @throws SourceUnreadable on a redirect, or an answer that is too large.
   * @throws Misconfigured for a URL that must not or cannot be called, and for a header that cannot be sent.
   */
  send(url: URL, request: HttpRequest, bounds: CallBounds): Promise<HttpReply>;
  /** Waits for running calls, then closes the connections. */
  close(): Promise<void>;
}

export interface HttpClientOptions {
  /** Hosts (`name`, `name:port` or an address) whose addresses need not be public: those that the operator names. */
  readonly allowedHosts: readonly string[];
  /** Resolves names. Default: as the system does. */
  readonly lookup?: LookupFunction;
}

/** Maximum number of bytes of a non-2xx answer that `evaluate` receives. */
const explanationBytesMax = 64 * 1024;

/**
 * Creates an HTTP client that keeps connections alive, to avoid a handshake per call. It ignores HTTP_PROXY and its like: a
 * proxy would connect in our place, to unknown addresses.
 *
 * @throws Misconfigured when an allowed host is invalid.
 */
export function createHttpClient({ allowedHosts, lookup }: HttpClientOptions): HttpClient {
  return openClient(readAllowedHosts(allowedHosts), lookup);
}

function openClient(isAllowedHost: IsAllowedHost, lookup?: LookupFunction): HttpClient {
  const connect = createConnector({ isAllowedHost, ...(lookup === undefined ? {} : { lookup }) });
  // No timeouts of its own: only the deadline of a call applies.
  const agent = new Agent({ connect, headersTimeout: 0, bodyTimeout: 0 });
  return {
    send: (url, request, bounds) => exchange(agent, url, request, bounds),
    close: () => agent.close(),
  };
}

async function exchange(
  agent: Agent,
  url: URL,
  request: HttpRequest,
  bounds: CallBounds,
): Promise<HttpReply> {
  bounds.signal.throwIfAborted();
  if (agent.closed) throw new Error('The HTTP client was used after it was closed');
  const where = placeOf(url, request);
  const init = toFetch(url, request);
  const deadline = openDeadline(bounds.signal, bounds.deadlineMs);
  try {
    const guarded = { redirect: 'manual', dispatcher: agent, signal: deadline.signal } as const;
    return await readReply(await fetch(url, { ...init, ...guarded }), request, bounds, where);
  } catch (error) {
    if (error instanceof EnrichError) throw error;
    bounds.signal.throwIfAborted();
    if (deadline.passed()) {
      throw new SourceUnavailable(`${where} gave no full answer within ${bounds.deadlineMs} ms`, {
        inDoubt: true,
        cause: error,
      });
    }
    throw connectionError(where, error);
  } finally {
    // Also drops the connection of an answer that was not read.
    deadline.close();
  }
}

async function readReply(
  response: Response,
  { evaluate, secrets, statusOnly = false }: HttpRequest,
  { signal, bodyBytesMax }: CallBounds,
  where: string,
): Promise<HttpReply> {
  const { ok, status, headers } = response;
  const isExplained = evaluate !== undefined || secrets !== undefined;
  const explanation = () => (isExplained ? readStart(response, explanationBytesMax) : '');
  const read = () => (ok ? readText(response, bodyBytesMax, where) : explanation());
  const text = statusOnly ? '' : await read();
  signal.throwIfAborted();
  const retryAfterMs = readRetryAfter(headers.get('retry-after'), Date.now()) ?? null;
  const evaluated = evaluate?.({ status, location: headers.get('location'), retryAfterMs, text }) ?? null;
  if (evaluated !== null) throw evaluated;
  if (!ok)
    throw statusError(
      where,
      response,
      Date.now(),
      secrets === undefined ? null : vendorMessage(text, secrets),
    );
  return { text, allowance: readAllowance(headers, Date.now()) };
}

/**
 * Parses JSON. `where` names the call in the message.
 *
 * @throws SourceUnreadable for text that is not JSON.
 */
export function parseJson(text: string, where: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return value;
  } catch (error) {
    throw new SourceUnreadable(`${where} answered something that is not JSON`, { cause: error });
  }
}

/**
 * Fetches the text of a 2xx response.
 *
 * @throws EnrichError as `HttpClient.send` does.
 */
export async function getText(url: URL, bounds: CallBounds, client: HttpClient): Promise<string> {
  const { text } = await client.send(url, { method: 'GET', headers: { accept: 'text/plain' } }, bounds);
  return text;
}
