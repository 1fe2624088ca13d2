import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';
import { listenOnLoopback } from '../stand-in/loopback.ts';

/** A call that arrived whole. */
export interface ReceivedCall {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** Behaviour of a receiver: a status, or a handler. */
export type Behaviour = number | ((response: ServerResponse, request: IncomingMessage) => void);

/** A receiver of webhooks on 127.0.0.1, which a webhook reaches where that host is allowed. */
export interface Receiver {
  readonly url: string;
  /** Host and port, as NIGHTSHIFT_ALLOWED_HOSTS has it. */
  readonly host: string;
  readonly calls: readonly ReceivedCall[];
  /** Sets the behaviour for the next calls, one after the other; later calls get 204. */
  readonly next: (...behaviours: readonly Behaviour[]) => void;
  /** Resolves once so many calls have arrived in all. */
  readonly received: (count: number) => Promise<void>;
  /** Listens no more. */
  readonly close: () => Promise<void>;
}

/** Opens one until the test ends. */
export async function openReceiver(): Promise<Receiver> {
  const calls: ReceivedCall[] = [];
  let script: Behaviour[] = [];
  let waiting: { readonly count: number; readonly resolve: () => void }[] = [];

  const server = createServer((request, response) => void answer(request, response));
  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { url = '', headers } = request;
    calls.push({ path: url, headers, body: await text(request) });
    const behaviour = script.shift() ?? 204;
    if (typeof behaviour === 'number') response.writeHead(behaviour).end();
    else behaviour(response, request);
    for (const { count, resolve } of waiting) if (calls.length >= count) resolve();
    waiting = waiting.filter(({ count }) => calls.length < count);
  }
  const loopback = await listenOnLoopback(server);
  onTestFinished(() => loopback.close());
  return {
    url: loopback.url,
    host: new URL(loopback.url).host,
    calls,
    next: (...behaviours) => {
      script = [...behaviours];
    },
    received: (count) =>
      calls.length >= count ? Promise.resolve() : new Promise((resolve) => waiting.push({ count, resolve })),
    close: loopback.close,
  };
}

/** Says nothing for ever. */
export const hangs: Behaviour = () => undefined;

/** Reads the call and breaks the connection without an answer. */
export const closesConnection: Behaviour = (_, request) => void request.socket.destroy();

/** Asks for time. */
export function retriesAfter(retryAfter: string): Behaviour {
  return (response) => response.writeHead(503, { 'retry-after': retryAfter }).end();
}

/** Sends elsewhere. */
export function redirectsTo(location: string): Behaviour {
  return (response) => response.writeHead(302, { location }).end();
}
