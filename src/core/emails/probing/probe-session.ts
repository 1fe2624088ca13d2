import type { ProbeFinding, SenderRefusal, SmtpReply } from '../replies/smtp-reply.ts';
import type { KnownControl } from './mailbox-store.ts';
import type { Mailbox } from './mailbox.ts';

/** Result of a mail host that holds for every mailbox. */
export interface HostResult {
  readonly host: string;
  readonly finding: ProbeFinding;
  /** Redacted; null without one. */
  readonly reply: SmtpReply | null;
}

/** Result of RCPT for one mailbox. */
export interface RcptResult extends HostResult {
  /** The finding depends on the control, and the control was deferred or not checked. */
  readonly isControlOpen: boolean;
  readonly durationMs: number;
}

/** State of the control of a domain during a run. */
export interface ControlState extends KnownControl {
  /** The server deferred it in this run: the next attempt has to wait. */
  readonly isDeferred: boolean;
}

/** End of a session. */
export type SessionStop =
  /** It takes no more recipients. */
  | { readonly kind: 'full' }
  /** The connection broke, or the host ended it. */
  | { readonly kind: 'lost'; readonly result: HostResult }
  /** The host cannot be probed: it rejects the sender, or every recipient alike. */
  | { readonly kind: 'closed'; readonly result: HostResult };

/** A domain rejects the sender; other domains of the same host may accept it. */
export interface DomainStop {
  readonly kind: 'domain_closed';
  readonly finding: SenderRefusal;
}

/** Outcome of checking one mailbox in a session. */
export interface CheckedMailbox {
  /** Null: the reason of the stop holds for the mailbox as well, or the next session checks it again. */
  readonly result: RcptResult | null;
  readonly control: ControlState;
  /** Null while the session continues. */
  readonly stop: SessionStop | DomainStop | null;
}

/** Port: one SMTP session with a mail host. */
export interface ProbeSession {
  /** True when the session has room for so many more recipients: in number, in rejections, and in time. */
  hasRoomFor(count: number): boolean;
  /** The reason why there is no room. */
  end(): SessionStop;
  /**
   * Checks a mailbox, and the control where the result depends on it.
   *
   * @param mayCheckControl permits one more recipient
   */
  check(
    mailbox: Mailbox,
    control: ControlState,
    mayCheckControl: () => Promise<boolean>,
  ): Promise<CheckedMailbox>;
  close(): Promise<void>;
}

/** Opens sessions with the hosts of a mailbox, in their order, and remembers which of their addresses work. */
export interface SessionOpener {
  /** Opens a session, or returns the result of the first host that failed. The signal cuts the connection. */
  open(signal: AbortSignal): Promise<ProbeSession | { readonly kind: 'failed'; readonly result: HostResult }>;
}

/** True when an accepted mailbox calls for the control. */
export function isControlDue({ catchAll, localPart, isDeferred }: ControlState): boolean {
  return !isDeferred && (catchAll === 'not_run' || (catchAll === 'inconclusive' && localPart !== null));
}
