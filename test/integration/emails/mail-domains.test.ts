import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import pLimit from 'p-limit';
import { describe, expect, test, vi } from 'vitest';
import {
  createMailDomainLookup,
  type MailDomainLookupOptions,
} from '../../../src/adapters/mail/dns/mail-domain-lookup.ts';
import { createMailDomainCache } from '../../../src/core/emails/domains/mail-domain-cache.ts';
import type { MailDomain, MailRoute } from '../../../src/core/emails/domains/mail-domain.ts';
import { Misconfigured } from '../../../src/core/errors.ts';
import { readDnsFixture, type FixtureCase } from '../../support/dns-smtp/dns-fixture.ts';
import {
  trustAll,
  useDnsServer,
  type DnsName,
  type DnsError,
  type DnsZone,
} from '../../support/dns-smtp/dns-server.ts';

const signal = new AbortController().signal;
const dns = useDnsServer();

/** With generous timeouts: a busy machine must not fail the test. */
function find(domain: string, options: Partial<MailDomainLookupOptions> = {}): Promise<MailDomain> {
  return lookupWith(options).find(domain, signal);
}

function lookupWith(options: Partial<MailDomainLookupOptions> = {}) {
  const { servers = [dns().server] } = options;
  return createMailDomainLookup({
    servers,
    timeoutMs: 15_000,
    nowMs: Date.now,
    nameServers: trustAll(servers),
    ...options,
  });
}

/** Mail hosts with any answer; 8.8.8.8 stands for a server on the internet. */
const goodHosts: DnsZone = {
  'mx1.host.test': { A: ['8.8.8.8'], AAAA: ['2001:4860:4860::8888'] },
  'mx2.host.test': { A: ['8.8.4.4'] },
  'mx3.host.test': { A: ['1.1.1.1'] },
};

const tenHosts = Array.from({ length: 10 }, (_, n) => `mx${n}.test`);

