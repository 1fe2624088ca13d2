import { afterEach, describe, expect, test } from 'vitest';
import type { ProbeSessionOptions } from '../../../src/adapters/mail/smtp/session-options.ts';
import type { CatchAll } from '../../../src/core/emails/replies/smtp-reply.ts';
import {
  batchOf,
  createLimiter,
  findingOf,
  longWaits,
  pausedUntil,
  probe,
  probedOf,
  type MailboxBatch,
  type Probed,
} from '../../support/dns-smtp/probe.ts';
import {
  openPoliteServer,
  type PoliteOptions,
  type PoliteServer,
} from '../../support/dns-smtp/polite-server.ts';
import { openScriptedServer, type ScriptedServer } from '../../support/dns-smtp/scripted-server.ts';

const closers: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

const unknown = '550 5.1.1 User unknown';
/** Accepts these local parts and rejects all others. */
const acceptsOnly =
  (...locals: readonly string[]) =>
  (address: string) =>
    locals.includes(address.slice(0, address.lastIndexOf('@'))) ? null : unknown;
/** Accepts every address but the control, which is twenty letters and digits. */
const acceptsAllButControls = (address: string) => (isControl(address) ? unknown : null);

describe('a session', () => {
  test('checks many mailboxes of many domains, and ends with QUIT', async () => {
    const server = await serve({ recipient: acceptsAllButControls });
    const addresses = namesAt(['a.net', 'b.net'], 5);
    const probed = await ask(server, batchOf(addresses));
    expect(findingsOf(probed)).toEqual(addresses.map((address) => [address, 'mailbox_accepts']));
    expect(server.sessions()).toBe(1);
    expect(server.commands.filter((line) => line.startsWith('MAIL'))).toEqual(['MAIL FROM:<us@example.org>']);
    expect(server.commands.at(-1)).toBe('QUIT');
  });

  test('with pipelining takes at most 1.3 round trips a mailbox', async () => {
    const server = await serveAtOnce();
    const domains = Array.from({ length: 50 }, (_, i) => `domain-${i}.net`);
    const addresses = namesAt(domains, 100);
    const startMs = performance.now();
    const { evidence } = await ask(server, batchOf(addresses));
    const tookMs = performance.now() - startMs;
    expect([...evidence.values()].filter((found) => findingOf(found) === 'mailbox_accepts')).toHaveLength(
      5_000,
    );
    const figure = server.roundTrips() / addresses.length;
    console.info(`${figure.toFixed(3)} round trips an address, ${Math.round(tookMs)} ms for 5,000`);
    expect(figure).toBeLessThanOrEqual(1.3);
    expect(server.lines.filter((line) => line.startsWith('RCPT'))).toHaveLength(5_050);
  });

  test('sends at most 25 recipients, controls included', async () => {
    const server = await serve({ recipient: acceptsAllButControls });
    await ask(server, batchOf(namesAt(['a.net'], 60)));
    expect(perSession(server)).toEqual([25, 25, 11]);
  });

  test('ends after eight rejections', async () => {
    const server = await serve({ recipient: () => unknown });
    const { evidence } = await ask(server, batchOf(namesAt(['a.net'], 20), { catchAll: 'refused' }));
    expect(perSession(server)).toEqual([8, 8, 4]);
    expect(new Set([...evidence.values()].map(findingOf))).toEqual(new Set(['mailbox_not_found']));
  });

  test('keeps room for the control in the session of the mailbox that needs it', async () => {
    const server = await serve({ recipient: (address) => (address.startsWith('bare') ? '550 No' : unknown) });
    await ask(server, batchOf([...namesAt(['a.net'], 7), 'bare@a.net', 'last@a.net']));
    const control = server.recipients.find(({ address }) => isControl(address));
    const bare = server.recipients.find(({ address }) => address === 'bare@a.net');
    expect(control?.session).toBe(bare?.session);
    expect(Math.max(...perSession(server))).toBeLessThanOrEqual(8);
  });

  test('works without PIPELINING and SMTPUTF8', async () => {
    const server = await serve({ recipient: acceptsOnly('anna'), pipelining: false, smtpUtf8: false });
    const probed = await ask(server, batchOf(['anna@a.net', 'otto@a.net', 'ärger@a.net']));
    expect(findingsOf(probed)).toEqual([
      ['anna@a.net', 'mailbox_accepts'],
      ['otto@a.net', 'mailbox_not_found'],
      ['ärger@a.net', 'smtputf8_unsupported'],
    ]);
    expect(server.recipients.map(({ address }) => address)).not.toContain('ärger@a.net');
  });

  test('sends an address beyond ASCII in a transaction with SMTPUTF8', async () => {
    const server = await serve({ recipient: acceptsOnly('anna', 'ärger') });
    const probed = await ask(server, batchOf(['anna@a.net', 'ärger@a.net'], { catchAll: 'refused' }));
    expect(findingsOf(probed).map(([, finding]) => finding)).toEqual(['mailbox_accepts', 'mailbox_accepts']);
    expect(server.commands.filter((line) => /^(?:MAIL|RSET)/.test(line))).toEqual([
      'MAIL FROM:<us@example.org>',
      'RSET',
      'MAIL FROM:<us@example.org> SMTPUTF8',
    ]);
  });

  test('works after STARTTLS as in plain text', async () => {
    const server = await serve({ recipient: acceptsOnly('anna'), startTls: true });
    const probed = await ask(server, batchOf(['anna@a.net', 'otto@a.net']), { commandTimeoutMs: 1_000 });
    expect(findingsOf(probed).map(([, finding]) => finding)).toEqual([
      'mailbox_accepts',
      'mailbox_not_found',
    ]);
    expect(server.commands).toEqual([]);
  });

  test('sends the null sender if that is configured', async () => {
    const server = await serve({ recipient: acceptsAllButControls });
    await ask(server, batchOf(['anna@a.net'], { catchAll: 'refused' }), { mailFrom: '' });
    expect(server.commands).toContain('MAIL FROM:<>');
  });
});

