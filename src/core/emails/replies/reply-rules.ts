import {
  basicPattern,
  enhancedPattern,
  phrasePattern,
  type BasicClass,
  type EnhancedClass,
  type PhraseClass,
} from './phrases.ts';
import { readReplyText, type ReplyNames, type ReplyText } from './reply-text.ts';
import type { ProbeFinding, SmtpReply } from './smtp-reply.ts';

/** Last command before the reply. */
export type ReplyPhase = 'connect' | 'ehlo' | 'starttls' | 'mail' | 'rcpt';

/** Context in which a reply is classified. */
export interface ReplyContext extends ReplyNames {
  readonly phase: ReplyPhase;
  /** The server sees this recipient for the first time: a 4xx reply may be greylisting. */
  readonly isFirstContact: boolean;
}

/** A 4xx or 5xx reply as the rules see it. */
export interface Rejection {
  readonly code: number;
  /** 4xx. */
  readonly isTransient: boolean;
  /** Subject and detail of the enhanced code (RFC 3463), such as `1.1`; '' without one, or where its class is not the reply's. */
  readonly status: string;
  /** Its codes do not contradict each other, and all of it was read. */
  readonly isClear: boolean;
  readonly text: ReplyText;
  readonly isFirstContact: boolean;
  isBasic(name: BasicClass): boolean;
  isEnhanced(name: EnhancedClass): boolean;
  /** True when the reply has a phrase of one of these classes. */
  has(...names: readonly PhraseClass[]): boolean;
  /** True when a sentence has such a phrase, does not weaken it, and is not about the sender or about hosts. */
  states(name: PhraseClass): boolean;
}

/** Reads a 4xx or 5xx reply. */
export function readRejection(reply: SmtpReply, context: ReplyContext): Rejection {
  const text = readReplyText(reply, context);
  const [enhancedClass, ...rest] = (reply.enhancedCode ?? '').split('.');
  const isOfItsClass = enhancedClass === '' || enhancedClass === String(reply.code)[0];
  const status = isOfItsClass ? rest.map(Number).join('.') : '';
  const stock = new RegExp(phrasePattern('stock_sentence'), 'g');
  const clauses = text.clauses.map((clause) => clause.replace(stock, 'eg'));
  const words = clauses.join(' ');
  return {
    code: reply.code,
    isTransient: reply.code < 500,
    status,
    isClear: isOfItsClass && text.isWhole,
    text,
    isFirstContact: context.isFirstContact,
    isBasic: (name) => basicPattern(name).test(String(reply.code)),
    isEnhanced: (name) => enhancedPattern(name).test(status),
    has: (...names) => hasPhrase(words, names),
    states: (name) =>
      clauses.some(
        (clause) => hasPhrase(clause, [name]) && !hasPhrase(clause, [...aboutSender, 'about_host', 'hedge']),
      ),
  };
}

function hasPhrase(text: string, names: readonly PhraseClass[]): boolean {
  return names.some((name) => phrasePattern(name).test(text));
}

const aboutSender = ['about_sender', 'sender'] as const;
const forNow = ['for_now', 'later'] as const;

/** Classifies a rejection before RCPT: no recipient was named, so it is about the sender or the server. */
export function classifyEarly(reply: Rejection, phase: ReplyPhase): ProbeFinding {
  if (phase === 'starttls' && reply.code !== 421) return 'tls_failure';
  if (isRateLimit(reply)) return 'sender_rate_limited';
  if (isAboutSender(reply)) return 'sender_blocked';
  if (reply.isTransient) return reply.has('greylisting') ? 'greylisted' : 'server_temporary_error';
  // RFC 7504 §3: the host accepts no mail at all.
  if (phase === 'connect' && reply.code === 521) return 'connection_refused';
  if (requiresEncryption(reply)) return 'tls_failure';
  return isNotUnderstood(reply) ? 'protocol_error' : 'sender_blocked';
}

/** Classifies a rejected RCPT; null when code and text leave it open. */
export function classifyRecipient(reply: Rejection): ProbeFinding | null {
  return recipientRules.find(([, applies]) => applies(reply))?.[0] ?? null;
}

