import type { ProbeFinding, SmtpReply } from '../../../core/emails/replies/smtp-reply.ts';
import { redactReply } from '../../../core/emails/replies/reply-text.ts';
import {
  type ReplyContext,
  type ReplyPhase,
  classifyReply,
} from '../../../core/emails/replies/classify-reply.ts';
import { commandLine, type SmtpCommand } from './smtp-command.ts';
import { openWire, type Exchange, type SmtpWire, type WireOptions } from './smtp-wire.ts';

export interface SmtpConnectionOptions extends Omit<WireOptions, 'isAllowedAddress'> {
  /** Ports of single hosts, by name. */
  readonly hostPorts?: ReadonlyMap<string, number>;
  /** True when an address of a host may be connected to. */
  readonly isAllowedAddress: (ip: string, host: string) => boolean;
  /** Name in EHLO. */
  readonly helloName: string;
  /** Names of this client that servers may repeat, besides the name and the address of the connection. */
  readonly ownNames: readonly string[];
}

/** One address of a mail host. */
export interface SmtpTarget {
  readonly host: string;
  readonly address: string;
}

/** A connection after EHLO. Commands are sent one after the other. */
export interface SmtpConnection {
  readonly target: SmtpTarget;
  readonly isSecured: boolean;
  /** The server supports SMTPUTF8 (RFC 6531). */
  readonly takesUtf8: boolean;
  /** Names of this client as the server may repeat them. */
  readonly ownNames: readonly string[];
  /** Sends commands in one write if the server supports pipelining (RFC 2920), else one by one up to the first rejection. */
  send(commands: readonly SmtpCommand[]): Promise<Exchange>;
  /** Sends QUIT, waits briefly for the reply, and closes. Resolves when the sockets are closed. */
  close(): Promise<void>;
}

/** Failure of a connection. */
export interface FailedConnection {
  readonly kind: 'failed';
  readonly finding: ProbeFinding;
  /** The decisive reply, redacted; null without one. */
  readonly reply: SmtpReply | null;
  /** The server sent no greeting: another host may be tried. */
  readonly isBeforeGreeting: boolean;
}

/** Time limit of QUIT; nothing depends on it. Our choice. */
const quitTimeoutMs = 1_000;

/**
 * Connects to a mail server: EHLO, or HELO as fallback, then STARTTLS if the server offers it, without validating the certificate (RFC 7435:
 * some encryption is better than none). After a failed handshake it connects once more without TLS.
 */
export async function openSmtpConnection(
  target: SmtpTarget,
  options: SmtpConnectionOptions,
  signal: AbortSignal,
): Promise<SmtpConnection | FailedConnection> {
  const opened = await greet(target, options, signal, { mayEncrypt: true });
  if ('target' in opened || opened.finding !== 'tls_failure' || opened.reply !== null) return opened;
  return greet(target, options, signal, { mayEncrypt: false });
}

async function greet(
  target: SmtpTarget,
  options: SmtpConnectionOptions,
  signal: AbortSignal,
  { mayEncrypt }: { readonly mayEncrypt: boolean },
): Promise<SmtpConnection | FailedConnection> {
  const { host, address } = target;
  const wire = await openWire(
    address,
    {
      ...options,
      port: options.hostPorts?.get(host) ?? options.port,
      isAllowedAddress: (ip) => options.isAllowedAddress(ip, host),
    },
    signal,
  );
  if ('finding' in wire) return failed(wire.finding, null, true);
  const ownNames = [options.helloName, wire.localAddress, ...options.ownNames];
  const greeting = { wire, target, helloName: options.helloName, ownNames };
  const outcome = await introduce(greeting, mayEncrypt);
  if ('kind' in outcome) await wire.close();
  return outcome;
}

/** A connection before EHLO. */
interface Greeting {
  readonly wire: SmtpWire;
  readonly target: SmtpTarget;
  readonly helloName: string;
  readonly ownNames: readonly string[];
}

async function introduce(
  greeting: Greeting,
  mayEncrypt: boolean,
): Promise<SmtpConnection | FailedConnection> {
  const { wire, helloName, ownNames } = greeting;
  const banner = await wire.exchange('', 1);
  if (codeOf(banner) !== 220 || banner.problem !== null) return failureOf('connect', banner, ownNames);
  const hello = await sayHello(wire, helloName);
  if (codeOf(hello) !== 250 || hello.problem !== null) return failureOf('ehlo', hello, ownNames);
  return mayEncrypt && extensionsOf(hello).has('STARTTLS')
    ? encrypt(greeting, hello)
    : connectionOn(greeting, hello, false);
}

