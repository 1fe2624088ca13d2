import { createServer, request as ask, type IncomingMessage, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { listenOnLoopback } from '../stand-in/loopback.ts';

/** A request that went through, and what came back. */
export interface RelayedCall {
  readonly requestKey: string | null;
  readonly via: string | null;
  readonly status: number;
  /** The answer was one that had been given before under the same key. */
  readonly replayed: boolean;
}

/** A server that passes every request on, on loopback. */
export interface Relay {
  readonly url: string;
  /** In the order in which they were answered. */
  readonly calls: readonly RelayedCall[];
  /** Sets the target of requests from now on, and the API key that they get. */
  readonly pointTo: (target: { readonly url: string; readonly key: string }) => void;
  /** So many of the next answers are not passed back: their connections are cut. */
  readonly cutNext: (answers: number) => void;
  readonly close: () => Promise<void>;
}

/** Starts it: an address that is known before there is anything behind it, and that sees what passes. */
export async function openRelay(): Promise<Relay> {
  const calls: RelayedCall[] = [];
  let target = { url: 'http://127.0.0.1:9', key: '' };
  let cuts = 0;

  async function pass(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { status, headers, body } = await passOn(request, target);
    calls.push({
      requestKey: textOf(request.headers['idempotency-key']),
      via: textOf(request.headers['nightshift-via']),
      status,
      replayed: headers['idempotency-replayed'] !== undefined,
    });
    if (cuts > 0) {
      cuts -= 1;
      response.destroy();
      return;
    }
    const { 'content-type': type, 'content-encoding': encoding, 'retry-after': retryAfter } = headers;
    response.writeHead(status, {
      ...(type === undefined ? {} : { 'content-type': type }),
      ...(encoding === undefined ? {} : { 'content-encoding': encoding }),
      ...(retryAfter === undefined ? {} : { 'retry-after': retryAfter }),
    });
    response.end(body);
  }

  const server = createServer((request, response) => {
    pass(request, response).catch((error: unknown) => response.destroy(error as Error));
  });
  const { url, close } = await listenOnLoopback(server);
  return {
    url,
    calls,
    pointTo: (next) => void (target = next),
    cutNext: (answers) => void (cuts = answers),
    close,
  };
}

/** The same request under the target's key, and its answer, read whole. */
async function passOn(
  request: IncomingMessage,
  { url, key }: { readonly url: string; readonly key: string },
) {
  const sent = await buffer(request);
  const headers = { ...request.headers, 'x-api-key': key, host: new URL(url).host, connection: 'close' };
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    const { method = 'GET', url: path = '/' } = request;
    const passed = ask(`${url}${path}`, { method, headers }, resolve);
    passed.once('error', reject).end(sent);
  });
  return { status: answer.statusCode ?? 0, headers: answer.headers, body: await buffer(answer) };
}

function textOf(header: string | readonly string[] | undefined): string | null {
  return typeof header === 'string' ? header : null;
}
