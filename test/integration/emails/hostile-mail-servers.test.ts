import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, test } from 'vitest';
import { createMailDomainLookup } from '../../../src/adapters/mail/dns/mail-domain-lookup.ts';
import { openWire } from '../../../src/adapters/mail/smtp/smtp-wire.ts';
import type { CatchAll } from '../../../src/core/emails/replies/smtp-reply.ts';
import { isPublicAddress } from '../../../src/core/public-address.ts';
import { countSockets } from '../../support/dns-smtp/count-sockets.ts';
import { trustAll, useDnsServer, type DnsZone } from '../../support/dns-smtp/dns-server.ts';
import { batchOf, findingOf, optionsFor, longWaits, probe } from '../../support/dns-smtp/probe.ts';
import {
  drip,
  encrypt,
  endless,
  replyAndClose,
  openScriptedServer,
  reset,
  type Move,
  type ScriptedServer,
  type ServerScript,
} from '../../support/dns-smtp/scripted-server.ts';

const signal = new AbortController().signal;
const dns = useDnsServer();
const closers: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

const unknown = '550 5.1.1 User unknown\r\n';
type Case = [name: string, script: ServerScript, finding: string, asked?: Asked];

interface Asked {
  readonly host?: string;
  readonly addresses?: readonly string[];
  readonly catchAll?: CatchAll;
}

/** Two transactions in one session. */
const twice: Asked = {
  host: 'x.mail.protection.outlook.com',
  addresses: ['first@example.net', 'alice@example.net'],
};
const acceptsFirst: Move = (socket, nth) => socket.write(nth === 1 ? '250 Ok\r\n' : unknown);

/** In addition to `smtp-connection.test.ts`: long replies, odd replies, and text between two phases. */
const inClear: readonly Case[] = [
  ['greets in 10,000 lines', { banner: `${'220-hi\r\n'.repeat(10_000)}220 hi\r\n` }, 'protocol_error'],
  ['greets in UTF-16', { banner: Buffer.from('220 mx\r\n', 'utf16le') }, 'protocol_error'],
  ['greets in gzip', { banner: gzipSync('220 mx\r\n') }, 'connection_timeout'],
  ['greets with a TLS alert', { banner: Buffer.from('15030100020228', 'hex') }, 'connection_timeout'],
  ['greets in a line of NULs', { banner: endless('\0') }, 'protocol_error'],
  ['greets in line ends', { banner: endless('\r\n') }, 'protocol_error'],
  ['greets, and ends its half', { banner: replyAndClose('220 mx\r\n') }, 'server_temporary_error'],
  ['greets in codes that count down', { banner: '220-a\r\n219-b\r\n220 c\r\n' }, 'protocol_error'],
  ['greets with two greetings', { banner: '220 mx\r\n220 mx\r\n' }, 'protocol_error'],
  ['answers EHLO in 10,000 lines', { ehlo: `${'250-X\r\n'.repeat(10_000)}250 X\r\n` }, 'protocol_error'],
  [
    'answers EHLO in 1 MB',
    { ehlo: `${`250-${'X'.repeat(900)}\r\n`.repeat(1_200)}250 X\r\n` },
    'protocol_error',
  ],
  ['answers EHLO byte by byte', { ehlo: drip('250 mx\r\n', 60) }, 'connection_timeout'],
  ['answers EHLO with a bare LF', { ehlo: '250-mx\n250 PIPELINING\r\n' }, 'protocol_error'],
  ['answers EHLO in two codes', { ehlo: '250-mx\r\n550 5.1.1 User unknown\r\n' }, 'protocol_error'],
  ['resets after EHLO', { ehlo: reset }, 'server_temporary_error'],
  ['refuses EHLO, and resets after HELO', { ehlo: '500 No\r\n', helo: reset }, 'server_temporary_error'],
  [
    'refuses EHLO, and answers HELO with 421',
    { ehlo: '500 No\r\n', helo: '421 Bye\r\n' },
    'server_temporary_error',
  ],
  ['refuses EHLO, and is silent after HELO', { ehlo: '500 No\r\n', helo: null }, 'connection_timeout'],
  ['resets after MAIL', { mail: reset }, 'server_temporary_error'],
  ['hangs up after MAIL', { mail: replyAndClose('') }, 'server_temporary_error'],
  ['answers MAIL byte by byte', { mail: drip('250 Ok\r\n', 60) }, 'connection_timeout'],
  ['answers RCPT before it is sent', { mail: `250 Ok\r\n${unknown}` }, 'protocol_error'],
  ['answers RCPT in the reply to MAIL', { mail: '250-Ok\r\n550 5.1.1 User unknown\r\n' }, 'protocol_error'],
  [
    'refuses in 10,000 lines',
    { rcpt: `${'550-5.1.1 no\r\n'.repeat(10_000)}550 5.1.1 no\r\n` },
    'protocol_error',
  ],
  ['refuses with 600', { rcpt: '600 5.1.1 User unknown\r\n' }, 'protocol_error'],
  [
    'refuses with a code in other digits',
    { rcpt: Buffer.from('５５０ 5.1.1 User unknown\r\n') },
    'protocol_error',
  ],
  ['refuses with an underscore', { rcpt: '550_5.1.1 User unknown\r\n' }, 'protocol_error'],
  [
    'refuses in line ends that are mixed',
    { rcpt: '550-5.1.1 User\r\n550 5.1.1 unknown\n' },
    'protocol_error',
  ],
  ['refuses with two LFs', { rcpt: '550 5.1.1 User unknown\r\n\n' }, 'protocol_error'],
  ['is silent after RSET', { rcpt: acceptsFirst, rset: null }, 'connection_timeout', twice],
  ['resets after RSET', { rcpt: acceptsFirst, rset: reset }, 'server_temporary_error', twice],
  ['answers RSET with 421', { rcpt: acceptsFirst, rset: '421 Bye\r\n' }, 'server_temporary_error', twice],
  ['answers two RCPT at the first', { rcpt: `250 Ok\r\n${unknown}` }, 'protocol_error'],
];

