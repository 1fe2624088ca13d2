import {
  createServer,
  STATUS_CODES,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { getRequestListener } from '@hono/node-server';
import { Misconfigured } from '../../core/errors.ts';
import { newId } from '../../core/ids.ts';
import { Problem, problemKinds, type ProblemCode } from './problem.ts';
import { toProblemBody } from './problem-schema.ts';

/** Request handler: a Hono app. */
export type Fetch = (
  request: Request,
  env: { incoming: IncomingMessage; outgoing: ServerResponse },
) => Response | Promise<Response>;

export interface ServeOptions {
  readonly host: string;
  /** 0 takes any free port. */
  readonly port: number;
  /** The setting that the port comes from, to be named when it cannot be had. */
  readonly portSetting: string;
  /** Null: derived from where the server listens. Never from what a request says. */
  readonly baseUrl: string | null;
}

/** A server that listens. */
export interface ApiServer {
  /** `http://127.0.0.1:3000`, without a slash at the end. */
  readonly url: string;
  /** Lets the requests that are under way end, cuts off what is left after `graceMs`, and listens no more. */
  close(graceMs: number): Promise<void>;
}

/** The limits of a connection, in milliseconds and bytes; stated in the documents. */
export const connectionLimits = {
  /** All headers of a request. */
  headersMs: 10_000,
  /** A request whole, body included: a list of 200 MB at 2 Mbit/s. */
  requestMs: 15 * 60_000,
  /** Between two requests of a connection. */
  keepAliveMs: 60_000,
  /** Nothing moves in either direction. */
  idleMs: 120_000,
  headerBytes: 16 * 1024,
} as const;

/**
 * Listens for HTTP. Every error has the error body of the contract (docs/architecture/contract.md, 7), also those
 * that Node finds before there is a request.
 *
 * @throws Misconfigured when the address cannot be had.
 */
export async function serve(
  createFetch: (baseUrl: string) => Fetch,
  { host, port, portSetting, baseUrl }: ServeOptions,
): Promise<ApiServer> {
  let own = '';
  let listener: (request: IncomingMessage, response: ServerResponse) => void = () => undefined;
  const server = createServer(
    {
      headersTimeout: connectionLimits.headersMs,
      requestTimeout: connectionLimits.requestMs,
      keepAliveTimeout: connectionLimits.keepAliveMs,
      connectionsCheckingInterval: 1000,
      maxHeaderSize: connectionLimits.headerBytes,
      // An absent Host is answered by our own code, with our own body.
      requireHostHeader: false,
    },
    (request, response) => listener(request, response),
  );
  const inFlight = countInFlight(server);
  server.setTimeout(connectionLimits.idleMs);
  server.on('clientError', (error, socket) => {
    const { isHalfRead, isAnswering, afterwards } = inFlight.of(socket);
    // The request that the error stands in never becomes whole, and whoever reads it would wait for ever.
    if (isHalfRead && (isAnswering || isGone(error))) socket.destroy();
    else if (isHalfRead) rejectRaw(socket, rawProblem(error), own);
    else {
      // Behind a good request nothing more is said: what would be written belonged to the answer before.
      afterwards((wasBusy) => {
        if (wasBusy) socket.destroy();
        else rejectRaw(socket, rawProblem(error), own);
      });
    }
  });
  server.on('connect', (_request, socket) => rejectRaw(socket, 'method_not_allowed', own));
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
  await listen(server, { host, port, portSetting });
  own = baseUrl ?? urlOf(server, host);
  const fetch = createFetch(own);
  const respond = getRequestListener(fetch as Parameters<typeof getRequestListener>[0], {
    hostname: host,
    overrideGlobalObjects: false,
    // A request that cannot be read, such as one with a Host that is none.
    errorHandler: () => rawResponse('validation_error', own),
  });
  listener = (request, response) => void respond(request, response);
  return { url: urlOf(server, host), close: (graceMs) => close(server, inFlight, graceMs) };
}

type Place = Pick<ServeOptions, 'host' | 'port' | 'portSetting'>;

function listen(server: Server, place: Place): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(explained(error, place)));
    server.listen(place.port, place.host, resolve);
  });
}