describe('a host of Microsoft', () => {
  const host = 'a-net.mail.protection.outlook.com';

  test('gets one transaction for each recipient', async () => {
    const server = await serve({ recipient: acceptsAllButControls });
    await ask(server, batchOf(namesAt(['a.net'], 3), { host }));
    expect(server.commands.map((line) => line.slice(0, 4))).toEqual([
      'EHLO',
      ...['MAIL', 'RCPT'],
      ...['RSET', 'MAIL', 'RCPT'],
      ...['RSET', 'MAIL', 'RCPT'],
      ...['RSET', 'MAIL', 'RCPT'],
      'QUIT',
    ]);
    // A transaction is sent in one write.
    expect(server.roundTrips()).toBe(1 + 1 + 4 + 1);
  });

  test.each(['mx1.hotmail.com', 'x.olc.protection.outlook.com', 'a-net.b-v1.mx.microsoft', 'x.office365.us'])(
    'is %s',
    async (name) => {
      const server = await serve({ recipient: acceptsAllButControls });
      await ask(server, batchOf(namesAt(['a.net'], 2), { host: name, catchAll: 'refused' }));
      expect(server.commands.filter((line) => line === 'RSET')).toHaveLength(1);
    },
  );

  test.each(['outlook.com.example.net', 'myoutlook.com', 'mx.example.net'])('is not %s', async (name) => {
    const server = await serve({ recipient: acceptsAllButControls });
    await ask(server, batchOf(namesAt(['a.net'], 2), { host: name, catchAll: 'refused' }));
    expect(server.commands).not.toContain('RSET');
  });
});

describe('too many recipients', () => {
  test('in one transaction start another in the same session', async () => {
    const server = await serve({ recipient: acceptsAllButControls, recipientsMax: 2 });
    const addresses = namesAt(['a.net'], 5);
    const probed = await ask(server, batchOf(addresses, { catchAll: 'refused' }));
    expect(findingsOf(probed)).toEqual(addresses.map((address) => [address, 'mailbox_accepts']));
    expect(server.sessions()).toBe(1);
  });

  test('for the first recipient is an error of the server, and stops after three sessions', async () => {
    const server = await serve({ recipient: () => '452 4.5.3 Too many recipients' });
    const { evidence } = await ask(server, batchOf(namesAt(['a.net'], 10)));
    expect(new Set([...evidence.values()].map(findingOf))).toEqual(new Set(['server_temporary_error']));
    expect(evidence.size).toBe(10);
    expect(server.sessions()).toBe(3);
  });
});

