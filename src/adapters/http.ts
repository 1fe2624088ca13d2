import { EnrichError, SourceUnavailable, SourceUnreadable } from '../core/errors.ts';
import { openDeadline } from './deadline.ts';
import { connectionTrouble, statusTrouble } from './http-trouble.ts';

/** One JSON request to a source. */
export interface JsonPost {
  /** Sent as they are, beside the content type. Values may be secret: none is ever part of a message. */
  readonly headers: Readonly<Record<string, string>>;
  /** Serialised with `JSON.stringify`. */
  readonly body: unknown;
  /** The caller's own signal. When it aborts, its reason is thrown as it is: the source is not to blame. */
  readonly signal: AbortSignal;
  /** Milliseconds from the start of the call to the last byte of the answer. */
  readonly deadlineMs: number;
  /** Largest answer accepted, in bytes after decompression; counted while they arrive, so a longer one is not held. */
  readonly bodyBytesMax: number;
}

/**
 * Posts JSON and answers the JSON of a 2xx response. The one caller of `fetch`; retries nothing and follows no redirect.
 *
 * @throws SourceThrottled on 429, and on 503 with a `Retry-After`.
 * @throws SourceUnavailable on another 5xx, no connection, a lost connection or a passed deadline; `sent` is false only when
 *   the connection was never made.
 * @throws SourceRefused on another 4xx.
 * @throws SourceUnreadable on a redirect, an answer that is too large, or one that is not JSON.
 * @throws Misconfigured when the URL names a port that `fetch` never calls.
 */
export async function postJson(url: URL, post: JsonPost): Promise<unknown> {
  post.signal.throwIfAborted();
  // Host and path alone: a query or user part may carry a key.
  const where = `POST ${url.host}${url.pathname}`;
  const deadline = openDeadline(post.signal, post.deadlineMs);
  try {
    return await exchange(url, post, where, deadline.signal);
  } catch (error) {
    if (error instanceof EnrichError) throw error;
    post.signal.throwIfAborted();
    if (deadline.passed()) {
      throw new SourceUnavailable(`${where} gave no full answer within ${post.deadlineMs} ms`, {
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

async function exchange(url: URL, post: JsonPost, where: string, signal: AbortSignal): Promise<unknown> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { accept: 'application/json', 'content-type': 'application/json', ...post.headers },
    body: JSON.stringify(post.body),
    redirect: 'manual',
    signal,
  });
  if (!response.ok) throw statusTrouble(where, response, Date.now());
  return parseJson(await readText(response, post.bodyBytesMax, where), where);
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