describe('the mail route of a domain', () => {
  test('has the hosts of its MX records in order, with the addresses of the first', async () => {
    const MX = [
      [30, 'mx3.host.test'],
      [10, 'MX2.Host.Test.'],
      [10, 'mx1.host.test'],
    ] as const;
    dns().setZone({ ...goodHosts, 'acme.test': { MX } });
    const { route } = await find('acme.test');
    expect(route).toEqual({
      kind: 'hosts',
      implicit: false,
      hosts: [
        { name: 'mx1.host.test', preference: 10, addresses: ['8.8.8.8', '2001:4860:4860::8888'] },
        { name: 'mx2.host.test', preference: 10, addresses: ['8.8.4.4'] },
        { name: 'mx3.host.test', preference: 30, addresses: [] },
      ],
    });
    expect(dns().count('A', 'mx3.host.test')).toBe(0);
  });

  const closed: readonly (readonly [what: string, zone: DnsZone, route: MailRoute])[] = [
    ['the domain does not exist', {}, none('domain_not_found')],
    ['it is an alias of nothing', { 'd.test': { CNAME: 'gone.test' } }, none('domain_not_found')],
    ['it takes no mail', { 'd.test': { MX: [[0, '.']], A: ['8.8.8.8'] } }, none('null_mx')],
    ['it has neither mail host nor address', { 'd.test': { TXT: ['hello'] } }, none('no_mail_host')],
    ['it is an alias of itself', { 'd.test': { CNAME: 'd.test' } }, none('no_mail_host')],
    [
      'its aliases go round',
      { 'd.test': { CNAME: 'e.test' }, 'e.test': { CNAME: 'f.test' }, 'f.test': { CNAME: 'e.test' } },
      none('no_mail_host'),
    ],
    ['its own address is private', { 'd.test': { A: ['192.168.1.1'] } }, none('mail_host_unroutable')],
    [
      'its own address is all it has, and it sends no mail',
      { 'd.test': { A: ['8.8.8.8'], TXT: ['hello', ['v=spf1', ' -all']] } },
      none('spf_reject_all_without_mx'),
    ],
    ['it has no address and sends no mail', { 'd.test': { TXT: ['v=spf1 -all'] } }, none('no_mail_host')],
    [
      'it sends no mail, and its address is not told',
      { 'd.test': { A: 'SERVFAIL', TXT: ['v=spf1 -all'] } },
      none('spf_reject_all_without_mx'),
    ],
    ['its mail host does not exist', mailHost('mx.test', {}), none('no_mail_host', 'mx.test')],
    [
      'its mail host has no address',
      mailHost('mx.test', { 'mx.test': { TXT: ['hello'] } }),
      none('no_mail_host', 'mx.test'),
    ],
    [
      'the aliases of its mail host go round',
      mailHost('mx.test', { 'mx.test': { CNAME: 'my.test' }, 'my.test': { CNAME: 'mx.test' } }),
      none('no_mail_host', 'mx.test'),
    ],
    ...[
      ['10.0.0.1'],
      ['127.0.0.1'],
      ['169.254.169.254'],
      ['100.64.0.1', '192.168.0.1'],
      ['0.0.0.0'],
      ['224.0.0.1'],
    ].map(
      (A) =>
        [
          `its mail host is at ${A.join(' and ')}`,
          mailHost('mx.test', { 'mx.test': { A } }),
          none('mail_host_unroutable', 'mx.test'),
        ] as const,
    ),
    ...['::1', 'fd00::1', 'fe80::1', '::ffff:127.0.0.1', '64:ff9b::a9fe:a9fe', '2002:7f00:1::'].map(
      (address) =>
        [
          `its mail host is at ${address}`,
          mailHost('mx.test', { 'mx.test': { AAAA: [address] } }),
          none('mail_host_unroutable', 'mx.test'),
        ] as const,
    ),
    [
      'its mail host is an alias of one at home',
      mailHost('mx.test', { 'mx.test': { CNAME: 'home.test' }, 'home.test': { A: ['127.0.0.1'] } }),
      none('mail_host_unroutable', 'mx.test'),
    ],
    [
      'its mail host is localhost, whatever DNS says of that',
      mailHost('localhost', { localhost: { A: ['8.8.8.8'] } }),
      none('mail_host_unroutable', 'localhost'),
    ],
    [
      'its mail host is a loopback address',
      mailHost('127.0.0.1', {}),
      none('mail_host_unroutable', '127.0.0.1'),
    ],
    ['its mail host is a loopback address of v6', mailHost('::1', {}), none('mail_host_unroutable', '::1')],
    [
      'its mail host is a number',
      mailHost('2130706433', { '2130706433': { A: ['8.8.8.8'] } }),
      none('no_mail_host'),
    ],
    ['its mail host has a blank in it', mailHost('a b.test', {}), none('no_mail_host')],
    ['its mail host has a zero byte in it', mailHost('a\0b.test', {}), none('no_mail_host')],
    ['its mail host is beyond ASCII', mailHost('münchen.test', {}), none('no_mail_host')],
  ];
  test.each(closed)('is none if %s', async (_, zone, route) => {
    dns().setZone(zone);
    expect((await find('d.test')).route).toEqual(route);
  });

  const unknown: readonly (readonly [what: string, zone: DnsZone])[] = [
    ['the name server fails', { 'd.test': 'SERVFAIL' }],
    ['the name server refuses', { 'd.test': 'REFUSED' }],
    ['the name server does not understand', { 'd.test': 'FORMERR' }],
    ['the name server cannot do it', { 'd.test': 'NOTIMP' }],
    ['the address of the domain is not told', { 'd.test': { A: 'SERVFAIL' } }],
    ['one kind of address is not told', { 'd.test': { A: ['10.0.0.1'], AAAA: 'SERVFAIL' } }],
    ['the mail host is not told', mailHost('mx.test', { 'mx.test': 'SERVFAIL' })],
    [
      'one mail host has no address and another is not told',
      {
        'd.test': mailHosts('gone.test', 'mx.test'),
        'mx.test': 'REFUSED',
      },
    ],
    [
      'one of ten mail hosts is not told and the others are at home',
      {
        'd.test': mailHosts(...tenHosts),
        ...eachOf(tenHosts, (_, n) => (n === 7 ? 'SERVFAIL' : { A: ['127.0.0.1'] })),
      },
    ],
  ];
  test.each(unknown)('is unknown if %s', async (_, zone) => {
    dns().setZone(zone);
    expect((await find('d.test')).route).toEqual({ kind: 'unknown', reason: 'dns_server_failure' });
  });

  test('has hosts as soon as one is reachable, without the unreachable ones', async () => {
    dns().setZone({
      ...goodHosts,
      'd.test': mailHosts('gone.test', 'home.test', 'broken.test', 'mx1.host.test'),
      'home.test': { A: ['127.0.0.1'] },
      'broken.test': 'SERVFAIL',
    });
    expect((await find('d.test')).route).toMatchObject({
      kind: 'hosts',
      hosts: [
        { name: 'broken.test', addresses: [] },
        { name: 'mx1.host.test', addresses: ['8.8.8.8', '2001:4860:4860::8888'] },
      ],
    });
  });

  test('is the domain itself without an MX record', async () => {
    dns().setZone({ 'd.test': { A: ['8.8.8.8'], TXT: ['v=spf1 a -all'] } });
    expect((await find('d.test')).route).toEqual({
      kind: 'hosts',
      implicit: true,
      hosts: [{ name: 'd.test', preference: 0, addresses: ['8.8.8.8'] }],
    });
  });

  test('has hosts if a domain with MX records sends no mail', async () => {
    dns().setZone({ ...goodHosts, 'd.test': { ...mailHosts('mx1.host.test'), TXT: ['v=spf1 -all'] } });
    expect(await find('d.test')).toMatchObject({ route: { kind: 'hosts' }, hasSpf: true });
  });

  test('has no private address, even among public ones', async () => {
    const addresses = {
      A: ['127.0.0.1', '8.8.8.8', '169.254.169.254'],
      AAAA: ['::1', '2001:4860:4860::8888'],
    };
    dns().setZone(mailHost('mx.test', { 'mx.test': addresses }));
    expect((await find('d.test')).route).toMatchObject({
      hosts: [{ addresses: ['8.8.8.8', '2001:4860:4860::8888'] }],
    });
  });

  test('has a private host that the operator allows, and no other', async () => {
    dns().setZone({
      'd.test': mailHosts('mx1.home.test', 'mx2.home.test'),
      'mx1.home.test': { A: ['127.0.0.2'] },
      'mx2.home.test': { A: ['127.0.0.3'] },
    });
    const { route } = await find('d.test', { isAllowedHost: (name) => name === 'mx2.home.test' });
    expect(route).toMatchObject({ hosts: [{ name: 'mx2.home.test', addresses: ['127.0.0.3'] }] });
  });

  test('has a public address in place of a host name', async () => {
    dns().setZone(mailHost('8.8.8.8', {}));
    expect((await find('d.test')).route).toMatchObject({
      hosts: [{ name: '8.8.8.8', addresses: ['8.8.8.8'] }],
    });
  });

  test('is queried over TCP if the answer is truncated', async () => {
    dns().setZone({ ...goodHosts, 'd.test': { ...mailHosts('mx1.host.test'), isTcpOnly: true } });
    expect((await find('d.test')).route).toMatchObject({ hosts: [{ name: 'mx1.host.test' }] });
    const mx = dns().queries.filter(({ type }) => type === 'MX');
    expect(mx.map(({ over }) => over)).toEqual(['udp', 'tcp']);
  });

  test('of a thousand hosts has ten, two of them looked up', async () => {
    dns().setZone(thousandHosts('8.8.8.8'));
    const { route } = await find('d.test');
    expect(route.kind === 'hosts' && route.hosts.map(({ addresses }) => addresses.length)).toEqual([
      1, 1, 0, 0, 0, 0, 0, 0, 0, 0,
    ]);
    expect([dns().count('A'), dns().count('AAAA')]).toEqual([2, 2]);
  });

  test('of a thousand private hosts is unknown after ten', async () => {
    dns().setZone(thousandHosts('127.0.0.1'));
    expect((await find('d.test')).route.kind).toBe('unknown');
    expect([dns().count('A'), dns().count('AAAA')]).toEqual([10, 10]);
  });

  test('of a host with a thousand addresses has ten', async () => {
    const A = Array.from({ length: 1_000 }, (_, n) => `8.8.${n >> 8}.${n & 255}`);
    dns().setZone(mailHost('mx.test', { 'mx.test': { A } }));
    const { route } = await find('d.test');
    expect(route.kind === 'hosts' && route.hosts[0]?.addresses.length).toBe(10);
  });
});

