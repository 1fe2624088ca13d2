import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { ProbeSessionOptions } from '../../../src/adapters/mail/smtp/session-options.ts';
import { createReplyReader } from '../../../src/adapters/mail/smtp/reply-reader.ts';
import { commandLine, isSafeCommand, needsUtf8 } from '../../../src/adapters/mail/smtp/smtp-command.ts';
import { openSmtpConnection } from '../../../src/adapters/mail/smtp/smtp-connection.ts';
import type { CatchAll } from '../../../src/core/emails/replies/smtp-reply.ts';
import { takeSeedNumber } from '../../support/seed-number.ts';
import {
  batchOf,
  findingOf,
  hastyOptions,
  optionsFor,
  longWaits,
  probe,
  probedOf,
} from '../../support/dns-smtp/probe.ts';
import { countSockets } from '../../support/dns-smtp/count-sockets.ts';
import { openBlackHole, type BlackHole } from '../../support/dns-smtp/black-hole.ts';
import { openPoliteServer } from '../../support/dns-smtp/polite-server.ts';
import {
  drip,
  endless,
  replyAndClose,
  delayed,
  openScriptedServer,
  reset,
  type Move,
  type ScriptedServer,
  type ServerScript,
} from '../../support/dns-smtp/scripted-server.ts';

const closers: (() => Promise<void>)[] = [];
const socketsBefore = countSockets();

afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

/** Probe of a case. Default: an address of a domain that is known to reject unknown recipients. */
interface Asked {
  readonly host?: string;
  readonly addresses?: readonly string[];
  readonly catchAll?: CatchAll;
}

type HostileCase = [name: string, script: ServerScript, finding: string, asked?: Asked];

/**
 * Servers that misbehave. Each rejects the recipient as unknown when it gets that far, so a reply that is accepted too early
 * shows as `mailbox_not_found`.
 */
