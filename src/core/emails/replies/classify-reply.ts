import {
  classifyEarly,
  classifyFailure,
  classifyRecipient,
  isTooManyRecipients,
  isUnspecified,
  namesSendingHost,
  readRejection,
  type ReplyContext,
  type ReplyPhase,
} from './reply-rules.ts';
import type { CatchAll, ProbeFinding, SenderRefusal, SmtpReply } from './smtp-reply.ts';

export type { ReplyContext, ReplyPhase } from './reply-rules.ts';

export type ReplyMeaning =
  | { readonly kind: 'finding'; readonly finding: ProbeFinding }
  /** A rejection without a reason: the control of the same session decides (`classifyWithControl`). */
  | { readonly kind: 'ask_control' }
  /** Not about the address: this transaction takes no more of them (RFC 5321 §4.5.3.1.10). */
  | { readonly kind: 'too_many_recipients' };

/**
 * Classifies a reply. Never throws.
 *
 * Only a reply to RCPT is about a recipient, and only a 5xx reply can mean that the mailbox does not exist, by its enhanced code
 * (RFC 3463) or in words. A reply that may be about the sender, a policy or the server never means that.
 */
export function classifyReply(reply: SmtpReply, context: ReplyContext): ReplyMeaning {
  if (reply.code < 400) return found(classifyAcceptance(reply, context.phase));
  const rejection = readRejection(reply, context);
  if (context.phase !== 'rcpt') return found(classifyEarly(rejection, context.phase));
  if (isTooManyRecipients(rejection)) return { kind: 'too_many_recipients' };
  const finding = classifyRecipient(rejection);
  if (finding !== null) return found(finding);
  if (!isUnspecified(rejection)) return found('unrecognised_reply');
  const failure = classifyFailure(rejection);
  return failure === null ? { kind: 'ask_control' } : found(failure);
}

/**
 * Classifies a rejection without a reason by the control of the same session. An accepted control: this recipient was rejected for itself.
 * A rejected control proves nothing: a server that rejects everything names each recipient by its own address.
 */
export function classifyWithControl(control: CatchAll): 'mailbox_not_found' | 'unrecognised_reply' {
  return control === 'accepted' ? 'mailbox_not_found' : 'unrecognised_reply';
}

/** Classifies a reply to the control: only a reply that the mailbox does not exist counts as rejected. */
export function classifyControl(reply: SmtpReply, context: ReplyContext): CatchAll {
  const meaning = classifyReply(reply, context);
  if (meaning.kind !== 'finding') return 'inconclusive';
  if (meaning.finding === 'mailbox_accepts') return 'accepted';
  return makesInvalid(meaning.finding) ? 'refused' : 'inconclusive';
}

/** True when a finding proves that no mail can reach the mailbox. No other reply of a mail server does. */
export function makesInvalid(finding: ProbeFinding): boolean {
  return finding === 'mailbox_not_found' || finding === 'mailbox_disabled';
}

/** True when a finding means that the server rejects the sender. */
export function isSenderRefusal(finding: ProbeFinding): finding is SenderRefusal {
  return finding === 'sender_blocked' || finding === 'sender_rate_limited';
}

/**
 * Scope of a rejection of the sender: the whole provider where it names the sending host or a block list, or where it came before a
 * recipient was named. Any other may be a rule of one domain among the many that a provider hosts.
 */
export function refusalScope(
  reply: SmtpReply,
  context: ReplyContext,
  finding: SenderRefusal,
): 'provider' | 'domain' {
  if (context.phase !== 'rcpt' || finding === 'sender_rate_limited') return 'provider';
  return namesSendingHost(readRejection(reply, context)) ? 'provider' : 'domain';
}

function found(finding: ProbeFinding): ReplyMeaning {
  return { kind: 'finding', finding };
}

/** 250 and 251 accept (RFC 5321 §4.2.3); 252 promises to try. An enhanced code of another class contradicts the acceptance. */
function classifyAcceptance(reply: SmtpReply, phase: ReplyPhase): ProbeFinding {
  if (phase !== 'rcpt' || reply.code < 250 || reply.code > 252) return 'protocol_error';
  return (reply.enhancedCode ?? '2').startsWith('2') ? 'mailbox_accepts' : 'unrecognised_reply';
}
