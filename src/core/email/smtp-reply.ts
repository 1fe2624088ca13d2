import type { CatchAll, ProbedMailbox, SmtpReply } from './mailbox.ts';
import { readReplyText, type ReplyNames, type ReplyText } from './reply-text.ts';
import {
  asksToWait,
  blockLists,
  deniesAccess,
  hasTrouble,
  hedges,
  isForNow,
  namesMailbox,
  refuses,
  refusesAddress,
  refusesByChoice,
  refusesDomain,
  refusesSender,
  saysDisabled,
  saysFull,
  saysGreylisted,
  saysMailboxBlocked,
  saysRecipientGetsTooMuch,
  saysTooFast,
  saysTooManyRecipients,
  saysUnknown,
  speaksOfRules,
  speaksOfSender,
  stockSentences,
  wantsEncryption,
  type WordList,
} from './reply-words.ts';

/** What asking one mailbox can come to. */
export type ProbeFinding = ProbedMailbox['finding'];

/** What was said to the server before it replied. */
export type ReplyPhase = 'connect' | 'ehlo' | 'starttls' | 'mail' | 'rcpt';

/** What a reply has to be read with. */
export interface ReplyContext extends ReplyNames {
  readonly phase: ReplyPhase;
  /** Nobody was asked about this address before: a refusal for now may be the greeting of a stranger. */
  readonly isFirstContact: boolean;
}

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
  const heard = hear(reply, context);
  if (context.phase !== 'rcpt') return finding(classifyEarly(heard, context.phase));
  if (isTooManyRecipients(heard)) return { kind: 'too_many_recipients' };
  const known = recipientRules.find(({ when }) => when(heard));
  if (known !== undefined) return finding(known.finding);
  return isBare(heard) ? { kind: 'ask_control' } : finding('unrecognised_reply');
}

/**
 * Says what a refusal without a reason means, once the control is known: what the server said in the same session about an
 * address that nobody can have. Accepted: then this one was refused for itself. Refused alike: then nothing is known, unless the
 * reply names the user it refuses.
 */
export function classifyWithControl(
  reply: SmtpReply,
  context: ReplyContext,
  control: CatchAll,
): 'mailbox_not_found' | 'unrecognised_reply' {
  if (control === 'accepted') return 'mailbox_not_found';
  const text = readReplyText(reply, context);
  const namesTheUser = text.namesRecipient && namesMailbox(text.words) && refuses(text.words);
  return control === 'refused' && namesTheUser && !text.namesAnIp
    ? 'mailbox_not_found'
    : 'unrecognised_reply';
}

/** What a reply to the control shows: only the plain refusal of a mailbox counts as one. */
export function classifyControl(reply: SmtpReply, context: ReplyContext): CatchAll {
  const meaning = classifyReply(reply, context);
  if (meaning.kind === 'ask_control') return 'refused';
  if (meaning.kind === 'too_many_recipients') return 'inconclusive';
  if (meaning.finding === 'mailbox_accepts') return 'accepted';
  return makesInvalid(meaning.finding) ? 'refused' : 'inconclusive';
}

/** Whether a finding proves that no mail can reach the mailbox. Nothing else that a mail server says does. */
export function makesInvalid(finding: ProbeFinding): boolean {
  return finding === 'mailbox_not_found' || finding === 'mailbox_disabled';
}

/** Whether a finding says that the server wants nothing to do with us, whoever we ask about. */
export function isSenderRefusal(finding: ProbeFinding): finding is 'sender_blocked' | 'sender_rate_limited' {
  return finding === 'sender_blocked' || finding === 'sender_rate_limited';
}

/** A refusal, ready to be judged. */
interface Heard {
  readonly code: number;
  /** 4xx: for now. */
  readonly isPassing: boolean;
  /** Subject and detail of the enhanced code (RFC 3463), such as `1.1`; '' without one, or where its class is not the reply's. */
  readonly status: string;
  readonly text: ReplyText;
  /** The sentences, without those that the standard gives as examples. */
  readonly clauses: readonly string[];
  readonly isFirstContact: boolean;
  says(list: WordList): boolean;
}

interface Rule {
  readonly finding: ProbeFinding;
  readonly when: (heard: Heard) => boolean;
}

function hear(reply: SmtpReply, context: ReplyContext): Heard {
  const text = readReplyText(reply, context);
  const [replyClass, ...rest] = (reply.enhancedCode ?? '').split('.');
  const clauses = text.clauses.map((clause) => clause.replace(stockSentences, 'eg'));
  const words = clauses.join(' ');
  return {
    code: reply.code,
    isPassing: reply.code < 500,
    status: replyClass === String(reply.code)[0] ? rest.map(Number).join('.') : '',
    text,
    clauses,
    isFirstContact: context.isFirstContact,
    says: (list) => list(words),
  };
}

