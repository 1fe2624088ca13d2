import type { ProbeAddress } from '../../core/emails/probing/mailbox-probe.ts';
import type {
  CatchAll,
  ProbeFinding,
  SenderRefusal,
  SmtpReply,
} from '../../core/emails/replies/smtp-reply.ts';
import { redactReply } from '../../core/emails/replies/reply-text.ts';
import {
  type ReplyContext,
  classifyControl,
  classifyReply,
  classifyWithControl,
  isSenderRefusal,
  refusalScope,
} from '../../core/emails/replies/classify-reply.ts';
import type { AddressAnswer, HostAnswer } from './probe-evidence.ts';
import type { ProbeAnswer, ProbeSession, SessionEnd } from './probe-session.ts';

/** One address in one session. */
export interface Asking {
  readonly session: ProbeSession;
  readonly address: ProbeAddress;
  /** In ASCII. */
  readonly domain: string;
  readonly known: DomainControl;
  /** Asks for leave for one more recipient: the control. */
  readonly takeLeave: () => Promise<boolean>;
  readonly randomLocalPart: () => string;
  readonly now: () => number;
}

/** Known state of the control address of a domain. */
export interface DomainControl {
  /** `not_run`: not known yet. */
  readonly catchAll: CatchAll;
  /** As in `ProbeDomain`. */
  readonly control: string | null;
  /** It was put off a moment ago, and is not asked again before its time. */
  readonly isPutOff: boolean;
}

/** Why nobody else can be asked in a session. */
export type SessionStop =
  | SessionEnd
  /** The host wants nothing to do with us, or lets nobody be asked about. */
  | { readonly kind: 'closed_to_us'; readonly answer: HostAnswer };

/** The domain wants nothing to do with us; others of the same host may. */
export interface DomainStop {
  readonly kind: 'domain_closed';
  readonly finding: SenderRefusal;
}

export interface Asked {
  /** Null where the address could not be named, or is to be asked about again: whatever stopped the session holds for it as well. */
  readonly answer: AddressAnswer | null;
  /** State that is known now. */
  readonly known: DomainControl;
  /** Null while the session goes on, and the domain with it. */
  readonly stop: SessionStop | DomainStop | null;
}

/**
 * Asks about one address, and where that is needed about one that nobody can have (the control): once a domain after the first
 * address that is accepted, once a domain and session after the first that is refused without a reason, and never before.
 */
export async function askAddress(asking: Asking): Promise<Asked> {
  const { session, address, now } = asking;
  const startMs = now();
  const context = contextOf(asking, address.localPart, address.isFirstContact);
  const evaluated = await evaluate(asking, context, await say(session, context.recipient));
  const { finding, reply, known, isControlOpen, stop } = evaluated;
  if (finding === null) return { answer: null, known, stop };
  const kept = reply === null ? null : redactReply(reply, context);
  const attempts = address.attempts + 1;
  const answer = {
    host: session.host,
    finding,
    reply: kept,
    catchAll: known.catchAll,
    isControlOpen,
    attempts,
    durationMs: now() - startMs,
  };
  return { answer, known, stop };
}

type RecipientContext = ReplyContext & { readonly recipient: string };

function contextOf(
  { session, domain }: Asking,
  localPart: string,
  isFirstContact: boolean,
): RecipientContext {
  return { phase: 'rcpt', recipient: `${localPart}@${domain}`, ours: session.ownNames, isFirstContact };
}

/** Sends a recipient; in a transaction of its own where one takes no more recipients (RFC 5321 §4.5.3.1.10). */
async function say(session: ProbeSession, recipient: string): Promise<ProbeAnswer> {
  const answer = await session.ask(recipient);
  return isAboutNumber(answer, session) ? session.ask(recipient, { anew: true }) : answer;
}

function isAboutNumber(answer: ProbeAnswer, { ownNames, hasRoomFor }: ProbeSession): boolean {
  if (answer.kind !== 'reply' || !hasRoomFor(1)) return false;
  const context: ReplyContext = { phase: 'rcpt', recipient: null, ours: ownNames, isFirstContact: false };
  return classifyReply(answer.reply, context).kind === 'too_many_recipients';
}

interface Evaluated {
  /** Null: the address is still to be answered. */
  readonly finding: ProbeFinding | null;
  readonly reply: SmtpReply | null;
  readonly known: DomainControl;
  /** The finding hangs on the control, which may be known another time. */
  readonly isControlOpen: boolean;
  readonly stop: SessionStop | DomainStop | null;
}

async function evaluate(asking: Asking, context: RecipientContext, probed: ProbeAnswer): Promise<Evaluated> {
  const { session, known } = asking;
  const alone = { known, isControlOpen: false };
  if (probed.kind === 'unsayable')
    return { ...alone, finding: 'smtputf8_unsupported', reply: null, stop: null };
  if (probed.kind !== 'reply') {
    const stop = stopWith(session, probed, context);
    return { ...alone, finding: probed.kind === 'lost' ? probed.finding : null, reply: null, stop };
  }
  const { reply } = probed;
  const meaning = classifyReply(reply, context);
  if (meaning.kind === 'ask_control') return evaluateBare(asking, reply);
  if (meaning.kind === 'too_many_recipients') {
    // Not even one: whatever it counts, the next session may be too much as well.
    const answer = { host: session.host, finding: 'server_temporary_error', reply: null } as const;
    return { ...alone, finding: answer.finding, reply, stop: { kind: 'lost', answer } };
  }
  const { finding } = meaning;
  if (finding === 'mailbox_accepts') return evaluateAccepted(asking, reply);
  const stop = isSenderRefusal(finding) ? refusedBy(session, finding, reply, context) : null;
  return { ...alone, finding, reply, stop };
}

