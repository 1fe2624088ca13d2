import { BlockList, connect, isIP, isIPv6, type Socket } from 'node:net';
import { connect as secure, type TLSSocket } from 'node:tls';
import type { SmtpReply } from '../../../core/emails/replies/smtp-reply.ts';
import { createReplyReader } from './reply-reader.ts';

/** Errors of a connection, apart from replies. */
export type ErrorFinding =
  'connection_refused' | 'connection_timeout' | 'server_temporary_error' | 'tls_failure' | 'protocol_error';

/** Error that ends a connection. */
export interface WireError {
  readonly finding: ErrorFinding;
  /** For logs; without text of the server. */
  readonly why: string;
}

/** Replies to commands. */
export interface Exchange {
  /** In order; fewer than the commands after an error, or if the server ended the session with 421. */
  readonly replies: readonly SmtpReply[];
  readonly problem: WireError | null;
}

export interface WireOptions {
  readonly port: number;
  readonly connectTimeoutMs: number;
  /** From a command to the end of its reply. */
  readonly commandTimeoutMs: number;
  /** Bytes that a server may send in a session. */
  readonly sessionBytesMax: number;
  /** True when an address may be connected to. */
  readonly isAllowedAddress: (ip: string) => boolean;
}

/** A TCP connection with one reply for each command. Errors are values. */
export interface SmtpWire {
  /** Local address of the connection. */
  readonly localAddress: string;
  /** Sends the text in one write and waits for the expected number of replies. */
  exchange(text: string, expected: number): Promise<Exchange>;
  /** Starts TLS (RFC 3207) without validating the certificate (RFC 7435); null on success. */
  encrypt(host: string): Promise<WireError | null>;
  /** Resolves when the sockets are closed. */
  close(): Promise<void>;
}

/**
 * Connects to exactly one address: nothing is written unless the guard allows the address and the connection is with it. When
 * the signal aborts, the connection is closed.
 */
export async function openWire(
  address: string,
  options: WireOptions,
  signal: AbortSignal,
): Promise<SmtpWire | WireError> {
  if (isIP(address) === 0 || !options.isAllowedAddress(address)) {
    return refused('the address is not allowed');
  }
  const socket = await connectTo(address, options, signal);
  if (!('remoteAddress' in socket)) return socket;
  const remote = socket.remoteAddress ?? '';
  if (isSameAddress(remote, address) && options.isAllowedAddress(remote)) {
    return createWire(socket, options, signal);
  }
  socket.destroy();
  return refused('connected to another address');
}

function connectTo(
  address: string,
  { port, connectTimeoutMs }: WireOptions,
  signal: AbortSignal,
): Promise<Socket | WireError> {
  return new Promise((resolve) => {
    const socket = connect({ host: address, port, family: isIPv6(address) ? 6 : 4, noDelay: true });
    const timer = setTimeout(() => end(timedOut('no connection in time')), connectTimeoutMs);
    const abort = () => end(timedOut('the deadline'));
    function end(outcome: Socket | WireError) {
      clearTimeout(timer);
      signal.removeEventListener('abort', abort);
      socket.removeListener('connect', connected);
      if (outcome !== socket) socket.destroy();
      resolve(outcome);
    }
    function connected() {
      end(socket);
    }
    // The listener stays: an error after the connection is followed by `close`, which the wire handles.
    socket.on('error', (error) => end(connectError(error)));
    socket.once('connect', connected);
    signal.addEventListener('abort', abort, { once: true });
    if (signal.aborted) abort();
  });
}

function connectError(error: NodeJS.ErrnoException): WireError {
  return error.code === 'ETIMEDOUT' ? timedOut('ETIMEDOUT') : refused(error.code ?? 'no connection');
}

