import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { isHelloName, isSafeCommand, needsUtf8 } from './smtp-command.ts';
import type { SmtpConnectionOptions } from './smtp-connection.ts';

/** Options of sessions with mail hosts. */
export interface ProbeSessionOptions extends Partial<SessionLimits> {
  /** The name in EHLO: a host name of the operator that resolves to the address of this machine. */
  readonly helloName: string;
  /** The address in MAIL FROM, in ASCII. Empty: the null sender, which some servers reject. */
  readonly mailFrom: string;
  /** True when an address of a host may be connected to: public ones only, except for hosts that the operator named. */
  readonly isAllowedAddress: (ip: string, host: string) => boolean;
  /** Default 25; another one for tests. */
  readonly port?: number;
  /** Ports of single hosts, by name. */
  readonly hostPorts?: ReadonlyMap<string, number>;
  /** Milliseconds since 1970. Default: the clock. */
  readonly now?: () => number;
  /** Local part of a control, which cannot exist. Default: 20 random letters and digits. */
  readonly randomLocalPart?: () => string;
}

/** Limits of a session, in time and number. */
export interface SessionLimits {
  /** Default 5 s. */
  readonly connectTimeoutMs: number;
  /** From a command to the end of its reply. Default 15 s: Exchange delays rejections by 5 s. */
  readonly commandTimeoutMs: number;
  /** From the first connection attempt to the last reply. Default 45 s. */
  readonly sessionDeadlineMs: number;
  /** Bytes that a server may send. Default 512 KiB. */
  readonly sessionBytesMax: number;
  /** RCPT commands. Default 25; RFC 5321 §4.5.3.1.8 lets servers stop at 100, some stop earlier. */
  readonly recipientsPerSessionMax: number;
  /** Rejected RCPT commands. Default 8: Postfix slows down after 10 errors and disconnects after 20. */
  readonly rejectionsPerSessionMax: number;
}

const defaultLimits: SessionLimits = {
  connectTimeoutMs: 5_000,
  commandTimeoutMs: 15_000,
  sessionDeadlineMs: 45_000,
  sessionBytesMax: 512 * 1024,
  recipientsPerSessionMax: 25,
  rejectionsPerSessionMax: 8,
};

/** Options with all defaults. */
export interface SessionSettings extends SessionLimits, SmtpConnectionOptions {
  readonly mailFrom: string;
  readonly now: () => number;
  readonly randomLocalPart: () => string;
}

/** Fills in the defaults. Asserts that the names are safe in a command and that a session has room for a control. */
export function withDefaults(options: ProbeSessionOptions): SessionSettings {
  const { helloName, mailFrom } = options;
  assert(isHelloName(helloName), 'The name for EHLO is not a host name.');
  assert(
    mailFrom === '' || (isSafeCommand(mailFrom) && !needsUtf8(mailFrom)),
    'The sender is not an address.',
  );
  const settings = {
    port: 25,
    now: Date.now,
    randomLocalPart,
    ...defaultLimits,
    ...options,
    ownNames: [mailFrom],
  };
  assert(
    Math.min(settings.recipientsPerSessionMax, settings.rejectionsPerSessionMax) >= 2,
    'A session has no room for a control.',
  );
  return settings;
}

const localPartLetters = 'abcdefghijklmnopqrstuvwxyz0123456789';

function randomLocalPart(): string {
  return Array.from({ length: 20 }, () => localPartLetters[randomInt(localPartLetters.length)]).join('');
}