function finding(found: ProbeFinding): ReplyMeaning {
  return { kind: 'finding', finding: found };
}

/** 250 and 251 accept (RFC 5321 §4.2.3); 252 promises to try. A class that says otherwise makes the reply no answer. */
function classifyAcceptance(reply: SmtpReply, phase: ReplyPhase): ProbeFinding {
  if (phase !== 'rcpt' || reply.code < 250 || reply.code > 252) return 'protocol_error';
  return (reply.enhancedCode ?? '2').startsWith('2') ? 'mailbox_accepts' : 'unrecognised_reply';
}

/** Before RCPT nobody was named: a refusal is about us, or the server is not well. */
function classifyEarly(heard: Heard, phase: ReplyPhase): ProbeFinding {
  if (phase === 'starttls') return 'tls_failure';
  if (heard.says(saysTooFast) || isThrottled(heard)) return 'sender_rate_limited';
  if (isAboutSender(heard)) return 'sender_blocked';
  if (heard.isPassing) return heard.says(saysGreylisted) ? 'greylisted' : 'server_temporary_error';
  // RFC 7504 §3: the host takes no mail from anybody.
  if (phase === 'connect' && heard.code === 521) return 'connection_refused';
  if (heard.code === 530 && heard.says(wantsEncryption)) return 'tls_failure';
  return isUnderstood(heard) ? 'sender_blocked' : 'protocol_error';
}

/** The order is the rule: what may be about us or about the server is ruled out before anything is said about the recipient. */
const recipientRules: readonly Rule[] = [
  { finding: 'greylisted', when: (heard) => heard.isPassing && heard.says(saysGreylisted) },
  { finding: 'mailbox_rate_limited', when: recipientGetsTooMuch },
  { finding: 'recipient_policy', when: ({ status }) => choiceStatuses.test(status) },
  { finding: 'sender_rate_limited', when: (heard) => heard.says(saysTooFast) || isThrottled(heard) },
  { finding: 'sender_blocked', when: isAboutSender },
  { finding: 'smtputf8_unsupported', when: ({ status }) => status === '6.7' },
  { finding: 'relay_denied', when: (heard) => heard.says(refusesDomain) },
  { finding: 'mailbox_full', when: isFull },
  { finding: 'recipient_policy', when: ({ says }) => says(refusesByChoice) },
  { finding: 'mailbox_disabled', when: saysMailboxDisabled },
  { finding: 'mailbox_not_found', when: saysMailboxUnknown },
  { finding: 'relay_denied', when: ({ isPassing, status }) => !isPassing && status === '1.2' },
  { finding: 'tls_failure', when: (heard) => heard.code === 530 && heard.says(wantsEncryption) },
  { finding: 'protocol_error', when: (heard) => !isUnderstood(heard) },
  { finding: 'server_temporary_error', when: hasPassingTrouble },
  { finding: 'greylisted', when: mayBeGreylisting },
  { finding: 'recipient_policy', when: (heard) => isByRule(heard) && heard.says(namesMailbox) },
  { finding: 'sender_blocked', when: isByRule },
  { finding: 'server_temporary_error', when: ({ isPassing }) => isPassing },
  { finding: 'sender_blocked', when: ({ text, says }) => text.namesAnIp || says(speaksOfSender) },
];

/** IANA's registry of enhanced codes: 1.7 and 1.8 bad sender address; 7.20 to 7.29 DKIM, SPF, reverse DNS and the like (RFC 7372). */
const senderStatuses = /^(?:1\.[78]|7\.2[0-9]|7\.5(?:0[0-79]|1\d)|7\.6[0-4]\d|7\.7\d\d)$/;
/** Exchange Online: throttling, `Server busy`. */
const throttleStatuses = /^7\.(?:508|[56]\d\d)$/;
/** Exchange: a limit on what a recipient gets in an hour. */
const recipientRateStatuses = new Set(['2.121', '2.122']);
/** 2.4 mailing list, 7.2 not one of its senders; Exchange: groups and users that take mail from some. */
const choiceStatuses = /^(?:2\.4|7\.2|7\.12|7\.12[45]|7\.13[346]|7\.17\d)$/;
/** RFC 3463 §3.2: 1.1 bad mailbox, 1.3 bad mailbox syntax, 1.6 moved; RFC 7505 §4.1: 1.10 null MX. */
const unknownStatuses = new Set(['1.1', '1.3', '1.6', '1.10']);
/** RFC 5321 §4.2.3, RFC 7504 §3, RFC 4954 §6: about the command, the host or a login. Servers use all others for recipients. */
const otherCodes = new Set([500, 502, 503, 504, 521, 530, 534, 535, 538, 555]);
/** Codes of RFC 3463 that say nothing but `other`. */
const emptyStatuses = new Set(['', '0.0', '1.0', '2.0', '5.0']);