describe('the control', () => {
  test('is checked once a domain, after the first accepted mailbox', async () => {
    const server = await serve({ recipient: acceptsOnly('c', 'd') });
    await ask(server, batchOf(['a@a.net', 'b@a.net', 'c@a.net', 'd@a.net', 'e@a.net', 'a@b.net', 'c@b.net']));
    expect(server.recipients.map(({ address }) => address.replace(/^[a-z0-9]{20}@/, '*@'))).toEqual([
      'a@a.net',
      'b@a.net',
      'c@a.net',
      '*@a.net',
      'd@a.net',
      'e@a.net',
      'a@b.net',
      'c@b.net',
      '*@b.net',
    ]);
  });

  test('has twenty random letters and digits, other ones each time', async () => {
    const server = await serve({});
    await ask(server, batchOf(['a@a.net', 'a@b.net', 'a@c.net']));
    const controls = server.recipients.map(({ address }) => address).filter(isControl);
    expect(new Set(controls.map((address) => address.slice(0, 20))).size).toBe(3);
  });

  test.each([
    ['accepted', null],
    ['refused', unknown],
    ['refused', '550 No such user'],
    ['inconclusive', '550 No'],
    ['inconclusive', '550 System error'],
    ['inconclusive', '550 5.1.1 Temporarily deferred'],
    ['inconclusive', '450 4.2.0 Greylisted'],
    ['inconclusive', '550 5.7.1 <x>: Recipient address rejected: Access denied'],
  ] as const)('that is %s by %s is in the evidence of the whole domain', async (catchAll, reply) => {
    const server = await serve({ recipient: (address) => (isControl(address) ? reply : null) });
    const probed = await ask(server, batchOf(['a@a.net', 'b@a.net']));
    expect(['a@a.net', 'b@a.net'].map((address) => probedOf(probed, address).catchAll)).toEqual([
      catchAll,
      catchAll,
    ]);
    expect(server.recipients).toHaveLength(3);
  });

  test.each(['accepted', 'refused', 'inconclusive'] as const)(
    'is not checked again once it is known: %s',
    async (catchAll) => {
      const server = await serve({});
      const probed = await ask(server, batchOf(['a@a.net'], { catchAll }));
      expect(server.recipients).toHaveLength(1);
      expect(probedOf(probed, 'a@a.net').catchAll).toBe(catchAll);
    },
  );

  test('is not checked if no mailbox is accepted', async () => {
    const server = await serve({ recipient: () => unknown });
    const probed = await ask(server, batchOf(['a@a.net', 'b@a.net']));
    expect(server.recipients).toHaveLength(2);
    expect(probedOf(probed, 'a@a.net').catchAll).toBe('not_run');
  });

  test('decides on a rejection without a reason', async () => {
    const bare = (control: string | null) => (address: string) => (isControl(address) ? control : '550 No');
    const of = async (control: string | null) =>
      findingsOf(await ask(await serve({ recipient: bare(control) }), batchOf(['a@a.net', 'b@a.net']))).map(
        ([, finding]) => finding,
      );
    expect(await of(null)).toEqual(['mailbox_not_found', 'mailbox_not_found']);
    expect(await of('550 No')).toEqual(['unrecognised_reply', 'unrecognised_reply']);
    expect(await of('451 Later')).toEqual(['unrecognised_reply', 'unrecognised_reply']);
  });
});

describe('a deferred control', () => {
  const later = '450 4.2.0 Greylisted, try again in 300 seconds';

  test('leaves accepted mailboxes open, and is not checked again in the same batch', async () => {
    const server = await serve({ recipient: (address) => (isControl(address) ? later : null) });
    const addresses = namesAt(['a.net'], 30);
    const probed = await ask(server, batchOf(addresses));
    const found = addresses.map((address) => probedOf(probed, address));
    expect(found.every(({ retryAt, catchAll }) => retryAt !== null && catchAll === 'inconclusive')).toBe(
      true,
    );
    expect(server.recipients.filter(({ address }) => isControl(address))).toHaveLength(1);
  });

  test('leaves mailboxes rejected without a reason open', async () => {
    const server = await serve({ recipient: (address) => (isControl(address) ? later : '550 Rejected') });
    for (const catchAll of ['not_run', 'accepted'] as const) {
      const { finding, retryAt } = probedOf(await ask(server, batchOf(['a@a.net'], { catchAll })), 'a@a.net');
      expect([finding, retryAt === null]).toEqual(['unrecognised_reply', false]);
    }
  });

  test.each<readonly [reply: string | null, catchAll: CatchAll]>([
    [unknown, 'refused'],
    [null, 'accepted'],
    ['550 Rejected', 'inconclusive'],
  ])('is checked again under the same name, and settled by %s', async (reply, catchAll) => {
    const server = await serve({ recipient: (address) => (address === 'kept@a.net' ? reply : null) });
    const batch = batchOf(['a@a.net', 'b@a.net'], { catchAll: 'inconclusive', control: 'kept' });
    const probed = await ask(server, batch);
    expect(['a@a.net', 'b@a.net'].map((address) => probedOf(probed, address))).toMatchObject([
      { catchAll, retryAt: null },
      { catchAll, retryAt: null },
    ]);
    expect(server.recipients.map(({ address }) => address)).toEqual(['a@a.net', 'kept@a.net', 'b@a.net']);
  });
});