/** The first rule that applies decides: the sender and the server are ruled out before anything is concluded about the recipient. */
const recipientRules: readonly (readonly [ProbeFinding, (reply: Rejection) => boolean])[] = [
  ['greylisted', (reply) => reply.isTransient && reply.has('greylisting')],
  ['server_temporary_error', (reply) => reply.has('verification_failed')],
  [
    'mailbox_rate_limited',
    (reply) => reply.isEnhanced('recipient_rate_limit') || reply.has('recipient_rate_limit'),
  ],
  ['recipient_policy', (reply) => reply.isEnhanced('recipient_choice')],
  ['sender_rate_limited', isRateLimit],
  ['sender_blocked', isAboutSender],
  ['smtputf8_unsupported', ({ status }) => status === '6.7'],
  ['relay_denied', (reply) => reply.has('relay_denied')],
  // A quota of a system (X.3), a queue (X.4), a message (X.6) or a sender (X.7) is not the mailbox's.
  [
    'mailbox_full',
    ({ status, has }) => status === '2.2' || (has('mailbox_full') && !/^[3467]\./.test(status)),
  ],
  ['recipient_policy', (reply) => reply.has('recipient_choice')],
  ['mailbox_disabled', (reply) => mayBeAboutMailbox(reply) && isDisabled(reply)],
  ['mailbox_not_found', (reply) => mayBeAboutMailbox(reply) && isUnknown(reply)],
  ['relay_denied', ({ isTransient, status }) => !isTransient && status === '1.2'],
  ['tls_failure', requiresEncryption],
  ['protocol_error', isNotUnderstood],
  // X.3 is about the mail system, X.4 about the network (RFC 3463 §3).
  [
    'server_temporary_error',
    ({ isTransient, status, has }) =>
      isTransient && (/^[34]\./.test(status) || has('server_error', 'temporary_failure')),
  ],
  // Servers greylist in many words, and may defer the first contact without any.
  [
    'greylisted',
    ({ isTransient, isFirstContact, code, has }) =>
      isTransient && code !== 421 && (isFirstContact || has('wait', 'later')),
  ],
  ['recipient_policy', (reply) => isPolicy(reply) && reply.has('about_mailbox')],
  ['sender_blocked', isPolicy],
  ['server_temporary_error', ({ isTransient }) => isTransient],
  ['sender_blocked', ({ text, has }) => text.namesAnIp || has(...aboutSender)],
];

/** True when the transaction takes no more recipients: the reply is not about this one. */
export function isTooManyRecipients({ code, isTransient, status, has, text }: Rejection): boolean {
  const isOneEach = has('one_recipient') && !text.namesAnIp;
  if (isOneEach && (isTransient || code >= 550) && code !== 421) return true;
  if (code !== 452 && code !== 552) return false;
  return has('too_many_recipients') || (status === '5.3' && !has('rate_limit'));
}

/** True when a rejection names the connecting host, one of its addresses or a block list. */
export function namesSendingHost({ isEnhanced, text, has }: Rejection): boolean {
  const isNamed = text.namesAnIp || phrasePattern('block_list').test(text.links);
  return isNamed || isEnhanced('sending_host') || has('sending_host');
}

/** True when a permanent rejection gives no reason, neither by code nor in words. */
export function isUnspecified({ isBasic, isEnhanced, isClear }: Rejection): boolean {
  return isClear && isBasic('unspecified') && isEnhanced('unspecified');
}

/** Classifies a permanent rejection about a failure or about a temporary state that leaves the mailbox out; null for any other. */
export function classifyFailure({ has }: Rejection): ProbeFinding | null {
  if (has('lookup_failed', 'server_error', 'permanent_failure')) return 'server_temporary_error';
  if (has('mailbox_full')) return 'unrecognised_reply';
  if (!has(...forNow, 'deferral')) return null;
  return has('mailbox_unknown', 'mailbox_state') ? 'unrecognised_reply' : 'server_temporary_error';
}

function isRateLimit({ isTransient, isEnhanced, has }: Rejection): boolean {
  return has('rate_limit') || isEnhanced('rate_limit') || (isTransient && isEnhanced('busy'));
}

function isAboutSender({ isEnhanced, text, has }: Rejection): boolean {
  return (
    isEnhanced('sender') || phrasePattern('block_list').test(text.links) || has('sender_rejected', 'sender')
  );
}

function requiresEncryption({ code, has }: Rejection): boolean {
  return code === 530 && has('encryption_required');
}

/** X.5 is about the protocol (RFC 3463 §3). */
function isNotUnderstood({ isBasic, status }: Rejection): boolean {
  return isBasic('not_understood') || /^5\.[1-9]/.test(status);
}

function isPolicy({ status, has }: Rejection): boolean {
  return status.startsWith('7.') || has('policy');
}

/** Permanent, in definite words, and not about the system (X.3), a command (X.5) or the content (X.6). */
function mayBeAboutMailbox({ isClear, isTransient, isBasic, isEnhanced, status, has }: Rejection): boolean {
  if (isTransient || !isClear || has(...forNow, 'lookup_failed')) return false;
  if (isBasic('other_subject') && !isEnhanced('mailbox_unknown')) return false;
  return isEnhanced('unspecified') || status === '3.0' || !/^[356]\./.test(status);
}

function isDisabled(reply: Rejection): boolean {
  if (statesPlainly(reply, 'mailbox_disabled')) return true;
  return reply.status === '2.1' && (reply.states('mailbox_blocked') || !mayBeAboutSender(reply));
}

function isUnknown(reply: Rejection): boolean {
  const { status, isBasic, isEnhanced, has } = reply;
  if (statesPlainly(reply, 'mailbox_unknown') || (status === '4.1' && has('exchange_edge'))) return true;
  if (mayBeAboutSender(reply)) return false;
  if (isEnhanced('mailbox_unknown')) return !isBasic('other_subject');
  return has('mailbox_unavailable') || (status === '1.0' && has('address_rejected'));
}

/** States it in words; beside words about denied access only with the enhanced code of an unknown mailbox. */
function statesPlainly(reply: Rejection, name: PhraseClass): boolean {
  return reply.states(name) && (reply.isEnhanced('mailbox_unknown') || !reply.has('access_denied'));
}

/** An enhanced code alone proves nothing beside words about policies or the sender, or beside a hedge. */
function mayBeAboutSender(reply: Rejection): boolean {
  return isPolicy(reply) || reply.has(...aboutSender, 'hedge');
}