function isTooManyRecipients({ code, status, says }: Heard): boolean {
  if (code !== 452 && code !== 552) return false;
  return says(saysTooManyRecipients) || (status === '5.3' && !says(saysTooFast));
}

/** A quota of a system (X.3), a queue (X.4) or a sender (X.7) is not the mailbox's. */
function isFull({ status, says }: Heard): boolean {
  return status === '2.2' || (says(saysFull) && !/^[3467]\./.test(status));
}

/** X.3 is about the mail system, X.4 about the network (RFC 3463 §3). */
function hasPassingTrouble({ isPassing, status, says }: Heard): boolean {
  return isPassing && (/^[34]\./.test(status) || says(hasTrouble));
}

function recipientGetsTooMuch({ status, says }: Heard): boolean {
  return recipientRateStatuses.has(status) || says(saysRecipientGetsTooMuch);
}

function isThrottled({ isPassing, status }: Heard): boolean {
  return status === '7.508' || (isPassing && throttleStatuses.test(status));
}

function isAboutSender({ status, text, says }: Heard): boolean {
  return senderStatuses.test(status) || blockLists.test(text.links) || says(refusesSender);
}

function saysMailboxDisabled(heard: Heard): boolean {
  if (!mayJudgeMailbox(heard)) return false;
  if (saysPlainly(heard, saysDisabled)) return true;
  return heard.status === '2.1' && (someClause(heard, saysMailboxBlocked) || !mayBeAboutUs(heard));
}

function saysMailboxUnknown(heard: Heard): boolean {
  if (!mayJudgeMailbox(heard)) return false;
  if (saysPlainly(heard, saysUnknown) || isExchangeEdgeRefusal(heard)) return true;
  if (mayBeAboutUs(heard)) return false;
  return unknownStatuses.has(heard.status) || (heard.status === '1.0' && heard.says(refusesAddress));
}

/** Refused for good, in words that leave no way out, and not about a command (X.5) or the content (X.6). */
function mayJudgeMailbox({ code, isPassing, status, says }: Heard): boolean {
  if (isPassing || otherCodes.has(code) || says(isForNow)) return false;
  return emptyStatuses.has(status) || !/^[56]\./.test(status);
}

/** In words; where access is denied as well, only together with the enhanced code of an unknown mailbox. */
function saysPlainly(heard: Heard, list: WordList): boolean {
  return someClause(heard, list) && (unknownStatuses.has(heard.status) || !heard.says(deniesAccess));
}

/** A sentence that says it without taking it back, and does not speak of the sender. */
function someClause({ clauses }: Heard, list: WordList): boolean {
  return clauses.some((clause) => list(clause) && !hedges(clause) && !speaksOfSender(clause));
}

/** Exchange Online refuses at its edge whoever is not in the directory, in these words. */
function isExchangeEdgeRefusal({ status, says }: Heard): boolean {
  return status === '4.1' && says((words) => words.includes('recipient address rejected access denied'));
}

/** Refused by somebody's rules. */
function isByRule({ status, says }: Heard): boolean {
  return status.startsWith('7.') || says(speaksOfRules);
}

/** An enhanced code alone proves nothing beside words about rules, the sender or what is left open. */
function mayBeAboutUs(heard: Heard): boolean {
  return isByRule(heard) || heard.says(speaksOfSender) || heard.says(hedges);
}

/** 500 to 504 and 555 are about the command, X.5 about the protocol. */
function isUnderstood({ code, status }: Heard): boolean {
  return !((code >= 500 && code <= 504) || code === 555 || /^5\.[1-9]/.test(status));
}

/** Servers greylist in many words, and a stranger's first question may be met with none. */
function mayBeGreylisting({ isPassing, isFirstContact, code, says }: Heard): boolean {
  return isPassing && code !== 421 && (says(asksToWait) || isFirstContact);
}

/** Refused for good, without a reason in code or words. */
function isBare({ code, status }: Heard): boolean {
  return (code === 550 || code === 551 || code === 553) && emptyStatuses.has(status);
}