describe('a rejection without a reason', () => {
  const bare = (control: string | null) => (address: string) =>
    isControl(address) ? control : '550 Rejected';
  const findings = async (server: PoliteServer, catchAll: CatchAll, addresses: readonly string[]) =>
    findingsOf(await ask(server, batchOf(addresses, { catchAll }))).map(([, finding]) => finding);

  test.each<CatchAll>(['accepted', 'refused', 'inconclusive'])(
    'needs a control of the same session, even with a stored control: %s',
    async (remembered) => {
      const isRejecting = await serve({ recipient: bare('550 Rejected') });
      expect(await findings(isRejecting, remembered, ['a@a.net', 'b@a.net'])).toEqual([
        'unrecognised_reply',
        'unrecognised_reply',
      ]);
      expect(isRejecting.recipients.filter(({ address }) => isControl(address))).toHaveLength(1);
      const accepts = await serve({ recipient: bare(null) });
      expect(await findings(accepts, remembered, ['a@a.net'])).toEqual(['mailbox_not_found']);
    },
  );

  test('without room for its control is checked again in the next session', async () => {
    const server = await serve({
      recipient: (address) => {
        if (isControl(address)) return null;
        return address.startsWith('last') ? '550 Rejected' : unknown;
      },
    });
    const batch = batchOf([...namesAt(['a.net'], 7), 'last@a.net'], { catchAll: 'accepted' });
    expect(probedOf(await ask(server, batch), 'last@a.net').finding).toBe('mailbox_not_found');
    expect(perSession(server)).toEqual([8, 2]);
  });

  test.each([
    (address: string) => `550 <${address}>: Recipient address rejected: We are moving house`,
    (address: string) => `550 5.1.0 <${address}>: Recipient address rejected: Please use our contact form`,
    (address: string) => `550 ${address}: Recipient rejected`,
    () => '550 System error',
    () => '550 temporarily deferred',
  ])('that every address gets, each with its own name, makes no mailbox invalid: %#', async (reply) => {
    for (const catchAll of ['not_run', 'accepted', 'refused'] as const) {
      const probed = await ask(
        await serve({ recipient: reply }),
        batchOf(['a@a.net', 'b@a.net'], { catchAll }),
      );
      const found = findingsOf(probed).map(([, finding]) => finding);
      expect(found.every((finding) => /unrecognised_reply|server_temporary_error/.test(finding))).toBe(true);
    }
  });
});

describe('one recipient for each transaction', () => {
  test.each([
    '550 Only one recipient per message',
    '451 4.5.3 One recipient at a time',
    '452 4.5.3 Too many recipients',
  ])('follows the reply %s, controls included', async (reply) => {
    let held = 0;
    const server = await serve({
      sender: () => {
        held = 0;
        return null;
      },
      recipient: (address) => {
        held += 1;
        if (held > 1) return reply;
        return isControl(address) ? unknown : null;
      },
    });
    const addresses = namesAt(['a.net'], 4);
    const probed = await ask(server, batchOf(addresses));
    expect(addresses.map((address) => probedOf(probed, address))).toMatchObject(
      addresses.map(() => ({ finding: 'mailbox_accepts', catchAll: 'refused' })),
    );
    // One reply settles the whole session.
    expect(server.recipients).toHaveLength(4 + 1 + 1);
  });
});

