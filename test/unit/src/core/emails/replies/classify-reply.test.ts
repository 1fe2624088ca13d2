import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  classifyControl,
  classifyReply,
  classifyWithControl,
  isSenderRefusal,
  makesInvalid,
  refusalScope,
  type ReplyContext,
  type ReplyMeaning,
  type ReplyPhase,
} from '../../../../../../src/core/emails/replies/classify-reply.ts';
import { redactReply } from '../../../../../../src/core/emails/replies/reply-text.ts';
import { parseReply, type SmtpReply } from '../../../../../../src/core/emails/replies/smtp-reply.ts';
import { takeSeedNumber } from '../../../../../support/seed-number.ts';
import { knownReplies } from '../../../../../support/dns-smtp/known-replies.ts';
import { readReplyCorpus } from '../../../../../support/dns-smtp/reply-corpus.ts';

const context: ReplyContext = {
  phase: 'rcpt',
  recipient: 'alice@example.net',
  ours: ['probe.example.org', '192.0.2.7', 'us@example.org'],
  isFirstContact: false,
};
const known = Object.entries(knownReplies).flatMap(([meaning, texts]) =>
  texts.map((text) => ({ meaning, text })),
);
const invalidTexts = [...knownReplies.mailbox_not_found, ...knownReplies.mailbox_disabled];

describe('parseReply', () => {
  test.each([
    ['250', { code: 250, enhancedCode: null, lines: [''] }],
    ['250 ', { code: 250, enhancedCode: null, lines: [''] }],
    ['250 OK', { code: 250, enhancedCode: null, lines: ['OK'] }],
    ['550 5.1.1 No such user', { code: 550, enhancedCode: '5.1.1', lines: ['No such user'] }],
    ['550 #5.1.0 Address rejected.', { code: 550, enhancedCode: '5.1.0', lines: ['Address rejected.'] }],
    ['550 5.7.1: no', { code: 550, enhancedCode: '5.7.1', lines: ['no'] }],
    ['550 cuda_nsu 5.1.1 no', { code: 550, enhancedCode: null, lines: ['cuda_nsu 5.1.1 no'] }],
    ['550 no mailbox (#5.1.1)', { code: 550, enhancedCode: null, lines: ['no mailbox (#5.1.1)'] }],
    ['550 5.1.1.2 no', { code: 550, enhancedCode: null, lines: ['5.1.1.2 no'] }],
    ['250 Grüße\tan alle', { code: 250, enhancedCode: null, lines: ['Grüße\tan alle'] }],
    ['250-one\n250-2.0.0 two\n250 three', { code: 250, enhancedCode: null, lines: ['one', 'two', 'three'] }],
  ] satisfies readonly (readonly [string, SmtpReply])[])('accepts %j', (text, reply) => {
    expect(parseReply(text.split('\n'))).toEqual(reply);
  });

  test.each([
    '',
    '25',
    'abc hello',
    '000 zero',
    '150 one',
    '999 nine',
    '2500 four digits',
    '250_ok',
    ' 250 ok',
    '250-promises another line',
    '250-one\n550 another code',
    '250 one\n250 two',
    '250-one\n250 two\n250 three',
    '250 nul\0byte',
    '250 bare\rreturn',
    '250 escape\u001b[2J',
  ])('rejects %j', (text) => {
    expect(parseReply(text.split('\n'))).toBeNull();
  });

  test('rejects a reply without lines', () => {
    expect(parseReply([])).toBeNull();
  });
});

