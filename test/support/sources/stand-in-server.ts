import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { listenOnLoopback } from '../stand-in/loopback.ts';
import { sendAnswer, type Failure } from '../stand-in/stand-in-failures.ts';

/** A received request. */
export interface SeenCall {
  readonly method: string;
  /** Path without the query. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  /** Parsed JSON, or text if the body is not JSON. */
  readonly body: unknown;
  readonly bodyText: string;
}

/** Reply of the vendor, as far as it is known. */
export interface StandInReply {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly json: unknown;
}

/** A running stand-in for a vendor's server, on loopback. */
export interface StandInServer {
  readonly url: string;
  /** All requests so far, in order of arrival. */
  readonly calls: readonly SeenCall[];
  /** Sets the failure of the next calls that `only` selects; null: no failure. */
  readonly failWith: (failure: Failure | null, only?: (call: SeenCall) => boolean) => void;
  readonly close: () => Promise<void>;
}

/**
 * Starts a real HTTP server that replies with `answer` and validates requests as strictly as the vendor. Tests check its log. A
 * failure that is a status or a redirect replaces the reply; every other one changes a 200.
 */
export async function openStandInServer(answer: (call: SeenCall) => StandInReply): Promise<StandInServer> {
  const calls: SeenCall[] = [];
  let failure: Failure | null = null;
  let picks: (call: SeenCall) => boolean = () => true;

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const call = await readCall(request);
    calls.push(call);
    const reply = answer(call);
    const injected = failure !== null && picks(call) ? failure : null;
    if (injected?.kind === 'status') {
      const retry = injected.retryAfter === undefined ? {} : { 'retry-after': injected.retryAfter };
      sendReply(response, {
        status: injected.status,
        headers: retry,
        json: { error: injected.says ?? 'as the test wants it' },
      });
    } else if (injected?.kind === 'redirect') {
      response.writeHead(injected.status ?? 302, { location: injected.to }).end();
    } else if (injected === null || reply.status !== 200) {
      sendReply(response, reply);
    } else {
      sendAnswer(response, asRecord(reply.json), injected);
    }
  }

  const server = createServer((request, response) => void serve(request, response));
  const { url, close } = await listenOnLoopback(server);
  return {
    url,
    calls,
    close,
    failWith: (next, only = () => true) => {
      failure = next;
      picks = only;
    },
  };
}

async function readCall(request: IncomingMessage): Promise<SeenCall> {
  const { pathname: path, searchParams: query } = new URL(request.url ?? '/', 'http://stand-in');
  const bodyText = await text(request).catch(() => '');
  const { method = '', headers } = request;
  return { method, path, query, headers, body: parse(bodyText), bodyText };
}

function parse(body: string): unknown {
  try {
    return JSON.parse(body) as unknown;
  } catch {
    return body;
  }
}

function sendReply(response: ServerResponse, { status, headers = {}, json }: StandInReply): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(json));
}

/** `sendAnswer` changes replies that are objects; an array counts as one. */
function asRecord(json: unknown): Record<string, unknown> {
  if (typeof json !== 'object' || json === null) throw new Error('a stand-in answers objects and arrays');
  return json as Record<string, unknown>;
}
