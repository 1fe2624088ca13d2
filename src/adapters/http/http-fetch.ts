import { Agent, fetch, Headers as UndiciHeaders, type RequestInit as UndiciInit } from 'undici';
import { readAllowedHosts } from './allowed-hosts.ts';
import { openDeadline } from './deadline.ts';
import { readText } from './http-body.ts';
import { createConnector } from './http-connect.ts';

/** The signature of `fetch`, for libraries that implement a protocol. */
export type FetchLike = (url: string, init: FetchInit) => Promise<Response>;

/** Options of a request. */
export interface FetchInit {
  readonly method: string;
  readonly headers: Record<string, string>;
  readonly body?: unknown;
  readonly signal?: AbortSignal | undefined;
}

export interface GuardedFetchOptions {
  /** Hosts whose addresses need not be public. */
  readonly allowedHosts: readonly string[];
  /** From the start of a call to the last byte of the answer. */
  readonly deadlineMs: number;
  readonly bodyBytesMax: number;
}

/**
 * Creates a `fetch` with the rules of all outgoing calls: public addresses or allowed hosts only, no redirects, limits of time
 * and bytes. Answers with any status are returned.
 */
export function createGuardedFetch({ allowedHosts, deadlineMs, bodyBytesMax }: GuardedFetchOptions): {
  readonly call: FetchLike;
  readonly close: () => Promise<void>;
} {
  const agent = new Agent({ connect: createConnector({ isAllowedHost: readAllowedHosts(allowedHosts) }) });
  const never = new AbortController().signal;
  return {
    call: async (url, { method, headers, body, signal = never }) => {
      const deadline = openDeadline(signal, deadlineMs);
      try {
        const init: UndiciInit = { method, headers: new UndiciHeaders(headers), redirect: 'manual' };
        const text = body === undefined || body === null ? {} : { body: bodyText(body) };
        const answer = await fetch(url, { ...init, ...text, dispatcher: agent, signal: deadline.signal });
        const { status } = answer;
        const content = await readText(answer, bodyBytesMax, `${method} ${new URL(url).host}`);
        const hasBody = ![101, 204, 205, 304].includes(status);
        return new Response(hasBody ? content : null, { status, headers: [...answer.headers] });
      } finally {
        deadline.close();
      }
    },
    close: () => agent.close(),
  };
}

/** Forms and JSON, as text. */
function bodyText(body: unknown): string {
  return typeof body === 'string' ? body : (body as URLSearchParams).toString();
}
