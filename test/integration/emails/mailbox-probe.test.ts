import { afterEach, describe, expect, test } from 'vitest';
import type { MailboxProbeOptions } from '../../../src/adapters/mail/probe-options.ts';
import type { ProbeBatch } from '../../../src/core/emails/probing/mailbox-probe.ts';
import type { CatchAll } from '../../../src/core/emails/replies/smtp-reply.ts';
import {
  batchOf,
  createGate,
  findingOf,
  hastyOptions,
  pausedUntil,
  probe,
  probedOf,
  type Probed,
} from '../../support/dns-smtp/ask.ts';
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

/** For what takes longer than a moment. */
const slowOptions = { commandTimeoutMs: 2_000, sessionDeadlineMs: 20_000 };
const unknown = '550 5.1.1 User unknown';
/** Accepts who is named, refuses strangers. */
const knowsOnly =
  (...locals: readonly string[]) =>
  (address: string) =>
    locals.includes(address.slice(0, address.lastIndexOf('@'))) ? null : unknown;
/** Accepts every address that a person could have; the control is twenty letters and digits. */
const knowsPeople = (address: string) => (isControl(address) ? unknown : null);

describe('a session', () => {
  test('asks about many addresses of many domains, and ends with QUIT', async () => {
    const server = await serve({ recipient: knowsPeople });
    const addresses = namesAt(['a.net', 'b.net'], 5);
    const probed = await ask(server, batchOf(addresses));
    expect(findingsOf(probed)).toEqual(addresses.map((address) => [address, 'mailbox_accepts']));
    expect(server.sessions()).toBe(1);
    expect(server.commands.filter((line) => line.startsWith('MAIL'))).toEqual(['MAIL FROM:<us@example.org>']);
    expect(server.commands.at(-1)).toBe('QUIT');
  });

  test('of a server that takes pipelining costs 1.3 round trips an address at most', async () => {
    const server = await serveAtOnce();
    const domains = Array.from({ length: 50 }, (_, i) => `domain-${i}.net`);
    const addresses = namesAt(domains, 100);
    const startMs = performance.now();
    const { evidence } = await ask(server, batchOf(addresses), slowOptions);
    const tookMs = performance.now() - startMs;
    expect([...evidence.values()].filter((found) => findingOf(found) === 'mailbox_accepts')).toHaveLength(
      5_000,
    );
    const figure = server.roundTrips() / addresses.length;
    console.info(`${figure.toFixed(3)} round trips an address, ${Math.round(tookMs)} ms for 5,000`);
    expect(figure).toBeLessThanOrEqual(1.3);
    expect(server.lines.filter((line) => line.startsWith('RCPT'))).toHaveLength(5_050);
  });

  test('takes 25 recipients at most, controls included', async () => {
    const server = await serve({ recipient: knowsPeople });
    await ask(server, batchOf(namesAt(['a.net'], 60)));
    expect(perSession(server)).toEqual([25, 25, 11]);
  });

  test('takes eight refusals at most, whatever they are', async () => {
    const server = await serve({ recipient: () => unknown });
    const { evidence } = await ask(server, batchOf(namesAt(['a.net'], 20), { catchAll: 'refused' }));
    expect(perSession(server)).toEqual([8, 8, 4]);
    expect(new Set([...evidence.values()].map(findingOf))).toEqual(new Set(['mailbox_not_found']));
  });

  test('leaves room for the control: it belongs into the session of the address that calls for it', async () => {
    const server = await serve({ recipient: (address) => (address.startsWith('bare') ? '550 No' : unknown) });
    await ask(server, batchOf([...namesAt(['a.net'], 7), 'bare@a.net', 'last@a.net']));
    const control = server.recipients.find(({ address }) => isControl(address));
    const bare = server.recipients.find(({ address }) => address === 'bare@a.net');
    expect(control?.session).toBe(bare?.session);
    expect(Math.max(...perSession(server))).toBeLessThanOrEqual(8);
  });

  test('works without pipelining and without SMTPUTF8', async () => {
    const server = await serve({ recipient: knowsOnly('anna'), pipelining: false, smtpUtf8: false });
    const probed = await ask(server, batchOf(['anna@a.net', 'otto@a.net', 'ärger@a.net']));
    expect(findingsOf(probed)).toEqual([
      ['anna@a.net', 'mailbox_accepts'],
      ['otto@a.net', 'mailbox_not_found'],
      ['ärger@a.net', 'smtputf8_unsupported'],
    ]);
    expect(server.recipients.map(({ address }) => address)).not.toContain('ärger@a.net');
  });

  test('says an address beyond ASCII in a transaction with SMTPUTF8', async () => {
    const server = await serve({ recipient: knowsOnly('anna', 'ärger') });
    const probed = await ask(server, batchOf(['anna@a.net', 'ärger@a.net'], { catchAll: 'refused' }));
    expect(findingsOf(probed).map(([, finding]) => finding)).toEqual(['mailbox_accepts', 'mailbox_accepts']);
    expect(server.commands.filter((line) => /^(?:MAIL|RSET)/.test(line))).toEqual([
      'MAIL FROM:<us@example.org>',
      'RSET',
      'MAIL FROM:<us@example.org> SMTPUTF8',
    ]);
  });

  test('speaks encrypted as it does in clear', async () => {
    const server = await serve({ recipient: knowsOnly('anna'), startTls: true });
    const probed = await ask(server, batchOf(['anna@a.net', 'otto@a.net']), { commandTimeoutMs: 1_000 });
    expect(findingsOf(probed).map(([, finding]) => finding)).toEqual([
      'mailbox_accepts',
      'mailbox_not_found',
    ]);
    expect(server.commands).toEqual([]);
  });

  test('says the null sender where that is configured', async () => {
    const server = await serve({ recipient: knowsPeople });
    await ask(server, batchOf(['anna@a.net'], { catchAll: 'refused' }), { mailFrom: '' });
    expect(server.commands).toContain('MAIL FROM:<>');
  });
});

