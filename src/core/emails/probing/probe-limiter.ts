import type { SenderRefusal } from '../replies/smtp-reply.ts';
import type { UnprobedMailbox } from './mailbox.ts';

/** A denied session or recipient. */
export type Denied =
  /** Not before then, in milliseconds since 1970. */
  | { readonly kind: 'wait'; readonly untilMs: number }
  | ({ readonly kind: 'refused' } & Omit<UnprobedMailbox, 'kind'>);

/** Lease of the one session of a provider. `release` never rejects. */
export type SessionLease = { readonly kind: 'granted'; readonly release: () => Promise<void> } | Denied;

/** Permit for one RCPT command. */
export type RecipientPermit = { readonly kind: 'granted' } | Denied;

/** A recipient that needs a permit. */
export interface RecipientRequest {
  readonly provider: string;
  readonly domain: string;
  /** Digest of the mailbox; null for the control. */
  readonly digest: string | null;
  /** Number of recipients that the budgets must have room for: the mailbox, and the control that may follow. One is used. */
  readonly room: 1 | 2;
}

/** A rejection of the sender. */
export interface SenderRejection {
  readonly provider: string;
  /** The domain with the rule that rejects; null: the whole provider. */
  readonly domain: string | null;
  readonly finding: SenderRefusal;
}

/** Port: limits of probing that all processes share. A permit counts as used even if no command follows. */
export interface ProbeLimiter {
  /** Leases the session of a provider: there is one at a time. */
  acquireSession(provider: string): Promise<SessionLease>;
  /** Takes one recipient from the budgets of provider, domain and sending host. */
  acquireRecipient(request: RecipientRequest): Promise<RecipientPermit>;
  /** Pauses the provider, or the domain, for hours. Returns the end of the pause. */
  pause(rejection: SenderRejection): Promise<Date>;
}