const hostile: readonly HostileCase[] = [
  ['says nothing', { banner: null }, 'connection_timeout'],
  ['hangs up at once', { banner: replyAndClose('') }, 'connection_refused'],
  ['resets at once', { banner: reset }, 'connection_refused'],
  ['hangs up amid its greeting', { banner: replyAndClose('220 mx.exam') }, 'connection_refused'],
  ['greets with 554', { banner: '554 5.7.1 No SMTP service here\r\n' }, 'sender_blocked'],
  [
    'greets with 554 and hangs up',
    { banner: replyAndClose('554 blocked by zen.spamhaus.org\r\n') },
    'sender_blocked',
  ],
  ['greets with 421', { banner: '421 4.3.2 Come back later\r\n' }, 'server_temporary_error'],
  ['greets with 421 for too many', { banner: '421 Too many connections\r\n' }, 'sender_rate_limited'],
  ['greets with 250', { banner: '250 Ok\r\n' }, 'protocol_error'],
  ['greets with 000', { banner: '000 hello\r\n' }, 'protocol_error'],
  ['greets with 999', { banner: '999 hello\r\n' }, 'protocol_error'],
  ['greets with letters', { banner: 'abc hello\r\n' }, 'protocol_error'],
  ['speaks HTTP', { banner: 'HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n' }, 'protocol_error'],
  ['speaks SSH', { banner: 'SSH-2.0-OpenSSH_9.2\r\n' }, 'protocol_error'],
  ['greets without end', { banner: endless('220-welcome\r\n') }, 'protocol_error'],
  ['greets in a line without end', { banner: endless('220 welcome ') }, 'protocol_error'],
  ['greets in a line of 1 MB', { banner: `220 ${'x'.repeat(1_000_000)}\r\n` }, 'protocol_error'],
  ['greets byte by byte', { banner: drip('220 mx.example.net\r\n', 60) }, 'connection_timeout'],
  ['greets with a bare LF', { banner: '220 mx.example.net\n' }, 'protocol_error'],
  ['greets with a bare CR', { banner: '220 mx.ex\rample.net\r\n' }, 'protocol_error'],
  ['greets with a NUL', { banner: '220 mx.ex\0ample.net\r\n' }, 'protocol_error'],
  ['greets with codes that change', { banner: '220-mx\r\n554 no\r\n' }, 'protocol_error'],
  ['answers before it is asked', { banner: '220 mx\r\n250 mx\r\n250 Ok\r\n' }, 'protocol_error'],
  ['ends the session in its greeting', { banner: '220 mx\r\n421 Bye\r\n' }, 'server_temporary_error'],

  ['knows neither EHLO nor HELO', { ehlo: '502 What?\r\n', helo: '502 What?\r\n' }, 'protocol_error'],
  [
    'refuses our name',
    { ehlo: '550 5.7.1 No\r\n', helo: '550 5.7.1 Your helo is not welcome\r\n' },
    'sender_blocked',
  ],
  ['answers EHLO with 421', { ehlo: '421 4.3.2 Bye\r\n' }, 'server_temporary_error'],
  ['answers EHLO with 354', { ehlo: '354 Go ahead\r\n' }, 'protocol_error'],
  ['echoes EHLO', { ehlo: 'EHLO probe.example.org\r\n' }, 'protocol_error'],
  ['is silent after EHLO', { ehlo: null }, 'connection_timeout'],
  ['hangs up after EHLO', { ehlo: replyAndClose('') }, 'server_temporary_error'],
  ['has 1,000 extensions', { ehlo: `${'250-X\r\n'.repeat(1_000)}250 Y\r\n` }, 'protocol_error'],

  [
    'takes more commands than were sent before the handshake',
    startTls('220 Go\r\n250 injected\r\n'),
    'protocol_error',
  ],
  ['leaves half a reply before the handshake', startTls('220 Go\r\n250 inj'), 'protocol_error'],
  ['is silent after STARTTLS', startTls(null), 'connection_timeout'],
  ['answers STARTTLS with 421', startTls('421 4.3.2 Bye\r\n'), 'server_temporary_error'],
  ['echoes STARTTLS', startTls('STARTTLS\r\n'), 'protocol_error'],
  [
    'fails at TLS and takes nothing without',
    { ...startTls(replyAndClose('220 Go\r\n')), mail: '530 5.7.0 Must issue a STARTTLS command first\r\n' },
    'tls_failure',
  ],

  ['refuses MAIL', { mail: '550 5.7.1 Sender refused\r\n' }, 'sender_blocked'],
  ['refuses MAIL with the words for a recipient', { mail: '550 5.1.1 User unknown\r\n' }, 'sender_blocked'],
  ['puts MAIL off', { mail: '451 4.3.0 Local problem\r\n' }, 'server_temporary_error'],
  ['answers MAIL with 421', { mail: '421 4.3.2 Bye\r\n' }, 'server_temporary_error'],
  ['answers MAIL with 354', { mail: '354 Go ahead\r\n' }, 'protocol_error'],
  ['is silent after MAIL', { mail: null }, 'connection_timeout'],

  ['answers RCPT with 354', { rcpt: '354 Go ahead\r\n' }, 'protocol_error'],
  ['answers RCPT with 421', { rcpt: '421 4.3.2 Bye\r\n' }, 'server_temporary_error'],
  [
    'ends the session for want of the user',
    { rcpt: replyAndClose('421 User unknown\r\n') },
    'server_temporary_error',
  ],
  ['echoes RCPT', { rcpt: 'RCPT TO:<alice@example.net>\r\n' }, 'protocol_error'],
  ['is silent after RCPT', { rcpt: null }, 'connection_timeout'],
  ['hangs up after RCPT', { rcpt: replyAndClose('') }, 'server_temporary_error'],
  ['resets after RCPT', { rcpt: reset }, 'server_temporary_error'],
  ['hangs up amid its reply', { rcpt: replyAndClose('550 5.1.1 User unkn') }, 'server_temporary_error'],
  [
    'hangs up amid a reply of many lines',
    { rcpt: replyAndClose('550-5.1.1 User unknown\r\n') },
    'server_temporary_error',
  ],
  ['keeps the LF of its reply', { rcpt: '550 5.1.1 User unknown\r' }, 'connection_timeout'],
  ['refuses with a bare LF', { rcpt: '550 5.1.1 User unknown\n' }, 'protocol_error'],
  ['refuses with a bare CR', { rcpt: '550 5.1.1 User\runknown\r\n' }, 'protocol_error'],
  ['refuses with a NUL', { rcpt: '550 5.1.1 User\0unknown\r\n' }, 'protocol_error'],
  ['refuses with an escape sequence', { rcpt: '550 5.1.1 \u001b[2JUser unknown\r\n' }, 'protocol_error'],
  ['refuses with four digits', { rcpt: '5501 5.1.1 User unknown\r\n' }, 'protocol_error'],
  [
    'refuses with codes that change',
    { rcpt: '550-5.1.1 User unknown\r\n450 4.2.1 Later\r\n' },
    'protocol_error',
  ],
  ['refuses byte by byte', { rcpt: drip('550 5.1.1 User unknown\r\n', 60) }, 'connection_timeout'],
  [
    'refuses in a line of 1 MB',
    { rcpt: `550 5.1.1 User unknown ${'x'.repeat(1_000_000)}\r\n` },
    'protocol_error',
  ],
  ['refuses in 5 MB of lines', { rcpt: endless('550-5.1.1 User unknown\r\n') }, 'protocol_error'],
  [
    'repeats an address with line ends of its own',
    { rcpt: '550 5.1.1 <alice\r\n250 2.1.5 example.net> User unknown\r\n' },
    'protocol_error',
  ],
  [
    'refuses in bytes that are no text',
    { rcpt: Buffer.from('550 \xff\xfe\xfd\r\n', 'latin1') },
    'unrecognised_reply',
  ],
  [
    'refuses with the words for a mailbox that is there',
    { rcpt: '250 5.1.1 User unknown\r\n' },
    'unrecognised_reply',
  ],
  ['answers two commands with one reply', pipelining({ rcpt: null }), 'connection_timeout'],
  [
    'answers two commands with three replies',
    pipelining({ rcpt: '550 5.1.1 User unknown\r\n250 Ok\r\n' }),
    'protocol_error',
  ],
  [
    'refuses RSET',
    {
      rcpt: (socket, nth) => socket.write(nth === 1 ? '250 Ok\r\n' : '550 5.1.1 User unknown\r\n'),
      rset: '500 No\r\n',
    },
    'protocol_error',
    { host: 'x.mail.protection.outlook.com', addresses: ['first@example.net', 'alice@example.net'] },
  ],
  [
    'ends the session between two addresses',
    {
      rcpt: (socket, nth) =>
        socket.write(nth === 1 ? '250 Ok\r\n421 4.4.2 Idle\r\n' : '550 5.1.1 User unknown\r\n'),
    },
    'mailbox_accepts',
    { addresses: ['first@example.net', 'alice@example.net'] },
  ],
  ['takes no letters beyond ASCII', {}, 'smtputf8_unsupported', { addresses: ['ärger@example.net'] }],
  ['refuses the control alone for us', controlRefusedForUs(), 'mailbox_accepts', { catchAll: 'not_run' }],
];

