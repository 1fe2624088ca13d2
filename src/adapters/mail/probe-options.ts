import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { greylisting } from '../../core/work/retry-policies.ts';
import { isHelloName, isSafeCommand, needsUtf8 } from './smtp-command.ts';
import type { SmtpConnectionOptions } from './smtp-connection.ts';

/** Options of the mailbox probe. */
export interface MailboxProbeOptions extends Partial<ProbeLimits> {
  /** Our name in EHLO: a host name of ours that resolves to where we connect from. */
  readonly helloName: string;
  /** The address we ask from, in ASCII. Empty: the null sender, which some servers refuse. */
  readonly mailFrom: string;
  /** True when an address of a host may be connected to: public ones only, except for hosts that the operator named. */
  readonly isAllowedAddress: (ip: string, host: string) => boolean;
  /** Default 25; another one for tests. */
  readonly port?: number;
  /** Ports of single hosts, by name. */
  readonly hostPorts?: ReadonlyMap<string, number>;
  /** Milliseconds since 1970. Default: the clock. */
  readonly now?: () => number;
  /** A local part that nobody can have. Default: 20 random letters and digits. */
  readonly randomLocalPart?: () => string;
}

/** Bounds of time and number. */
export interface ProbeLimits {
  /** Default 5 s. */
  readonly connectTimeoutMs: number;
  /** From a command to the end of its reply. Default 15 s: Exchange holds back refusals for 5 s. */
  readonly commandTimeoutMs: number;
  /** From the first connection tried to the last reply. Default 45 s. */
  readonly sessionDeadlineMs: number;
  /** Bytes a server may send in a session. Default 512 KiB. */
  readonly sessionBytesMax: number;
  /** RCPT commands in a session. Default 25; RFC 5321 §4.5.3.1.8 lets servers stop at 100, some stop earlier. */
  readonly recipientsPerSessionMax: number;
  /** Refused RCPT commands in a session. Default 8: Postfix slows down after 10 errors and hangs up after 20. */
  readonly refusalsPerSessionMax: number;
  /**
   * Delays before an address is asked about again, after the first time, the second, and so on. Default 6, 20 and 60 minutes: postgrey lets
   * through after 5, others after up to an hour; RFC 5321 §4.5.4.1 asks for 30 between attempts.
   */
  readonly retryAfterMs: readonly number[];
  /** Maximum wait for leave with a session open. Default 2 s. */
  readonly leaveWaitMsMax: number;
}

const defaultLimits: ProbeLimits = {
  connectTimeoutMs: 5_000,
  commandTimeoutMs: 15_000,
  sessionDeadlineMs: 45_000,
  sessionBytesMax: 512 * 1024,
  recipientsPerSessionMax: 25,
  refusalsPerSessionMax: 8,
  retryAfterMs: greylisting.delaysMs,
  leaveWaitMsMax: 2_000,
};

/** The options with everything decided. */
export interface ProbeSettings extends ProbeLimits, SmtpConnectionOptions {
  readonly mailFrom: string;
  readonly now: () => number;
  readonly randomLocalPart: () => string;
}

/** Fills in the defaults. Names that cannot be said stop here, with an assertion. */
export function settleOptions(options: MailboxProbeOptions): ProbeSettings {
  const { helloName, mailFrom } = options;
  assert(isHelloName(helloName), 'the name for EHLO is none');
  assert(mailFrom === '' || (isSafeCommand(mailFrom) && !needsUtf8(mailFrom)), 'the sender is no address');
  const settings = {
    port: 25,
    now: Date.now,
    randomLocalPart,
    ...defaultLimits,
    ...options,
    ownNames: [mailFrom],
  };
  assert(
    Math.min(settings.recipientsPerSessionMax, settings.refusalsPerSessionMax) >= 2,
    'no room for a control',
  );
  return settings;
}

const localPartLetters = 'abcdefghijklmnopqrstuvwxyz0123456789';

function randomLocalPart(): string {
  return Array.from({ length: 20 }, () => localPartLetters[randomInt(localPartLetters.length)]).join('');
}
