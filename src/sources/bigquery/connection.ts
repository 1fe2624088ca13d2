import { Misconfigured, SourceRefused, SourceUnavailable } from '../../core/errors.ts';
import type { z } from 'zod';
import { parseBaseUrl } from '../calls/credentials.ts';
import { createAccessTokens } from './access-token.ts';
import type { ServiceAccount } from './credentials.ts';
import { googleUrl } from './google-url.ts';
import type { Send } from './send.ts';
import { evaluateAnswer, type ReadingLimit } from './errors.ts';
import { parseReply } from './wire.ts';

export interface ConnectionOptions {
  readonly send: Send;
  /** The part before `/projects`, with `/bigquery/v2` if the server requires it. */
  readonly baseUrl: string;
  /** Null sends no credential, which only a server other than Google's accepts. */
  readonly credentials: ServiceAccount | null;
  /** Milliseconds for one HTTP request, from start to last byte. Default 60,000: our choice. */
  readonly callDeadlineMs?: number;
  /** Clock; milliseconds since 1970. Default: the system's. */
  readonly nowMs?: () => number;
}

/** One request to BigQuery. */
export interface Ask {
  /** Below the base address, such as `/projects/p/jobs`. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  /** Makes it a POST. */
  readonly body?: unknown;
  /** Limit to name in the error of a request beyond the cap. */
  readonly limit: ReadingLimit;
}

/**
 * Sends a request and parses the answer.
 *
 * @throws Conflict when a job with that id exists.
 * @throws Misconfigured beyond the cap, or when the service account is rejected.
 * @throws SourceThrottled | SourceUnavailable | SourceRefused | SourceUnreadable. Never in doubt: jobs carry their id, so no
 * repeat is billed.
 */
export type Connection = <Reply>(schema: z.ZodType<Reply>, ask: Ask, signal: AbortSignal) => Promise<Reply>;

/** Maximum size of a reply. BigQuery limits pages to 10 MB by its own count, which is not that of JSON. */
const bodyBytesMax = 64_000_000;

/** @throws Misconfigured when the address cannot be used, or when Google's is given without credentials. */
export function createConnection(options: ConnectionOptions): Connection {
  const { send, baseUrl, credentials, callDeadlineMs = 60_000, nowMs = Date.now } = options;
  const base = parseBaseUrl('bigquery', baseUrl);
  if (credentials === null && base === googleUrl)
    throw new Misconfigured(
      'BigQuery at Google requires the key file of a service account: set NIGHTSHIFT_BIGQUERY_KEY_FILE',
    );
  const tokens =
    credentials === null ? null : createAccessTokens(credentials, { send, nowMs, callDeadlineMs });

  return async function ask(schema, { path, query = {}, body, limit }, signal) {
    const url = new URL(`${base}${path}`);
    url.search = String(new URLSearchParams(query));
    const token = tokens === null ? null : await withoutDoubt(tokens.get(signal));
    const request = {
      method: body === undefined ? 'GET' : 'POST',
      headers: token === null ? {} : { authorization: `Bearer ${token}` },
      ...(body === undefined ? {} : { json: body }),
      evaluate: (answer) => evaluateAnswer(answer, limit),
    } as const satisfies Parameters<Send>[1];
    try {
      const sent = send(url, request, { signal, deadlineMs: callDeadlineMs, bodyBytesMax });
      return parseReply(schema, (await withoutDoubt(sent)).text);
    } catch (error) {
      if (token !== null && error instanceof SourceRefused && error.status === 401) tokens?.drop(token);
      throw error;
    }
  };
}

/** A call that was cut off may have arrived, but a repeat is not billed twice. */
async function withoutDoubt<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof SourceUnavailable && error.inDoubt)) throw error;
    throw new SourceUnavailable(error.message, { inDoubt: false, cause: error });
  }
}