describe('a session with a hostile server ends in time, closes its sockets, and finds no invalid address:', () => {
  test.concurrent.each(hostile)('one that %s', async (_name, script, finding, asked = {}) => {
    const { addresses = ['alice@example.net'], host, catchAll = 'refused' } = asked;
    const server = await openScriptedServer(script);
    const startMs = performance.now();
    const batch = batchOf(addresses, { catchAll, ...(host === undefined ? {} : { host }) });
    const options = optionsFor(finding);
    const probed = await probe(batch, { ...options, port: server.port });
    const tookMs = performance.now() - startMs;
    await server.close();
    expect(findingOf(probed.evidence.get(addresses.at(-1) ?? ''))).toBe(finding);
    expect(probed.evidence.size).toBe(addresses.length);
    expect(tookMs).toBeLessThan(options.sessionDeadlineMs);
    expectNothingElseReported(server);
  });

  test('there are over 60 cases, and none expects an invalid address', () => {
    expect(hostile.length).toBeGreaterThan(60);
    expect(hostile.filter(([, , finding]) => /not_found|disabled/.test(finding))).toEqual([]);
  });
});

describe('a session with an odd server succeeds:', () => {
  const odd: readonly [name: string, script: ServerScript, finding?: string][] = [
    ['knows HELO alone', { ehlo: '502 5.5.1 What?\r\n' }],
    ['takes its time', { rcpt: delayed('550 5.1.1 User unknown\r\n', 200) }],
    ['greets in many lines', { banner: '220-one\r\n220-two\r\n220 three\r\n' }],
    ['greets with nothing but the code', { banner: '220\r\n' }],
    ['greets in Latin-1', { banner: Buffer.from('220 Gr\xfc\xdfe\r\n', 'latin1') }],
    ['sends its reply in two pieces', { rcpt: inPieces('550 5.1.1 User', ' unknown\r\n') }],
    ['splits a line end', { rcpt: inPieces('550 5.1.1 User unknown\r', '\n') }],
    ['has no TLS for now', startTls('454 4.7.0 Not now\r\n')],
    [
      'talks nonsense in the handshake',
      startTls((socket) => socket.write('220 Go\r\n') && setTimeout(() => socket.write('nonsense\r\n'), 20)),
    ],
    ['hangs in the handshake', startTls((socket) => socket.write('220 Go\r\n'))],
    ['hangs up in the handshake', startTls((socket) => socket.end('220 Go\r\n'))],
    ['never answers QUIT', { quit: null }],
    ['resets at QUIT', { quit: reset }],
    ['hangs up after a last refusal', { rcpt: replyAndClose('550 5.1.1 User unknown\r\n') }],
    ['accepts with 251', { rcpt: '251 User not local; will forward\r\n' }, 'mailbox_accepts'],
  ];

  test.concurrent.each(odd)('one that %s', async (_name, script, finding = 'mailbox_not_found') => {
    const server = await openScriptedServer(script);
    const batch = batchOf(['alice@example.net'], { catchAll: 'refused' });
    const { evidence } = await probe(batch, { ...longWaits, port: server.port });
    await server.close();
    expect(findingOf(evidence.get('alice@example.net'))).toBe(finding);
    expectNothingElseReported(server);
  });
});