describe('a domain', () => {
  test.each<readonly [string, DnsZone, Pick<MailDomain, 'hasSpf' | 'hasDmarc'>]>([
    [
      'of its own',
      {
        'mail.acme.co.uk': { TXT: ['v=spf1 mx -all'] },
        '_dmarc.mail.acme.co.uk': { TXT: ['v=DMARC1; p=none'] },
      },
      { hasSpf: true, hasDmarc: true },
    ],
    [
      'of its organisation, DMARC alone',
      {
        'mail.acme.co.uk': {},
        'acme.co.uk': { TXT: ['v=spf1 -all'] },
        '_dmarc.acme.co.uk': { TXT: ['v=DMARC1; p=none'] },
      },
      { hasSpf: false, hasDmarc: true },
    ],
    [
      'of a public suffix',
      { '_dmarc.co.uk': { TXT: ['v=DMARC1; p=none'] } },
      { hasSpf: false, hasDmarc: false },
    ],
    [
      'that DNS fails to return',
      { 'mail.acme.co.uk': { TXT: 'SERVFAIL' }, '_dmarc.mail.acme.co.uk': 'REFUSED' },
      { hasSpf: null, hasDmarc: null },
    ],
    [
      'that DNS fails to return for its organisation',
      { 'mail.acme.co.uk': {}, '_dmarc.acme.co.uk': 'SERVFAIL' },
      { hasSpf: false, hasDmarc: null },
    ],
  ])('with the policies %s', async (_, zone, data) => {
    dns().setZone({ ...goodHosts, ...zone });
    expect(await find('mail.acme.co.uk')).toMatchObject(data);
  });

  test('with a name too long for a subdomain has no DMARC policy there', async () => {
    const domain = `${'a.'.repeat(123)}test`;
    dns().setZone({ [domain]: { A: ['8.8.8.8'] } });
    expect(await find(domain)).toMatchObject({ route: { kind: 'hosts' }, hasDmarc: false });
  });

  test('with an error in its policies has its route', async () => {
    dns().setZone({
      ...goodHosts,
      'd.test': { ...mailHosts('mx1.host.test'), TXT: 'SERVFAIL' },
      '_dmarc.d.test': 'REFUSED',
      'e.test': { A: ['8.8.8.8'], TXT: 'SERVFAIL' },
    });
    expect((await find('d.test')).route.kind).toBe('hosts');
    expect((await find('e.test')).route.kind).toBe('hosts');
  });

  test.each([
    ['an hour where mail can reach it', { 'd.test': { A: ['8.8.8.8'] } }, 3_600_000],
    ['ten minutes where it cannot', {}, 600_000],
    ['ten seconds where that is unknown', { 'd.test': 'SERVFAIL' }, 10_000],
  ] as const)('is known for %s', async (_, zone, lifetimeMs) => {
    dns().setZone(zone);
    const { domain, checkedAt, expiresAt } = await find('d.test', { nowMs: () => 1_000 });
    expect([domain, checkedAt, expiresAt]).toEqual(['d.test', new Date(1_000), new Date(1_000 + lifetimeMs)]);
  });
});

