import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { createMailboxStore } from '../../../db/stores/emails/mailboxes.ts';
import { createPostgresProbeLimiter } from '../../../db/stores/emails/probe-limiter.ts';
import { createProbeSessions } from '../../../src/adapters/mail/smtp/probe-session.ts';
import { parseAddress, type EmailAddress } from '../../../src/core/emails/syntax/address.ts';
import { createMailboxCache } from '../../../src/core/emails/probing/mailbox-cache.ts';
import type { MailboxStore } from '../../../src/core/emails/probing/mailbox-store.ts';
import { createProviderQueue } from '../../../src/core/emails/probing/provider-queue.ts';
import type { MailDomain } from '../../../src/core/emails/domains/mail-domain.ts';
import type { MailboxEvidence } from '../../../src/core/emails/probing/mailbox.ts';
import { openTestDatabase } from '../../support/db/database.ts';
import { createMemoryMailboxes } from '../../support/dns-smtp/memory-mailboxes.ts';
import { shippedLists } from '../../support/dns-smtp/shipped-lists.ts';
import { openPoliteServer, type PoliteOptions } from '../../support/dns-smtp/polite-server.ts';
import { waitMsMax } from '../../support/wait-bound.ts';

const wide = { groupPerMinute: 100_000, domainPerDay: 100_000, egressPerMinute: 100_000 };

/** A mail server, and caches in front of it: the real queue and sessions, with the real limiter and store. */
async function openFixture(
  server: PoliteOptions,
  changed: {
    readonly budgets?: typeof wide;
    readonly retryAfterMs?: readonly number[];
    readonly store?: MailboxStore;
  } = {},
) {
  const [database, smtp] = await Promise.all([openTestDatabase(), openPoliteServer(server)]);
  onTestFinished(smtp.close);
  const { sql } = database.app;
  const { budgets = wide, retryAfterMs = [360_000], store = createMailboxStore(sql) } = changed;
  const shared = { store, lists: shippedLists, nowMs: Date.now, signal: never() };
  const open = () => {
    const queue = createProviderQueue({
      ...shared,
      openSessions: createProbeSessions({
        helloName: 'probe.night-desk.net',
        mailFrom: 'probe@night-desk.net',
        isAllowedAddress: () => true,
        port: smtp.port,
      }),
      limiter: createPostgresProbeLimiter(sql, {
        egress: 'probe.night-desk.net',
        budgets,
        leaseMs: 60_000,
        onError: (error) => {
          throw error;
        },
      }),
      retryAfterMs,
      permitWaitMsMax: 100,
    });
    return createMailboxCache({ ...shared, queue, unavailableReason: async () => null });
  };
  return { database, smtp, open, cache: open() };
}

function addressOf(text: string): EmailAddress {
  const parsed = parseAddress(text);
  if (parsed.kind === 'invalid') throw new Error(`${text} is no address.`);
  return parsed.address;
}

function domainOf(text: string, host = 'mx.acme.com'): MailDomain {
  const now = new Date();
  return {
    domain: addressOf(text).asciiDomain,
    route: {
      kind: 'hosts',
      hosts: [{ name: host, preference: 10, addresses: ['127.0.0.1'] }],
      implicit: false,
    },
    hasSpf: null,
    hasDmarc: null,
    checkedAt: now,
    expiresAt: now,
  };
}

const never = () => new AbortController().signal;
const acceptsJane = (address: string) => (address.startsWith('jane') ? null : '550 5.1.1 User unknown');

function reported(evidence: MailboxEvidence): string {
  return evidence.kind === 'probed' ? evidence.finding : evidence.reason;
}