/** Misbehaviour of a server after the start of TLS. */
const encrypted: readonly Case[] = [
  ['is silent', startTls({ ehlo: null }), 'connection_timeout'],
  ['hangs up', startTls({ ehlo: replyAndClose('') }), 'server_temporary_error'],
  ['ends with 421', startTls({ ehlo: '421 Bye\r\n' }), 'server_temporary_error'],
  ['greets once more', startTls({ banner: '220 mx\r\n' }), 'protocol_error'],
  ['knows neither EHLO nor HELO', startTls({ ehlo: '502 No\r\n', helo: '502 No\r\n' }), 'protocol_error'],
  ['answers in 10,000 lines', startTls({ ehlo: `${'250-X\r\n'.repeat(10_000)}250 X\r\n` }), 'protocol_error'],
  ['answers without end', startTls({ rcpt: endless('550-5.1.1 User unknown\r\n') }), 'protocol_error'],
  ['answers byte by byte', startTls({ rcpt: drip(unknown, 60) }), 'connection_timeout'],
  ['answers with a bare LF', startTls({ rcpt: '550 5.1.1 User unknown\n' }), 'protocol_error'],
  ['is silent after RCPT', startTls({ rcpt: null }), 'connection_timeout'],
  ['refuses us', startTls({ mail: '550 5.7.1 Your IP is blacklisted\r\n' }), 'sender_blocked'],
];

describe('a session with a hostile server ends in time and finds no invalid address:', () => {
  test.concurrent.each(inClear)('one that %s', async (_name, script, finding, asked) => {
    await expectFinding(script, finding, asked);
  });

  test.concurrent.each(encrypted)('one that %s, encrypted', async (_name, script, finding, asked) => {
    await expectFinding(script, finding, asked);
  });

  test('no test case expects an invalid address', () => {
    const findings = [...inClear, ...encrypted].map(([, , finding]) => finding);
    expect(findings.filter((finding) => /not_found|disabled/.test(finding))).toEqual([]);
  });
});

