import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { TLSSocket, type TLSSocketOptions } from 'node:tls';
import { untrusted } from './certificate.ts';

/** A step of a server: it writes raw bytes, acts on the socket, or stays silent. */
export type Move = string | Buffer | ((socket: Socket, nth: number, line: string) => void) | null;

/** One step per phase; missing ones follow the protocol. Recipients are rejected as unknown unless the script says otherwise. */
export interface ServerScript {
  readonly banner?: Move;
  readonly ehlo?: Move;
  readonly helo?: Move;
  readonly starttls?: Move;
  readonly mail?: Move;
  readonly rcpt?: Move;
  readonly rset?: Move;
  readonly quit?: Move;
}

export interface ScriptedServer {
  readonly port: number;
  readonly sessions: () => number;
  /** Number of times that the client waited: for the greeting, and for the replies to each of its writes. */
  readonly roundTrips: () => number;
  /** Every received line. */
  readonly lines: readonly string[];
  /** Stops listening and cuts open connections. */
  readonly close: () => Promise<void>;
}

const defaultScript: Required<ServerScript> = {
  banner: '220 mx.example.net ESMTP\r\n',
  ehlo: '250 mx.example.net\r\n',
  helo: '250 mx.example.net\r\n',
  starttls: '454 4.7.0 TLS not available\r\n',
  mail: '250 2.1.0 Ok\r\n',
  rcpt: '550 5.1.1 User unknown\r\n',
  rset: '250 2.0.0 Ok\r\n',
  quit: (socket) => socket.end('221 2.0.0 Bye\r\n'),
};

/** Starts a server that sends scripted bytes. */
export async function openScriptedServer(script: ServerScript): Promise<ScriptedServer> {
  const moves = { ...defaultScript, ...script };
  const sockets = new Set<Socket>();
  const lines: string[] = [];
  let sessions = 0;
  let writes = 0;
  const server = createServer({ noDelay: true }, (socket) => {
    sessions += 1;
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => undefined);
    socket.on('data', () => (writes += 1));
    converse(socket, moves, lines);
    make(moves.banner, socket, sessions);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    sessions: () => sessions,
    roundTrips: () => sessions + writes,
    lines,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

/** Runs the step for every line received, and records the line. */
function converse(socket: Socket, moves: Required<ServerScript>, lines: string[]): void {
  const counts = new Map<string, number>();
  let tail = '';
  socket.on('data', (chunk: Buffer) => {
    const parts = `${tail}${chunk.toString('latin1')}`.split('\r\n');
    tail = parts.pop() ?? '';
    for (const line of parts) {
      lines.push(line);
      const verb = line.slice(0, 4).toLowerCase().replace('star', 'starttls');
      const nth = (counts.get(verb) ?? 0) + 1;
      counts.set(verb, nth);
      make(isPhase(verb) ? moves[verb] : '500 5.5.1 Unknown command\r\n', socket, nth, line);
    }
  });
}

/** Behaviour of a server after STARTTLS: its own script, TLS requirements, and the log of its lines. */
export interface EncryptedScript extends ServerScript {
  readonly tls?: TLSSocketOptions;
  readonly lines?: string[];
}

/** Continues encrypted, like a server after STARTTLS, with an untrusted certificate; sends `banner` first. */
export function encrypt({ tls = {}, lines = [], ...script }: EncryptedScript = {}): Move {
  return (socket) => {
    socket.removeAllListeners('data');
    socket.write('220 2.0.0 Go\r\n');
    const secured = new TLSSocket(socket, { isServer: true, ...untrusted, ...tls });
    secured.on('error', () => undefined);
    converse(secured, { ...defaultScript, ...script }, lines);
    secured.once('secure', () => make(script.banner ?? null, secured, 1));
  };
}

function isPhase(verb: string): verb is keyof ServerScript {
  return verb in defaultScript;
}

function make(move: Move, socket: Socket, nth: number, line = ''): void {
  if (move === null) return;
  if (typeof move === 'function') move(socket, nth, line);
  else socket.write(move);
}

/** Writes a text byte by byte. */
export function drip(text: string, everyMs: number): Move {
  return (socket) => {
    let at = 0;
    const timer = setInterval(() => {
      socket.write(text[at % text.length] ?? '');
      at += 1;
    }, everyMs);
    socket.once('close', () => clearInterval(timer));
  };
}

/** Writes the same text repeatedly, as fast as the client reads it. */
export function endless(text: string): Move {
  const chunk = text.repeat(Math.ceil(65_536 / text.length));
  return (socket) => {
    const more = () => {
      while (!socket.destroyed && socket.write(chunk));
    };
    socket.on('drain', more);
    more();
  };
}

/** Writes a text after a delay. */
export function delayed(text: string, afterMs: number): Move {
  return (socket) => {
    const timer = setTimeout(() => socket.write(text), afterMs);
    socket.once('close', () => clearTimeout(timer));
  };
}

/** Writes a text and closes the connection. */
export function replyAndClose(text: string): Move {
  return (socket) => socket.end(text);
}

/** Resets the connection. */
export const reset: Move = (socket) => socket.resetAndDestroy();
