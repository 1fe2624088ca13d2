import type { ProbedMailbox } from '../../core/emails/probing/mailbox.ts';
import type { CatchAll, ProbeFinding, SmtpReply } from '../../core/emails/replies/smtp-reply.ts';
import { emailReasons } from '../../core/emails/reasons.ts';

/** Answer of a host that holds for every recipient. */
export interface HostAnswer {
  readonly host: string;
  readonly finding: ProbeFinding;
  /** Fit to be kept: without names. Null where none came. */
  readonly reply: SmtpReply | null;
}

/** Evidence for one address. */
export interface AddressAnswer extends HostAnswer {
  readonly catchAll: CatchAll;
  /** The answer hangs on the control, and the control was put off or could not be asked. */
  readonly isControlOpen: boolean;
  /** Number of attempts, this one included. */
  readonly attempts: number;
  readonly durationMs: number;
}

/**
 * Puts an answer down, with the time at which asking again may bring another: so many milliseconds after the first time it was asked,
 * after the second, and so on, and then no more.
 */
export function toEvidence(
  answer: AddressAnswer,
  nowMs: number,
  retryAfterMs: readonly number[],
): ProbedMailbox {
  const { finding, catchAll, host, reply, attempts, durationMs } = answer;
  const delayMs = retryAfterMs[attempts - 1];
  return {
    kind: 'probed',
    finding,
    catchAll,
    host,
    reply,
    attempts,
    durationMs,
    checkedAt: new Date(nowMs),
    retryAt: isOpen(answer) && delayMs !== undefined ? new Date(nowMs + delayMs) : null,
  };
}

/** True when time alone may settle it: greylisting, trouble of the host or on the way, and a control that is still open. */
function isOpen({ finding, isControlOpen }: AddressAnswer): boolean {
  const { about, retryable } = emailReasons[finding];
  return finding === 'greylisted' || (retryable && about === 'network') || isControlOpen;
}
