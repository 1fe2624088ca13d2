import { expect, onTestFinished, test } from 'vitest';
import { createMailDomainLookup } from '../../../src/adapters/mail/dns/mail-domain-lookup.ts';
import { createNameServers } from '../../../src/adapters/mail/dns/name-servers.ts';
import { readConfig } from '../../../src/config/config.ts';
import type { MailRoute } from '../../../src/core/emails/domains/mail-domain.ts';
import { controlDomains } from '../../../src/core/emails/domains/name-server.ts';
import { examineResolvers } from '../../../src/doctor/checks/collect-name-servers.ts';
import { openTestApi } from '../../support/api/test-api.ts';
import {
  startDnsServer,
  type DnsName,
  type DnsServer,
  type DnsZone,
} from '../../support/dns-smtp/dns-server.ts';
import { validateList } from '../../support/api/uploaded-batch.ts';

const signal = new AbortController().signal;
const address = { A: ['93.184.216.34'] } as const;
const acme: DnsZone = { 'acme.com': { MX: [[10, 'mx.acme.com']] }, 'mx.acme.com': address };
/** Resolves all names that certainly exist, and has an address for every other name. */
const hijacked: DnsZone = { ...acme, ...surely({ MX: [[10, 'mx.acme.com']] }), '*': address };
const untrusted = { kind: 'unknown', reason: 'dns_untrusted' } as const;

/** The same records for every name that certainly exists. */
function surely(entry: DnsName): DnsZone {
  return Object.fromEntries(controlDomains.map((name) => [name, entry]));
}

async function serve(zone: DnsZone): Promise<DnsServer> {
  const dns = await startDnsServer(zone);
  onTestFinished(dns.close);
  return dns;
}

/** A lookup over name servers with the validation of the product. */
function lookupOver(servers: readonly DnsServer[], nowMs: () => number = Date.now) {
  const options = { servers: servers.map(({ server }) => server), timeoutMs: 1_000, nowMs };
  return createMailDomainLookup({ ...options, nameServers: createNameServers(options) });
}

async function routeOf(zone: DnsZone, domain: string): Promise<MailRoute> {
  return (await lookupOver([await serve(zone)]).find(domain, signal)).route;
}

test('an honest name server is trusted', async () => {
  expect(await routeOf(acme, 'acme.com')).toMatchObject({ kind: 'hosts' });
  expect(await routeOf(acme, 'nothing.com')).toEqual({ kind: 'none', reason: 'domain_not_found', mx: null });
});

test.each<readonly [what: string, zone: DnsZone]>([
  ['denies every name', { '*': 'NXDOMAIN' }],
  ['denies every record', { '*': {} }],
  ['serves a private network only', { ...acme, ...surely({}) }],
  ['has an address for every name, as a captive portal', { '*': address }],
  ['has a private address for every name', { '*': { A: ['192.168.1.1'] } }],
  ['has a mail server for every name', { '*': { ...address, MX: [[10, 'mx.acme.com']] } }],
])('a name server that %s leaves every domain unknown', async (_, zone) => {
  for (const domain of ['gmail.com', 'acme.com', 'nothing.com'])
    expect(await routeOf(zone, domain), domain).toEqual(untrusted);
});

test.each<readonly [zone: DnsZone, reason: string]>([
  [{ '*': 'SERVFAIL' }, 'dns_server_failure'],
  [{ '*': 'REFUSED' }, 'dns_server_failure'],
  [{ '*': 'silence' }, 'dns_timeout'],
])('a name server that fails is silent, not forging: %j', async (zone, reason) => {
  expect(await routeOf(zone, 'gmail.com')).toEqual({ kind: 'unknown', reason });
});

test('a name server that forges addresses is trusted for MX records only', async () => {
  expect(await routeOf(hijacked, 'acme.com')).toMatchObject({ kind: 'hosts', implicit: false });
  expect(await routeOf(hijacked, 'nothing.com')).toEqual(untrusted);
  const portal = { ...hijacked, '*': { A: ['192.168.1.1'] } };
  expect(await routeOf(portal, 'nothing.com')).toEqual(untrusted);
  expect(await routeOf({ ...hijacked, 'd.com': { MX: [[0, '.']] } }, 'd.com')).toMatchObject({
    reason: 'null_mx',
  });
});