describe('a failed connection', () => {
  let hole: BlackHole;
  beforeAll(async () => {
    hole = await openBlackHole();
  });
  afterAll(() => hole.close());

  test('ends after the connect timeout', async () => {
    const startMs = performance.now();
    expect(await findingAt(hole.port, hastyOptions)).toBe('connection_timeout');
    // Far below the time in which the system gives up.
    expect(performance.now() - startMs).toBeLessThan(20_000);
  });

  test('to a closed port is refused', async () => {
    const server = await openScriptedServer({});
    await server.close();
    expect(await findingAt(server.port)).toBe('connection_refused');
  });

  test('is not attempted to an address that the guard forbids', async () => {
    const server = await scripted({});
    expect(await findingAt(server.port, { isAllowedAddress: () => false })).toBe('connection_refused');
    expect(server.sessions()).toBe(0);
  });

  test('writes nothing if the guard forbids the remote address', async () => {
    const server = await scripted({});
    let asked = 0;
    const isAllowedAddress = () => (asked += 1) === 1;
    expect(await findingAt(server.port, { isAllowedAddress })).toBe('connection_refused');
    expect(asked).toBe(2);
    expect(server.lines).toEqual([]);
  });

  test('to a forbidden address does not reveal an open port', async () => {
    const open = await scripted({});
    const closed = await openScriptedServer({});
    await closed.close();
    const forbid = { isAllowedAddress: () => false };
    const batch = batchOf(['alice@example.net']);
    const one = await probe(batch, { ...longWaits, ...forbid, port: open.port });
    const two = await probe(batch, { ...longWaits, ...forbid, port: closed.port });
    const reported = (found: typeof one) => {
      const { finding, reply, host } = probedOf(found, 'alice@example.net');
      return { finding, reply, host };
    };
    expect(reported(one)).toEqual(reported(two));
  });
});