describe('TLS', () => {
  test('with an expired, self-signed certificate for another name is used for the whole session', async () => {
    const lines: string[] = [];
    const server = await scripted(startTls({ lines }));
    expect(await findingAt(server)).toBe('mailbox_not_found');
    expect(verbsOf(lines)).toEqual(['EHLO', 'MAIL', 'RCPT', 'QUIT']);
    expect(verbsOf(server.lines.slice(0, 2))).toEqual(['EHLO', 'STAR']);
    expect(server.sessions()).toBe(1);
  });

  test('that is offered again inside TLS is not started again', async () => {
    const lines: string[] = [];
    const server = await scripted(startTls({ lines, ehlo: '250-mx\r\n250 STARTTLS\r\n' }));
    expect(await findingAt(server)).toBe('mailbox_not_found');
    expect(verbsOf(lines)).toEqual(['EHLO', 'MAIL', 'RCPT', 'QUIT']);
  });

  test('of an obsolete version is not used', async () => {
    const server = await scripted(startTls({ tls: { maxVersion: 'TLSv1.1', minVersion: 'TLSv1' } }));
    expect(await findingAt(server)).toBe('mailbox_not_found');
    expect(server.sessions()).toBe(2);
  });

  test('with a host that is an IP address sends no server name', async () => {
    let name: string | false | null = null;
    const SNICallback = (asked: string, done: (error: Error | null) => void) => {
      name = asked;
      done(null);
    };
    const server = await scripted(startTls({ tls: { SNICallback } }));
    expect(await findingAt(server, '127.0.0.1')).toBe('mailbox_not_found');
    expect(name).toBeNull();
    expect(await findingAt(server)).toBe('mailbox_not_found');
    expect(name).toBe('mx.example.net');
  });
});

describe('no connection is made to an address that is not public', () => {
  const addresses = [
    '127.0.0.1',
    '127.1.2.3',
    '0.0.0.0',
    '10.0.0.1',
    '169.254.169.254',
    '100.64.0.1',
    '::1',
    '::',
    '::ffff:127.0.0.1',
    '::ffff:7f00:1',
    '64:ff9b::7f00:1',
    'fd00::1',
    'fe80::1%lo',
    '2130706433',
    '0x7f.1',
    '127.1',
    'localhost',
    '',
  ];

  test.each(addresses)('%j', async (address) => {
    const server = await scripted({});
    const batch = batchOf(['alice@example.net'], { ips: [address] });
    const options = { ...longWaits, port: server.port, isAllowedAddress: isPublicAddress };
    const { evidence } = await probe(batch, options);
    expect(findingOf(evidence.get('alice@example.net'))).toBe('connection_refused');
    expect(server.sessions()).toBe(0);
  });

  test.each<readonly [string, DnsZone]>([
    ['loopback', mailHost({ A: ['127.0.0.1'], AAAA: ['::1'] })],
    ['a private network', mailHost({ A: ['10.1.2.3', '192.168.0.1', '172.16.0.1'] })],
    ["a cloud's metadata service", mailHost({ A: ['169.254.169.254'], AAAA: ['fd00:ec2::254'] })],
    ['loopback as an IPv6 address', mailHost({ AAAA: ['::ffff:127.0.0.1', '64:ff9b::7f00:1'] })],
    [
      'loopback through an alias',
      {
        'd.test': { MX: [[10, 'mx.test']] },
        'mx.test': { CNAME: 'localhost.test' },
        'localhost.test': { A: ['127.0.0.1'] },
      },
    ],
    ['an alias of itself', { 'd.test': { MX: [[10, 'mx.test']] }, 'mx.test': { CNAME: 'mx.test' } }],
    ['an address instead of a host name', { 'd.test': { MX: [[10, '127.0.0.1']] } }],
    ['its own address, which is loopback', { 'd.test': { A: ['127.0.0.1'] } }],
    ['a thousand hosts at loopback', thousandHosts()],
  ])('even if DNS points to %s', async (_where, zone) => {
    dns().setZone(zone);
    const server = await scripted({});
    const lookup = createMailDomainLookup({
      servers: [dns().server],
      timeoutMs: 5_000,
      nowMs: Date.now,
      nameServers: trustAll([dns().server]),
    });
    const { route } = await lookup.find('d.test', signal);
    const hosts = route.kind === 'hosts' ? route.hosts : [];
    expect(hosts.flatMap((host) => host.addresses)).toEqual([]);
    const batch = batchOf(['alice@d.test'], { hosts });
    const options = { ...longWaits, port: server.port, isAllowedAddress: isPublicAddress };
    const { evidence } = await probe(batch, options);
    expect(findingOf(evidence.get('alice@d.test'))).toBe('connection_refused');
    expect(server.sessions()).toBe(0);
  });

  test('and a connection to one is closed before anything is written', async () => {
    const server = await scripted({});
    const before = countSockets();
    let asked = 0;
    const options = {
      port: server.port,
      connectTimeoutMs: 10_000,
      commandTimeoutMs: 5_000,
      sessionBytesMax: 1_000,
      // The first check allows the connection; by then the name could resolve to another address.
      isAllowedAddress: () => (asked += 1) === 1,
    };
    expect(await openWire('127.0.0.1', options, signal)).toMatchObject({ finding: 'connection_refused' });
    expect(asked).toBe(2);
    await expect.poll(countSockets).toBeLessThanOrEqual(before);
    expect(server.lines).toEqual([]);
  });
});