describe('a rejection of the sender', () => {
  test('that names the host ends the session, skips the other mailboxes and pauses the provider', async () => {
    const server = await serve({
      recipient: (_address, nth) => (nth === 3 ? '554 5.7.1 [127.0.0.1] blocked, see spamhaus.org' : null),
    });
    const limiter = createLimiter();
    const batch = batchOf(namesAt(['a.net', 'b.net'], 4), { catchAll: 'refused' });
    const probed = await ask(server, batch, {}, limiter);
    expect(findingsOf(probed).map(([, finding]) => finding)).toEqual([
      'mailbox_accepts',
      'mailbox_accepts',
      'sender_blocked',
      ...Array.from({ length: 5 }, () => 'provider_paused'),
    ]);
    expect(server.recipients).toHaveLength(3);
    expect(server.sessions()).toBe(1);
    expect(limiter.rejections).toEqual(['example: sender_blocked']);
    const asked = probedOf(probed, 'c@a.net');
    expect(asked).toMatchObject({ attempts: 1, retryAt: null });
    const unasked = { kind: 'not_probed', reason: 'provider_paused', retryAt: pausedUntil };
    expect(probed.evidence.get('d@a.net')).toEqual(unasked);
    expect(asked.reply?.lines).toEqual(['[[us]] blocked, see spamhaus.org']);
  });

  test.each([
    ['in the greeting', { greeting: () => '554 5.7.1 Your IP is blacklisted' }, 'sender_blocked'],
    ['in the greeting, for a rate', { greeting: () => '421 Too many connections' }, 'sender_rate_limited'],
    ['at MAIL', { sender: () => '550 5.7.1 Sender rejected' }, 'sender_blocked'],
  ] satisfies readonly (readonly [string, PoliteOptions, string])[])(
    '%s stops before any recipient, and tries no other host',
    async (_when, options, finding) => {
      const server = await serve({ ...options, host: '127.0.0.1' });
      const other = await serve({ host: '127.0.0.2', port: server.port });
      const limiter = createLimiter();
      const batch = batchOf(['a@a.net', 'b@a.net'], { ips: ['127.0.0.1', '127.0.0.2'] });
      const { evidence } = await ask(server, batch, {}, limiter);
      expect([...evidence.values()].map(findingOf)).toEqual([finding, 'provider_paused']);
      expect(evidence.get('a@a.net')).toMatchObject({ attempts: 0, retryAt: null });
      expect(server.recipients).toEqual([]);
      expect(other.sessions()).toBe(0);
      expect(limiter.rejections).toEqual([`example: ${finding}`]);
    },
  );

  test('in reply to the control keeps the mailbox accepted, with the catch-all inconclusive', async () => {
    const server = await serve({
      recipient: (address) => (isControl(address) ? '550 5.7.1 Too many invalid recipients' : null),
    });
    const limiter = createLimiter();
    const probed = await ask(server, batchOf(['a@a.net', 'b@a.net']), {}, limiter);
    expect(probedOf(probed, 'a@a.net')).toMatchObject({
      finding: 'mailbox_accepts',
      catchAll: 'inconclusive',
    });
    expect(findingOf(probed.evidence.get('b@a.net'))).toBe('provider_paused');
    expect(limiter.rejections).toEqual(['example: sender_rate_limited']);
  });
});

describe('a policy of one domain', () => {
  test.each([
    '550 5.7.1 TRANSPORT.RULES.RejectMessage; the message was rejected by organization policy',
    '550 5.7.0 Local Policy Violation',
    '550 Administrative prohibition - envelope blocked - https://community.mimecast.com/docs/DOC-1369#550 [x.uk207]',
    '554 5.7.1 Blocked by local policy',
    '550 5.7.1 Access denied',
  ])('pauses that domain only: %s', async (rule) => {
    const server = await serve({ recipient: (address) => (address.endsWith('@a.net') ? rule : null) });
    const limiter = createLimiter();
    const batch = batchOf([...namesAt(['a.net'], 3), 'a@b.net', 'b@b.net'], { catchAll: 'refused' });
    const probed = await ask(server, batch, {}, limiter);
    expect(Object.fromEntries(findingsOf(probed))).toEqual({
      'a@a.net': 'sender_blocked',
      'b@a.net': 'domain_paused',
      'c@a.net': 'domain_paused',
      'a@b.net': 'mailbox_accepts',
      'b@b.net': 'mailbox_accepts',
    });
    expect(probed.evidence.get('b@a.net')).toEqual({
      kind: 'not_probed',
      reason: 'domain_paused',
      retryAt: pausedUntil,
    });
    expect(server.recipients.map(({ address }) => address)).toEqual(['a@a.net', 'a@b.net', 'b@b.net']);
    expect(server.sessions()).toBe(1);
    expect(limiter.rejections).toEqual(['a.net of example: sender_blocked']);
  });

  test('in reply to the control pauses that domain as well', async () => {
    const server = await serve({
      recipient: (address) =>
        isControl(address) && address.endsWith('@a.net') ? '550 5.7.1 Access denied' : null,
    });
    const limiter = createLimiter();
    const probed = await ask(server, batchOf(['a@a.net', 'b@a.net', 'a@b.net']), {}, limiter);
    expect(findingsOf(probed).map(([, finding]) => finding)).toEqual([
      'mailbox_accepts',
      'domain_paused',
      'mailbox_accepts',
    ]);
    expect(limiter.rejections).toEqual(['a.net of example: sender_blocked']);
  });
});

