import { createServer, request as ask, type IncomingMessage, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { listenOnLoopback } from '../stand-in/loopback.ts';

/** A forwarded request and its response. */
export interface RelayedCall {
  readonly requestKey: string | null;
  readonly via: string | null;
  readonly status: number;
  /** True if the response repeats an earlier one with the same key. */
  readonly replayed: boolean;
}

/** A proxy on loopback that forwards every request. */
export interface Relay {
  readonly url: string;
  /** Calls in the order of their responses. */
  readonly calls: readonly RelayedCall[];
  /** Sets the target and the API key of all further requests. */
  readonly pointTo: (target: { readonly url: string; readonly key: string }) => void;
  /** Drops the next responses, this many: cuts their connections. */
  readonly cutNext: (answers: number) => void;
  readonly close: () => Promise<void>;
}

/** Starts the proxy. Its address is known before a target exists, and it records all traffic. */
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

/** Sends the same request with the target's key. Returns the complete response. */
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
