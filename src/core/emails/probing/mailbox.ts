import type { PolicyReason, SmtpReason } from '../reasons.ts';

/** Answer of a mail server to a control address that cannot exist, asked once per domain and set of mail hosts. */
export type CatchAll = 'accepted' | 'refused' | 'inconclusive' | 'not_run';

/** A reply of a mail server, as its bytes were read; text of a stranger. */
export interface SmtpReply {
  /** Three digits. */
  readonly code: number;
  /** RFC 3463, at the beginning of the reply; null where it has none. */
  readonly enhancedCode: string | null;
  /** The text of each line, without codes. */
  readonly lines: readonly string[];
}

/** Findings of a probe of one mailbox. */
export type ProbeFinding = Exclude<SmtpReason, 'catch_all_domain' | 'catch_all_inconclusive'>;

/** Result of probing one mailbox. */
export interface ProbedMailbox {
  readonly kind: 'probed';
  readonly finding: ProbeFinding;
  readonly catchAll: CatchAll;
  /** The host that was asked last. */
  readonly host: string;
  /** The reply that decided; null where none came. */
  readonly reply: SmtpReply | null;
  /** Number of calls so far, over all sessions. */
  readonly attempts: number;
  readonly durationMs: number;
  readonly checkedAt: Date;
  /** When asking again may settle it: after greylisting or a passing trouble. */
  readonly retryAt: Date | null;
}

/** A finding about us, whoever is asked about. */
export type SenderRefusal = Extract<ProbeFinding, 'sender_blocked' | 'sender_rate_limited'>;

/** Nobody was asked. */
export interface UnprobedMailbox {
  readonly kind: 'not_probed';
  readonly reason: PolicyReason;
  /** When somebody may be asked; null when that is not to be expected. */
  readonly retryAt: Date | null;
}

export type MailboxEvidence = ProbedMailbox | UnprobedMailbox;
