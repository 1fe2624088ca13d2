import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';
import { listenOnLoopback } from '../stand-in/loopback.ts';

/** A complete call. */
export interface ReceivedCall {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** Behaviour of a receiver: a status, or a handler. */
export type Behaviour = number | ((response: ServerResponse, request: IncomingMessage) => void);

/** A webhook receiver on 127.0.0.1, which deliveries reach if the host is allowed. */
export interface Receiver {
  readonly url: string;
  /** Host and port in the format of NIGHTSHIFT_ALLOWED_HOSTS. */
  readonly host: string;
  readonly calls: readonly ReceivedCall[];
  /** Sets the behaviour for the next calls, one after the other; later calls get 204. */
  readonly next: (...behaviours: readonly Behaviour[]) => void;
  /** Resolves when this many calls have arrived in total. */
  readonly received: (count: number) => Promise<void>;
  /** Stops listening. */
  readonly close: () => Promise<void>;
}

/** Opens a receiver until the test ends. */
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

/** Never responds. */
export const hangs: Behaviour = () => undefined;

/** Reads the call and closes the connection without a response. */
export const closesConnection: Behaviour = (_, request) => void request.socket.destroy();

/** Responds with Retry-After. */
export function retriesAfter(retryAfter: string): Behaviour {
  return (response) => response.writeHead(503, { 'retry-after': retryAfter }).end();
}

/** Responds with a redirect. */
export function redirectsTo(location: string): Behaviour {
  return (response) => response.writeHead(302, { location }).end();
}
