import type { ProbeFinding, SmtpReply } from '../probing/mailbox.ts';
import { readReplyText, type ReplyNames, type ReplyText } from './reply-text.ts';
import {
  asksToWait,
  blockLists,
  deniesAccess,
  failsToCheck,
  failsToVerify,
  hasFailed,
  hedges,
  isForNow,
  namesMailbox,
  namesOurHost,
  putsOff,
  rejectsAddress,
  rejectsByChoice,
  rejectsDomain,
  rejectsSender,
  reportsFailure,
  saysDisabled,
  saysFull,
  saysGreylisted,
  saysMailboxBlocked,
  saysRecipientGetsTooMuch,
  saysTooFast,
  saysTooManyRecipients,
  saysUnavailable,
  saysUnknown,
  speaksOfHosts,
  speaksOfRules,
  speaksOfSender,
  speaksOfState,
  stockSentences,
  wantsEncryption,
  wantsOneRecipient,
} from './reply-words.ts';
import { either, type WordList } from './word-list.ts';

/** Last command before the reply. */
export type ReplyPhase = 'connect' | 'ehlo' | 'starttls' | 'mail' | 'rcpt';

/** Context in which a reply is classified. */
export interface ReplyContext extends ReplyNames {
  readonly phase: ReplyPhase;
  /** Nobody was asked about this address before: a refusal for now may be the greeting of a stranger. */
  readonly isFirstContact: boolean;
}

/** A refusal, ready to be judged. */
export interface Refusal {
  readonly code: number;
  /** 4xx: for now. */
  readonly isPassing: boolean;
  /** Subject and detail of the enhanced code (RFC 3463), such as `1.1`; '' without one, or where its class is not the reply's. */
  readonly status: string;
  /** Its codes do not contradict each other, and all of it was read. */
  readonly isClear: boolean;
  readonly text: ReplyText;
  /** The sentences, without those that the standard gives as examples. */
  readonly clauses: readonly string[];
  readonly isFirstContact: boolean;
  says(list: WordList): boolean;
}

interface Rule {
  readonly finding: ProbeFinding;
  readonly when: (refusal: Refusal) => boolean;
}

/** Reads a 4xx or 5xx reply. */
export function readRefusal(reply: SmtpReply, context: ReplyContext): Refusal {
  const text = readReplyText(reply, context);
  const [enhancedClass, ...rest] = (reply.enhancedCode ?? '').split('.');
  const isOfItsClass = enhancedClass === '' || enhancedClass === String(reply.code)[0];
  const clauses = text.clauses.map((clause) => clause.replace(stockSentences, 'eg'));
  const words = clauses.join(' ');
  return {
    code: reply.code,
    isPassing: reply.code < 500,
    status: isOfItsClass ? rest.map(Number).join('.') : '',
    isClear: isOfItsClass && text.isWhole,
    text,
    clauses,
    isFirstContact: context.isFirstContact,
    says: (list) => list(words),
  };
}

/** Before RCPT nobody was named: a refusal is about us, or the server is not well. */
export function classifyEarly(refusal: Refusal, phase: ReplyPhase): ProbeFinding {
  if (phase === 'starttls' && refusal.code !== 421) return 'tls_failure';
  if (refusal.says(saysTooFast) || isThrottled(refusal)) return 'sender_rate_limited';
  if (isAboutSender(refusal)) return 'sender_blocked';
  if (refusal.isPassing) return refusal.says(saysGreylisted) ? 'greylisted' : 'server_temporary_error';
  // RFC 7504 §3: the host takes no mail from anybody.
  if (phase === 'connect' && refusal.code === 521) return 'connection_refused';
  if (refusal.code === 530 && refusal.says(wantsEncryption)) return 'tls_failure';
  return isUnderstood(refusal) ? 'sender_blocked' : 'protocol_error';
}

/** Classifies a rejected RCPT; null when code and text leave it open. */
export function classifyRecipient(refusal: Refusal): ProbeFinding | null {
  return recipientRules.find(({ when }) => when(refusal))?.finding ?? null;
}

