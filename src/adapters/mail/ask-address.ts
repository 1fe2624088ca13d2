import type { ProbeAddress } from '../../core/email/mailbox-probe.ts';
import type { CatchAll, ProbeFinding, SmtpReply } from '../../core/email/mailbox.ts';
import { redactReply } from '../../core/email/reply-text.ts';
import {
  classifyControl,
  classifyReply,
  classifyWithControl,
  isSenderRefusal,
  type ReplyContext,
} from '../../core/email/smtp-reply.ts';
import type { AddressAnswer, HostAnswer } from './probe-evidence.ts';
import type { ProbeAnswer, ProbeSession, SessionEnd } from './probe-session.ts';

/** One address in one session. */
export interface Asking {
  readonly session: ProbeSession;
  readonly address: ProbeAddress;
  /** In ASCII. */
  readonly domain: string;
  /** `not_run`: not known yet. */
  readonly catchAll: CatchAll;
  /** Asks for leave for one more recipient: the control. */
  readonly takeLeave: () => Promise<boolean>;
  readonly randomLocalPart: () => string;
  readonly now: () => number;
}

/** Why nobody else can be asked in a session. */
export type SessionStop =
  | SessionEnd
  /** The host wants nothing to do with us, or lets nobody be asked about. */
  | { readonly kind: 'closed_to_us'; readonly answer: HostAnswer };

export interface Asked {
  /** Null where the address could not even be named: whatever stopped the session holds for it as well. */
  readonly answer: AddressAnswer | null;
  /** What is known now. */
  readonly catchAll: CatchAll;
  /** Null while the session goes on. */
  readonly stop: SessionStop | null;
}

/**
 * Asks about one address, and where that is needed about one that nobody can have (the control): once a domain, after the first
 * address that is accepted, or refused without a reason, and never before.
 */
export async function askAddress(asking: Asking): Promise<Asked> {
  const { session, address, now } = asking;
  const startMs = now();
  const context = contextOf(asking, address.localPart, address.isFirstContact);
  const judged = await judge(asking, context, await say(session, context.recipient));
  const { finding, reply, catchAll, stop } = judged;
  if (finding === null) return { answer: null, catchAll, stop };
  const kept = reply === null ? null : redactReply(reply, context);
  const attempts = address.attempts + 1;
  const answer = {
    host: session.host,
    finding,
    reply: kept,
    catchAll,
    attempts,
    durationMs: now() - startMs,
  };
  return { answer, catchAll, stop };
}

type RecipientContext = ReplyContext & { readonly recipient: string };

function contextOf(
  { session, domain }: Asking,
  localPart: string,
  isFirstContact: boolean,
): RecipientContext {
  return { phase: 'rcpt', recipient: `${localPart}@${domain}`, ours: session.ownNames, isFirstContact };
}

/** Where a transaction takes no more recipients the address gets one of its own (RFC 5321 §4.5.3.1.10). */
async function say(session: ProbeSession, recipient: string): Promise<ProbeAnswer> {
  const answer = await session.ask(recipient);
  return isAboutNumber(answer, session) ? session.ask(recipient, { anew: true }) : answer;
}

function isAboutNumber(answer: ProbeAnswer, { ownNames, hasRoomFor }: ProbeSession): boolean {
  if (answer.kind !== 'reply' || !hasRoomFor(1)) return false;
  const context: ReplyContext = { phase: 'rcpt', recipient: null, ours: ownNames, isFirstContact: false };
  return classifyReply(answer.reply, context).kind === 'too_many_recipients';
}

interface Judged {
  readonly finding: ProbeFinding | null;
  readonly reply: SmtpReply | null;
  readonly catchAll: CatchAll;
  readonly stop: SessionStop | null;
}

async function judge(asking: Asking, context: RecipientContext, said: ProbeAnswer): Promise<Judged> {
  const { session, catchAll } = asking;
  if (said.kind === 'unsayable')
    return { finding: 'smtputf8_unsupported', reply: null, catchAll, stop: null };
  if (said.kind !== 'reply') {
    const stop = stopWith(session, said, context);
    return { finding: said.kind === 'lost' ? said.finding : null, reply: null, catchAll, stop };
  }
  const { reply } = said;
  const meaning = classifyReply(reply, context);
  if (meaning.kind === 'too_many_recipients') {
    // Not even one: whatever it counts, the next session may be too much as well.
    const answer = { host: session.host, finding: 'server_temporary_error', reply: null } as const;
    return { finding: answer.finding, reply, catchAll, stop: { kind: 'lost', answer } };
  }
  if (meaning.kind === 'finding' && meaning.finding !== 'mailbox_accepts') {
    const { finding } = meaning;
    const stop = isSenderRefusal(finding) ? closedToUs(session, finding, reply, context) : null;
    return { finding, reply, catchAll, stop };
  }
  const control = catchAll === 'not_run' ? await askControl(asking) : { catchAll, stop: null };
  const isAccepted = meaning.kind === 'finding';
  const finding = isAccepted ? meaning.finding : classifyWithControl(reply, context, control.catchAll);
  return { ...control, finding, reply };
}

/** Asks about an address that nobody can have. Without leave, or where the session breaks, it is as if it had not been asked. */
async function askControl(asking: Asking): Promise<Pick<Judged, 'catchAll' | 'stop'>> {
  const { session, takeLeave, randomLocalPart } = asking;
  if (!session.hasRoomFor(1) || !(await takeLeave())) return { catchAll: 'not_run', stop: null };
  const context = contextOf(asking, randomLocalPart(), true);
  const said = await say(session, context.recipient);
  if (said.kind !== 'reply') {
    return { catchAll: 'not_run', stop: said.kind === 'unsayable' ? null : stopWith(session, said, context) };
  }
  const meaning = classifyReply(said.reply, context);
  const refusal = meaning.kind === 'finding' && isSenderRefusal(meaning.finding) ? meaning.finding : null;
  const stop = refusal === null ? null : closedToUs(session, refusal, said.reply, context);
  return { catchAll: classifyControl(said.reply, context), stop };
}

function stopWith(
  session: ProbeSession,
  said: Extract<ProbeAnswer, { readonly kind: 'lost' | 'closed_to_us' }>,
  context: RecipientContext,
): SessionStop {
  if (said.kind === 'closed_to_us') return closedToUs(session, said.finding, said.reply, context);
  return { kind: 'lost', answer: { host: session.host, finding: said.finding, reply: null } };
}

function closedToUs(
  { host }: ProbeSession,
  finding: ProbeFinding,
  reply: SmtpReply,
  context: RecipientContext,
): SessionStop {
  return { kind: 'closed_to_us', answer: { host, finding, reply: redactReply(reply, context) } };
}
