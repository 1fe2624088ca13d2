import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { createMailboxStore } from '../../../db/stores/emails/mailboxes.ts';
import { createPostgresProbeGate } from '../../../db/stores/emails/probe-gate.ts';
import { createMailboxProbe } from '../../../src/adapters/mail/mailbox-probe.ts';
import { parseAddress, type EmailAddress } from '../../../src/core/emails/syntax/address.ts';
import {
  createMailboxAsker,
  type MailboxAskerOptions,
} from '../../../src/core/emails/probing/ask-mailboxes.ts';
import type { MailDomain } from '../../../src/core/emails/domains/mail-domain.ts';
import type { MailboxEvidence } from '../../../src/core/emails/probing/mailbox.ts';
import { openTestDatabase } from '../../support/db/database.ts';
import { shippedLists } from '../../support/dns-smtp/shipped-lists.ts';
import { openPoliteServer, type PoliteOptions } from '../../support/dns-smtp/polite-server.ts';

const wide = { groupPerMinute: 100_000, domainPerDay: 100_000, egressPerMinute: 100_000 };

/** A mail server, and what asks it: the real probe, under the real gate, over the real store. */
async function openTestCli(
  server: PoliteOptions,
  {
    budgets = wide,
    retryAfterMs,
    ...changed
  }: Partial<MailboxAskerOptions> & {
    readonly budgets?: typeof wide;
    readonly retryAfterMs?: readonly number[];
  } = {},
) {
  const [database, smtp] = await Promise.all([openTestDatabase(), openPoliteServer(server)]);
  onTestFinished(smtp.close);
  const { sql } = database.app;
  const open = () =>
    createMailboxAsker({
      openProbe: (gate) =>
        createMailboxProbe(
          {
            helloName: 'probe.night-desk.net',
            mailFrom: 'probe@night-desk.net',
            isAllowedAddress: () => true,
            port: smtp.port,
            leaveWaitMsMax: 100,
            ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
          },
          gate,
        ),
      gate: createPostgresProbeGate(sql, {
        egress: 'probe.night-desk.net',
        budgets,
        leaseMs: 60_000,
        onError: (error) => {
          throw error;
        },
      }),
      store: createMailboxStore(sql),
      lists: shippedLists,
      unavailableReason: async () => null,
      nowMs: Date.now,
      signal: new AbortController().signal,
      ...changed,
    });
  return { database, smtp, open, asker: open() };
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
const knowsJane = (address: string) => (address.startsWith('jane') ? null : '550 5.1.1 User unknown');

function reported(evidence: MailboxEvidence): string {
  return evidence.kind === 'probed' ? evidence.finding : evidence.reason;
}

describe('asking about mailboxes', () => {
  test('asks once for however many, and another process finds the answer', async () => {
    const { smtp, asker, open } = await openTestCli({ recipient: knowsJane });
    const ask = (by: typeof asker) => by.ask(addressOf('jane@acme.com'), domainOf('jane@acme.com'), never());
    const answers = await Promise.all([ask(asker), ask(asker), ask(asker)]);
    expect(answers.map(reported)).toEqual(['mailbox_accepts', 'mailbox_accepts', 'mailbox_accepts']);
    expect(await ask(open())).toEqual(answers[0]);
    expect(smtp.recipients).toHaveLength(2);
  });

  test('forgets what it knew when the domain has moved', async () => {
    const { smtp, asker } = await openTestCli({ recipient: knowsJane });
    const ask = (host: string) =>
      asker.ask(addressOf('jane@acme.com'), domainOf('jane@acme.com', host), never());
    await ask('mx.acme.com');
    await ask('mx.other.com');
    expect(smtp.recipients.filter(({ address }) => address === 'jane@acme.com')).toHaveLength(2);
  });

  test('addresses that come together share a session; those that come meanwhile, the next', async () => {
    const { smtp, asker } = await openTestCli({ recipient: knowsJane });
    const ask = (text: string) => asker.ask(addressOf(text), domainOf(text), never());
    const first = ['jane1@acme.com', 'jane2@acme.com', 'jane1@acme.org'].map(ask);
    await vi.waitUntil(() => smtp.sessions() > 0, { timeout: 30_000 });
    const later = ['jane3@acme.com', 'jane4@acme.com'].map(ask);
    await Promise.all([...first, ...later]);
    expect(smtp.sessions()).toBe(2);
  });

  test('who no longer waits is not asked about', async () => {
    const { smtp, asker } = await openTestCli({ recipient: knowsJane, delayMs: 100 });
    const paused = new AbortController();
    const ask = (i: number, signal: AbortSignal) =>
      asker.ask(addressOf(`jane${i}@acme.com`), domainOf(`jane${i}@acme.com`), signal);
    const leaving = Array.from({ length: 10 }, (_, i) => ask(i, paused.signal));
    const staying = ask(99, never());
    await vi.waitUntil(() => smtp.recipients.length > 0, { timeout: 30_000 });
    paused.abort(new Error('The batch is paused.'));
    expect((await Promise.allSettled(leaving)).map(({ status }) => status)).toContain('rejected');
    const asked = smtp.recipients.length;
    expect(reported(await staying)).toBe('mailbox_accepts');
    // The one under way, its control, and who stayed.
    expect(smtp.recipients.length).toBeLessThanOrEqual(asked + 2);
  });

  test('a budget that is used up for now says when to come back; that of the day does not', async () => {
    const { asker } = await openTestCli(
      { recipient: knowsJane },
      { budgets: { ...wide, groupPerMinute: 2 } },
    );
    const ask = (text: string) => asker.ask(addressOf(text), domainOf(text), never());
    expect(reported(await ask('jane@acme.com'))).toBe('mailbox_accepts');
    const wait = await ask('joe@acme.com');
    expect(wait).toMatchObject({ kind: 'not_probed', reason: 'probe_budget_exhausted' });
    const retryAt = wait.kind === 'not_probed' ? (wait.retryAt?.getTime() ?? 0) : 0;
    expect(retryAt).toBeGreaterThan(Date.now() + 50_000);
    expect(retryAt).toBeLessThan(Date.now() + 62_000);
    const daily = await openTestCli({ recipient: knowsJane }, { budgets: { ...wide, domainPerDay: 2 } });
    await daily.asker.ask(addressOf('jane@acme.com'), domainOf('jane@acme.com'), never());
    expect(await daily.asker.ask(addressOf('joe@acme.com'), domainOf('joe@acme.com'), never())).toEqual({
      kind: 'not_probed',
      reason: 'probe_budget_exhausted',
      retryAt: null,
    });
  });

  test('a server that refuses us is left alone, and whoever was not asked about is told when somebody may be', async () => {
    const { smtp, asker } = await openTestCli({
      sender: () => '554 5.7.1 Service unavailable; Client host [127.0.0.1] blocked using zen.spamhaus.org',
    });
    const ask = (text: string) => asker.ask(addressOf(text), domainOf(text), never());
    expect((await Promise.all(['a@acme.com', 'b@acme.com'].map(ask))).map(reported)).toEqual([
      'sender_blocked',
      'provider_paused',
    ]);
    const unasked = await ask('c@acme.com');
    expect(unasked).toMatchObject({ kind: 'not_probed', reason: 'provider_paused' });
    expect(unasked.retryAt?.getTime()).toBeGreaterThan(Date.now() + 5.9 * 3_600_000);
    expect(smtp.sessions()).toBe(1);
  });

  test('a rule of one domain leaves the others of its provider as they are', async () => {
    const { smtp, open } = await openTestCli({
      recipient: (address) =>
        address.endsWith('@acme.com')
          ? '550 5.7.1 TRANSPORT.RULES.RejectMessage; the message was rejected by organization policy'
          : knowsJane(address),
    });
    const host = 'acme-com.mail.protection.outlook.com';
    const askAll = (texts: readonly string[]) => {
      const asker = open();
      return Promise.all(texts.map((text) => asker.ask(addressOf(text), domainOf(text, host), never())));
    };
    const found = await askAll(['a@acme.com', 'b@acme.com', 'jane@other.com']);
    expect(found.map(reported)).toEqual(['sender_blocked', 'domain_paused', 'mailbox_accepts']);
    const asked = smtp.recipients.length;
    // Another process, a while later.
    const later = await vi.waitUntil(async () => {
      const again = await askAll(['c@acme.com', 'jane2@other.com']);
      return reported(again[1] as MailboxEvidence) === 'mailbox_accepts' && again;
    });
    expect(later.map(reported)).toEqual(['domain_paused', 'mailbox_accepts']);
    expect(later[0]?.retryAt?.getTime()).toBeGreaterThan(Date.now() + 5.9 * 3_600_000);
    expect(smtp.recipients).toHaveLength(asked + 1);
  });

  test('a control that is put off keeps its name until it is settled, in whatever process', async () => {
    const seen = new Set<string>();
    // Whoever comes for the first time is put off, known or not.
    const { smtp, open } = await openTestCli(
      {
        recipient: (address) => {
          if (!seen.has(address)) {
            seen.add(address);
            return '450 4.2.0 Greylisted';
          }
          return knowsJane(address);
        },
      },
      { retryAfterMs: [1, 1, 1] },
    );
    const ask = async (text: string) => {
      // The session of the process before may not be given up yet.
      return vi.waitUntil(async () => {
        const found = await open().ask(addressOf(text), domainOf(text), never());
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
    // Settled for the domain: nobody of it needs another.
    await ask('jane2@acme.com');
    expect(await ask('jane2@acme.com')).toEqual(['mailbox_accepts', 'refused', true]);
    expect(smtp.recipients.filter(({ address }) => !address.startsWith('jane'))).toHaveLength(2);
  });

  test('a host that never tells is not asked', async () => {
    const { smtp, asker } = await openTestCli({});
    const domain = domainOf('jane@yahoo.com', 'mta5.am0.yahoodns.net');
    expect(reported(await asker.ask(addressOf('jane@yahoo.com'), domain, never()))).toBe(
      'provider_not_probed',
    );
    expect(smtp.sessions()).toBe(0);
  });

  test('an answer that could not be kept is an error, and not an answer', async () => {
    const { asker } = await openTestCli(
      { recipient: knowsJane },
      {
        store: {
          readMailboxes: async () => new Map(),
          readDomains: async () => new Map(),
          writeMailboxes: () => Promise.reject(new Error('the disk is full')),
          writeCatchAll: async () => undefined,
          writeControl: async () => undefined,
        },
      },
    );
    await expect(asker.ask(addressOf('jane@acme.com'), domainOf('jane@acme.com'), never())).rejects.toThrow(
      'the disk is full',
    );
  });
});
