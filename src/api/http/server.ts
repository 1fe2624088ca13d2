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
  /** 0 for any free port. */
  readonly port: number;
  /** Name of the setting of the port, for error messages. */
  readonly portSetting: string;
  /** Null derives it from the address that the server listens on, never from a request. */
  readonly baseUrl: string | null;
}

/** A server that listens. */
export interface ApiServer {
  /** URL, such as `http://127.0.0.1:3000`, without a trailing slash. */
  readonly url: string;
  /** Waits for requests in progress, aborts the rest after `graceMs`, and stops listening. */
  close(graceMs: number): Promise<void>;
}

/** Limits of a connection, in milliseconds and bytes; the documentation states them. */
export const connectionLimits = {
  /** Maximum time until all headers of a request have arrived. */
  headersMs: 10_000,
  /** Maximum time until a complete request has arrived: a file of 200 MB at 2 Mbit/s. */
  requestMs: 15 * 60_000,
  /** Maximum time between two requests of a connection. */
  keepAliveMs: 60_000,
  /** Maximum time without data in either direction. */
  idleMs: 120_000,
  headerBytes: 16 * 1024,
} as const;

/**
 * Listens for HTTP. Every error has the error body of the contract (docs/architecture/contract.md, 7), including those that Node detects
 * before a request exists.
 *
 * @throws Misconfigured when the address is not available.
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
      // `rejectOddHost` answers a missing Host, with the error body.
      requireHostHeader: false,
    },
    (request, response) => listener(request, response),
  );
  const inFlight = countInFlight(server);
  server.setTimeout(connectionLimits.idleMs);
  server.on('clientError', (error, socket) => {
    const { isHalfRead, isAnswering, afterwards } = inFlight.of(socket);
    // The request with the error never completes, and its reader would wait forever.
    if (isHalfRead && (isAnswering || isGone(error))) socket.destroy();
    else if (isHalfRead) rejectRaw(socket, rawProblem(error), own);
    else {
      // After a valid request nothing is written: it would become part of the response to that request.
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
    // An unreadable request, such as one with an invalid Host.
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
      ? `is already in use. Stop the process that listens on it, or set ${portSetting} to another port`
      : `cannot be listened on (${error.code ?? error.message}). Correct HOST or ${portSetting}`;
  return new Misconfigured(`${host}:${port} ${failure}.`, { cause: error });
}

function urlOf(server: Server, host: string): string {
  const { port } = server.address() as AddressInfo;
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

/** Keeps listening until the requests in progress have ended: a new request gets a 503 instead of a refused connection. */
async function close(server: Server, inFlight: InFlight, graceMs: number): Promise<void> {
  await Promise.race([inFlight.none(), sleep(graceMs, undefined, { ref: false })]);
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeAllConnections();
  await closed;
}

/** Pending and running requests, by connection. */
interface InFlight {
  of(socket: Duplex): {
    /** True while a request on the connection has begun, but has not arrived completely. */
    readonly isHalfRead: boolean;
    /** True while a response has begun, or other requests wait for their response. */
    readonly isAnswering: boolean;
    /** Runs work once no request on this connection waits for its response; immediately if none does. */
    readonly afterwards: (work: (wasBusy: boolean) => void) => void;
  };
  /** Resolves when no request is running. */
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
    // Requests that are pipelined behind another one end with their connection, without an event.
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

/** True when the client has closed the connection and does not read a response. */
function isGone(error: NodeJS.ErrnoException): boolean {
  return error.code === 'ECONNRESET' || error.code === 'HPE_INVALID_EOF_STATE' || error.code === 'EPIPE';
}

/** Converts an error of Node's parser to a problem. */
function rawProblem(error: NodeJS.ErrnoException): ProblemCode {
  if (error.code === 'HPE_HEADER_OVERFLOW') return 'headers_too_large';
  if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT') return 'request_timeout';
  return 'validation_error';
}

/** Writes an error to a connection without a request, and closes it. */
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
  const titles = code === 'validation_error' ? { titles: ['The request is not valid HTTP'] } : {};
  const problem = new Problem(code, titles);
  return {
    body: JSON.stringify(toProblemBody(problem, { baseUrl, requestId, now: new Date() })),
    headers: { 'Content-Type': 'application/json', 'X-Request-Id': requestId },
  };
}