describe('a greylisted mailbox', () => {
  test.each([
    [0, 6],
    [1, 20],
    [2, 60],
  ])('is retried, after %i earlier attempts, in %i minutes', async (attempts, minutes) => {
    const server = await serve({ recipient: () => '450 4.2.0 Greylisted, try again in 300 seconds' });
    const nowMs = Date.parse('2026-01-01T00:00:00Z');
    const batch = batchOf(['a@a.net'], { attempts });
    const probed = await ask(server, batch, { now: () => nowMs });
    expect(probedOf(probed, 'a@a.net')).toMatchObject({
      finding: 'greylisted',
      attempts: attempts + 1,
      checkedAt: new Date(nowMs),
      retryAt: new Date(nowMs + minutes * 60_000),
    });
  });

  test('is not retried after the fourth attempt', async () => {
    const server = await serve({ recipient: () => '450 4.2.0 Greylisted' });
    const probed = await ask(server, batchOf(['a@a.net'], { attempts: 3 }));
    expect(probedOf(probed, 'a@a.net').retryAt).toBeNull();
  });

  test('is recognised at the first contact without any word for it', async () => {
    const server = await serve({ recipient: () => '450 No' });
    const first = await ask(server, batchOf(['a@a.net']));
    const again = await ask(server, batchOf(['a@a.net'], { attempts: 1 }));
    expect(probedOf(first, 'a@a.net').finding).toBe('greylisted');
    expect(probedOf(again, 'a@a.net').finding).toBe('server_temporary_error');
  });

  test('does not stop other mailboxes', async () => {
    const server = await serve({
      recipient: (address) => (address.startsWith('a@') ? '450 4.2.0 Greylisted' : null),
    });
    const probed = await ask(server, batchOf(['a@a.net', 'b@a.net'], { catchAll: 'refused' }));
    expect(findingsOf(probed).map(([, finding]) => finding)).toEqual(['greylisted', 'mailbox_accepts']);
  });
});

describe('hosts', () => {
  test('are tried in order, each by all its addresses, until one sends a greeting', async () => {
    const server = await serve({ recipient: acceptsAllButControls, host: '127.0.0.4' });
    const hosts = [
      { name: 'mx1.example.net', preference: 10, addresses: ['127.0.0.2', '127.0.0.3'] },
      { name: 'mx2.example.net', preference: 20, addresses: ['127.0.0.4'] },
      { name: 'mx3.example.net', preference: 30, addresses: ['127.0.0.1'] },
    ];
    const probed = await ask(server, batchOf(namesAt(['a.net'], 30), { hosts }));
    expect(new Set([...probed.evidence.values()].map(findingOf))).toEqual(new Set(['mailbox_accepts']));
    expect(probedOf(probed, 'a@a.net').host).toBe('mx2.example.net');
    expect(server.sessions()).toBe(2);
  });

  test('are tried by IPv6', async () => {
    const server = await serve({ recipient: acceptsAllButControls, host: '::1' });
    const probed = await ask(server, batchOf(['a@a.net'], { ips: ['127.0.0.2', '0:0:0:0:0:0:0:1'] }));
    expect(probedOf(probed, 'a@a.net').finding).toBe('mailbox_accepts');
  });

  test('that all fail give the error of the first one, with a retry', async () => {
    const server = await serve({});
    await server.close();
    const probed = await ask(server, batchOf(['a@a.net', 'b@a.net'], { ips: ['127.0.0.1', '127.0.0.2'] }));
    for (const address of ['a@a.net', 'b@a.net']) {
      const { finding, attempts, host, reply, retryAt, checkedAt } = probedOf(probed, address);
      expect({ finding, attempts, host, reply }).toEqual({
        finding: 'connection_refused',
        attempts: 1,
        host: 'mx.example.net',
        reply: null,
      });
      expect(retryAt?.getTime()).toBe(checkedAt.getTime() + 6 * 60_000);
    }
  });

  test('without an address cannot be reached', async () => {
    const server = await serve({});
    const probed = await ask(server, batchOf(['a@a.net'], { ips: [] }));
    expect(probedOf(probed, 'a@a.net').finding).toBe('connection_refused');
    expect(server.sessions()).toBe(0);
  });

  test('that are shutting down are skipped for the next', async () => {
    const busy = await serve({ greeting: () => '421 4.3.2 Shutting down', host: '127.0.0.1' });
    const other = await serve({ recipient: acceptsAllButControls, host: '127.0.0.2', port: busy.port });
    const probed = await ask(other, batchOf(['a@a.net'], { ips: ['127.0.0.1', '127.0.0.2'] }));
    expect(probedOf(probed, 'a@a.net').finding).toBe('mailbox_accepts');
  });
});