describe('name servers that do not answer', () => {
  const timeoutMs = 300;
  const quiet = { timeoutMs };

  test.each<readonly [what: string, zone: DnsZone, waits: number]>([
    ['at all', { 'd.test': 'silence', '_dmarc.d.test': 'silence' }, 1],
    ['about the address of a domain', { 'd.test': { A: 'silence', AAAA: 'silence' } }, 1],
    ['about a mail host', mailHost('mx.test', { 'mx.test': 'silence' }), 1],
    [
      'about any of ten mail hosts',
      {
        'd.test': mailHosts(...tenHosts),
        ...eachOf(tenHosts, () => 'silence'),
      },
      2,
    ],
  ])('%s leave the route unknown, in time', async (_, zone, waits) => {
    dns().setZone(zone);
    const startMs = performance.now();
    expect((await find('d.test', quiet)).route).toEqual({ kind: 'unknown', reason: 'dns_timeout' });
    const tookMs = performance.now() - startMs;
    expect(tookMs).toBeGreaterThan(timeoutMs * waits * 0.9);
    expect(tookMs).toBeLessThan(timeoutMs * waits + 10_000);
  });

  test('for the policies leave a domain its route, in time', async () => {
    dns().setZone({ 'd.test': { A: ['8.8.8.8'], TXT: 'silence' }, '_dmarc.d.test': 'silence' });
    expect(await find('d.test', quiet)).toMatchObject({
      route: { kind: 'hosts' },
      hasSpf: null,
      hasDmarc: null,
    });
  });

  test('time out even if there are many of them', async () => {
    dns().setZone({ 'd.test': 'silence', '_dmarc.d.test': 'silence' });
    const startMs = performance.now();
    const servers = [dns().server, await silentServer(), await silentServer()];
    expect((await find('d.test', { servers, timeoutMs })).route).toMatchObject({ reason: 'dns_timeout' });
    expect(performance.now() - startMs).toBeLessThan(timeoutMs + 10_000);
  });

  test('are retried once', async () => {
    dns().setZone({ ...goodHosts, 'd.test': { ...mailHosts('mx1.host.test'), lostCount: 1 } });
    expect((await find('d.test', { timeoutMs: 1_500 })).route.kind).toBe('hosts');
    expect(dns().count('MX')).toBe(2);
  });

  test('may be slow within the timeout', async () => {
    dns().setZone({ ...goodHosts, 'd.test': { ...mailHosts('mx1.host.test'), delayMs: 300 } });
    expect((await find('d.test')).route.kind).toBe('hosts');
  });

  test('at unreachable addresses leave the route unknown', async () => {
    const { route } = await find('d.test', { servers: [await deadServer()], timeoutMs: 1_000 });
    expect(route.kind).toBe('unknown');
  });

  test('stop when the signal of the caller aborts', async () => {
    dns().setZone({ 'd.test': 'silence' });
    const caller = new AbortController();
    const asked = lookupWith().find('d.test', caller.signal);
    await vi.waitFor(() => expect(dns().count('MX')).toBe(1));
    caller.abort(new Error('enough'));
    await expect(asked).rejects.toThrow('enough');
  });
});

