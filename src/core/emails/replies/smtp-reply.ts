import type { CatchAll, ProbeFinding, SenderRefusal, SmtpReply } from '../probing/mailbox.ts';
import {
  classifyEarly,
  classifyPermanentError,
  classifyRecipient,
  isBare,
  isTooManyRecipients,
  namesUs,
  readRefusal,
  type ReplyContext,
  type ReplyPhase,
} from './reply-rules.ts';

export type { ReplyContext, ReplyPhase } from './reply-rules.ts';

export type ReplyMeaning =
  | { readonly kind: 'finding'; readonly finding: ProbeFinding }
  /** A refusal without a reason. What the server says about an address that nobody can have tells more: `classifyWithControl`. */
  | { readonly kind: 'ask_control' }
  /** Not about the address: this transaction takes no more of them (RFC 5321 §4.5.3.1.10). */
  | { readonly kind: 'too_many_recipients' };

/** RFC 5321 §4.2: a code, then `-` where a line follows and a blank or nothing where none does. */
const replyLine = /^([2-5]\d\d)(?:([ -])(.*))?$/s;
/** RFC 2034 §4, RFC 3463 §2: at the beginning of a line's text. Some servers put `#` before it. */
const enhanced = /^#?([245]\.\d{1,3}\.\d{1,3})(?=[\s:;,]|$)[\s:;,]*/;

/**
 * Reads the lines of one reply, given without their ends. Null where they are no reply of RFC 5321 §4.2: other than three digits
 * from 200 to 599 in front, lines with different codes, a line missing or too many, control characters.
 */
export function parseReply(lines: readonly string[]): SmtpReply | null {
  const texts: string[] = [];
  const codes = new Set<string>();
  for (const [index, line] of lines.entries()) {
    const [, code, separator, text = ''] = replyLine.exec(line) ?? [];
    const isLast = index === lines.length - 1;
    if (code === undefined || isLast === (separator === '-') || hasControl(text)) return null;
    codes.add(code);
    texts.push(text);
  }
  const [code] = codes;
  if (code === undefined || codes.size > 1) return null;
  return {
    code: Number(code),
    enhancedCode: enhanced.exec(texts[0] ?? '')?.[1] ?? null,
    lines: texts.map((text) => text.replace(enhanced, '')),
  };
}

/** A tab is text (RFC 5321 §4.2: %d09 / %d32-126). What is beyond ASCII is let through: servers write in their own language. */
function hasControl(text: string): boolean {
  return /[^\P{Cc}\t\x80-\x9f]/u.test(text);
}

/**
 * Says what a reply means. Never throws.
 *
 * Only a reply to RCPT is about a recipient, and only a 5xx reply can say that there is no such mailbox, by its enhanced code
 * (RFC 3463) or in words; what may be about us, about somebody's rules or about the server is never taken for that.
 */
export function classifyReply(reply: SmtpReply, context: ReplyContext): ReplyMeaning {
  if (reply.code < 400) return finding(classifyAcceptance(reply, context.phase));
  const refusal = readRefusal(reply, context);
  if (context.phase !== 'rcpt') return finding(classifyEarly(refusal, context.phase));
  if (isTooManyRecipients(refusal)) return { kind: 'too_many_recipients' };
  const found = classifyRecipient(refusal);
  if (found !== null) return finding(found);
  if (!isBare(refusal)) return finding('unrecognised_reply');
  const failure = classifyPermanentError(refusal);
  return failure === null ? { kind: 'ask_control' } : finding(failure);
}

/**
 * Says what a refusal without a reason means, once the control is known: what the server said in the same session about an
 * address that nobody can have. Accepted: then this one was refused for itself. Refused, alike or otherwise, proves nothing: a server
 * that refuses everybody does so in words that name each by its own address.
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

/**
 * Says who a refusal of ourselves speaks for: all of the provider only where it names us or a list that we are on, or where it came
 * before a recipient was named. Else it may be a rule of one domain among the many that a provider's hosts serve.
 */
export function refusalScope(
  reply: SmtpReply,
  context: ReplyContext,
  finding: SenderRefusal,
): 'provider' | 'domain' {
  if (context.phase !== 'rcpt' || finding === 'sender_rate_limited') return 'provider';
  return namesUs(readRefusal(reply, context)) ? 'provider' : 'domain';
}

/** True when a finding says that the server rejects the sender. */
export function isSenderRefusal(finding: ProbeFinding): finding is SenderRefusal {
  return finding === 'sender_blocked' || finding === 'sender_rate_limited';
}

function finding(found: ProbeFinding): ReplyMeaning {
  return { kind: 'finding', finding: found };
}

/** 250 and 251 accept (RFC 5321 §4.2.3); 252 promises to try. A class that says otherwise makes the reply no answer. */
function classifyAcceptance(reply: SmtpReply, phase: ReplyPhase): ProbeFinding {
  if (phase !== 'rcpt' || reply.code < 250 || reply.code > 252) return 'protocol_error';
  return (reply.enhancedCode ?? '2').startsWith('2') ? 'mailbox_accepts' : 'unrecognised_reply';
}
