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
  /** The caller's own signal. When it aborts, its reason is thrown as it is: the source is not to blame. */
  readonly signal: AbortSignal;
  /** Milliseconds from the start of the call to the last byte of the answer. */
  readonly deadlineMs: number;
  /** Largest answer accepted, in bytes after decompression; counted while they arrive, so a longer one is not held. */
  readonly bodyBytesMax: number;
}

/** Makes every outgoing HTTP call of the product. */
export interface HttpClient {
  /**
   * One exchange with a 2xx answer. Retries nothing and follows no redirect. Nothing is sent to an address that is not public,
   * unless the host is allowed.
   *
   * @throws EnrichError what the request's judge names, before all that follows.
   * @throws SourceThrottled on 429, and on 503 with a `Retry-After`.
   * @throws SourceUnavailable on another 5xx, on 408, no connection, a lost connection or a passed deadline; `inDoubt` is false when the
   *   connection was never made, and when the source itself says that it failed.
   * @throws SourceRefused on another 4xx.
   * @throws SourceUnreadable on a redirect, or an answer that is too large.
   * @throws Misconfigured for an address that may not or cannot be called, and for a header that cannot be sent.
   */
  send(url: URL, request: HttpRequest, bounds: CallBounds): Promise<HttpReply>;
  /** Lets the calls under way end, then closes the connections. */
  close(): Promise<void>;
}

export interface HttpClientOptions {
  /** Hosts (`name`, `name:port` or an address) that may have addresses which are not public: those that the operator names. */
  readonly allowedHosts: readonly string[];
  /** Resolves names. Default: as the system does. */
  readonly lookup?: LookupFunction;
}

/** The bytes of an answer that is not 2xx which a judge is shown. */
const explanationBytesMax = 64 * 1024;

/**
 * An HTTP client that keeps its connections, so that a night of calls is not a night of handshakes. HTTP_PROXY and its like are not
 * used: a proxy would connect in our place, and nobody could tell to which address.
 *
 * @throws Misconfigured when an allowed host is none.
 */
export function createHttpClient({ allowedHosts, lookup }: HttpClientOptions): HttpClient {
  return openClient(readAllowedHosts(allowedHosts), lookup);
}

function openClient(isAllowedHost: IsAllowedHost, lookup?: LookupFunction): HttpClient {
  const connect = createConnector({ isAllowedHost, ...(lookup === undefined ? {} : { lookup }) });
  // No clocks of its own: the deadline of a call is the only one.
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
    // Also drops the connection of an answer that was left unread.
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
 * Reads JSON. `where` names the call in the message.
 *
 * @throws SourceUnreadable when it is none.
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
 * Answers the text of a 2xx response.
 *
 * @throws EnrichError as `HttpClient.send` does.
 */
export async function getText(url: URL, bounds: CallBounds, client: HttpClient): Promise<string> {
  const { text } = await client.send(url, { method: 'GET', headers: { accept: 'text/plain' } }, bounds);
  return text;
}