test('a name server that is not an address is rejected', () => {
  expect(() => lookupWith({ servers: ['dns.acme.com'] })).toThrow(Misconfigured);
});

describe('five thousand addresses at fifty domains', () => {
  const domains = Array.from({ length: 50 }, (_, n) => `d${n}.test`);
  const asked = Array.from({ length: 5_000 }, (_, n) => domains[n % 50] ?? '');
  const zone = {
    ...goodHosts,
    ...eachOf(domains, () => mailHosts('mx1.host.test')),
  };

  test.each([
    ['all at once', 5_000],
    ['eight at a time', 8],
  ])('take fifty MX queries: %s', async (_, atOnce) => {
    dns().setZone(zone);
    const known = knownDomains();
    const gate = pLimit(atOnce);
    const found = await Promise.all(asked.map((domain) => gate(() => known.find(domain, signal))));
    expect(found.every(({ route }) => route.kind === 'hosts')).toBe(true);
    expect([dns().count('MX'), dns().count('A'), dns().count('AAAA')]).toEqual([50, 50, 50]);
  });

  test('take as many again after the results expire', async () => {
    dns().setZone(zone);
    let nowMs = 0;
    const known = knownDomains(() => nowMs);
    const askAll = () => Promise.all(asked.map((domain) => known.find(domain, signal)));
    await askAll();
    nowMs = 3_600_000 - 1;
    await askAll();
    expect(dns().count('MX')).toBe(50);
    nowMs = 3_600_000;
    await askAll();
    expect(dns().count('MX')).toBe(100);
  });

  function knownDomains(nowMs: () => number = Date.now) {
    const limit = pLimit(20);
    const onError = (error: unknown) => {
      throw error;
    };
    return createMailDomainCache({ lookup: lookupWith({ nowMs }), store: null, nowMs, limit, onError });
  }
});