/** Checks whether the control is to be asked about as soon as an address is accepted. */
export function isControlDue({ catchAll, control, isPutOff }: DomainControl): boolean {
  return !isPutOff && (catchAll === 'not_run' || (catchAll === 'inconclusive' && control !== null));
}

/** That it accepts means as much as the control does, which is asked once a domain. */
async function evaluateAccepted(asking: Asking, reply: SmtpReply): Promise<Evaluated> {
  const { known } = asking;
  const finding = 'mailbox_accepts';
  if (!isControlDue(known)) return { finding, reply, known, isControlOpen: known.isPutOff, stop: null };
  const asked = await askControl(asking);
  return { finding, reply, known: learn(known, asked), isControlOpen: asked.isOpen, stop: asked.stop };
}

/**
 * A refusal without a reason means what the control says in the same session: what it said in another may have been said on a better
 * day. Where the session has no room left for it the address is asked about again in the next.
 */
async function evaluateBare(asking: Asking, reply: SmtpReply): Promise<Evaluated> {
  const { session, domain, known } = asking;
  const earlier = session.controls.get(domain);
  if (earlier !== undefined || known.isPutOff) {
    const finding = classifyWithControl(earlier ?? 'not_run');
    return { finding, reply, known, isControlOpen: known.isPutOff, stop: null };
  }
  if (!session.hasRoomFor(1) && session.asked() > 1)
    return { finding: null, reply: null, known, isControlOpen: false, stop: session.end() };
  const asked = await askControl(asking);
  return {
    finding: classifyWithControl(asked.state),
    reply,
    known: learn(known, asked),
    isControlOpen: asked.isOpen,
    stop: asked.stop,
  };
}

/** Merges a new state of the control; an unanswered control does not undo what was known. */
function learn(known: DomainControl, { state, control }: AskedControl): DomainControl {
  if (state === 'not_run') return known;
  const isConclusive = state === 'accepted' || state === 'refused';
  const wasConclusive = known.catchAll === 'accepted' || known.catchAll === 'refused';
  const catchAll = isConclusive || !wasConclusive ? state : known.catchAll;
  return { catchAll, control, isPutOff: control !== null };
}

interface AskedControl {
  /** `not_run`: no answer came. */
  readonly state: CatchAll;
  /** The name that the next question comes under; null where it is settled. */
  readonly control: string | null;
  /** Another time may tell. */
  readonly isOpen: boolean;
  readonly stop: SessionStop | DomainStop | null;
}

/**
 * Asks about an address that nobody can have. Without leave, or where the session breaks, it is as if it had not been asked. Where the
 * server puts it off its name is kept: greylisting lets nobody through whom it sees for the first time.
 */
async function askControl(asking: Asking): Promise<AskedControl> {
  const { session, domain, known, takeLeave, randomLocalPart } = asking;
  const unasked = { state: 'not_run', control: known.control, isOpen: true, stop: null } as const;
  if (!session.hasRoomFor(1) || !(await takeLeave())) return unasked;
  const localPart = known.control ?? randomLocalPart();
  const context = contextOf(asking, localPart, known.control === null);
  const probed = await say(session, context.recipient);
  if (probed.kind === 'unsayable') return unasked;
  if (probed.kind !== 'reply') return { ...unasked, stop: stopWith(session, probed, context) };
  const { reply } = probed;
  const meaning = classifyReply(reply, context);
  const refusal = meaning.kind === 'finding' && isSenderRefusal(meaning.finding) ? meaning.finding : null;
  const stop = refusal === null ? null : refusedBy(session, refusal, reply, context);
  const state = classifyControl(reply, context);
  const isOpen = state === 'inconclusive' && reply.code < 500 && refusal === null;
  session.controls.set(domain, state);
  return { state, control: isOpen ? localPart : null, isOpen, stop };
}

function stopWith(
  session: ProbeSession,
  probed: Extract<ProbeAnswer, { readonly kind: 'lost' | 'closed_to_us' }>,
  context: RecipientContext,
): SessionStop {
  if (probed.kind === 'closed_to_us') return closedToUs(session, probed.finding, probed.reply, context);
  return { kind: 'lost', answer: { host: session.host, finding: probed.finding, reply: null } };
}

/** A refusal of ourselves in answer to RCPT. */
function refusedBy(
  session: ProbeSession,
  finding: SenderRefusal,
  reply: SmtpReply,
  context: RecipientContext,
): SessionStop | DomainStop {
  return refusalScope(reply, context, finding) === 'domain'
    ? { kind: 'domain_closed', finding }
    : closedToUs(session, finding, reply, context);
}

function closedToUs(
  { host }: ProbeSession,
  finding: ProbeFinding,
  reply: SmtpReply,
  context: RecipientContext,
): SessionStop {
  return { kind: 'closed_to_us', answer: { host, finding, reply: redactReply(reply, context) } };
}
