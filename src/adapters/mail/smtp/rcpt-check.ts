import {
  isControlDue,
  type CheckedMailbox,
  type ControlState,
  type DomainStop,
  type SessionStop,
} from '../../../core/emails/probing/probe-session.ts';
import type { Mailbox } from '../../../core/emails/probing/mailbox.ts';
import {
  classifyControl,
  classifyReply,
  classifyWithControl,
  isSenderRefusal,
  refusalScope,
  type ReplyContext,
} from '../../../core/emails/replies/classify-reply.ts';
import { redactReply } from '../../../core/emails/replies/reply-text.ts';
import type {
  CatchAll,
  ProbeFinding,
  SenderRefusal,
  SmtpReply,
} from '../../../core/emails/replies/smtp-reply.ts';
import type { MailTransactions, RcptAnswer } from './mail-transactions.ts';

/** One mailbox in one session. */
export interface RcptCheck {
  readonly transactions: MailTransactions;
  readonly mailbox: Mailbox;
  readonly control: ControlState;
  /** Permits one more recipient, the control. */
  readonly mayCheckControl: () => Promise<boolean>;
  readonly randomLocalPart: () => string;
  readonly now: () => number;
}

/** Finding of a check; null: the mailbox is still open. */
interface Evaluated extends Omit<CheckedMailbox, 'result'> {
  readonly finding: ProbeFinding | null;
  readonly reply: SmtpReply | null;
  readonly isControlOpen: boolean;
}

type RecipientContext = ReplyContext & { readonly recipient: string };

/**
 * Checks one mailbox with RCPT, and the control if the result depends on it: once per domain after the first accepted mailbox,
 * once per domain and session after the first rejection without a reason, and never before.
 */
export async function checkRecipient(check: RcptCheck): Promise<CheckedMailbox> {
  const { transactions, mailbox, now } = check;
  const startMs = now();
  const context = contextOf(check, mailbox.localPart, mailbox.attempts === 0);
  const answer = await sendRcpt(transactions, context.recipient);
  const { finding, reply, isControlOpen, control, stop } = await evaluate(check, context, answer);
  if (finding === null) return { result: null, control, stop };
  const redacted = reply === null ? null : redactReply(reply, context);
  const durationMs = now() - startMs;
  return {
    result: { host: transactions.host, finding, reply: redacted, isControlOpen, durationMs },
    control,
    stop,
  };
}

function contextOf(
  { transactions, mailbox }: RcptCheck,
  localPart: string,
  isFirstContact: boolean,
): RecipientContext {
  const recipient = `${localPart}@${mailbox.domain}`;
  return { phase: 'rcpt', recipient, ours: transactions.ownNames, isFirstContact };
}

/** Sends RCPT, and again in a new transaction if the current one takes no more recipients (RFC 5321 §4.5.3.1.10). */
async function sendRcpt(transactions: MailTransactions, recipient: string): Promise<RcptAnswer> {
  const answer = await transactions.rcpt(recipient);
  return isTooMany(answer, transactions) ? transactions.rcpt(recipient, { isNew: true }) : answer;
}

function isTooMany(answer: RcptAnswer, { ownNames, hasRoomFor }: MailTransactions): boolean {
  if (answer.kind !== 'reply' || !hasRoomFor(1)) return false;
  const context: ReplyContext = { phase: 'rcpt', recipient: null, ours: ownNames, isFirstContact: false };
  return classifyReply(answer.reply, context).kind === 'too_many_recipients';
}

async function evaluate(check: RcptCheck, context: RecipientContext, answer: RcptAnswer): Promise<Evaluated> {
  const { transactions, control } = check;
  const alone = { control, isControlOpen: false };
  if (answer.kind === 'not_sent')
    return { ...alone, finding: 'smtputf8_unsupported', reply: null, stop: null };
  if (answer.kind !== 'reply') {
    const finding = answer.kind === 'lost' ? answer.finding : null;
    return { ...alone, finding, reply: null, stop: stopOf(transactions, answer, context) };
  }
  const { reply } = answer;
  const meaning = classifyReply(reply, context);
  if (meaning.kind === 'ask_control') return evaluateUnspecified(check, reply);
  if (meaning.kind === 'too_many_recipients') {
    // Not even one recipient: the next session may be too many as well.
    const result = { host: transactions.host, finding: 'server_temporary_error', reply: null } as const;
    return { ...alone, finding: result.finding, reply, stop: { kind: 'lost', result } };
  }
  const { finding } = meaning;
  if (finding === 'mailbox_accepts') return evaluateAccepted(check, reply);
  const stop = isSenderRefusal(finding) ? stopOfRefusal(transactions, finding, reply, context) : null;
  return { ...alone, finding, reply, stop };
}