describe('the limiter', () => {
  test('permits every session and every recipient, and gets its sessions back', async () => {
    const server = await serve({ recipient: acceptsAllButControls });
    const limiter = createLimiter();
    await ask(server, batchOf(namesAt(['a.net'], 60)), {}, limiter);
    expect(limiter.sessions()).toBe(3);
    expect(limiter.recipients.get('a.net')).toBe(61);
    expect(server.recipients).toHaveLength(61);
    expect(limiter.calls()).toBe(3 + 61);
    expect(limiter.released()).toBe(3);
  });

  test('that refuses the session leaves all mailboxes unprobed, with its reason', async () => {
    const server = await serve({});
    const limiter = createLimiter({
      session: () => ({ kind: 'refused', reason: 'provider_not_probed', retryAt: null }),
    });
    const { evidence } = await ask(server, batchOf(['a@a.net', 'a@b.net']), {}, limiter);
    expect([...evidence.values()]).toEqual([
      { kind: 'not_probed', reason: 'provider_not_probed', retryAt: null },
      { kind: 'not_probed', reason: 'provider_not_probed', retryAt: null },
    ]);
    expect(server.sessions()).toBe(0);
  });

  test('that refuses a domain leaves its mailboxes unprobed, and no others', async () => {
    const server = await serve({});
    const limiter = createLimiter({
      recipient: (domain) =>
        domain === 'a.net' ? { kind: 'refused', reason: 'opted_out', retryAt: null } : null,
    });
    const { evidence } = await ask(
      server,
      batchOf(['a@a.net', 'b@a.net', 'a@b.net'], { catchAll: 'refused' }),
      {},
      limiter,
    );
    expect([...evidence.values()].map(findingOf)).toEqual(['opted_out', 'opted_out', 'mailbox_accepts']);
    expect(server.recipients.map(({ address }) => address)).toEqual(['a@b.net']);
  });

  test('that defers the rest leaves it with a retry, and keeps what the session found', async () => {
    const server = await serve({ recipient: acceptsAllButControls });
    const untilMs = Date.now() + 60_000;
    let left = 3;
    const limiter = createLimiter({
      recipient: () => (left-- > 0 ? null : { kind: 'wait', untilMs }),
    });
    const batch = batchOf(['a@a.net', 'b@a.net', 'c@a.net', 'a@b.net']);
    const probed = await ask(server, batch, {}, limiter);
    const later = { kind: 'not_probed', reason: 'probe_budget_exhausted', retryAt: new Date(untilMs) };
    expect(findingsOf(probed).map(([, finding]) => finding)).toEqual([
      'mailbox_accepts',
      'mailbox_accepts',
      'probe_budget_exhausted',
      'probe_budget_exhausted',
    ]);
    expect(['c@a.net', 'a@b.net'].map((address) => probed.evidence.get(address))).toEqual([later, later]);
    expect(probed.controls).toEqual(new Map([['a.net', { catchAll: 'refused', localPart: null }]]));
    expect(server.recipients).toHaveLength(3);
  });

  test('that defers the session leaves all mailboxes with a retry', async () => {
    const server = await serve({});
    const untilMs = Date.now() + 60_000;
    const limiter = createLimiter({ session: () => ({ kind: 'wait', untilMs }) });
    const { evidence } = await ask(server, batchOf(['a@a.net']), {}, limiter);
    expect([...evidence.values()]).toEqual([
      { kind: 'not_probed', reason: 'probe_budget_exhausted', retryAt: new Date(untilMs) },
    ]);
    expect(server.sessions()).toBe(0);
  });

  test('that defers all recipients prevents the connection', async () => {
    const server = await serve({});
    const untilMs = Date.now() + 60_000;
    const limiter = createLimiter({ recipient: () => ({ kind: 'wait', untilMs }) });
    const probed = await ask(server, batchOf(['a@a.net', 'a@b.net']), {}, limiter);
    expect(findingsOf(probed).map(([, finding]) => finding)).toEqual([
      'probe_budget_exhausted',
      'probe_budget_exhausted',
    ]);
    expect(server.sessions()).toBe(0);
    expect(limiter.released()).toBe(1);
  });

  test('that defers for a moment is retried', async () => {
    const server = await serve({});
    const untilMs = Date.now() + 60;
    const limiter = createLimiter({
      session: () => (Date.now() < untilMs ? { kind: 'wait', untilMs } : null),
    });
    const probed = await ask(server, batchOf(['a@a.net']), {}, limiter);
    expect(probedOf(probed, 'a@a.net').finding).toBe('mailbox_accepts');
  });

  test('that refuses the control leaves the domain as it was', async () => {
    const server = await serve({});
    let left = 1;
    const limiter = createLimiter({
      recipient: () =>
        left-- > 0 ? null : { kind: 'refused', reason: 'probe_budget_exhausted', retryAt: null },
    });
    const probed = await ask(server, batchOf(['a@a.net', 'b@a.net']), {}, limiter);
    expect(probedOf(probed, 'a@a.net')).toMatchObject({ finding: 'mailbox_accepts', catchAll: 'not_run' });
    expect(findingOf(probed.evidence.get('b@a.net'))).toBe('probe_budget_exhausted');
  });
});

