import { EnrichError, SourceUnavailable, SourceUnreadable } from '../core/errors.ts';
import { openDeadline } from './deadline.ts';
import { connectionTrouble, statusTrouble } from './http-trouble.ts';

/** How long a call may take and how much may come back. */
export interface CallBounds {
  /** The caller's own signal. When it aborts, its reason is thrown as it is: the source is not to blame. */
  readonly signal: AbortSignal;
  /** Milliseconds from the start of the call to the last byte of the answer. */
  readonly deadlineMs: number;
  /** Largest answer accepted, in bytes after decompression; counted while they arrive, so a longer one is not held. */
  readonly bodyBytesMax: number;
}

/** One JSON request to a source. */
export interface JsonPost extends CallBounds {
  /** Sent as they are, beside the content type. Values may be secret: none is ever part of a message. */
  readonly headers: Readonly<Record<string, string>>;
  /** Serialised with `JSON.stringify`. */
  readonly body: unknown;
}

/**
 * Posts JSON and answers the JSON of a 2xx response. Retries nothing and follows no redirect.
 *
 * @throws SourceUnreadable on an answer that is not JSON.
 * @throws EnrichError as `call` does.
 */
export async function postJson(url: URL, { headers, body, ...bounds }: JsonPost): Promise<unknown> {
  const request = {
    method: 'POST',
    headers: { accept: 'application/json', 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  };
  return parseJson(await call(url, request, bounds), placeOf(url, request));
}

/**
 * Answers the text of a 2xx response, read as UTF-8. Retries nothing and follows no redirect.
 *
 * @throws EnrichError as `call` does.
 */
export async function getText(url: URL, bounds: CallBounds): Promise<string> {
  return call(url, { method: 'GET', headers: { accept: 'text/plain' } }, bounds);
}

interface HttpRequest {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/**
 * One exchange, and the one caller of `fetch`.
 *
 * @throws SourceThrottled on 429, and on 503 with a `Retry-After`.
 * @throws SourceUnavailable on another 5xx, no connection, a lost connection or a passed deadline; `sent` is false only when
 *   the connection was never made.
 * @throws SourceRefused on another 4xx.
 * @throws SourceUnreadable on a redirect, or an answer that is too large.
 * @throws Misconfigured when the URL names a port that `fetch` never calls.
 */
async function call(url: URL, request: HttpRequest, bounds: CallBounds): Promise<string> {
  bounds.signal.throwIfAborted();
  const where = placeOf(url, request);
  const deadline = openDeadline(bounds.signal, bounds.deadlineMs);
  try {
    const response = await fetch(url, { ...request, redirect: 'manual', signal: deadline.signal });
    if (!response.ok) throw statusTrouble(where, response, Date.now());
    return await readText(response, bounds.bodyBytesMax, where);
  } catch (error) {
    if (error instanceof EnrichError) throw error;
    bounds.signal.throwIfAborted();
    if (deadline.passed()) {
      throw new SourceUnavailable(`${where} gave no full answer within ${bounds.deadlineMs} ms`, {
        inDoubt: true,
        cause: error,
      });
    }
    throw connectionTrouble(where, error);
  } finally {
    // Also drops the connection of an answer that was left unread.
    deadline.close();
  }
}

/** Names a call in a message. Host and path alone: a query or user part may carry a key. */
function placeOf(url: URL, { method }: HttpRequest): string {
  return `${method} ${url.host}${url.pathname}`;
}

async function readText(response: Response, bytesMax: number, where: string): Promise<string> {
  if (response.body === null) return '';
  const stream: AsyncIterable<Uint8Array> = response.body;
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of stream) {
    bytes += chunk.byteLength;
    if (bytes > bytesMax) throw new SourceUnreadable(`${where} answered more than ${bytesMax} bytes`);
    chunks.push(chunk);
  }
  return new TextDecoder().decode(Buffer.concat(chunks));
}

function parseJson(text: string, where: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return value;
  } catch (error) {
    throw new SourceUnreadable(`${where} answered something that is not JSON`, { cause: error });
  }
}
