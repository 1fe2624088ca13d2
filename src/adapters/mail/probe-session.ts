import type { MailHost } from '../../core/emails/domains/mail-domain.ts';
import type { CatchAll, ProbeFinding, SmtpReply } from '../../core/emails/replies/smtp-reply.ts';
import { classifyReply, isSenderRefusal } from '../../core/emails/replies/classify-reply.ts';
import type { HostAnswer } from './probe-evidence.ts';
import type { ProbeSettings } from './probe-options.ts';
import { needsUtf8, type SmtpCommand } from './smtp-command.ts';
import {
  openSmtpConnection,
  type FailedConnection,
  type SmtpConnection,
  type SmtpTarget,
} from './smtp-connection.ts';
import type { Exchange } from './smtp-wire.ts';

/** Result of asking about an address. */
export type ProbeAnswer =
  /** The reply to RCPT. */
  | { readonly kind: 'reply'; readonly reply: SmtpReply }
  /** No transaction could be begun: nobody can be asked about. */
  | { readonly kind: 'closed_to_us'; readonly finding: ProbeFinding; readonly reply: SmtpReply }
  /** The session is over, without a reply. */
  | { readonly kind: 'lost'; readonly finding: ProbeFinding }
  /** The address cannot be said to this server. */
  | { readonly kind: 'unsayable' };

/** Why a session takes no more addresses. */
export type SessionEnd =
  | { readonly kind: 'full' }
  /** It broke, or the host ended it. */
  | { readonly kind: 'lost'; readonly answer: HostAnswer };

/** A session with one mail host, in which many addresses are asked about. */
export interface ProbeSession {
  readonly host: string;
  /** Our names as the host may repeat them. */
  readonly ownNames: readonly string[];
  /** Answers to control addresses in this session, by domain. */
  readonly controls: Map<string, CatchAll>;
  /** Number of addresses asked about so far. */
  asked(): number;
  /** True when the session has room for so many more addresses: in number, in rejections, and in time. */
  hasRoomFor(count: number): boolean;
  /** Why there is no room. */
  end(): SessionEnd;
  /** Asks about one address, in a transaction of its own where the host or the caller wants that. */
  ask(address: string, options?: { readonly anew: boolean }): Promise<ProbeAnswer>;
  close(): Promise<void>;
}

/** No session, and which host it failed with. */
export interface FailedSession extends FailedConnection {
  readonly host: string;
}

/** Opens sessions with the hosts of one group, and remembers which of their addresses work. */
export interface SessionOpener {
  open(signal: AbortSignal): Promise<ProbeSession | FailedSession>;
}

/** Addresses tried for one batch. RFC 5321 §5.1 asks for at least two; the rest is our choice. */
const targetsMax = 10;

/** Exchange Online and Outlook.com stop at the second recipient of a transaction at times, with 452 4.5.3. */
const oneRecipientHosts = /(?:^|\.)(?:outlook\.(?:com|cn)|hotmail\.com|office365\.(?:com|us)|mx\.microsoft)$/;

/**
 * Tries the hosts in their order, each by all its addresses. The next is tried only when one gives no greeting: a host that
 * refuses us speaks for all of them, and going round it would be going round a block.
 */
export function createSessionOpener(hosts: readonly MailHost[], settings: ProbeSettings): SessionOpener {
  let targets: readonly SmtpTarget[] = hosts
    .flatMap(({ name, addresses }) => addresses.map((address) => ({ host: name, address })))
    .slice(0, targetsMax);

  async function open(signal: AbortSignal): Promise<ProbeSession | FailedSession> {
    const startMs = settings.now();
    let first: FailedSession | null = null;
    for (const target of targets) {
      const opened = await openSmtpConnection(target, settings, signal);
      if ('target' in opened) return createSession(opened, settings, startMs);
      const failure = { ...opened, host: target.host };
      if (!mayAskAnother(failure)) return failure;
      first ??= failure;
      targets = targets.filter((other) => other !== target);
      if (signal.aborted) break;
    }
    return first ?? noTarget(hosts);
  }

  return { open };
}