/** An accepted mailbox is only as reliable as the control, which is checked once per domain. */
async function evaluateAccepted(check: RcptCheck, reply: SmtpReply): Promise<Evaluated> {
  const { control } = check;
  const finding = 'mailbox_accepts';
  if (!isControlDue(control))
    return { finding, reply, control, isControlOpen: control.isDeferred, stop: null };
  const checked = await checkControl(check);
  return {
    finding,
    reply,
    control: merge(control, checked),
    isControlOpen: checked.isOpen,
    stop: checked.stop,
  };
}

/**
 * A rejection without a reason depends on the control of the same session: another session may have had another policy. Without room for
 * the control the next session checks the mailbox again.
 */
async function evaluateUnspecified(check: RcptCheck, reply: SmtpReply): Promise<Evaluated> {
  const { transactions, mailbox, control } = check;
  const earlier = transactions.controls.get(mailbox.domain);
  if (earlier !== undefined || control.isDeferred) {
    const finding = classifyWithControl(earlier ?? 'not_run');
    return { finding, reply, control, isControlOpen: control.isDeferred, stop: null };
  }
  if (!transactions.hasRoomFor(1) && transactions.recipients() > 1)
    return { finding: null, reply: null, control, isControlOpen: false, stop: transactions.end() };
  const checked = await checkControl(check);
  return {
    finding: classifyWithControl(checked.catchAll),
    reply,
    control: merge(control, checked),
    isControlOpen: checked.isOpen,
    stop: checked.stop,
  };
}

/** Merges a new result of the control. An inconclusive one does not replace what was known. */
function merge(known: ControlState, { catchAll, localPart }: CheckedControl): ControlState {
  if (catchAll === 'not_run') return known;
  const isKept = isConclusive(known.catchAll) && !isConclusive(catchAll);
  return { catchAll: isKept ? known.catchAll : catchAll, localPart, isDeferred: localPart !== null };
}

function isConclusive(catchAll: CatchAll): boolean {
  return catchAll === 'accepted' || catchAll === 'refused';
}

interface CheckedControl {
  /** `not_run`: without an answer. */
  readonly catchAll: CatchAll;
  /** The name for the next attempt; null when the control is settled. */
  readonly localPart: string | null;
  /** A later attempt may have another result. */
  readonly isOpen: boolean;
  readonly stop: SessionStop | DomainStop | null;
}

/**
 * Checks the control, an address that cannot exist. Without a permit, or when the session breaks, the control counts as not checked. A
 * deferred control keeps its name for the next attempt: greylisting accepts only recipients that it has seen before.
 */
async function checkControl(check: RcptCheck): Promise<CheckedControl> {
  const { transactions, mailbox, control, mayCheckControl, randomLocalPart } = check;
  const unchecked = { catchAll: 'not_run', localPart: control.localPart, isOpen: true, stop: null } as const;
  if (!transactions.hasRoomFor(1) || !(await mayCheckControl())) return unchecked;
  const localPart = control.localPart ?? randomLocalPart();
  const context = contextOf(check, localPart, control.localPart === null);
  const answer = await sendRcpt(transactions, context.recipient);
  if (answer.kind === 'not_sent') return unchecked;
  if (answer.kind !== 'reply') return { ...unchecked, stop: stopOf(transactions, answer, context) };
  const { reply } = answer;
  const meaning = classifyReply(reply, context);
  const refusal = meaning.kind === 'finding' && isSenderRefusal(meaning.finding) ? meaning.finding : null;
  const stop = refusal === null ? null : stopOfRefusal(transactions, refusal, reply, context);
  const catchAll = classifyControl(reply, context);
  const isOpen = catchAll === 'inconclusive' && reply.code < 500 && refusal === null;
  transactions.controls.set(mailbox.domain, catchAll);
  return { catchAll, localPart: isOpen ? localPart : null, isOpen, stop };
}

function stopOf(
  transactions: MailTransactions,
  answer: Extract<RcptAnswer, { readonly kind: 'lost' | 'closed' }>,
  context: RecipientContext,
): SessionStop {
  if (answer.kind === 'closed') return closed(transactions, answer.finding, answer.reply, context);
  return { kind: 'lost', result: { host: transactions.host, finding: answer.finding, reply: null } };
}

/** A rejection of the sender in reply to RCPT. */
function stopOfRefusal(
  transactions: MailTransactions,
  finding: SenderRefusal,
  reply: SmtpReply,
  context: RecipientContext,
): SessionStop | DomainStop {
  return refusalScope(reply, context, finding) === 'domain'
    ? { kind: 'domain_closed', finding }
    : closed(transactions, finding, reply, context);
}

function closed(
  { host }: MailTransactions,
  finding: ProbeFinding,
  reply: SmtpReply,
  context: RecipientContext,
): SessionStop {
  return { kind: 'closed', result: { host, finding, reply: redactReply(reply, context) } };
}