function createWire(plain: Socket, options: WireOptions, signal: AbortSignal): SmtpWire {
  let socket = plain;
  let problem: WireError | null = null;
  const stream = createReplyStream(options.sessionBytesMax, fail);
  const localAddress = plain.localAddress ?? '';

  function fail(found: WireError): void {
    problem ??= found;
    signal.removeEventListener('abort', cut);
    socket.destroy();
    plain.destroy();
    stream.end();
  }

  const cut = () => fail(timedOut('the deadline'));
  const lose = () =>
    fail(stream.isGreeted() ? lost('the connection was closed') : refused('closed before the greeting'));

  function listen(): void {
    socket.on('data', stream.take);
    socket.once('close', lose);
  }

  async function exchange(text: string, expected: number): Promise<Exchange> {
    if (problem !== null) return { replies: [], problem };
    const timer = setTimeout(() => fail(timedOut('no reply in time')), options.commandTimeoutMs);
    const replies = await stream.expect(expected, () => {
      if (text !== '') socket.write(text);
    });
    clearTimeout(timer);
    return { replies, problem };
  }

  async function encrypt(host: string): Promise<WireError | null> {
    if (problem !== null) return problem;
    plain.removeListener('data', stream.take);
    plain.removeListener('close', lose);
    // Plain text before the handshake would pass for encrypted text (CVE-2011-0411).
    if (stream.isAmidst() || plain.readableLength > 0)
      fail(broken('text between STARTTLS and the handshake'));
    if (problem !== null) return problem;
    // RFC 6066 §3: a server name is never an address.
    const name = isIP(host) === 0 ? { servername: host } : {};
    const secured = secure({ socket: plain, ...name, rejectUnauthorized: false });
    socket = secured;
    const failure = await awaitHandshake(secured, options.commandTimeoutMs, signal);
    if (failure !== null) {
      fail(failure);
      return problem;
    }
    stream.restart();
    listen();
    return null;
  }

  async function close(): Promise<void> {
    fail(lost('closed by us'));
    await Promise.all([plain, socket].map(isGone));
  }

  signal.addEventListener('abort', cut, { once: true });
  listen();
  if (signal.aborted) cut();
  return { localAddress, exchange, encrypt, close };
}

/** Replies of the current exchange. */
interface Expected {
  readonly count: number;
  readonly replies: SmtpReply[];
  readonly settle: () => void;
}

/** Assigns replies to the exchange that waits for them. A reply without a command, or too many bytes, are a failure. */
function createReplyStream(bytesMax: number, fail: (error: WireError) => void) {
  let reader = createReplyReader();
  let bytes = 0;
  let isGreeted = false;
  let expected: Expected | null = null;

  function take(chunk: Buffer): void {
    bytes += chunk.length;
    if (bytes > bytesMax) return fail(broken('a session that is too long'));
    const { replies, breach } = reader.push(chunk);
    for (const reply of replies) takeReply(reply);
    if (breach !== null) fail(broken(breach));
  }

  function takeReply(reply: SmtpReply): void {
    isGreeted = true;
    // RFC 5321 §3.8: a server that shuts down may send 421 at any time.
    if (reply.code === 421) {
      expected?.replies.push(reply);
      return fail(lost('the server ended the session'));
    }
    if (expected === null || expected.replies.length === expected.count) {
      return fail(broken('a reply without a command'));
    }
    expected.replies.push(reply);
    if (expected.replies.length === expected.count) expected.settle();
  }

  /** Sends commands and waits for their replies; `end` may cut them short. */
  async function expect(count: number, send: () => void): Promise<readonly SmtpReply[]> {
    const replies: SmtpReply[] = [];
    await new Promise<void>((settle) => {
      expected = { count, replies, settle };
      send();
    });
    expected = null;
    return replies;
  }

  return {
    take,
    expect,
    end: () => expected?.settle(),
    /** Starts again and drops the remaining bytes. */
    restart: () => void (reader = createReplyReader()),
    isAmidst: () => reader.isAmidst(),
    isGreeted: () => isGreeted,
  };
}

function awaitHandshake(
  secured: TLSSocket,
  timeoutMs: number,
  signal: AbortSignal,
): Promise<WireError | null> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => end(noTls('no handshake in time')), timeoutMs);
    const end = (outcome: WireError | null) => {
      clearTimeout(timer);
      signal.removeEventListener('abort', abort);
      resolve(outcome);
    };
    const abort = () => end(timedOut('the deadline'));
    secured.on('error', (error: NodeJS.ErrnoException) => end(noTls(error.code ?? 'no handshake')));
    secured.once('close', () => end(noTls('closed in the handshake')));
    secured.once('secureConnect', () => end(null));
    signal.addEventListener('abort', abort, { once: true });
  });
}

function isGone(socket: Socket): Promise<void> {
  return new Promise((resolve) => {
    if (socket.closed) resolve();
    else socket.once('close', () => resolve());
  });
}

/** Compares addresses in any notation: `::1` is `0:0:0:0:0:0:0:1`. */
function isSameAddress(one: string, other: string): boolean {
  const list = new BlockList();
  list.addAddress(other, isIPv6(other) ? 'ipv6' : 'ipv4');
  return one !== '' && list.check(one, isIPv6(one) ? 'ipv6' : 'ipv4');
}

function refused(why: string): WireError {
  return { finding: 'connection_refused', why };
}

function timedOut(why: string): WireError {
  return { finding: 'connection_timeout', why };
}

/** RFC 5321 §3.8: a closed connection counts as reply 451. */
function lost(why: string): WireError {
  return { finding: 'server_temporary_error', why };
}

function broken(why: string): WireError {
  return { finding: 'protocol_error', why };
}

function noTls(why: string): WireError {
  return { finding: 'tls_failure', why };
}