describe('the mailbox cache', () => {
  test('probes a mailbox once for concurrent callers and for other processes', async () => {
    const { smtp, cache, open } = await openFixture({ recipient: acceptsJane });
    const find = (by: typeof cache) =>
      by.find(addressOf('jane@acme.com'), domainOf('jane@acme.com'), never());
    const answers = await Promise.all([find(cache), find(cache), find(cache)]);
    expect(answers.map(reported)).toEqual(['mailbox_accepts', 'mailbox_accepts', 'mailbox_accepts']);
    expect(await find(open())).toEqual(answers[0]);
    expect(smtp.recipients).toHaveLength(2);
  });

  test('probes again after the domain has moved to another host', async () => {
    const { smtp, cache } = await openFixture({ recipient: acceptsJane });
    const ask = (host: string) =>
      cache.find(addressOf('jane@acme.com'), domainOf('jane@acme.com', host), never());
    await ask('mx.acme.com');
    await ask('mx.other.com');
    expect(smtp.recipients.filter(({ address }) => address === 'jane@acme.com')).toHaveLength(2);
  });

  test('shares one session among concurrent mailboxes, and the next among those that arrive meanwhile', async () => {
    const { smtp, cache } = await openFixture({ recipient: acceptsJane });
    const ask = (text: string) => cache.find(addressOf(text), domainOf(text), never());
    const first = ['jane1@acme.com', 'jane2@acme.com', 'jane1@acme.org'].map(ask);
    await vi.waitUntil(() => smtp.sessions() > 0, { timeout: waitMsMax });
    const later = ['jane3@acme.com', 'jane4@acme.com'].map(ask);
    await Promise.all([...first, ...later]);
    expect(smtp.sessions()).toBe(2);
  });

  test('does not probe a mailbox that no caller waits for', async () => {
    const { smtp, cache } = await openFixture({ recipient: acceptsJane, delayMs: () => 100 });
    const paused = new AbortController();
    const ask = (i: number, signal: AbortSignal) =>
      cache.find(addressOf(`jane${i}@acme.com`), domainOf(`jane${i}@acme.com`), signal);
    const leaving = Array.from({ length: 10 }, (_, i) => ask(i, paused.signal));
    const staying = ask(99, never());
    await vi.waitUntil(() => smtp.recipients.length > 0, { timeout: waitMsMax });
    paused.abort(new Error('The batch is paused.'));
    expect((await Promise.allSettled(leaving)).map(({ status }) => status)).toContain('rejected');
    const asked = smtp.recipients.length;
    expect(reported(await staying)).toBe('mailbox_accepts');
    // The running one, its control, and the remaining one.
    expect(smtp.recipients.length).toBeLessThanOrEqual(asked + 2);
  });

  test('gives a retry time after the budget of the minute, and none after that of the day', async () => {
    const { cache } = await openFixture(
      { recipient: acceptsJane },
      { budgets: { ...wide, groupPerMinute: 2 } },
    );
    const ask = (text: string) => cache.find(addressOf(text), domainOf(text), never());
    expect(reported(await ask('jane@acme.com'))).toBe('mailbox_accepts');
    const wait = await ask('joe@acme.com');
    expect(wait).toMatchObject({ kind: 'not_probed', reason: 'probe_budget_exhausted' });
    const retryAt = wait.kind === 'not_probed' ? (wait.retryAt?.getTime() ?? 0) : 0;
    expect(retryAt).toBeGreaterThan(Date.now() + 50_000);
    expect(retryAt).toBeLessThan(Date.now() + 62_000);
    const daily = await openFixture({ recipient: acceptsJane }, { budgets: { ...wide, domainPerDay: 2 } });
    await daily.cache.find(addressOf('jane@acme.com'), domainOf('jane@acme.com'), never());
    expect(await daily.cache.find(addressOf('joe@acme.com'), domainOf('joe@acme.com'), never())).toEqual({
      kind: 'not_probed',
      reason: 'probe_budget_exhausted',
      retryAt: null,
    });
  });

  test('pauses a provider that rejects the sender, with a retry time for the mailboxes left', async () => {
    const { smtp, cache } = await openFixture({
      sender: () => '554 5.7.1 Service unavailable; Client host [127.0.0.1] blocked using zen.spamhaus.org',
    });
    const ask = (text: string) => cache.find(addressOf(text), domainOf(text), never());
    expect((await Promise.all(['a@acme.com', 'b@acme.com'].map(ask))).map(reported)).toEqual([
      'sender_blocked',
      'provider_paused',
    ]);
    const unasked = await ask('c@acme.com');
    expect(unasked).toMatchObject({ kind: 'not_probed', reason: 'provider_paused' });
    expect(unasked.retryAt?.getTime()).toBeGreaterThan(Date.now() + 5.9 * 3_600_000);
    expect(smtp.sessions()).toBe(1);
  });

  test('pauses only the domain whose policy rejects the sender', async () => {
    const { smtp, open } = await openFixture({
      recipient: (address) =>
        address.endsWith('@acme.com')
          ? '550 5.7.1 TRANSPORT.RULES.RejectMessage; the message was rejected by organization policy'
          : acceptsJane(address),
    });
    const host = 'acme-com.mail.protection.outlook.com';
    const askAll = (texts: readonly string[]) => {
      const cache = open();
      return Promise.all(texts.map((text) => cache.find(addressOf(text), domainOf(text, host), never())));
    };
    const found = await askAll(['a@acme.com', 'b@acme.com', 'jane@other.com']);
    expect(found.map(reported)).toEqual(['sender_blocked', 'domain_paused', 'mailbox_accepts']);
    const asked = smtp.recipients.length;
    // Another process at a later time.
    const later = await vi.waitUntil(async () => {
      const again = await askAll(['c@acme.com', 'jane2@other.com']);
      return reported(again[1] as MailboxEvidence) === 'mailbox_accepts' && again;
    });
    expect(later.map(reported)).toEqual(['domain_paused', 'mailbox_accepts']);
    expect(later[0]?.retryAt?.getTime()).toBeGreaterThan(Date.now() + 5.9 * 3_600_000);
    expect(smtp.recipients).toHaveLength(asked + 1);
  });

  test('keeps the name of a deferred control until it is settled, in all processes', async () => {
    const seen = new Set<string>();
    // Defers every recipient at its first attempt.
    const { smtp, open } = await openFixture(
      {
        recipient: (address) => {
          if (!seen.has(address)) {
            seen.add(address);
            return '450 4.2.0 Greylisted';
          }
          return acceptsJane(address);
        },
      },
      { retryAfterMs: [1, 1, 1] },
    );
    const ask = async (text: string) => {
      // The previous process may still hold its session.
      return vi.waitUntil(async () => {
        const found = await open().find(addressOf(text), domainOf(text), never());
        return found.kind === 'probed' && [found.finding, found.catchAll, found.retryAt === null];
      });
    };
    expect(await ask('jane@acme.com')).toEqual(['greylisted', 'not_run', false]);
    expect(await ask('jane@acme.com')).toEqual(['mailbox_accepts', 'inconclusive', false]);
    expect(await ask('jane@acme.com')).toEqual(['mailbox_accepts', 'refused', true]);
    const controls = smtp.recipients
      .map(({ address }) => address)
      .filter((address) => !address.startsWith('jane'));
    expect(controls).toHaveLength(2);
    expect(new Set(controls).size).toBe(1);
    // The control result applies to the whole domain.
    await ask('jane2@acme.com');
    expect(await ask('jane2@acme.com')).toEqual(['mailbox_accepts', 'refused', true]);
    expect(smtp.recipients.filter(({ address }) => !address.startsWith('jane'))).toHaveLength(2);
  });

  test('does not probe a host that accepts every recipient', async () => {
    const { smtp, cache } = await openFixture({});
    const domain = domainOf('jane@yahoo.com', 'mta5.am0.yahoodns.net');
    expect(reported(await cache.find(addressOf('jane@yahoo.com'), domain, never()))).toBe(
      'provider_not_probed',
    );
    expect(smtp.sessions()).toBe(0);
  });

  test('fails if the evidence cannot be stored', async () => {
    const { cache } = await openFixture(
      { recipient: acceptsJane },
      {
        store: {
          ...createMemoryMailboxes(),
          writeMailboxes: () => Promise.reject(new Error('the disk is full')),
        },
      },
    );
    await expect(cache.find(addressOf('jane@acme.com'), domainOf('jane@acme.com'), never())).rejects.toThrow(
      'the disk is full',
    );
  });
});