describe('TLS', () => {
  test('is used if the server offers it, with any certificate', async () => {
    const server = await openPoliteServer({ startTls: true });
    closers.push(server.close);
    const target = { host: 'mx.example.net', address: '127.0.0.1' };
    const options = { ...connectionOptions(), port: server.port };
    const connection = await openSmtpConnection(target, options, new AbortController().signal);
    if (!('target' in connection)) throw new Error(connection.finding);
    expect(connection).toMatchObject({ isSecured: true, takesUtf8: true });
    const { replies } = await connection.send([
      { verb: 'MAIL', from: 'us@example.org', utf8: false },
      { verb: 'RCPT', to: 'alice@example.net', utf8: false },
    ]);
    expect(replies.map(({ code }) => code)).toEqual([250, 250]);
    await connection.close();
  });

  test('that fails is followed by one attempt without it', async () => {
    const server = await scripted(startTls((socket) => socket.end('220 Go\r\n')));
    expect(await findingAt(server.port)).toBe('mailbox_not_found');
    expect(server.sessions()).toBe(2);
    expect(server.lines.filter((line) => line === 'STARTTLS')).toHaveLength(1);
  });

  test('with injected plain text is not followed by an attempt without it', async () => {
    const server = await scripted(startTls('220 Go\r\n250 injected\r\n'));
    await findingAt(server.port);
    expect(server.sessions()).toBe(1);
  });
});

describe('the signal of the caller', () => {
  test('ends a session at any time, with its reason', async () => {
    const server = await scripted({ rcpt: null });
    const controller = new AbortController();
    const reason = new Error('enough');
    setTimeout(() => controller.abort(reason), 50);
    const batch = batchOf(['alice@example.net', 'bob@example.net']);
    const options = { ...longWaits, port: server.port };
    await expect(probe(batch, options, { signal: controller.signal })).rejects.toBe(reason);
  });

  test('that has aborted before prevents the connection', async () => {
    const server = await scripted({});
    const signal = AbortSignal.abort(new Error('enough'));
    await expect(
      probe(batchOf(['alice@example.net']), { ...longWaits, port: server.port }, { signal }),
    ).rejects.toThrow('enough');
    expect(server.sessions()).toBe(0);
  });
});

describe('a command', () => {
  const rcpt = (to: string, utf8 = false) => commandLine({ verb: 'RCPT', to, utf8 });

  test.each(['a@b.de', "o'neil@b.de", '"two words"@b.de', '"\\""@b.de', 'a.b+c@x-y.de'])(
    'accepts %s',
    (address) => {
      expect(rcpt(address)).toBe(`RCPT TO:<${address}>\r\n`);
    },
  );

  test.each([
    'a@b.de\r\nDATA',
    'a@b.de\nRSET',
    'a\0@b.de',
    'a>@b.de',
    '<a@b.de',
    'a b@b.de',
    'a@b.de NOTIFY=SUCCESS',
    'a@b.de> SIZE=1',
    'a@b..de\u2028',
    '"a\r\n"@b.de',
    'a',
    '@b.de',
    'a@',
    '.a@b.de',
    'a..b@b.de',
    'a@[127.0.0.1]',
    'ä@b.de',
    `${'a'.repeat(65)}@b.de`,
    `a@${'b'.repeat(252)}.de`,
  ])('rejects %j', (address) => {
    expect(() => rcpt(address)).toThrow();
  });

  test('accepts letters beyond ASCII only with SMTPUTF8, and no invisible ones', () => {
    expect(rcpt('ärger@b.de', true)).toBe('RCPT TO:<ärger@b.de>\r\n');
    expect(commandLine({ verb: 'MAIL', from: 'us@b.de', utf8: true })).toBe(
      'MAIL FROM:<us@b.de> SMTPUTF8\r\n',
    );
    expect(() => rcpt('är\u200bger@b.de', true)).toThrow();
    expect(() => rcpt('är\u0085ger@b.de', true)).toThrow();
  });

  test('is one line of printable characters, or throws', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary', maxLength: 40 }),
        fc.constantFrom('', '@b.de', '@b.de>'),
        (text, end) => {
          const address = `${text}${end}`;
          if (!isSafeCommand(address)) return;
          const line = rcpt(address, needsUtf8(address));
          expect(line.endsWith('>\r\n')).toBe(true);
          expect(line.slice(0, -2)).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}]/u);
          expect(line.slice('RCPT TO:<'.length, -3)).toBe(address);
        },
      ),
      { seed: takeSeedNumber(), numRuns: 1_000 },
    );
  });

  test('with an invalid name throws', () => {
    expect(() => commandLine({ verb: 'EHLO', name: 'x\r\nDATA' })).toThrow();
    expect(() => commandLine({ verb: 'EHLO', name: '' })).toThrow();
    expect(commandLine({ verb: 'EHLO', name: '[192.0.2.7]' })).toBe('EHLO [192.0.2.7]\r\n');
  });
});