const fixture = readDnsFixture();
const missing = fixture === null ? ' (not run: joshdata-dns.json is not there)' : '';

test.skipIf(fixture === null)(`eleven domains have the verdicts of another validator${missing}`, async () => {
  const { cases, zone } = fixture ?? { cases: [], zone: {} };
  dns().setZone(zone);
  const found = await Promise.all(
    cases.map(async ({ domain, deliverable }) => {
      const { route } = await find(domain, { timeoutMs: deliverable === null ? 300 : 15_000 });
      const hosts = route.kind === 'hosts' ? route.hosts : [];
      return { domain, kind: route.kind, mx: hosts.map(({ preference, name }) => [preference, name]) };
    }),
  );
  expect(found).toEqual(
    cases.map(({ domain, deliverable, mx = [] }) => ({ domain, kind: kindOf(deliverable), mx })),
  );
  expect(found.length).toBe(11);
});

function kindOf(deliverable: FixtureCase['deliverable']): MailRoute['kind'] {
  if (deliverable === null) return 'unknown';
  return deliverable ? 'hosts' : 'none';
}

function none(
  reason: Extract<MailRoute, { readonly kind: 'none' }>['reason'],
  mx: string | null = null,
): MailRoute {
  return { kind: 'none', reason, mx };
}

/** Mail hosts in order of preference. */
function mailHosts(...names: readonly string[]): DnsName {
  return { MX: names.map((name, n) => [n, name]) };
}

/** A zone with one domain, `d.test`, and one mail host for it. */
function mailHost(name: string, zone: DnsZone): DnsZone {
  return { 'd.test': mailHosts(name), ...zone };
}

function thousandHosts(address: string): DnsZone {
  const names = Array.from({ length: 1_000 }, (_, n) => `mx${n}.test`);
  return { 'd.test': mailHosts(...names), ...eachOf(names, () => ({ A: [address] })) };
}

function eachOf(names: readonly string[], entry: (name: string, n: number) => DnsName | DnsError): DnsZone {
  return Object.fromEntries(names.map((name, n) => [name, entry(name, n)]));
}

/** Address of a server that receives queries and never responds. It ends with the process. */
async function silentServer(): Promise<string> {
  const socket = createSocket('udp4');
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  socket.unref();
  return `127.0.0.1:${socket.address().port}`;
}

/** Address of a port without a listener. */
async function deadServer(): Promise<string> {
  const socket = createSocket('udp4');
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  const { port } = socket.address();
  socket.close();
  return `127.0.0.1:${port}`;
}