async function expectFinding(script: ServerScript, finding: string, asked: Asked = {}): Promise<void> {
  const { addresses = ['alice@example.net'], host, catchAll = 'refused' } = asked;
  const server = await openScriptedServer(script);
  const startMs = performance.now();
  const batch = batchOf(addresses, { catchAll, ...(host === undefined ? {} : { host }) });
  const options = optionsFor(finding);
  const { evidence } = await probe(batch, { ...options, port: server.port });
  const tookMs = performance.now() - startMs;
  await server.close();
  expect(findingOf(evidence.get(addresses.at(-1) ?? ''))).toBe(finding);
  expect(evidence.size).toBe(addresses.length);
  expect(tookMs).toBeLessThan(options.sessionDeadlineMs);
}

async function scripted(script: ServerScript): Promise<ScriptedServer> {
  const server = await openScriptedServer(script);
  closers.push(server.close);
  return server;
}

async function findingAt({ port }: ScriptedServer, host = 'mx.example.net'): Promise<string> {
  const { evidence } = await probe(batchOf(['alice@example.net'], { catchAll: 'refused', host }), {
    ...longWaits,
    port,
  });
  return findingOf(evidence.get('alice@example.net'));
}

function verbsOf(lines: readonly string[]): readonly string[] {
  return lines.map((line) => line.slice(0, 4));
}

/** Offers STARTTLS and continues encrypted. */
function startTls(script: Parameters<typeof encrypt>[0]): ServerScript {
  return { ehlo: '250-mx.example.net\r\n250 STARTTLS\r\n', starttls: encrypt(script) };
}

function mailHost(host: DnsZone[string]): DnsZone {
  return { 'd.test': { MX: [[10, 'mx.test']] }, 'mx.test': host };
}

function thousandHosts(): DnsZone {
  const names = Array.from({ length: 1_000 }, (_, n) => `mx${n}.test`);
  return {
    'd.test': { MX: names.map((name, n) => [n, name] as const) },
    ...Object.fromEntries(names.map((name) => [name, { A: ['127.0.0.1'] }] as const)),
  };
}