/** The order is the rule: what may be about us or about the server is ruled out before anything is said about the recipient. */
const recipientRules: readonly Rule[] = [
  { finding: 'greylisted', when: (refusal) => refusal.isPassing && refusal.says(saysGreylisted) },
  { finding: 'server_temporary_error', when: ({ says }) => says(failsToVerify) },
  { finding: 'mailbox_rate_limited', when: recipientGetsTooMuch },
  { finding: 'recipient_policy', when: ({ status }) => choiceStatuses.test(status) },
  { finding: 'sender_rate_limited', when: (refusal) => refusal.says(saysTooFast) || isThrottled(refusal) },
  { finding: 'sender_blocked', when: isAboutSender },
  { finding: 'smtputf8_unsupported', when: ({ status }) => status === '6.7' },
  { finding: 'relay_denied', when: (refusal) => refusal.says(rejectsDomain) },
  { finding: 'mailbox_full', when: isFull },
  { finding: 'recipient_policy', when: ({ says }) => says(rejectsByChoice) },
  { finding: 'mailbox_disabled', when: saysMailboxDisabled },
  { finding: 'mailbox_not_found', when: saysMailboxUnknown },
  { finding: 'relay_denied', when: ({ isPassing, status }) => !isPassing && status === '1.2' },
  { finding: 'tls_failure', when: (refusal) => refusal.code === 530 && refusal.says(wantsEncryption) },
  { finding: 'protocol_error', when: (refusal) => !isUnderstood(refusal) },
  { finding: 'server_temporary_error', when: hasTransientError },
  { finding: 'greylisted', when: mayBeGreylisting },
  { finding: 'recipient_policy', when: (refusal) => isByRule(refusal) && refusal.says(namesMailbox) },
  { finding: 'sender_blocked', when: isByRule },
  { finding: 'server_temporary_error', when: ({ isPassing }) => isPassing },
  { finding: 'sender_blocked', when: ({ text, says }) => text.namesAnIp || says(speaksOfSender) },
];

/** IANA's registry of enhanced codes: 1.7 and 1.8 bad sender address; 7.8 to 7.14 logins; 7.20 to 7.29 DKIM, SPF, reverse DNS and the like. */
const senderStatuses = /^(?:1\.[78]|7\.(?:[89]|1[0134])|7\.2[0-9]|7\.5(?:0[0-79]|1\d)|7\.6[0-4]\d|7\.7\d\d)$/;
/** IANA: 7.25 reverse DNS. Exchange Online: what its edge refuses by address, whoever the tenant is. */
const ourStatuses = /^7\.(?:25|51\d|6[0-4]\d|7\d\d)$/;
/** Exchange Online: throttling, `Server busy`. */
const throttleStatuses = /^7\.(?:508|[56]\d\d)$/;
/** Exchange: a limit on what a recipient gets in an hour. */
const recipientRateStatuses = new Set(['2.121', '2.122']);
/** 2.4 mailing list, 7.2 not one of its senders; Exchange: groups and users that take mail from some. */
const choiceStatuses = /^(?:2\.4|7\.2|7\.50[57]|7\.12|7\.12[45]|7\.13[346]|7\.17\d)$/;
/** RFC 3463 §3.2: 1.1 bad mailbox, 1.3 bad mailbox syntax, 1.6 moved; RFC 7505 §4.1: 1.10 null MX. */
const unknownStatuses = new Set(['1.1', '1.3', '1.6', '1.10']);
/** RFC 5321 §4.2.3, RFC 7504 §3, RFC 4954 §6: about the command, the host or a login. Servers use all others for recipients. */
const otherCodes = new Set([500, 502, 503, 504, 521, 530, 534, 535, 538, 555]);
/** Codes of RFC 3463 that say nothing but `other`. */
const emptyStatuses = new Set(['', '0.0', '1.0', '2.0', '5.0']);

export function isTooManyRecipients({ code, isPassing, status, says, text }: Refusal): boolean {
  if ((isPassing || code >= 550) && code !== 421 && says(wantsOneRecipient) && !text.namesAnIp) return true;
  if (code !== 452 && code !== 552) return false;
  return says(saysTooManyRecipients) || (status === '5.3' && !says(saysTooFast));
}

/** A quota of a system (X.3), a queue (X.4) or a sender (X.7) is not the mailbox's. */
function isFull({ status, says }: Refusal): boolean {
  return status === '2.2' || (says(saysFull) && !/^[3467]\./.test(status));
}

/** X.3 is about the mail system, X.4 about the network (RFC 3463 §3). */
function hasTransientError({ isPassing, status, says }: Refusal): boolean {
  return isPassing && (/^[34]\./.test(status) || says(hasFailed));
}

