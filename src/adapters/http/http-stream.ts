import type { LookupFunction } from 'node:net';
import { Readable } from 'node:stream';
import { Agent } from 'undici';
import type { IsAllowedHost } from './allowed-hosts.ts';
import { createConnector } from './http-connect.ts';

/** A request whose bodies may be of any size. */
export interface StreamRequest {
  readonly method: 'GET' | 'HEAD' | 'PUT' | 'DELETE';
  readonly headers: Readonly<Record<string, string>>;
  /** Its length is in `content-length`. */
  readonly body?: AsyncIterable<Uint8Array>;
}

/** An answer with any status. */
export interface StreamAnswer {
  readonly status: number;
  /** Returns a header by its name in lower case; of several the first. */
  readonly header: (name: string) => string | null;
  /** The body as it was sent: a content encoding is not decoded. Read it to its end, or destroy it. */
  readonly body: Readable;
}

/** Makes HTTP calls that carry files, with the rules of all outgoing calls: public addresses or allowed hosts only, no redirects. */
export interface StreamClient {
  /** Sends a request. The caller sets limits of time and size: the signal also ends a body that is being read. */
  readonly open: (url: URL, request: StreamRequest, signal: AbortSignal) => Promise<StreamAnswer>;
  /** Closes the connections, also those in use. */
  readonly close: () => Promise<void>;
}

/** An address that is not called, whatever it answers. The message says why, without the path and the query of the address. */
export class NotCallable extends Error {}

export interface StreamClientOptions {
  readonly isAllowedHost: IsAllowedHost;
  /** Resolves names. Default: as the system does. */
  readonly lookup?: LookupFunction;
}

/** Creates a client. Headers of an answer have at most 16 KiB. */
export function createStreamClient({ isAllowedHost, lookup }: StreamClientOptions): StreamClient {
  const connect = createConnector({ isAllowedHost, ...(lookup === undefined ? {} : { lookup }) });
  const agent = new Agent({ connect, headersTimeout: 0, bodyTimeout: 0, maxHeaderSize: 16 * 1024 });
  return {
    async open(url, { method, headers, body }, signal) {
      assertCallable(url, isAllowedHost);
      const answer = await agent.request({
        origin: url.origin,
        path: `${url.pathname}${url.search}`,
        method,
        headers,
        body: body === undefined ? null : Readable.from(body, { objectMode: false }),
        signal,
      });
      return {
        status: answer.statusCode,
        header: (name) => {
          const value = answer.headers[name];
          return (Array.isArray(value) ? value[0] : value) ?? null;
        },
        body: answer.body,
      };
    },
    close: () => agent.destroy(),
  };
}

/**
 * Asserts the protocol, and that the port is one of HTTP: a request could mean something to servers of other protocols.
 *
 * @throws NotCallable
 */
function assertCallable({ protocol, hostname, host, port }: URL, isAllowedHost: IsAllowedHost): void {
  const isPlain = protocol === 'http:';
  const standardPort = isPlain ? 80 : 443;
  const number = port === '' ? standardPort : Number(port);
  if (isAllowedHost(hostname.replace(/^\[|\]$/g, ''), number)) return;
  if (protocol !== 'https:') {
    const remedy = `list ${hostname} in NIGHTSHIFT_ALLOWED_HOSTS`;
    throw new NotCallable(
      `${host} is called with https:// only. If it is a host of your own network, ${remedy}.`,
    );
  }
  if (number < 1024 && ![80, 443].includes(number))
    throw new NotCallable(`${host} has a port of another protocol.`);
}