function mayAskAnother({ finding, isBeforeGreeting }: FailedSession): boolean {
  return isBeforeGreeting && !isSenderRefusal(finding) && finding !== 'greylisted';
}

function noTarget(hosts: readonly MailHost[]): FailedSession {
  const host = hosts[0]?.name ?? '';
  return { kind: 'failed', finding: 'connection_refused', reply: null, isBeforeGreeting: true, host };
}

function createSession(connection: SmtpConnection, settings: ProbeSettings, startMs: number): ProbeSession {
  const { target, takesUtf8, ownNames } = connection;
  const lastStartMs = startMs + settings.sessionDeadlineMs - settings.commandTimeoutMs;
  let isOneByOne = oneRecipientHosts.test(target.host);
  let asked = 0;
  let inTransaction = 0;
  let refused = 0;
  let lost: ProbeFinding | null = null;
  let transaction: { readonly utf8: boolean } | null = null;

  function hasRoomFor(count: number): boolean {
    return (
      lost === null &&
      asked + count <= settings.recipientsPerSessionMax &&
      refused + count <= settings.refusalsPerSessionMax &&
      settings.now() <= lastStartMs
    );
  }

  async function ask(address: string, { anew } = { anew: false }): Promise<ProbeAnswer> {
    const utf8 = needsUtf8(address);
    if (utf8 && !takesUtf8) return { kind: 'unsayable' };
    const begins = transaction === null || isOneByOne || anew || (utf8 && !transaction.utf8);
    const commands: readonly SmtpCommand[] = [
      ...(begins && transaction !== null ? [{ verb: 'RSET' } as const] : []),
      ...(begins ? [{ verb: 'MAIL', from: settings.mailFrom, utf8 } as const] : []),
      { verb: 'RCPT', to: address, utf8 },
    ];
    // Whom the second of a transaction is too many, it is so every time.
    if (anew && inTransaction === 2) isOneByOne = true;
    inTransaction = begins ? 1 : inTransaction + 1;
    if (begins) transaction = { utf8 };
    asked += 1;
    const exchange = await connection.send(commands);
    const answer = answerOf(commands, exchange, ownNames);
    if (answer.kind === 'lost') lost = answer.finding;
    lost ??= exchange.problem?.finding ?? null;
    if (answer.kind !== 'reply' || answer.reply.code >= 400) refused += 1;
    return answer;
  }

  function end(): SessionEnd {
    // A session that had no time for anybody is none.
    const finding = lost ?? (asked === 0 ? 'connection_timeout' : null);
    if (finding === null) return { kind: 'full' };
    return { kind: 'lost', answer: { host: target.host, finding, reply: null } };
  }

  return {
    host: target.host,
    ownNames,
    controls: new Map(),
    asked: () => asked,
    hasRoomFor,
    end,
    ask,
    close: connection.close,
  };
}

/** Reads the replies beside their commands. Where the protocol broke, none is believed. */
function answerOf(
  commands: readonly SmtpCommand[],
  { replies, problem }: Exchange,
  ours: readonly string[],
): ProbeAnswer {
  if (problem?.finding === 'protocol_error') return { kind: 'lost', finding: 'protocol_error' };
  for (const [index, { verb }] of commands.entries()) {
    const reply = replies[index];
    if (reply === undefined) return { kind: 'lost', finding: problem?.finding ?? 'protocol_error' };
    if (verb === 'RCPT') return { kind: 'reply', reply };
    if (reply.code === 250) continue;
    const meaning = classifyReply(reply, { phase: 'mail', recipient: null, ours, isFirstContact: false });
    const finding = meaning.kind === 'finding' ? meaning.finding : 'protocol_error';
    // A session that ends here may go on in another; RSET is not refused at all (RFC 5321 §4.1.1.5).
    const isOver = reply.code === 421 && !isSenderRefusal(finding);
    if (isOver || verb === 'RSET') return { kind: 'lost', finding: isOver ? finding : 'protocol_error' };
    return { kind: 'closed_to_us', finding, reply };
  }
  return { kind: 'lost', finding: 'protocol_error' };
}
