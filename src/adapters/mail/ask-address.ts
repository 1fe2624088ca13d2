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
  /** Null where the address could not be named, or is to be asked about again: whatever stopped the session holds for it as well. */
  readonly answer: AddressAnswer | null;
  /** What is known now. */
  readonly catchAll: CatchAll;
  /** Null while the session goes on. */
  readonly stop: SessionStop | null;
}

/**
 * Asks about one address, and where that is needed about one that nobody can have (the control): once a domain after the first
 * address that is accepted, once a domain and session after the first that is refused without a reason, and never before.
 */
export async function askAddress(asking: Asking): Promise<Asked> {
  const { session, address, now } = asking;
  const startMs = now();
  const context = contextOf(asking, address.localPart, address.isFirstContact);
  const judged = await judge(asking, context, await say(session, context.recipient));
  const { finding, reply, catchAll, isControlOpen, stop } = judged;
  if (finding === null) return { answer: null, catchAll, stop };
  const kept = reply === null ? null : redactReply(reply, context);
  const attempts = address.attempts + 1;
  const answer = {
    host: session.host,
    finding,
    reply: kept,
    catchAll,
    isControlOpen,
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
  /** Null: the address is still to be answered. */
  readonly finding: ProbeFinding | null;
  readonly reply: SmtpReply | null;
  readonly catchAll: CatchAll;
  readonly isControlOpen: boolean;
  readonly stop: SessionStop | null;
}

async function judge(asking: Asking, context: RecipientContext, said: ProbeAnswer): Promise<Judged> {
  const { session, catchAll } = asking;
  const known = { catchAll, isControlOpen: false };
  if (said.kind === 'unsayable')
    return { ...known, finding: 'smtputf8_unsupported', reply: null, stop: null };
  if (said.kind !== 'reply') {
    const stop = stopWith(session, said, context);
    return { ...known, finding: said.kind === 'lost' ? said.finding : null, reply: null, stop };
  }
  const { reply } = said;
  const meaning = classifyReply(reply, context);
  if (meaning.kind === 'ask_control') return judgeBare(asking, reply);
  if (meaning.kind === 'too_many_recipients') {
    // Not even one: whatever it counts, the next session may be too much as well.
    const answer = { host: session.host, finding: 'server_temporary_error', reply: null } as const;
    return { ...known, finding: answer.finding, reply, stop: { kind: 'lost', answer } };
  }
  const { finding } = meaning;
  if (finding === 'mailbox_accepts') return judgeAccepted(asking, reply);
  const stop = isSenderRefusal(finding) ? closedToUs(session, finding, reply, context) : null;
  return { ...known, finding, reply, stop };
}

/** That it accepts means as much as the control does, which is asked once a domain. */
async function judgeAccepted(asking: Asking, reply: SmtpReply): Promise<Judged> {
  const finding = 'mailbox_accepts';
  if (asking.catchAll !== 'not_run')
    return { finding, reply, catchAll: asking.catchAll, isControlOpen: false, stop: null };
  const { state, isOpen, stop } = await askControl(asking);
  return { finding, reply, catchAll: state, isControlOpen: isOpen, stop };
}

/**
 * A refusal without a reason means what the control says in the same session: what it said in another may have been said on a better
 * day. Where the session has no room left for it the address is asked about again in the next.
 */
async function judgeBare(asking: Asking, reply: SmtpReply): Promise<Judged> {
  const { session, domain, catchAll } = asking;
  const earlier = session.controls.get(domain);
  if (earlier === undefined && !session.hasRoomFor(1) && session.asked() > 1)
    return { finding: null, reply: null, catchAll, isControlOpen: false, stop: session.end() };
  const { state, isOpen, stop } =
    earlier === undefined ? await askControl(asking) : { state: earlier, isOpen: false, stop: null };
  const isTold = state === 'accepted' || state === 'refused';
  return {
    finding: classifyWithControl(state),
    reply,
    catchAll: isTold || catchAll === 'not_run' ? state : catchAll,
    isControlOpen: isOpen,
    stop,
  };
}

interface AskedControl {
  readonly state: CatchAll;
  /** Another time may tell. */
  readonly isOpen: boolean;
  readonly stop: SessionStop | null;
}

/** Asks about an address that nobody can have. Without leave, or where the session breaks, it is as if it had not been asked. */
async function askControl(asking: Asking): Promise<AskedControl> {
  const { session, domain, takeLeave, randomLocalPart } = asking;
  if (!session.hasRoomFor(1) || !(await takeLeave())) return { state: 'not_run', isOpen: true, stop: null };
  const context = contextOf(asking, randomLocalPart(), true);
  const said = await say(session, context.recipient);
  if (said.kind !== 'reply') {
    const stop = said.kind === 'unsayable' ? null : stopWith(session, said, context);
    return { state: 'not_run', isOpen: true, stop };
  }
  const meaning = classifyReply(said.reply, context);
  const refusal = meaning.kind === 'finding' && isSenderRefusal(meaning.finding) ? meaning.finding : null;
  const stop = refusal === null ? null : closedToUs(session, refusal, said.reply, context);
  const state = classifyControl(said.reply, context);
  session.controls.set(domain, state);
  return { state, isOpen: false, stop };
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
