import type { CatchAll, ProbeFinding, ProbedMailbox, SmtpReply } from '../../core/email/mailbox.ts';
import { emailReasons } from '../../core/email/reasons.ts';

/** What a host said, or did, that holds for whoever is asked about. */
export interface HostAnswer {
  readonly host: string;
  readonly finding: ProbeFinding;
  /** Fit to be kept: without names. Null where none came. */
  readonly reply: SmtpReply | null;
}

/** What is known of one address after it was asked about. */
export interface AddressAnswer extends HostAnswer {
  readonly catchAll: CatchAll;
  /** How often it was asked about, this time included. */
  readonly attempts: number;
  readonly durationMs: number;
}

const minuteMs = 60_000;
/** Postgrey lets through after 5 minutes, others after up to an hour; RFC 5321 §4.5.4.1 asks for 30 minutes between attempts. */
const retryAfterMs: readonly number[] = [6 * minuteMs, 20 * minuteMs, 60 * minuteMs];

/** Puts an answer down, with the time at which asking again may bring another; after three times there is none. */
export function toEvidence(answer: AddressAnswer, nowMs: number): ProbedMailbox {
  const { finding, catchAll, host, reply, attempts, durationMs } = answer;
  return {
    kind: 'probed',
    finding,
    catchAll,
    host,
    reply,
    attempts,
    durationMs,
    checkedAt: new Date(nowMs),
    retryAt: retryAt(answer, nowMs),
  };
}

function retryAt({ finding, attempts }: AddressAnswer, nowMs: number): Date | null {
  const delayMs = retryAfterMs[attempts - 1];
  return delayMs === undefined || !mayPass(finding) ? null : new Date(nowMs + delayMs);
}

/** Whether time alone may settle it: greylisting, and trouble of the host or on the way. */
function mayPass(finding: ProbeFinding): boolean {
  const { about, retryable } = emailReasons[finding];
  return finding === 'greylisted' || (retryable && about === 'network');
}