describe('a reply to RCPT', () => {
  test.each(known)('$meaning: $text', ({ meaning, text }) => {
    expect(nameOf(meaningOf(text))).toBe(meaning);
  });

  test('is classified without the text of the recipient and its domain', () => {
    const names = ['blocked@unblocked.dev', 'spam@policy.com', 'no-such-user@spamhaus.org', 'inactive@x.io'];
    const moved = known
      .filter(({ text }) => text.includes('alice@example.net') || !/alice|example\.net/.test(text))
      .flatMap((row) => names.map((recipient) => ({ ...row, recipient })))
      .map(({ text, meaning, recipient }) => ({
        text: text.replaceAll('alice@example.net', recipient),
        recipient,
        meaning,
      }))
      // A local part that is one of the server's own words may take that word from it, but must never add one.
      .filter(({ text, meaning, recipient }) => {
        const found = nameOf(meaningOf(text, { recipient }));
        return found !== meaning && (found.startsWith('mailbox_not') || found.startsWith('mailbox_dis'));
      });
    expect(moved).toEqual([]);
    expect(
      nameOf(meaningOf('550 5.1.1 <a@unblocked.dev>: User unknown', { recipient: 'a@unblocked.dev' })),
    ).toBe('mailbox_not_found');
  });

  test('is classified without the text of our own names', () => {
    const ours = ['blocked.spamhaus-test.org', '192.0.2.7'];
    expect(
      nameOf(meaningOf('550 5.1.1 User unknown (blocked.spamhaus-test.org [192.0.2.7])', { ours })),
    ).toBe('mailbox_not_found');
  });

  test('about the sender never makes the recipient invalid, even with a phrase about unknown users', () => {
    const both = knownReplies.sender_blocked
      .filter((text) => !/access denied|policy|prohibition|not (?:allowed|welcome)|5\.7\.13/i.test(text))
      .flatMap((sender) =>
        invalidTexts
          .filter((_, i) => i % 4 === 0)
          .flatMap((user) => [
            `550-${splitWords(sender)}\n550 ${splitWords(user)}`,
            `550-5.1.1 ${splitWords(user)}\n550 5.1.1 ${splitWords(sender)}`,
          ]),
      );
    expect(both.filter((text) => isInvalid(meaningOf(text)))).toEqual([]);
  });

  test('is greylisting if it defers a first contact without a reason', () => {
    expect(nameOf(meaningOf('450 4.7.1 Rejected', { isFirstContact: true }))).toBe('greylisted');
    expect(nameOf(meaningOf('450 4.7.1 Rejected', { isFirstContact: false }))).toBe('sender_blocked');
    expect(nameOf(meaningOf('450 Sorry', { isFirstContact: true }))).toBe('greylisted');
    expect(nameOf(meaningOf('421 Sorry', { isFirstContact: true }))).toBe('server_temporary_error');
  });
});

describe('a rejection before RCPT', () => {
  const early: readonly ReplyPhase[] = ['connect', 'ehlo', 'starttls', 'mail'];

  test.each(early)('is never about the recipient: at %s', (phase) => {
    const found = known.map(({ text }) => meaningOf(text, { phase }));
    expect(found.filter((meaning) => meaning.kind !== 'finding' || makesInvalid(meaning.finding))).toEqual(
      [],
    );
    expect(found.map(nameOf)).not.toContain('mailbox_accepts');
  });

  test.each([
    ['connect', '554 No SMTP service here', 'sender_blocked'],
    ['connect', '554 5.7.1 Blocked, see spamhaus.org', 'sender_blocked'],
    ['connect', '421 Too many connections', 'sender_rate_limited'],
    ['connect', '421 Service not available', 'server_temporary_error'],
    ['connect', '521 example.net does not accept mail', 'connection_refused'],
    ['ehlo', '550 5.7.1 Your helo is not known', 'sender_blocked'],
    ['ehlo', '502 Command not implemented', 'protocol_error'],
    ['mail', '550 5.1.8 Sender domain does not exist', 'sender_blocked'],
    ['mail', '550 5.1.1 User unknown', 'sender_blocked'],
    ['mail', '451 4.7.1 Greylisted', 'greylisted'],
    ['mail', '452 4.3.1 Insufficient system storage', 'server_temporary_error'],
    ['mail', '530 5.7.0 Must issue a STARTTLS command first', 'tls_failure'],
    ['mail', '503 5.5.1 Bad sequence', 'protocol_error'],
    ['mail', '354 go ahead', 'protocol_error'],
  ] as const)('is classified at %s: %s is %s', (phase, text, finding) => {
    expect(nameOf(meaningOf(text, { phase }))).toBe(finding);
  });
});

describe('a rejection without a reason', () => {
  test('is about the recipient if the server accepts the control', () => {
    expect(classifyWithControl('accepted')).toBe('mailbox_not_found');
  });

  test.each(['refused', 'inconclusive', 'not_run'] as const)(
    'is inconclusive if the control is %s',
    (control) => {
      expect(classifyWithControl(control)).toBe('unrecognised_reply');
    },
  );

  test.each([
    ['250 OK', 'accepted'],
    ['550 5.1.1 User unknown', 'refused'],
    ['550 5.1.1 <alice@example.net>: Recipient address rejected: example.net', 'refused'],
    ['550 No such user here', 'refused'],
    ['550 Requested action not taken: mailbox unavailable', 'refused'],
    ['550 5.2.1 Mailbox disabled', 'refused'],
    ['550 Rejected', 'inconclusive'],
    ['550', 'inconclusive'],
    ['550 alice@example.net: Recipient rejected', 'inconclusive'],
    ['550 <alice@example.net>: Recipient address rejected: We are moving house', 'inconclusive'],
    ['550 Only one recipient per message', 'inconclusive'],
    ['550 5.1.1 Only one recipient per message', 'inconclusive'],
    ['550 System error', 'inconclusive'],
    ['550 5.1.1 System error', 'inconclusive'],
    ['550 temporarily deferred', 'inconclusive'],
    ['450 Greylisted', 'inconclusive'],
    ['452 Too many recipients', 'inconclusive'],
    ['550 Too many recipients', 'inconclusive'],
    ['554 5.7.1 Blocked using zen.spamhaus.org', 'inconclusive'],
    [
      '550 5.7.1 TRANSPORT.RULES.RejectMessage; the message was rejected by organization policy',
      'inconclusive',
    ],
    ['554 5.7.1 Relay access denied', 'inconclusive'],
    ['552 Mailbox full', 'inconclusive'],
  ] as const)('classifies the control reply %s as %s', (text, control) => {
    expect(classifyControl(read(text), context)).toBe(control);
  });
});

