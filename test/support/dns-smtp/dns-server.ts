import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { createServer, type Server, type Socket as TcpSocket } from 'node:net';
import packet, { type Answer, type DecodedPacket, type Packet, type Question } from 'dns-packet';
import { afterAll, beforeAll } from 'vitest';
import type { NameServers } from '../../../src/adapters/mail/dns/name-servers.ts';
import { controlDomains } from '../../../src/core/emails/domains/name-server.ts';

/** An answer without records: an rcode (RFC 1035 §4.1.1), or nothing at all. */
export type DnsError = 'FORMERR' | 'SERVFAIL' | 'NXDOMAIN' | 'NOTIMP' | 'REFUSED' | 'silence';

/** Records of a name; an absent type has no records, or those of the name that `CNAME` points at. */
export interface DnsName {
  readonly A?: readonly string[] | DnsError;
  readonly AAAA?: readonly string[] | DnsError;
  readonly MX?: readonly (readonly [preference: number, exchange: string])[] | DnsError;
  /** Each record in one piece, or in the pieces it is sent in. */
  readonly TXT?: readonly (string | readonly string[])[] | DnsError;
  readonly PTR?: readonly string[];
  readonly CNAME?: string;
  /** Milliseconds before each answer; 0 when not given. */
  readonly delayMs?: number;
  /** So many questions, of each type, get no answer before the first that does; 0 when not given. */
  readonly lostCount?: number;
  /** Over UDP nothing but the advice to ask over TCP, however short the answer. */
  readonly isTcpOnly?: boolean;
}

/**
 * By name, in lower case. A name that is neither here nor above one that is here does not exist, save those that surely do
 * (`controlDomains`), as every honest server knows. With a name `*` it stands for all that are not here.
 */
export type DnsZone = Readonly<Record<string, DnsName | DnsError>>;

/** A question that has arrived. */
export interface DnsQuery {
  /** In lower case. */
  readonly name: string;
  readonly type: string;
  readonly over: 'udp' | 'tcp';
}

export interface DnsServer {
  /** Address and port, as `Resolver.setServers` takes them. */
  readonly server: string;
  /** Every question since the zone was set, in order of arrival, without those by which the server itself is judged. */
  readonly queries: readonly DnsQuery[];
  /** Number of questions of this type, and for this name where one is given. */
  readonly count: (type: string, name?: string) => number;
  /** Answers from this zone from now on, and forgets the questions so far. */
  readonly setZone: (zone: DnsZone) => void;
  /** Stops listening; answers that are still to come do not. */
  readonly close: () => Promise<void>;
}

/** A UDP answer without EDNS holds no more (RFC 1035 §4.2.1). */
const udpBytesMax = 512;
const chainMax = 16;
const rcodes = { FORMERR: 1, SERVFAIL: 2, NXDOMAIN: 3, NOTIMP: 4, REFUSED: 5 } as const;

/**
 * Starts a DNS server on loopback, on UDP and TCP, that answers from a zone as a resolver would: aliases are followed, and what does not
 * fit into a datagram has to be asked for over TCP.
 */
export async function startDnsServer(zone: DnsZone = {}): Promise<DnsServer> {
  const { udp, tcp, port } = await listenOnBoth();
  const queries: DnsQuery[] = [];
  const timers = new Set<NodeJS.Timeout>();
  const sockets = new Set<TcpSocket>();

  /** Notes a question, and sends its answer when its time has come. */
  function serve(bytes: Buffer, over: DnsQuery['over'], send: (answer: Packet) => void): void {
    const query = packet.decode(bytes);
    const [question] = query.questions ?? [];
    if (question === undefined) return;
    const { type } = question;
    const name = question.name.toLowerCase();
    if (zone[name] !== undefined || !isProof(name)) queries.push({ name, type, over });
    const behaviour = behaviourOf(zone[name]);
    if (behaviour.lostCount !== undefined && count(type, name) <= behaviour.lostCount) return;
    const answer = answerFrom(zone, query, question);
    if (answer === null) return;
    const timer = setTimeout(() => {
      timers.delete(timer);
      send(over === 'udp' ? cutToFit(answer, behaviour.isTcpOnly ?? false) : answer);
    }, behaviour.delayMs ?? 0);
    timers.add(timer);
  }

  function count(type: string, name?: string): number {
    return queries.filter((query) => query.type === type && (name === undefined || query.name === name))
      .length;
  }

  udp.on('message', (bytes, from) => {
    serve(bytes, 'udp', (answer) => udp.send(packet.encode(answer), from.port, from.address));
  });
  tcp.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    // Resolvers hang up as they please.
    socket.on('error', () => socket.destroy());
    readFrames(socket, (bytes) => serve(bytes, 'tcp', (answer) => socket.write(packet.streamEncode(answer))));
  });

  return {
    server: `127.0.0.1:${port}`,
    queries,
    count,
    setZone: (next) => {
      zone = next;
      queries.length = 0;
    },
    close: async () => {
      for (const timer of timers) clearTimeout(timer);
      for (const socket of sockets) socket.destroy();
      const closed = Promise.all([once(udp, 'close'), once(tcp, 'close')]);
      udp.close();
      tcp.close();
      await closed;
    },
  };
}

/** A server that all tests of a block share. */
export function useDnsServer(zone: DnsZone = {}): () => DnsServer {
  let server: DnsServer | undefined;
  beforeAll(async () => {
    server = await startDnsServer(zone);
  });
  afterAll(() => server?.close());
  return () => {
    if (server === undefined) throw new Error('The server is there once the tests run.');
    return server;
  };
}

