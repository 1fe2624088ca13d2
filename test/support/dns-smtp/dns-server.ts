import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { createServer, type Server, type Socket as TcpSocket } from 'node:net';
import packet, { type Answer, type DecodedPacket, type Packet, type Question } from 'dns-packet';
import { afterAll, beforeAll } from 'vitest';
import type { NameServers } from '../../../src/adapters/mail/dns/name-servers.ts';
import { controlDomains } from '../../../src/core/emails/domains/name-server.ts';

/** A response without records: an rcode (RFC 1035 §4.1.1), or no response. */
export type DnsError = 'FORMERR' | 'SERVFAIL' | 'NXDOMAIN' | 'NOTIMP' | 'REFUSED' | 'silence';

/** Records of a name. A missing type has no records, or the records of the `CNAME` target. */
export interface DnsName {
  readonly A?: readonly string[] | DnsError;
  readonly AAAA?: readonly string[] | DnsError;
  readonly MX?: readonly (readonly [preference: number, exchange: string])[] | DnsError;
  /** Each record as one string, or as the strings in which it is sent. */
  readonly TXT?: readonly (string | readonly string[])[] | DnsError;
  readonly PTR?: readonly string[];
  readonly CNAME?: string;
  /** Milliseconds before each response. Default 0. */
  readonly delayMs?: number;
  /** Number of queries per type without a response before the first response. Default 0. */
  readonly lostCount?: number;
  /** Over UDP, every response is empty with the TC bit, however short it is. */
  readonly isTcpOnly?: boolean;
}

/**
 * Zone by name, in lower case. A name that is not in the zone and not above one in it does not exist, except for
 * `controlDomains`, which every honest server resolves. The name `*` matches all other names.
 */
export type DnsZone = Readonly<Record<string, DnsName | DnsError>>;

/** A received query. */
export interface DnsQuery {
  /** In lower case. */
  readonly name: string;
  readonly type: string;
  readonly over: 'udp' | 'tcp';
}

export interface DnsServer {
  /** Address and port, as `Resolver.setServers` takes them. */
  readonly server: string;
  /** Every query since the zone was set, in order of arrival, without the queries that validate the server itself. */
  readonly queries: readonly DnsQuery[];
  /** Number of queries of this type, and for this name if given. */
  readonly count: (type: string, name?: string) => number;
  /** Sets the zone of further responses, and clears the recorded queries. */
  readonly setZone: (zone: DnsZone) => void;
  /** Stops listening and drops pending responses. */
  readonly close: () => Promise<void>;
}

/** Maximum size of a UDP response without EDNS (RFC 1035 §4.2.1). */
const udpBytesMax = 512;
const chainMax = 16;
const rcodes = { FORMERR: 1, SERVFAIL: 2, NXDOMAIN: 3, NOTIMP: 4, REFUSED: 5 } as const;

/**
 * Starts a DNS server on loopback, over UDP and TCP, that answers from a zone like a resolver: it follows aliases and truncates
 * responses that do not fit into a datagram.
 */
export async function startDnsServer(zone: DnsZone = {}): Promise<DnsServer> {
  const { udp, tcp, port } = await listenOnBoth();
  const queries: DnsQuery[] = [];
  const timers = new Set<NodeJS.Timeout>();
  const sockets = new Set<TcpSocket>();

  /** Records a query, and sends its response after its delay. */
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
    // Resolvers may close the connection at any time.
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

/** Opens a server that all tests of a block share. */
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

/** Same free port for both; the port that UDP got may be in use on TCP. */
async function listenOnBoth(): Promise<{
  readonly udp: Socket;
  readonly tcp: Server;
  readonly port: number;
}> {
  for (let tries = 0; tries < 20; tries += 1) {
    // Buffers a burst of queries while a busy test keeps the process from reading.
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

/** Calls `take` with every message; over TCP each has a length prefix (RFC 1035 §4.2.2). */
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

/** Replaces a response that does not fit into a datagram by an empty one with the TC bit. */
function cutToFit(answer: Packet, isTcpOnly: boolean): Packet {
  if (!isTcpOnly && packet.encodingLength(answer) <= udpBytesMax) return answer;
  return { ...answer, answers: [], flags: (answer.flags ?? 0) | packet.TRUNCATED_RESPONSE };
}

/** Returns null for no response. */
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

/** Follows aliases until there are records, a name without records, or a loop. */
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

/** True for names of the canary queries, which are recorded only if the zone answers them. */
function isProof(name: string): boolean {
  return controlDomains.some((known) => known === name) || name.startsWith('nightshift-');
}

function knownEntry(name: string): DnsName | undefined {
  return controlDomains.some((known) => known === name) ? { MX: [[10, 'mx.invalid']] } : undefined;
}

/** A name above another one exists, even without records (RFC 8020 §2). */
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

/** Trusts these servers without validation. */
export function trustAll(servers: readonly string[]): NameServers {
  return { trusted: async () => ({ servers, state: { kind: 'honest' } }) };
}