describe('a redacted reply', () => {
  test('contains no address and none of our names', () => {
    const reply = read(
      '550-5.1.1 <ALICE@example.net> (alice) unknown at mx.example.net\n550 5.1.1 try bob@example.org; probe.example.org[192.0.2.7] alice=example.net',
    );
    expect(redactReply(reply, context)).toEqual({
      code: 550,
      enhancedCode: '5.1.1',
      lines: ['<[redacted]> ([redacted]) unknown at mx.example.net', 'try [redacted]; [us][[us]] [redacted]'],
    });
  });

  test('has at most ten lines of 500 characters', () => {
    const long = read(
      Array.from({ length: 90 }, (_, i) => `550${i === 89 ? ' ' : '-'}${'x'.repeat(900)}`).join('\n'),
    );
    const { lines } = redactReply(long, context);
    expect(lines).toHaveLength(10);
    expect(lines.every((line) => line.length <= 500)).toBe(true);
  });
});

describe('any text of a server', () => {
  const pieces = known.map(({ text }) => splitWords(text));
  const lineOf = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 200 }),
    fc.constantFrom(...pieces),
    fc
      .array(fc.constantFrom(...pieces.flatMap((piece) => piece.split(' '))), { maxLength: 40 })
      .map((w) => w.join(' ')),
  );
  const recipients = fc.oneof(
    fc.constant(null),
    fc.string({ unit: 'binary', maxLength: 30 }),
    fc.constantFrom('alice@example.net', 'a.b+c@x.io', '$^@[]', '\\@\\'),
  );

  test('is classified without an error, and only a 5xx reply to RCPT makes an address invalid', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 200, max: 599 }),
        fc.array(lineOf, { minLength: 1, maxLength: 4 }),
        recipients,
        fc.constantFrom<ReplyPhase>('connect', 'ehlo', 'starttls', 'mail', 'rcpt'),
        fc.boolean(),
        (code, texts, recipient, phase, isFirstContact) => {
          const lines = texts.map((text, i) => `${code}${i === texts.length - 1 ? ' ' : '-'}${text}`);
          parseReply(lines);
          const reply: SmtpReply = { code, enhancedCode: null, lines: texts };
          const asked = { ...context, recipient, phase, isFirstContact };
          const meaning = classifyReply(reply, asked);
          classifyControl(reply, asked);
          redactReply(reply, asked);
          if (code < 500 || phase !== 'rcpt') expect(isInvalid(meaning)).toBe(false);
        },
      ),
      { seed: takeSeedNumber(), numRuns: 300 },
    );
  });

  test('parses into a reply or null', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'binary' }), { maxLength: 5 }), (lines) => {
        const reply = parseReply(lines);
        expect(reply === null || (reply.code >= 200 && reply.code <= 599)).toBe(true);
      }),
      { seed: takeSeedNumber(), numRuns: 1_000 },
    );
  });

  test.each([
    'user ',
    'user no longer ',
    'a.',
    '1.',
    'e mail ',
    '用户',
    'x.alice',
    'no such ',
    'aaaa-',
    'a@',
  ])('with endless %j is classified in bounded time', (unit) => {
    const reply: SmtpReply = { code: 550, enhancedCode: null, lines: [unit.repeat(60_000 / unit.length)] };
    const startMs = performance.now();
    classifyReply(reply, context);
    expect(performance.now() - startMs).toBeLessThan(5_000);
  });
});

const corpus = readReplyCorpus();