/** The same free port for both; the one that UDP got may be taken on TCP. */
async function listenOnBoth(): Promise<{
  readonly udp: Socket;
  readonly tcp: Server;
  readonly port: number;
}> {
  for (let tries = 0; tries < 20; tries += 1) {
    // A burst of questions waits here while a busy test keeps the process from reading.
    const udp = createSocket({ type: 'udp4', recvBufferSize: 4_194_304 });
    udp.bind(0, '127.0.0.1');
    await once(udp, 'listening');
    const { port } = udp.address();
    const tcp = createServer();
    tcp.listen(port, '127.0.0.1');
    try {
      await once(tcp, 'listening');
      return { udp, tcp, port };
    } catch {
      udp.close();
    }
  }
  throw new Error('No port is free on both UDP and TCP.');
}

/** Calls `take` with every message; over TCP each has its length in front (RFC 1035 §4.2.2). */
function readFrames(socket: TcpSocket, take: (bytes: Buffer) => void): void {
  let rest = Buffer.alloc(0);
  socket.on('data', (chunk: Buffer) => {
    rest = Buffer.concat([rest, chunk]);
    while (rest.length >= 2 && rest.length >= 2 + rest.readUInt16BE(0)) {
      const end = 2 + rest.readUInt16BE(0);
      take(rest.subarray(2, end));
      rest = rest.subarray(end);
    }
  });
}

/** An answer that is too long for a datagram says so and nothing else. */
function cutToFit(answer: Packet, isTcpOnly: boolean): Packet {
  if (!isTcpOnly && packet.encodingLength(answer) <= udpBytesMax) return answer;
  return { ...answer, answers: [], flags: (answer.flags ?? 0) | packet.TRUNCATED_RESPONSE };
}

/** Null for no answer at all. */
function answerFrom(zone: DnsZone, query: DecodedPacket, question: Question): Packet | null {
  const { answers, failure } = observation(zone, question.name.toLowerCase(), question.type);
  if (failure === 'silence') return null;
  const flags =
    packet.RECURSION_DESIRED | packet.RECURSION_AVAILABLE | (failure === null ? 0 : rcodes[failure]);
  return { type: 'response', id: query.id ?? 0, flags, questions: [question], answers: [...answers] };
}

interface Found {
  readonly answers: readonly Answer[];
  readonly failure: DnsError | null;
}

/** Follows aliases to the records, to a name without any, or until a name comes round again. */
function observation(zone: DnsZone, asked: string, type: string): Found {
  const aliases: Answer[] = [];
  let name = asked;
  for (;;) {
    const { answers, failure, alias } = inspect(zone, name, type);
    if (alias === null) return { answers: [...aliases, ...answers], failure };
    aliases.push({ type: 'CNAME', name, ttl: 300, data: alias });
    name = alias.toLowerCase();
    const isLoop = aliases.some((known) => known.name === name);
    if (isLoop || aliases.length >= chainMax) return { answers: aliases, failure: null };
  }
}

function inspect(zone: DnsZone, name: string, type: string): Found & { readonly alias: string | null } {
  const entry = zone[name] ?? zone['*'] ?? knownEntry(name) ?? (isAbove(zone, name) ? {} : 'NXDOMAIN');
  if (typeof entry === 'string') return { answers: [], failure: entry, alias: null };
  const records = recordsOf(entry, name, type);
  if (typeof records === 'string') return { answers: [], failure: records, alias: null };
  const alias = records.length === 0 ? (entry.CNAME ?? null) : null;
  return { answers: records, failure: null, alias };
}

/** True for names of the canary questions, which are logged only where the zone answers them. */
function isProof(name: string): boolean {
  return controlDomains.some((known) => known === name) || name.startsWith('nightshift-');
}

function knownEntry(name: string): DnsName | undefined {
  return controlDomains.some((known) => known === name) ? { MX: [[10, 'mx.invalid']] } : undefined;
}

/** A name above another one exists, if without records (RFC 8020 §2). */
function isAbove(zone: DnsZone, name: string): boolean {
  return Object.keys(zone).some((known) => known.endsWith(`.${name}`));
}

function recordsOf(entry: DnsName, name: string, type: string): readonly Answer[] | DnsError {
  const { A = [], AAAA = [], MX = [], TXT = [], PTR = [] } = entry;
  const ttl = 300;
  switch (type) {
    case 'A':
      return typeof A === 'string' ? A : A.map((data) => ({ type, name, ttl, data }));
    case 'AAAA':
      return typeof AAAA === 'string' ? AAAA : AAAA.map((data) => ({ type, name, ttl, data }));
    case 'MX':
      return typeof MX === 'string'
        ? MX
        : MX.map(([preference, exchange]) => ({ type, name, ttl, data: { preference, exchange } }));
    case 'TXT':
      return typeof TXT === 'string'
        ? TXT
        : TXT.map((pieces) => ({ type, name, ttl, data: [pieces].flat() }));
    case 'PTR':
      return PTR.map((data) => ({ type, name, ttl, data }));
    default:
      return [];
  }
}

function behaviourOf(entry: DnsName | DnsError | undefined): DnsName {
  return typeof entry === 'object' ? entry : {};
}

/** Believes these servers whatever they say, and asks them nothing. */
export function trustAll(servers: readonly string[]): NameServers {
  return { trusted: async () => ({ servers, state: { kind: 'honest' } }) };
}