describe('at Microsoft', () => {
  const host = 'a-net.mail.protection.outlook.com';

  test('every address gets a transaction of its own', async () => {
    const server = await serve({ recipient: knowsPeople });
    await ask(server, batchOf(namesAt(['a.net'], 3), { host }));
    expect(server.commands.map((line) => line.slice(0, 4))).toEqual([
      'EHLO',
      ...['MAIL', 'RCPT'],
      ...['RSET', 'MAIL', 'RCPT'],
      ...['RSET', 'MAIL', 'RCPT'],
      ...['RSET', 'MAIL', 'RCPT'],
      'QUIT',
    ]);
    // All of a transaction goes in one write.
    expect(server.roundTrips()).toBe(1 + 1 + 4 + 1);
  });

  test.each(['mx1.hotmail.com', 'x.olc.protection.outlook.com', 'a-net.b-v1.mx.microsoft', 'x.office365.us'])(
    '%s is one of theirs',
    async (name) => {
      const server = await serve({ recipient: knowsPeople });
      await ask(server, batchOf(namesAt(['a.net'], 2), { host: name, catchAll: 'refused' }));
      expect(server.commands.filter((line) => line === 'RSET')).toHaveLength(1);
    },
  );

  test.each(['outlook.com.example.net', 'myoutlook.com', 'mx.example.net'])('%s is none', async (name) => {
    const server = await serve({ recipient: knowsPeople });
    await ask(server, batchOf(namesAt(['a.net'], 2), { host: name, catchAll: 'refused' }));
    expect(server.commands).not.toContain('RSET');
  });
});

describe('too many recipients', () => {
  test('for one transaction is the end of the transaction, and of nothing else', async () => {
    const server = await serve({ recipient: knowsPeople, recipientsMax: 2 });
    const addresses = namesAt(['a.net'], 5);
    const probed = await ask(server, batchOf(addresses, { catchAll: 'refused' }));
    expect(findingsOf(probed)).toEqual(addresses.map((address) => [address, 'mailbox_accepts']));
    expect(server.sessions()).toBe(1);
  });

  test('where there is none yet is trouble of the server, and is not asked for again and again', async () => {
    const server = await serve({ recipient: () => '452 4.5.3 Too many recipients' });
    const { evidence } = await ask(server, batchOf(namesAt(['a.net'], 10)));
    expect(new Set([...evidence.values()].map(findingOf))).toEqual(new Set(['server_temporary_error']));
    expect(evidence.size).toBe(10);
    expect(server.sessions()).toBe(3);
  });
});