describe(
  corpus === null ? 'labelled replies (not run: smtp-replies.json is missing)' : 'labelled replies',
  () => {
    const rows = (corpus ?? []).map((row) => ({
      ...row,
      isInvalid: isInvalid(meaningOf(row.lines.join('\n'))),
    }));
    const mustBeInvalid = rows.filter(({ accept }) => accept.length === 1 && accept[0] === 'invalid');

    test.skipIf(corpus === null)('classify only invalid addresses as invalid', () => {
      expect(rows.length).toBeGreaterThan(90);
      expect(rows.filter((row) => row.isInvalid && !row.accept.includes('invalid'))).toEqual([]);
    });

    test.skipIf(corpus === null)('classify at least 95 of 100 clearly invalid addresses as invalid', () => {
      const missed = mustBeInvalid.filter((row) => !row.isInvalid).map(({ id }) => id);
      const falseInvalid = rows.filter((row) => row.isInvalid && !row.accept.includes('invalid'));
      console.info(
        `${rows.length} labelled replies: ${falseInvalid.length} wrongly invalid, ` +
          `${mustBeInvalid.length - missed.length} of ${mustBeInvalid.length} invalid ones found`,
      );
      expect(mustBeInvalid.length).toBeGreaterThan(15);
      expect(missed.length / mustBeInvalid.length, missed.join(', ')).toBeLessThanOrEqual(0.05);
    });
  },
);

describe('scope of a sender rejection', () => {
  test.each([
    '554 5.7.1 Service unavailable; Client host [192.0.2.7] blocked using zen.spamhaus.org',
    '550 5.7.606 Access denied, banned sending IP [192.0.2.7]',
    '550 5.7.606 Access denied',
    '550 5.7.25 The sender has no PTR record',
    '450 4.7.1 Client host rejected: cannot find your hostname',
    '550 Your IP is blacklisted',
    '550 probe.example.org is not welcome',
    '550 5.1.8 <us@example.org>: Sender address rejected: Domain not found',
    '550 rejected because of a black list',
    "554 Your access to this mail system has been rejected due to the sending MTA's poor reputation.",
    '550 see https://www.spamhaus.org/query',
    '452 4.7.1 Rate limit exceeded',
  ])('is the provider if the reply names the sending host or a block list: %s', (text) => {
    expect(scopeOf(text)).toBe('provider');
  });

  test.each([
    '550 5.7.1 TRANSPORT.RULES.RejectMessage; the message was rejected by organization policy',
    '550 5.7.1 TRANSPORT.RULES.RejectMessage; the message was rejected by organization policy [AM0EUR02FT004.eop-EUR02.prod.protection.outlook.com 2026-11-22T00:00:00.000Z 08DAEB9A]',
    '550 5.7.0 Local Policy Violation',
    '554 5.7.1 Message rejected due to organization policy',
    '550 Administrative prohibition - envelope blocked',
    '550 Rejected by header based manually Blocked Senders',
    '550 5.7.1 Access denied',
    '554 Denied by policy',
    '550 High probability of spam',
    '550 5.7.1 Unauthenticated email is not accepted due to DMARC policy',
  ])('is the domain if the reply may be a rule of that domain: %s', (text) => {
    expect(scopeOf(text)).toBe('domain');
  });

  test('is the provider if the reply came before RCPT', () => {
    expect(scopeOf('550 5.7.1 Access denied', 'mail')).toBe('provider');
    expect(scopeOf('554 No SMTP service here', 'connect')).toBe('provider');
  });
});

test('a rejection of the sender makes no address invalid', () => {
  expect(
    (['sender_blocked', 'sender_rate_limited'] as const).every((f) => isSenderRefusal(f) && !makesInvalid(f)),
  ).toBe(true);
  expect(makesInvalid('smtputf8_unsupported')).toBe(false);
});

function read(text: string): SmtpReply {
  const reply = parseReply(text.split('\n'));
  if (reply === null) throw new Error(`no reply: ${text}`);
  return reply;
}

function meaningOf(text: string, changed: Partial<ReplyContext> = {}): ReplyMeaning {
  return classifyReply(read(text), { ...context, ...changed });
}

function scopeOf(text: string, phase: ReplyPhase = 'rcpt'): 'provider' | 'domain' {
  const meaning = meaningOf(text, { phase });
  if (meaning.kind !== 'finding' || !isSenderRefusal(meaning.finding))
    throw new Error(`no refusal of us: ${text}`);
  return refusalScope(read(text), { ...context, phase }, meaning.finding);
}

function nameOf(meaning: ReplyMeaning): string {
  return meaning.kind === 'finding' ? meaning.finding : meaning.kind;
}

function isInvalid(meaning: ReplyMeaning): boolean {
  return meaning.kind === 'finding' && makesInvalid(meaning.finding);
}

/** A reply as one line without its codes. */
function splitWords(text: string): string {
  return text
    .split('\n')
    .map((line) => line.replace(/^\d{3}[ -]?/, '').replace(/^#?\d\.\d+\.\d+ ?/, ''))
    .join(' ');
}