describe('the reply reader', () => {
  test('reads the same replies from any pieces of the stream', () => {
    const stream = Buffer.from(
      '220-mx\r\n220 ready\r\n250-mx\r\n250-PIPELINING\r\n250 Grüße\r\n550 5.1.1 No\r\n',
    );
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: stream.length }), { maxLength: 12 }), (cuts) => {
        const at = [0, ...cuts.sort((a, b) => a - b), stream.length];
        const reader = createReplyReader();
        const replies = at.slice(1).flatMap((end, i) => reader.push(stream.subarray(at[i], end)).replies);
        expect(replies.map(({ code, lines }) => [code, lines.length])).toEqual([
          [220, 2],
          [250, 3],
          [550, 1],
        ]);
        expect(replies[1]?.lines[2]).toBe('Grüße');
      }),
      { seed: takeSeedNumber(), numRuns: 200 },
    );
  });

  test('buffers at most one unfinished reply, and reports one that is too long', () => {
    const reader = createReplyReader();
    const line = Buffer.from(`250-${'x'.repeat(1_000)}\r\n`);
    const breaches = Array.from({ length: 70 }, () => reader.push(line).breach);
    expect(breaches.findIndex((breach) => breach !== null)).toBe(65);
  });

  test('accepts any bytes without an error', () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 60 }), { maxLength: 10 }), (chunks) => {
        const reader = createReplyReader();
        for (const chunk of chunks) if (reader.push(Buffer.from(chunk)).breach !== null) return;
      }),
      { seed: takeSeedNumber(), numRuns: 500 },
    );
  });
});

test('sockets are all closed', async () => {
  await expect.poll(countSockets).toBeLessThanOrEqual(socketsBefore);
});

async function scripted(script: ServerScript): Promise<ScriptedServer> {
  const server = await openScriptedServer(script);
  closers.push(server.close);
  return server;
}

async function findingAt(port: number, changed: Partial<ProbeSessionOptions> = {}): Promise<string> {
  const batch = batchOf(['alice@example.net'], { catchAll: 'refused' });
  const { evidence } = await probe(batch, { ...longWaits, ...changed, port });
  return findingOf(evidence.get('alice@example.net'));
}

function connectionOptions() {
  const { helloName, isAllowedAddress, connectTimeoutMs = 0, commandTimeoutMs = 0 } = longWaits;
  return {
    helloName,
    isAllowedAddress,
    connectTimeoutMs,
    commandTimeoutMs,
    sessionBytesMax: 65_536,
    ownNames: [],
  };
}

/** Expects no command beyond the check of a recipient. */
function expectNothingElseReported({ lines }: ScriptedServer): void {
  const verbs =
    /^(?:EHLO probe\.example\.org|HELO probe\.example\.org|STARTTLS|RSET|QUIT)$|^(?:MAIL FROM|RCPT TO):<[^<>]+>$/;
  // STARTTLS is followed by the client's half of a handshake.
  const handshake = lines.indexOf('STARTTLS');
  const inClear = handshake === -1 ? lines : lines.slice(0, handshake);
  expect(inClear.filter((line) => !verbs.test(line))).toEqual([]);
}

/** Offers STARTTLS, then does something else. */
function startTls(move: Move): ServerScript {
  return { ehlo: '250-mx.example.net\r\n250 STARTTLS\r\n', starttls: move };
}

function pipelining(script: ServerScript): ServerScript {
  return { ehlo: '250-mx.example.net\r\n250 PIPELINING\r\n', ...script };
}

function inPieces(one: string, two: string): Move {
  return (socket) => {
    socket.write(one);
    setTimeout(() => socket.write(two), 20);
  };
}

/** Accepts the address and rejects the control because of the client. */
function controlRefusedForUs(): ServerScript {
  return {
    rcpt: (socket, nth) =>
      socket.write(nth === 1 ? '250 Ok\r\n' : '554 5.7.1 Blocked using zen.spamhaus.org\r\n'),
  };
}
