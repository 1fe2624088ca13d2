import type { PolicyReason } from '../reasons.ts';
import type { CatchAll, ProbeFinding, SmtpReply } from '../replies/smtp-reply.ts';

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

/** Nobody was asked. */
export interface UnprobedMailbox {
  readonly kind: 'not_probed';
  readonly reason: PolicyReason;
  /** When somebody may be asked; null when that is not to be expected. */
  readonly retryAt: Date | null;
}

export type MailboxEvidence = ProbedMailbox | UnprobedMailbox;
