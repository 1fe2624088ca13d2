import { BlockList, connect, isIP, isIPv6, type Socket } from 'node:net';
import { connect as secure } from 'node:tls';
import type { SmtpReply } from '../../core/emails/replies/smtp-reply.ts';
import { createReplyReader } from './reply-reader.ts';

/** Errors of a session, apart from replies. */
export type ErrorFinding =
  'connection_refused' | 'connection_timeout' | 'server_temporary_error' | 'tls_failure' | 'protocol_error';

/** Why a connection is of no use any more. */
export interface WireError {
  readonly finding: ErrorFinding;
  /** For logs; nothing of what the server said. */
  readonly why: string;
}

/** Reply to a command. */
export interface Exchange {
  /** In order; fewer than were asked for where there was trouble, or where the server ended the session with 421. */
  readonly replies: readonly SmtpReply[];
  readonly problem: WireError | null;
}

export interface WireOptions {
  readonly port: number;
  readonly connectTimeoutMs: number;
  /** From a command to the end of its reply, however slowly it comes. */
  readonly commandTimeoutMs: number;
  /** Bytes a server may send in a session. */
  readonly sessionBytesMax: number;
  /** True when an address may be connected to. */
  readonly isAllowedAddress: (ip: string) => boolean;
}

/** A TCP connection on which every reply answers something that was sent. Failures are values. */
export interface SmtpWire {
  /** Our address on it. */
  readonly localAddress: string;
  /** Sends the text, at once, and takes as many replies as are expected. */
  exchange(text: string, expected: number): Promise<Exchange>;
  /** Goes on encrypted (RFC 3207). The certificate is not looked at (RFC 7435); null when it went well. */
  encrypt(host: string): Promise<WireError | null>;
  /** Resolves when nothing of the connection is left. */
  close(): Promise<void>;
}

/**
 * Connects to an address, and to nothing else: not one byte is written unless the guard allows the address and the connection is
 * with it. When the signal aborts, the connection is cut.
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
    // Stays: an error after the connection is followed by `close`, which the wire listens to.
    socket.on('error', (error) => end(connectError(error)));
    socket.once('connect', connected);
    signal.addEventListener('abort', abort, { once: true });
    if (signal.aborted) abort();
  });
}

function connectError(error: NodeJS.ErrnoException): WireError {
  return error.code === 'ETIMEDOUT' ? timedOut('ETIMEDOUT') : refused(error.code ?? 'no connection');
}

/** Replies that are waited for. */
interface Waiting {
  readonly expected: number;
  readonly replies: SmtpReply[];
  readonly settle: () => void;
}

function createWire(plain: Socket, options: WireOptions, signal: AbortSignal): SmtpWire {
  let socket = plain;
  let reader = createReplyReader();
  let bytes = 0;
  let isGreeted = false;
  let waiting: Waiting | null = null;
  let problem: WireError | null = null;
  const localAddress = plain.localAddress ?? '';

  function fail(found: WireError): void {
    problem ??= found;
    signal.removeEventListener('abort', cut);
    socket.destroy();
    plain.destroy();
    waiting?.settle();
  }

  const cut = () => fail(timedOut('the deadline'));
  const lose = () =>
    fail(isGreeted ? lost('the connection was closed') : refused('closed before the greeting'));

  function take(chunk: Buffer): void {
    bytes += chunk.length;
    if (bytes > options.sessionBytesMax) return fail(broken('a session that is too long'));
    const { replies, breach } = reader.push(chunk);
    for (const reply of replies) takeReply(reply);
    if (breach !== null) fail(broken(breach));
  }

  function takeReply(reply: SmtpReply): void {
    isGreeted = true;
    // RFC 5321 §3.8: a server that shuts down may say so at any time.
    if (reply.code === 421) {
      waiting?.replies.push(reply);
      return fail(lost('the server ended the session'));
    }
    if (waiting === null || waiting.replies.length === waiting.expected) {
      return fail(broken('a reply that nobody asked for'));
    }
    waiting.replies.push(reply);
    if (waiting.replies.length === waiting.expected) waiting.settle();
  }

  function listen(): void {
    socket.on('data', take);
    socket.once('close', lose);
  }

  async function exchange(text: string, expected: number): Promise<Exchange> {
    if (problem !== null) return { replies: [], problem };
    const replies: SmtpReply[] = [];
    const timer = setTimeout(() => fail(timedOut('no reply in time')), options.commandTimeoutMs);
    await new Promise<void>((settle) => {
      waiting = { expected, replies, settle };
      if (text !== '') socket.write(text);
    });
    clearTimeout(timer);
    waiting = null;
    return { replies, problem };
  }

  async function encrypt(host: string): Promise<WireError | null> {
    if (problem !== null) return problem;
    plain.removeListener('data', take);
    plain.removeListener('close', lose);
    // What was sent in clear before the handshake would pass for said under encryption (CVE-2011-0411).
    if (reader.isAmidst() || plain.readableLength > 0)
      fail(broken('talk between STARTTLS and the handshake'));
    const failure = problem ?? (await handshake(host));
    if (failure !== null) {
      fail(failure);
      return problem;
    }
    reader = createReplyReader();
    listen();
    return null;
  }

  function handshake(host: string): Promise<WireError | null> {
    return new Promise((resolve) => {
      // RFC 6066 §3: the name of a server is never an address.
      const name = isIP(host) === 0 ? { servername: host } : {};
      const secured = secure({ socket: plain, ...name, rejectUnauthorized: false });
      socket = secured;
      const timer = setTimeout(() => end(noTls('no handshake in time')), options.commandTimeoutMs);
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

  async function close(): Promise<void> {
    fail(lost('closed by us'));
    await Promise.all([plain, socket].map(isGone));
  }

  signal.addEventListener('abort', cut, { once: true });
  listen();
  if (signal.aborted) cut();
  return { localAddress, exchange, encrypt, close };
}

function isGone(socket: Socket): Promise<void> {
  return new Promise((resolve) => {
    if (socket.closed) resolve();
    else socket.once('close', () => resolve());
  });
}

/** However the two are written: `::1` is `0:0:0:0:0:0:0:1`. */
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

/** RFC 5321 §3.8: a connection that closes counts as if 451 had been said. */
function lost(why: string): WireError {
  return { finding: 'server_temporary_error', why };
}

function broken(why: string): WireError {
  return { finding: 'protocol_error', why };
}

function noTls(why: string): WireError {
  return { finding: 'tls_failure', why };
}