function explained(error: NodeJS.ErrnoException, { host, port, portSetting }: Place): Error {
  const failure =
    error.code === 'EADDRINUSE'
      ? `is in use already. End what listens there, or set ${portSetting} to another one`
      : `cannot be listened on (${error.code ?? error.message}). Mend HOST or ${portSetting}`;
  return new Misconfigured(`${host}:${port} ${failure}.`, { cause: error });
}

function urlOf(server: Server, host: string): string {
  const { port } = server.address() as AddressInfo;
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

/** Goes on listening until the requests under way have ended: a new one is told to come back, rather than refused a connection. */
async function close(server: Server, inFlight: InFlight, graceMs: number): Promise<void> {
  await Promise.race([inFlight.none(), sleep(graceMs, undefined, { ref: false })]);
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeAllConnections();
  await closed;
}

/** Requests that are pending or under way, by connection. */
interface InFlight {
  of(socket: Duplex): {
    /** A request on it has begun and is not there whole. */
    readonly isHalfRead: boolean;
    /** An answer has begun, or other requests wait for theirs. */
    readonly isAnswering: boolean;
    /** Runs once nothing on this connection waits for its answer any more; at once when nothing does. */
    readonly afterwards: (work: (wasBusy: boolean) => void) => void;
  };
  /** Resolves when no request is under way. */
  none(): Promise<void>;
}

function countInFlight(server: Server): InFlight {
  const pending = new Map<Duplex, Map<ServerResponse, IncomingMessage>>();
  const known = new WeakSet<Duplex>();
  const later = new WeakMap<Duplex, () => void>();
  let waiting: (() => void)[] = [];

  function forget(socket: Duplex): void {
    pending.delete(socket);
    later.get(socket)?.();
    if (pending.size > 0) return;
    for (const resolve of waiting) resolve();
    waiting = [];
  }

  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const { socket } = request;
    // Requests that stand in line behind another one end with their connection, and say nothing of it.
    if (!known.has(socket)) socket.once('close', () => forget(socket));
    known.add(socket);
    const answers = pending.get(socket) ?? new Map<ServerResponse, IncomingMessage>();
    pending.set(socket, answers.set(response, request));
    response.once('close', () => {
      answers.delete(response);
      if (answers.size === 0) forget(socket);
    });
  });

  return {
    of: (socket) => {
      const answers = pending.get(socket) ?? new Map<ServerResponse, IncomingMessage>();
      return {
        isHalfRead: [...answers.values()].some((request) => !request.complete),
        isAnswering: answers.size > 1 || [...answers.keys()].some((response) => response.headersSent),
        afterwards: (work) => {
          if (answers.size > 0) later.set(socket, () => work(true));
          else work(false);
        },
      };
    },
    none: () => (pending.size === 0 ? Promise.resolve() : new Promise((resolve) => waiting.push(resolve))),
  };
}

/** The client has closed its side, or is gone: nobody reads an answer. */
function isGone(error: NodeJS.ErrnoException): boolean {
  return error.code === 'ECONNRESET' || error.code === 'HPE_INVALID_EOF_STATE' || error.code === 'EPIPE';
}

/** Problem for an error of Node's parser. */
function rawProblem(error: NodeJS.ErrnoException): ProblemCode {
  if (error.code === 'HPE_HEADER_OVERFLOW') return 'headers_too_large';
  if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT') return 'request_timeout';
  return 'validation_error';
}

/** Answers on a connection that has no request yet, and ends it. */
function rejectRaw(socket: Duplex, code: ProblemCode, baseUrl: string): void {
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  const { status } = problemKinds[code];
  const { body, headers } = rawBody(code, baseUrl);
  const lines = Object.entries({
    ...headers,
    'Content-Length': Buffer.byteLength(body),
    Connection: 'close',
  });
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n${body}`,
  );
}

function rawResponse(code: ProblemCode, baseUrl: string): Response {
  const { body, headers } = rawBody(code, baseUrl);
  return new Response(body, { status: problemKinds[code].status, headers });
}

function rawBody(code: ProblemCode, baseUrl: string) {
  const requestId = newId('req', Date.now());
  const titles = code === 'validation_error' ? { titles: ['This is no HTTP request that can be read'] } : {};
  const problem = new Problem(code, titles);
  return {
    body: JSON.stringify(toProblemBody(problem, { baseUrl, requestId, now: new Date() })),
    headers: { 'Content-Type': 'application/json', 'X-Request-Id': requestId },
  };
}