async function encrypt(greeting: Greeting, hello: Exchange): Promise<SmtpConnection | FailedConnection> {
  const { wire, target, helloName, ownNames } = greeting;
  const start = await wire.exchange(commandLine({ verb: 'STARTTLS' }), 1);
  if (start.problem !== null) return failureOf('starttls', start, ownNames);
  // RFC 3207 §4: TLS may be unavailable for now.
  if (codeOf(start) !== 220) return connectionOn(greeting, hello, false);
  const problem = await wire.encrypt(target.host);
  if (problem !== null) return failed(problem.finding, null, false);
  // RFC 3207 §4.2: the client discards what it learned in plain text.
  const again = await sayHello(wire, helloName);
  if (codeOf(again) !== 250 || again.problem !== null) return failureOf('ehlo', again, ownNames);
  return connectionOn(greeting, again, true);
}

function connectionOn(
  { wire, target, ownNames }: Greeting,
  hello: Exchange,
  isSecured: boolean,
): SmtpConnection {
  const extensions = extensionsOf(hello);
  const send = extensions.has('PIPELINING') ? sendTogether : sendInTurn;
  return {
    target,
    isSecured,
    ownNames,
    takesUtf8: extensions.has('SMTPUTF8'),
    send: (commands) => send(wire, commands),
    close: () => quit(wire),
  };
}

/** RFC 5321 §3.2, §4.1.4: a server without EHLO gets HELO. */
async function sayHello(wire: SmtpWire, name: string): Promise<Exchange> {
  const hello = await wire.exchange(commandLine({ verb: 'EHLO', name }), 1);
  const code = codeOf(hello);
  if (hello.problem !== null || code < 500) return hello;
  const plain = await wire.exchange(commandLine({ verb: 'HELO', name }), 1);
  // HELO has no extensions.
  return { ...plain, replies: plain.replies.map((reply) => ({ ...reply, lines: reply.lines.slice(0, 1) })) };
}

/** The keywords of the lines after the first (RFC 5321 §4.1.1.1). */
function extensionsOf({ replies }: Exchange): ReadonlySet<string> {
  const lines = replies[0]?.lines.slice(1) ?? [];
  return new Set(lines.map((line) => line.trim().split(/\s/, 1)[0]?.toUpperCase() ?? ''));
}

async function sendTogether(wire: SmtpWire, commands: readonly SmtpCommand[]): Promise<Exchange> {
  return wire.exchange(commands.map(commandLine).join(''), commands.length);
}

async function sendInTurn(wire: SmtpWire, commands: readonly SmtpCommand[]): Promise<Exchange> {
  const replies: SmtpReply[] = [];
  for (const command of commands) {
    const exchange = await wire.exchange(commandLine(command), 1);
    replies.push(...exchange.replies);
    if (exchange.problem !== null) return { replies, problem: exchange.problem };
    if (codeOf(exchange) !== 250) break;
  }
  return { replies, problem: null };
}

async function quit(wire: SmtpWire): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const waitBudget = new Promise((resolve) => {
    timer = setTimeout(resolve, quitTimeoutMs);
  });
  await Promise.race([wire.exchange(commandLine({ verb: 'QUIT' }), 1), waitBudget]);
  clearTimeout(timer);
  await wire.close();
}

/** The code of the first reply; 0 without one. */
function codeOf({ replies }: Exchange): number {
  return replies[0]?.code ?? 0;
}

/** A reply takes precedence over a later loss of the connection; a protocol error invalidates every reply. */
function failureOf(
  phase: ReplyPhase,
  { replies, problem }: Exchange,
  ours: readonly string[],
): FailedConnection {
  const [reply] = replies;
  const isBeforeGreeting = phase === 'connect';
  if (reply === undefined || reply.code < 400 || problem?.finding === 'protocol_error') {
    return failed(problem?.finding ?? 'protocol_error', null, isBeforeGreeting);
  }
  const kept = redactReply(reply, { recipient: null, ours });
  return failed(earlyFinding(reply, phase, ours), kept, isBeforeGreeting);
}

function earlyFinding(reply: SmtpReply, phase: ReplyPhase, ours: readonly string[]): ProbeFinding {
  const context: ReplyContext = { phase, recipient: null, ours, isFirstContact: false };
  const meaning = classifyReply(reply, context);
  return meaning.kind === 'finding' ? meaning.finding : 'protocol_error';
}

function failed(finding: ProbeFinding, reply: SmtpReply | null, isBeforeGreeting: boolean): FailedConnection {
  return { kind: 'failed', finding, reply, isBeforeGreeting };
}
