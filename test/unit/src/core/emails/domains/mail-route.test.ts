import { describe, expect, test } from 'vitest';
import fc from 'fast-check';
import {
  isHostName,
  isLocalhost,
  mailHostsMax,
  routeOver,
  sortExchanges,
  type HostFinding,
  type EvaluatedExchange,
} from '../../../../../../src/core/emails/domains/mail-route.ts';

describe('hosts of MX records', () => {
  test('are sorted by preference and then by name, without duplicates', () => {
    const records = [
      { name: 'C.acme.com', preference: 20 },
      { name: 'b.acme.com.', preference: 10 },
      { name: 'A.acme.com', preference: 10 },
      { name: 'c.acme.com', preference: 5 },
    ];
    expect(sortExchanges(records)).toEqual([
      { name: 'c.acme.com', preference: 5 },
      { name: 'a.acme.com', preference: 10 },
      { name: 'b.acme.com', preference: 10 },
    ]);
  });

  test('do not depend on the order of DNS', () => {
    const record = fc.record({
      name: fc.constantFrom('a.com', 'b.com', 'B.com.', 'c.com'),
      preference: fc.nat(3),
    });
    const lists = fc
      .array(record)
      .chain((records) =>
        fc.tuple(fc.constant(records), fc.shuffledSubarray(records, { minLength: records.length })),
      );
    fc.assert(
      fc.property(lists, ([records, shuffled]) => {
        expect(sortExchanges(shuffled)).toEqual(sortExchanges(records));
      }),
      { numRuns: 500 },
    );
  });

  test.each([[['']], [['.']], [['', '.']]])('%j are a null MX', (names) => {
    expect(sortExchanges(names.map((name) => ({ name, preference: 0 })))).toEqual([]);
  });

  test('are kept in addition to a null MX', () => {
    const records = [
      { name: '', preference: 0 },
      { name: 'mx.acme.com', preference: 10 },
    ];
    expect(sortExchanges(records)).toEqual([{ name: 'mx.acme.com', preference: 10 }]);
  });
});

test.each([
  'mx.acme.com',
  'mx',
  'a',
  '1.acme.com',
  'mx_1.acme.com',
  'xn--mnchen-3ya.de',
  '3com.com',
  'x.0xyz',
  `${'a'.repeat(63)}.com`,
])('%s is a host name', (name) => {
  expect(isHostName(name)).toBe(true);
});

test.each([
  '',
  '.',
  'a..b',
  '.a.com',
  'a.com.',
  'a b.com',
  'a\\032b.com',
  'nul\0.com',
  'münchen.de',
  'A.com',
  '-a.com',
  'a-.com',
  '127.0.0.1',
  '127.1',
  '2130706433',
  'a.0x7f',
  'a.0x',
  '::1',
  '[127.0.0.1]',
  'a@b.com',
  'a/b.com',
  `${'a'.repeat(64)}.com`,
  `${'a.'.repeat(127)}com`,
])('%j is not a host name', (name) => {
  expect(isHostName(name)).toBe(false);
});

test.each([
  ['localhost', true],
  ['mx.localhost', true],
  ['localhost.com', false],
  ['notlocalhost', false],
] as const)('%s is the local machine: %s', (name, is) => {
  expect(isLocalhost(name)).toBe(is);
});

const reachable: HostFinding = { kind: 'reachable', addresses: ['8.8.8.8'] };
const notPublic: HostFinding = { kind: 'not_public' };
const noAddress: HostFinding = { kind: 'no_address' };
const notAsked: HostFinding = { kind: 'not_asked' };
const timeout: HostFinding = { kind: 'unknown', reason: 'dns_timeout' };
const failure: HostFinding = { kind: 'unknown', reason: 'dns_server_failure' };

describe('a mail route', () => {
  test.each<readonly [string, readonly HostFinding[], string]>([
    ['no host has an address', [noAddress, noAddress], 'no_mail_host'],
    ['no host has a public address', [notPublic], 'mail_host_unroutable'],
    ['some hosts have private addresses and the others none', [noAddress, notPublic], 'mail_host_unroutable'],
    ['a host could not be looked up in time', [noAddress, timeout], 'dns_timeout'],
    ['a host could not be looked up', [failure, notPublic], 'dns_server_failure'],
    ['some hosts have no address and others were not looked up', [noAddress, notAsked], 'dns_server_failure'],
  ])('has the right reason if %s', (_, findings, reason) => {
    expect(routeOver(exchangesWith(findings), false)).toMatchObject({ reason });
  });

  test('has the hosts that are or may be reachable', () => {
    const route = routeOver(exchangesWith([noAddress, timeout, notPublic, reachable, notAsked]), false);
    expect(route).toEqual({
      kind: 'hosts',
      implicit: false,
      hosts: [
        { name: 'mx1.com', preference: 1, addresses: [] },
        { name: 'mx3.com', preference: 3, addresses: ['8.8.8.8'] },
        { name: 'mx4.com', preference: 4, addresses: [] },
      ],
    });
  });

  test('has at most ten hosts', () => {
    const findings = Array.from({ length: 1_000 }, (_, n) => (n === 0 ? reachable : notAsked));
    const route = routeOver(exchangesWith(findings), false);
    expect(route.kind === 'hosts' && route.hosts.length).toBe(mailHostsMax);
  });

  test('has the first valid host name of the MX record', () => {
    const exchanges = [
      { name: 'a b.com', preference: 1, finding: noAddress },
      { name: 'mx.com', preference: 2, finding: noAddress },
    ];
    expect(routeOver(exchanges, false)).toMatchObject({ mx: 'mx.com' });
    expect(routeOver(exchanges.slice(0, 1), false)).toMatchObject({ mx: null });
    expect(routeOver(exchanges.slice(1), true)).toMatchObject({ mx: null });
  });

  test('is never `none` after an error of DNS, and never `hosts` without an address', () => {
    const finding = fc.constantFrom(reachable, notPublic, noAddress, notAsked, timeout, failure);
    fc.assert(
      fc.property(fc.array(finding, { minLength: 1, maxLength: 12 }), (findings) => {
        const { kind } = routeOver(exchangesWith(findings), false);
        const isKnown = findings.every((one) => one === notPublic || one === noAddress);
        expect(kind === 'none').toBe(isKnown);
        expect(kind === 'hosts').toBe(findings.includes(reachable));
      }),
      { numRuns: 500 },
    );
  });
});

function exchangesWith(findings: readonly HostFinding[]): readonly EvaluatedExchange[] {
  return findings.map((finding, n) => ({ name: `mx${n}.com`, preference: n, finding }));
}
