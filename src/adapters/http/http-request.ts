import { Headers, type RequestInit } from 'undici';
import { Misconfigured, type EnrichError } from '../../core/errors.ts';

/** One request to a source. */
export interface HttpRequest {
  readonly method: 'GET' | 'POST';
  /** Values may be secret: they are never part of a message. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON. */
  readonly json?: unknown;
  /** JSON that is sent verbatim, because it is signed. Not together with `json`. */
  readonly jsonText?: string;
  /** Sent as `application/x-www-form-urlencoded`. Not together with `json`. */
  readonly form?: Readonly<Record<string, string>>;
  /**
   * Returns a more specific error for an answer of any status, or null if the status is enough. Called first. For a non-2xx
   * answer, `text` is the start of the body, up to 64 KiB.
   */
  readonly evaluate?: (answer: HttpAnswer) => EnrichError | null;
  /**
   * Secrets to mask in the message of a rejection (4xx, `SourceRefused.vendorMessage`). Absent: the message is dropped, as it may repeat what
   * was sent.
   */
  readonly secrets?: readonly string[];
  /** Name of the call in messages. Default: method, host and path. For a URL whose path is a secret. */
  readonly name?: string;
  /** Only the status counts: the body is not read, and the text is empty. Default false. */
  readonly statusOnly?: boolean;
}

/** An answer, as `evaluate` receives it. */
export interface HttpAnswer {
  readonly status: number;
  /** The `Location` header. */
  readonly location: string | null;
  /** Delay of the `Retry-After` header, milliseconds; null without a usable one. */
  readonly retryAfterMs: number | null;
  readonly text: string;
}

/** Names a call in a message. Host and path at most: a query or user part may carry a key. */
export function placeOf(url: URL, { method, name }: HttpRequest): string {
  return name ?? `${method} ${url.host}${url.pathname}`;
}

/**
 * Converts a request to the options of `fetch`.
 *
 * @throws Misconfigured for a URL or a header that `fetch` would quote in its error.
 */
export function toFetch(url: URL, request: HttpRequest): RequestInit {
  const where = placeOf(url, request);
  if (!['http:', 'https:'].includes(url.protocol)) {
    throw new Misconfigured(`${where}: the address must begin with https:// or http://`);
  }
  if (url.username + url.password !== '') {
    throw new Misconfigured(`${where}: the address must not have a user name or password in it`);
  }
  const content = contentOf(request);
  const headers = new Headers(content === null ? {} : { 'content-type': content.type });
  for (const [name, value] of Object.entries(request.headers ?? {})) {
    if (!headerValue.test(value)) {
      throw new Misconfigured(`${where}: the header ${name} has characters that no header may have`);
    }
    headers.set(name, value);
  }
  return { method: request.method, headers, ...(content === null ? {} : { body: content.body }) };
}

/** RFC 9110 §5.5: visible ASCII, spaces and tabs, and bytes beyond ASCII. */
const headerValue = /^[\t\x20-\x7e\x80-\xff]*$/;

function contentOf({
  json,
  jsonText,
  form,
}: HttpRequest): { readonly type: string; readonly body: string } | null {
  if (jsonText !== undefined) return { type: 'application/json', body: jsonText };
  if (json !== undefined) return { type: 'application/json', body: JSON.stringify(json) };
  if (form === undefined) return null;
  return { type: 'application/x-www-form-urlencoded', body: new URLSearchParams(form).toString() };
}