describe('the control', () => {
  test('is asked once a domain, after the first address that is accepted, and never before', async () => {
    const server = await serve({ recipient: knowsOnly('c', 'd') });
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

  test('is another address every time, of twenty letters and digits', async () => {
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
  ] as const)('that is %s by %s shows in the evidence of the whole domain', async (catchAll, reply) => {
    const server = await serve({ recipient: (address) => (isControl(address) ? reply : null) });
    const probed = await ask(server, batchOf(['a@a.net', 'b@a.net']));
    expect(['a@a.net', 'b@a.net'].map((address) => probedOf(probed, address).catchAll)).toEqual([
      catchAll,
      catchAll,
    ]);
    expect(server.recipients).toHaveLength(3);
  });

  test.each(['accepted', 'refused', 'inconclusive'] as const)(
    'is not asked where it is known: %s',
    async (catchAll) => {
      const server = await serve({});
      const probed = await ask(server, batchOf(['a@a.net'], { catchAll }));
      expect(server.recipients).toHaveLength(1);
      expect(probedOf(probed, 'a@a.net').catchAll).toBe(catchAll);
    },
  );

  test('is not asked where nobody was accepted', async () => {
    const server = await serve({ recipient: () => unknown });
    const probed = await ask(server, batchOf(['a@a.net', 'b@a.net']));
    expect(server.recipients).toHaveLength(2);
    expect(probedOf(probed, 'a@a.net').catchAll).toBe('not_run');
  });

  test('tells what a refusal without a reason means', async () => {
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

describe('a control that is put off', () => {
  const later = '450 4.2.0 Greylisted, try again in 300 seconds';

  test('leaves whoever was accepted open, and is not asked again in the same batch', async () => {
    const server = await serve({ recipient: (address) => (isControl(address) ? later : null) });
    const addresses = namesAt(['a.net'], 30);
    const probed = await ask(server, batchOf(addresses));
    const found = addresses.map((address) => probedOf(probed, address));
    expect(found.every(({ retryAt, catchAll }) => retryAt !== null && catchAll === 'inconclusive')).toBe(
      true,
    );
    expect(server.recipients.filter(({ address }) => isControl(address))).toHaveLength(1);
  });

  test('leaves whoever was refused without a reason open as well', async () => {
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
  ])('is asked again under its name, and settled by %s', async (reply, catchAll) => {
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

describe('a refusal without a reason', () => {
  const bare = (control: string | null) => (address: string) =>
    isControl(address) ? control : '550 Rejected';
  const findings = async (server: PoliteServer, catchAll: CatchAll, addresses: readonly string[]) =>
    findingsOf(await ask(server, batchOf(addresses, { catchAll }))).map(([, finding]) => finding);

  test.each<CatchAll>(['accepted', 'refused', 'inconclusive'])(
    'counts only beside a control of the same session, whatever is remembered of the domain: %s',
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

  test('that finds no room for its control is asked about again, in the next session', async () => {
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
  ])('that everybody gets, each under their own name, makes nobody invalid: %#', async (reply) => {
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

describe('one recipient a transaction', () => {
  test.each([
    '550 Only one recipient per message',
    '451 4.5.3 One recipient at a time',
    '452 4.5.3 Too many recipients',
  ])('is what a server gets that says %s, controls included', async (reply) => {
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
    // Said once, it is known for the session.
    expect(server.recipients).toHaveLength(4 + 1 + 1);
  });
});

describe('a refusal of ourselves', () => {
  test('that names us is the last thing asked for: the rest stays unasked, and the gate is told', async () => {
    const server = await serve({
      recipient: (_address, nth) => (nth === 3 ? '554 5.7.1 [127.0.0.1] blocked, see spamhaus.org' : null),
    });
    const gate = createGate();
    const batch = batchOf(namesAt(['a.net', 'b.net'], 4), { catchAll: 'refused' });
    const probed = await ask(server, batch, {}, gate);
    expect(findingsOf(probed).map(([, finding]) => finding)).toEqual([
      'mailbox_accepts',
      'mailbox_accepts',
      'sender_blocked',
      ...Array.from({ length: 5 }, () => 'provider_paused'),
    ]);
    expect(server.recipients).toHaveLength(3);
    expect(server.sessions()).toBe(1);
    expect(gate.refusals).toEqual(['example: sender_blocked']);
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
    '%s asks about nobody, and no other host',
    async (_when, options, finding) => {
      const server = await serve({ ...options, host: '127.0.0.1' });
      const other = await serve({ host: '127.0.0.2', port: server.port });
      const gate = createGate();
      const batch = batchOf(['a@a.net', 'b@a.net'], { ips: ['127.0.0.1', '127.0.0.2'] });
      const { evidence } = await ask(server, batch, {}, gate);
      expect([...evidence.values()].map(findingOf)).toEqual([finding, 'provider_paused']);
      expect(evidence.get('a@a.net')).toMatchObject({ attempts: 0, retryAt: null });
      expect(server.recipients).toEqual([]);
      expect(other.sessions()).toBe(0);
      expect(gate.refusals).toEqual([`example: ${finding}`]);
    },
  );

  test('on the control leaves the accepted address accepted, with nothing known of the domain', async () => {
    const server = await serve({
      recipient: (address) => (isControl(address) ? '550 5.7.1 Too many invalid recipients' : null),
    });
    const gate = createGate();
    const probed = await ask(server, batchOf(['a@a.net', 'b@a.net']), {}, gate);
    expect(probedOf(probed, 'a@a.net')).toMatchObject({
      finding: 'mailbox_accepts',
      catchAll: 'inconclusive',
    });
    expect(findingOf(probed.evidence.get('b@a.net'))).toBe('provider_paused');
    expect(gate.refusals).toEqual(['example: sender_rate_limited']);
  });
});

describe('a rule of one domain', () => {
  test.each([
    '550 5.7.1 TRANSPORT.RULES.RejectMessage; the message was rejected by organization policy',
    '550 5.7.0 Local Policy Violation',
    '550 Administrative prohibition - envelope blocked - https://community.mimecast.com/docs/DOC-1369#550 [x.uk207]',
    '554 5.7.1 Blocked by local policy',
    '550 5.7.1 Access denied',
  ])('closes that domain alone: %s', async (rule) => {
    const server = await serve({ recipient: (address) => (address.endsWith('@a.net') ? rule : null) });
    const gate = createGate();
    const batch = batchOf([...namesAt(['a.net'], 3), 'a@b.net', 'b@b.net'], { catchAll: 'refused' });
    const probed = await ask(server, batch, {}, gate);
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
    expect(gate.refusals).toEqual(['a.net of example: sender_blocked']);
  });

  test('that the control meets closes that domain as well', async () => {
    const server = await serve({
      recipient: (address) =>
        isControl(address) && address.endsWith('@a.net') ? '550 5.7.1 Access denied' : null,
    });
    const gate = createGate();
    const probed = await ask(server, batchOf(['a@a.net', 'b@a.net', 'a@b.net']), {}, gate);
    expect(findingsOf(probed).map(([, finding]) => finding)).toEqual([
      'mailbox_accepts',
      'domain_paused',
      'mailbox_accepts',
    ]);
    expect(gate.refusals).toEqual(['a.net of example: sender_blocked']);
  });
});

describe('greylisting', () => {
  test.each([
    [0, 6],
    [1, 20],
    [2, 60],
  ])('after %i attempts is asked about again in %i minutes', async (attempts, minutes) => {
    const server = await serve({ recipient: () => '450 4.2.0 Greylisted, try again in 300 seconds' });
    const nowMs = Date.parse('2026-01-01T00:00:00Z');
    const batch = withAttempts(batchOf(['a@a.net']), attempts);
    const probed = await ask(server, batch, { now: () => nowMs });
    expect(probedOf(probed, 'a@a.net')).toMatchObject({
      finding: 'greylisted',
      attempts: attempts + 1,
      checkedAt: new Date(nowMs),
      retryAt: new Date(nowMs + minutes * 60_000),
    });
  });

  test('for the fourth time is left at that', async () => {
    const server = await serve({ recipient: () => '450 4.2.0 Greylisted' });
    const probed = await ask(server, withAttempts(batchOf(['a@a.net']), 3));
    expect(probedOf(probed, 'a@a.net').retryAt).toBeNull();
  });

  test('without a word for it is known by its being the first contact', async () => {
    const server = await serve({ recipient: () => '450 No' });
    const first = await ask(server, batchOf(['a@a.net']));
    const again = await ask(server, withAttempts(batchOf(['a@a.net']), 1));
    expect(probedOf(first, 'a@a.net').finding).toBe('greylisted');
    expect(probedOf(again, 'a@a.net').finding).toBe('server_temporary_error');
  });

  test('does not stop the others', async () => {
    const server = await serve({
      recipient: (address) => (address.startsWith('a@') ? '450 4.2.0 Greylisted' : null),
    });
    const probed = await ask(server, batchOf(['a@a.net', 'b@a.net'], { catchAll: 'refused' }));
    expect(findingsOf(probed).map(([, finding]) => finding)).toEqual(['greylisted', 'mailbox_accepts']);
  });
});

describe('hosts', () => {
  test('are tried in their order, each by all its addresses, until one greets', async () => {
    const server = await serve({ recipient: knowsPeople, host: '127.0.0.4' });
    const hosts = [
      { name: 'mx1.example.net', preference: 10, addresses: ['127.0.0.2', '127.0.0.3'] },
      { name: 'mx2.example.net', preference: 20, addresses: ['127.0.0.4'] },
      { name: 'mx3.example.net', preference: 30, addresses: ['127.0.0.1'] },
    ];
    const probed = await ask(server, { ...batchOf(namesAt(['a.net'], 30)), hosts });
    expect(new Set([...probed.evidence.values()].map(findingOf))).toEqual(new Set(['mailbox_accepts']));
    expect(probedOf(probed, 'a@a.net').host).toBe('mx2.example.net');
    expect(server.sessions()).toBe(2);
  });

  test('are tried by IPv6 too', async () => {
    const server = await serve({ recipient: knowsPeople, host: '::1' });
    const probed = await ask(server, batchOf(['a@a.net'], { ips: ['127.0.0.2', '0:0:0:0:0:0:0:1'] }));
    expect(probedOf(probed, 'a@a.net').finding).toBe('mailbox_accepts');
  });

  test('that all fail give the trouble of the first, and when to try again', async () => {
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

  test('without an address are like hosts that cannot be reached', async () => {
    const server = await serve({});
    const probed = await ask(server, batchOf(['a@a.net'], { ips: [] }));
    expect(probedOf(probed, 'a@a.net').finding).toBe('connection_refused');
    expect(server.sessions()).toBe(0);
  });

  test('that have no time at the moment are left for the next, and others are not', async () => {
    const busy = await serve({ greeting: () => '421 4.3.2 Shutting down', host: '127.0.0.1' });
    const other = await serve({ recipient: knowsPeople, host: '127.0.0.2', port: busy.port });
    const probed = await ask(other, batchOf(['a@a.net'], { ips: ['127.0.0.1', '127.0.0.2'] }));
    expect(probedOf(probed, 'a@a.net').finding).toBe('mailbox_accepts');
  });
});

describe('the gate', () => {
  test('is asked for every session and every recipient, and gets its sessions back', async () => {
    const server = await serve({ recipient: knowsPeople });
    const gate = createGate();
    await ask(server, batchOf(namesAt(['a.net'], 60)), {}, gate);
    expect(gate.sessions()).toBe(3);
    expect(gate.taken.get('a.net')).toBe(61);
    expect(server.recipients).toHaveLength(61);
    expect(gate.calls()).toBe(3 + 61);
    expect(gate.ended()).toBe(3);
  });

  test('that refuses the session leaves everybody unasked, with its reason', async () => {
    const server = await serve({});
    const gate = createGate({
      session: () => ({ kind: 'refused', reason: 'provider_not_probed', retryAt: null }),
    });
    const { evidence } = await ask(server, batchOf(['a@a.net', 'a@b.net']), {}, gate);
    expect([...evidence.values()]).toEqual([
      { kind: 'not_probed', reason: 'provider_not_probed', retryAt: null },
      { kind: 'not_probed', reason: 'provider_not_probed', retryAt: null },
    ]);
    expect(server.sessions()).toBe(0);
  });

  test('that refuses a domain leaves its addresses unasked, and the others are asked', async () => {
    const server = await serve({});
    const gate = createGate({
      recipient: (domain) =>
        domain === 'a.net' ? { kind: 'refused', reason: 'opted_out', retryAt: null } : null,
    });
    const { evidence } = await ask(
      server,
      batchOf(['a@a.net', 'b@a.net', 'a@b.net'], { catchAll: 'refused' }),
      {},
      gate,
    );
    expect([...evidence.values()].map(findingOf)).toEqual(['opted_out', 'opted_out', 'mailbox_accepts']);
    expect(server.recipients.map(({ address }) => address)).toEqual(['a@b.net']);
  });

  test('that wants the rest later gets it back with what was learnt, and nobody is reported twice', async () => {
    const server = await serve({ recipient: knowsPeople });
    const untilMs = Date.now() + 60_000;
    let left = 3;
    const gate = createGate({
      recipient: () => (left-- > 0 ? null : { kind: 'wait', untilMs }),
    });
    const { evidence, postponed } = await ask(
      server,
      batchOf(['a@a.net', 'b@a.net', 'c@a.net', 'a@b.net']),
      {},
      gate,
    );
    expect([...evidence.keys()]).toEqual(['a@a.net', 'b@a.net']);
    expect(postponed).toMatchObject({
      untilMs,
      domains: [
        { domain: 'a.net', catchAll: 'refused', addresses: [{ localPart: 'c' }] },
        { domain: 'b.net', catchAll: 'not_run', addresses: [{ localPart: 'a' }] },
      ],
    });
    expect(server.recipients).toHaveLength(3);
  });

  test('that wants the session later gets the whole batch back', async () => {
    const server = await serve({});
    const untilMs = Date.now() + 60_000;
    const gate = createGate({ session: () => ({ kind: 'wait', untilMs }) });
    const { evidence, postponed } = await ask(server, batchOf(['a@a.net']), {}, gate);
    expect(evidence.size).toBe(0);
    expect(postponed).toMatchObject({ untilMs, domains: [{ addresses: [{ localPart: 'a' }] }] });
  });

  test('that wants everybody later leaves the host alone: nobody connects to it for nothing', async () => {
    const server = await serve({});
    const untilMs = Date.now() + 60_000;
    const gate = createGate({ recipient: () => ({ kind: 'wait', untilMs }) });
    const { postponed } = await ask(server, batchOf(['a@a.net', 'a@b.net']), {}, gate);
    expect(postponed?.domains).toHaveLength(2);
    expect(server.sessions()).toBe(0);
    expect(gate.ended()).toBe(1);
  });

  test('that wants a moment is waited for', async () => {
    const server = await serve({});
    const untilMs = Date.now() + 60;
    const gate = createGate({
      session: () => (Date.now() < untilMs ? { kind: 'wait', untilMs } : null),
    });
    const probed = await ask(server, batchOf(['a@a.net']), {}, gate);
    expect(probedOf(probed, 'a@a.net').finding).toBe('mailbox_accepts');
  });

  test('that gives no leave for the control leaves the domain as it was', async () => {
    const server = await serve({});
    let left = 1;
    const gate = createGate({
      recipient: () =>
        left-- > 0 ? null : { kind: 'refused', reason: 'probe_budget_exhausted', retryAt: null },
    });
    const probed = await ask(server, batchOf(['a@a.net', 'b@a.net']), {}, gate);
    expect(probedOf(probed, 'a@a.net')).toMatchObject({ finding: 'mailbox_accepts', catchAll: 'not_run' });
    expect(findingOf(probed.evidence.get('b@a.net'))).toBe('probe_budget_exhausted');
  });
});

describe('evidence', () => {
  test('has the reply without the recipient, and how long it took', async () => {
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
  test('with an address that would say more than itself is refused before anything is connected to', async () => {
    const server = await serve({});
    const batch = batchOf(['a@a.net', 'b>\r\nDATA@a.net']);
    await expect(ask(server, batch)).rejects.toThrow('an address of the batch is none');
    expect(server.sessions()).toBe(0);
  });

  test('without addresses asks for nothing', async () => {
    const server = await serve({});
    const gate = createGate();
    expect(await ask(server, batchOf([]), {}, gate)).toEqual({ evidence: new Map(), postponed: null });
    expect(gate.calls()).toBe(0);
  });

  test.each([
    { helloName: 'two words' },
    { mailFrom: 'us' },
    { mailFrom: 'ä@b.de' },
    { refusalsPerSessionMax: 1 },
  ])('is not taken with the options %j', async (options) => {
    await expect(ask(await serve({}), batchOf(['a@a.net']), options)).rejects.toThrow();
  });
});

async function serve(options: PoliteOptions): Promise<PoliteServer> {
  const server = await openPoliteServer(options);
  closers.push(server.close);
  return server;
}

/** A server that loses no time: the polite one holds back every greeting for 100 ms. */
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
  batch: ProbeBatch,
  options: Partial<MailboxProbeOptions> = {},
  gate = createGate(),
): Promise<Probed> {
  return probe(batch, { ...hastyOptions, ...options, port: server.port }, { gate });
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

/** Recipients in each session. */
function perSession({ recipients, sessions }: PoliteServer): readonly number[] {
  return Array.from(
    { length: sessions() },
    (_, i) => recipients.filter(({ session }) => session === i + 1).length,
  );
}

function withAttempts(batch: ProbeBatch, attempts: number): ProbeBatch {
  return {
    ...batch,
    domains: batch.domains.map((domain) => ({
      ...domain,
      addresses: domain.addresses.map((address) => ({
        ...address,
        attempts,
        isFirstContact: attempts === 0,
      })),
    })),
  };
}