test('a control domain never counts as missing', async () => {
  expect(await routeOf({ ...acme, 'gmail.com': 'NXDOMAIN' }, 'gmail.com')).toEqual(untrusted);
});

test('a forging name server among several is not queried', async () => {
  const [liar, honest] = [await serve({ '*': 'NXDOMAIN' }), await serve(acme)];
  for (const servers of [
    [liar, honest],
    [honest, liar],
  ]) {
    const lookup = lookupOver(servers);
    expect((await lookup.find('acme.com', signal)).route.kind).toBe('hosts');
    expect((await lookup.find('nothing.com', signal)).route).toMatchObject({ reason: 'domain_not_found' });
  }
  expect(liar.queries.map(({ name }) => name)).not.toContain('acme.com');
});

test('a name server that starts to forge is detected before a domain counts as missing', async () => {
  let nowMs = 0;
  const dns = await serve(acme);
  const lookup = lookupOver([dns], () => nowMs);
  expect((await lookup.find('nothing.com', signal)).route.kind).toBe('none');
  dns.setZone({ '*': 'NXDOMAIN' });
  nowMs = 10_000;
  expect((await lookup.find('acme.com', signal)).route).toEqual(untrusted);
  dns.setZone(acme);
  nowMs = 20_000;
  expect((await lookup.find('acme.com', signal)).route.kind).toBe('hosts');
});

test('name servers are evaluated once for many domains', async () => {
  const dns = await serve({ ...acme, ...surely({ MX: [[10, 'mx.acme.com']] }) });
  const lookup = lookupOver([dns], () => 0);
  const domains = Array.from({ length: 50 }, (_, n) => `nothing-${n}.com`);
  await Promise.all(domains.map((domain) => lookup.find(domain, signal)));
  expect(controlDomains.map((name) => dns.count('MX', name))).toEqual(controlDomains.map(() => 1));
});

test('a batch behind a resolver that denies everything has no invalid address, and is free', async () => {
  const api = await openTestApi({ workers: true, zone: { '*': 'NXDOMAIN' } });
  onTestFinished(api.close);
  const before = await api.balance();
  const lines = await validateList(api, await api.createKey(), [
    'jane@gmail.com',
    'joe@acme.com',
    'no address',
  ]);
  expect(
    lines.map((line) => [line['email_status'], line['email_sub_status'], line['email_recommendation']]),
  ).toEqual([
    ['unknown', 'dns_untrusted', 'review'],
    ['unknown', 'dns_untrusted', 'review'],
    ['invalid', 'missing_at', 'do_not_send'],
  ]);
  expect(await api.balance()).toEqual(before);
});

test.each<readonly [zones: readonly DnsZone[], findings: readonly (readonly [string, RegExp])[]]>([
  [[acme], [['ok', /resolves names that exist, and no others/]]],
  [[{ '*': 'NXDOMAIN' }], [['problem', /does not resolve gmail\.com, .*, all of which exist/]]],
  [[{ '*': address }], [['problem', /does not resolve gmail\.com/]]],
  [
    [{ '*': { ...address, MX: [[10, 'mx.acme.com']] } }],
    [['problem', /mail servers for domains that do not exist/]],
  ],
  [[hijacked], [['warning', /addresses for names that do not exist/]]],
  [[{ '*': 'SERVFAIL' }], [['warning', /error/]]],
  [[{ '*': 'silence' }], [['warning', /in time/]]],
  [
    [{ '*': 'NXDOMAIN' }, acme],
    [
      ['warning', /does not resolve/],
      ['ok', /resolves names/],
    ],
  ],
])('the doctor reports forging name servers with a remedy: %#', async (zones, findings) => {
  const servers = await Promise.all(zones.map(serve));
  const config = readConfig({
    NIGHTSHIFT_DNS_SERVERS: servers.map(({ server }) => server).join(','),
    NIGHTSHIFT_DNS_TIMEOUT_SECONDS: '1',
  });
  const found = await examineResolvers(config);
  expect(found).toEqual(
    findings.map(([status, words]) => ({
      name: 'name servers',
      status,
      found: expect.stringMatching(words) as string,
      remedy: status === 'ok' ? null : (expect.stringMatching(/NIGHTSHIFT_DNS_SERVERS/) as string),
    })),
  );
  expect(found.every(({ found: text }, i) => text.includes(servers[i]?.server ?? ''))).toBe(true);
});