function recipientGetsTooMuch({ status, says }: Refusal): boolean {
  return recipientRateStatuses.has(status) || says(saysRecipientGetsTooMuch);
}

function isThrottled({ isPassing, status }: Refusal): boolean {
  return status === '7.508' || (isPassing && throttleStatuses.test(status));
}

function isAboutSender({ status, text, says }: Refusal): boolean {
  return senderStatuses.test(status) || blockLists.test(text.links) || says(rejectsSender);
}

/** Names one of our addresses, what we are called or how we connect, or a list of those who may not. */
export function namesUs({ status, text, says }: Refusal): boolean {
  return ourStatuses.test(status) || text.namesAnIp || blockLists.test(text.links) || says(namesOurHost);
}

function saysMailboxDisabled(refusal: Refusal): boolean {
  if (!mayEvaluateMailbox(refusal)) return false;
  if (saysPlainly(refusal, saysDisabled)) return true;
  return refusal.status === '2.1' && (someClause(refusal, saysMailboxBlocked) || !mayBeAboutUs(refusal));
}

function saysMailboxUnknown(refusal: Refusal): boolean {
  if (!mayEvaluateMailbox(refusal)) return false;
  if (saysPlainly(refusal, saysUnknown) || isExchangeEdgeRefusal(refusal)) return true;
  if (mayBeAboutUs(refusal)) return false;
  if (unknownStatuses.has(refusal.status)) return !otherCodes.has(refusal.code);
  return refusal.says(saysUnavailable) || (refusal.status === '1.0' && refusal.says(rejectsAddress));
}

/** Refused for good, in words that leave no way out, and not about the system (X.3), a command (X.5) or the content (X.6). */
function mayEvaluateMailbox({ code, isClear, isPassing, status, says }: Refusal): boolean {
  if (isPassing || !isClear || says(isForNow) || says(failsToCheck)) return false;
  if (otherCodes.has(code) && !unknownStatuses.has(status)) return false;
  return emptyStatuses.has(status) || status === '3.0' || !/^[356]\./.test(status);
}

/** In words; where access is denied as well, only together with the enhanced code of an unknown mailbox. */
function saysPlainly(refusal: Refusal, list: WordList): boolean {
  return someClause(refusal, list) && (unknownStatuses.has(refusal.status) || !refusal.says(deniesAccess));
}

const saysOtherwise = either(hedges, speaksOfSender, speaksOfHosts);

/** A sentence that says it without taking it back, and does not speak of the sender or of hosts. */
function someClause({ clauses }: Refusal, list: WordList): boolean {
  return clauses.some((clause) => list(clause) && !saysOtherwise(clause));
}

/** Exchange Online refuses at its edge whoever is not in the directory, in these words. */
function isExchangeEdgeRefusal({ status, says }: Refusal): boolean {
  return status === '4.1' && says((words) => words.includes('recipient address rejected access denied'));
}

/** Refused by somebody's rules. */
function isByRule({ status, says }: Refusal): boolean {
  return status.startsWith('7.') || says(speaksOfRules);
}

/** An enhanced code alone proves nothing beside words about rules, the sender or what is left open. */
function mayBeAboutUs(refusal: Refusal): boolean {
  return isByRule(refusal) || refusal.says(speaksOfSender) || refusal.says(hedges);
}

/** 500 to 504 and 555 are about the command, X.5 about the protocol. */
function isUnderstood({ code, status }: Refusal): boolean {
  return !((code >= 500 && code <= 504) || code === 555 || /^5\.[1-9]/.test(status));
}

/** Servers greylist in many words, and a stranger's first question may be met with none. */
function mayBeGreylisting({ isPassing, isFirstContact, code, says }: Refusal): boolean {
  return isPassing && code !== 421 && (says(asksToWait) || isFirstContact);
}

/** Says what a refusal for good leaves when it is about trouble or about now, in words that leave the mailbox out of it; null: neither. */
export function classifyPermanentError({ says }: Refusal): ProbeFinding | null {
  if (says(reportsFailure)) return 'server_temporary_error';
  if (says(saysFull)) return 'unrecognised_reply';
  if (!says(putsOff)) return null;
  return says(saysUnknown) || says(speaksOfState) ? 'unrecognised_reply' : 'server_temporary_error';
}

/** Refused for good, without a reason in code or words. */
export function isBare({ code, status, isClear }: Refusal): boolean {
  return isClear && (code === 550 || code === 551 || code === 553) && emptyStatuses.has(status);
}
