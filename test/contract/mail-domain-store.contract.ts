import { beforeEach, describe, expect, test } from 'vitest';
import type { MailDomain, MailDomainStore, MailRoute } from '../../src/core/emails/domains/mail-domain.ts';

const noonMs = Date.UTC(2026, 0, 1, 12, 0, 0, 123);
const nowhere: MailRoute = { kind: 'none', reason: 'domain_not_found', mx: null };

/** Every kind of answer. */
const routes: readonly MailRoute[] = [
  {
    kind: 'hosts',
    implicit: false,
    hosts: [
      { name: 'mx1.acme.com', preference: 0, addresses: ['192.0.2.1', '2001:db8::1'] },
      { name: 'mx_2.xn--mnchen-3ya.de', preference: 65_535, addresses: [] },
    ],
  },
  {
    kind: 'hosts',
    implicit: true,
    hosts: [{ name: 'acme.com', preference: 0, addresses: ['192.0.2.1'] }],
  },
  nowhere,
  { kind: 'none', reason: 'null_mx', mx: null },
  { kind: 'none', reason: 'no_mail_host', mx: 'mx.acme.com' },
  { kind: 'none', reason: 'mail_host_unroutable', mx: '127.0.0.1' },
  { kind: 'none', reason: 'spf_reject_all_without_mx', mx: null },
  { kind: 'unknown', reason: 'dns_timeout' },
  { kind: 'unknown', reason: 'dns_server_failure' },
];

/** Checks the guarantees of `MailDomainStore`; run by every implementation, each test with an empty store. */
export function mailDomainStoreContract(openStore: () => Promise<MailDomainStore>): void {
  let store: MailDomainStore;

  describe('store of mail domains', () => {
    beforeEach(async () => {
      store = await openStore();
    });

    test('is empty at first', async () => {
      expect(await store.read(['acme.com'])).toEqual(new Map());
    });

    test.each(routes.map((route) => ({ route })))('returns what was stored: $route', async ({ route }) => {
      for (const [hasSpf, hasDmarc] of [
        [true, false],
        [false, null],
        [null, true],
      ] as const) {
        const given = { ...answer('acme.com', { route }), hasSpf, hasDmarc };
        await store.write([given]);
        expect((await store.read(['acme.com'])).get('acme.com')).toEqual(given);
      }
    });

    test('returns the known ones of the requested domains only', async () => {
      await store.write(['a.com', 'b.com', 'c.com'].map((domain) => answer(domain)));
      const read = await store.read(['c.com', 'absent.com', 'a.com', 'a.com']);
      expect([...read.keys()].sort()).toEqual(['a.com', 'c.com']);
    });

    test('accepts an empty list', async () => {
      await store.write([]);
      expect(await store.read([])).toEqual(new Map());
    });

    test('returns expired entries, too', async () => {
      const old = { ...answer('a.com'), checkedAt: new Date(0), expiresAt: new Date(1) };
      await store.write([old]);
      expect((await store.read(['a.com'])).get('a.com')).toEqual(old);
    });

    test('keeps the most recent check, in any order of writes', async () => {
      const [older, newer] = [answer('a.com'), answer('a.com', { afterMs: 1, route: routes[0] ?? nowhere })];
      await store.write([older]);
      await store.write([newer]);
      await store.write([older]);
      expect((await store.read(['a.com'])).get('a.com')).toEqual(newer);
    });

    test('keeps the most recent check of several in one write', async () => {
      const answers = [0, 2, 1].map((afterMs) => answer('a.com', { afterMs }));
      await store.write(answers);
      expect((await store.read(['a.com'])).get('a.com')).toEqual(answers[1]);
    });

    test('accepts thousands in one write', async () => {
      const domains = Array.from({ length: 3_000 }, (_, n) => `d${n}.com`);
      await store.write(domains.map((domain) => answer(domain)));
      expect((await store.read(domains)).size).toBe(3_000);
    });

    test('accepts concurrent writes of the same domains in any order', async () => {
      const domains = Array.from({ length: 100 }, (_, n) => `d${n}.com`);
      const writes = Array.from({ length: 10 }, (_, afterMs) => {
        const answers = domains.map((domain) => answer(domain, { afterMs }));
        return store.write(afterMs % 2 === 0 ? answers : answers.reverse());
      });
      await Promise.all(writes);
      const kept = [...(await store.read(domains)).values()].map(({ checkedAt }) => checkedAt.getTime());
      expect(new Set(kept)).toEqual(new Set([noonMs + 9]));
    });
  });
}

function answer(domain: string, { route = nowhere, afterMs = 0 } = {}): MailDomain {
  return {
    domain,
    route,
    hasSpf: false,
    hasDmarc: false,
    checkedAt: new Date(noonMs + afterMs),
    expiresAt: new Date(noonMs + afterMs + 600_000),
  };
}