describe('evidence', () => {
  test('has the redacted reply and the duration', async () => {
    const server = await serve({
      recipient: () => '550 5.1.1 <anna@a.net>: User unknown, asked by probe.example.org',
    });
    const evidence = probedOf(await ask(server, batchOf(['anna@a.net'])), 'anna@a.net');
    expect(evidence).toMatchObject({
      kind: 'probed',
      finding: 'mailbox_not_found',
      catchAll: 'not_run',
      host: 'mx.example.net',
      attempts: 1,
      retryAt: null,
      reply: { code: 550, enhancedCode: '5.1.1', lines: ['<[redacted]>: User unknown, asked by [us]'] },
    });
    expect(evidence.durationMs).toBeLessThan(300);
  });
});

describe('a batch', () => {
  test('with an unsafe address throws before any connection', async () => {
    const server = await serve({});
    const batch = batchOf(['a@a.net', 'b>\r\nDATA@a.net']);
    await expect(ask(server, batch)).rejects.toThrow('An address cannot be sent in a command.');
    expect(server.sessions()).toBe(0);
  });

  test('without mailboxes takes no permit', async () => {
    const server = await serve({});
    const limiter = createLimiter();
    expect((await ask(server, batchOf([]), {}, limiter)).evidence).toEqual(new Map());
    expect(limiter.calls()).toBe(0);
  });

  test.each([
    { helloName: 'two words' },
    { mailFrom: 'us' },
    { mailFrom: 'ä@b.de' },
    { rejectionsPerSessionMax: 1 },
  ])('with the options %j throws', async (options) => {
    await expect(ask(await serve({}), batchOf(['a@a.net']), options)).rejects.toThrow();
  });
});

async function serve(options: PoliteOptions): Promise<PoliteServer> {
  const server = await openPoliteServer(options);
  closers.push(server.close);
  return server;
}

/** A server without delays: the polite one delays every greeting by 100 ms. */
async function serveAtOnce(): Promise<ScriptedServer> {
  const server = await openScriptedServer({
    ehlo: '250-mx.example.net\r\n250 PIPELINING\r\n',
    rcpt: (socket, _nth, line) => {
      socket.write(isControl(line.slice('RCPT TO:<'.length)) ? `${unknown}\r\n` : '250 2.1.5 Ok\r\n');
    },
  });
  closers.push(server.close);
  return server;
}

function ask(
  server: { readonly port: number },
  batch: MailboxBatch,
  options: Partial<ProbeSessionOptions> = {},
  limiter = createLimiter(),
): Promise<Probed> {
  return probe(batch, { ...longWaits, ...options, port: server.port }, { limiter });
}

function findingsOf({ evidence }: Probed): readonly (readonly [string, string])[] {
  return [...evidence].map(([address, found]) => [address, findingOf(found)]);
}

function isControl(address: string): boolean {
  return /^[a-z0-9]{20}@/.test(address);
}

/** `a@…`, `b@…` and so on, at every domain. */
function namesAt(domains: readonly string[], count: number): readonly string[] {
  return domains.flatMap((domain) =>
    Array.from(
      { length: count },
      (_, i) => `${i < 26 ? String.fromCharCode(97 + i) : `person-${i}`}@${domain}`,
    ),
  );
}

/** Number of recipients in each session. */
function perSession({ recipients, sessions }: PoliteServer): readonly number[] {
  return Array.from(
    { length: sessions() },
    (_, i) => recipients.filter(({ session }) => session === i + 1).length,
  );
}
