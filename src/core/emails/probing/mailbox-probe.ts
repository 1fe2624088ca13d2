import type { MailHost } from '../domains/mail-domain.ts';
import type { MailboxEvidence, UnprobedMailbox } from './mailbox.ts';
import type { CatchAll, SenderRefusal } from '../replies/smtp-reply.ts';

/** An address to ask about. */
export interface ProbeAddress {
  readonly localPart: string;
  /** Names it where the address is not kept; see `mailboxDigest`. */
  readonly digest: string;
  /** Number of earlier calls to the mail server. */
  readonly attempts: number;
  /** The server does not know us together with this address: a refusal for now may be its greeting (greylisting). */
  readonly isFirstContact: boolean;
}

/** The addresses of one domain. */
export interface ProbeDomain {
  /** In ASCII, in lower case. */
  readonly domain: string;
  /** Known state of the control; `not_run`: the probe runs it once, after the first address that is accepted. */
  readonly catchAll: CatchAll;
  /** The local part under which that was asked and put off: it is asked again, under the same name. Null: under a new one. */
  readonly control: string | null;
  readonly addresses: readonly ProbeAddress[];
}

/** Addresses whose mail goes to the same hosts. */
export interface ProbeBatch {
  /** Names the hosts together, for the gate. */
  readonly group: string;
  /** In the order of their preference; those without addresses cannot be asked. */
  readonly hosts: readonly MailHost[];
  readonly domains: readonly ProbeDomain[];
}

/** Takes an answer as soon as there is one, with what is known of the domain by now. Must not throw. */
export type ReportEvidence = (address: ProbeAddress, domain: ProbeDomain, evidence: MailboxEvidence) => void;

/** Addresses that were not asked, because the gate wants them later. */
export interface PostponedAddresses {
  readonly untilMs: number;
  readonly domains: readonly ProbeDomain[];
}

/** Port: asks the mail hosts of one group about mailboxes. */
export interface MailboxProbe {
  /**
   * Reports evidence for every address, once, but for those that it answers as postponed; null when there are none. The domains of
   * postponed addresses carry what was learnt of them. Asks one host at a time and sends no mail.
   *
   * Trouble with a host is evidence. @throws the signal's reason when it aborts; what was reported stands.
   */
  probe(batch: ProbeBatch, report: ReportEvidence, signal: AbortSignal): Promise<PostponedAddresses | null>;
}

/** Why something may not be asked, now or at all. */
export type Denied =
  /** Not before then, in milliseconds since 1970. */
  | { readonly kind: 'wait'; readonly untilMs: number }
  | ({ readonly kind: 'refused' } & Omit<UnprobedMailbox, 'kind'>);

/** Leave for one session. `end` gives it up and never rejects. */
export type SessionLeave = { readonly kind: 'granted'; readonly end: () => Promise<void> } | Denied;

export type RecipientLeave = { readonly kind: 'granted' } | Denied;

export interface GatedRecipient {
  readonly group: string;
  readonly domain: string;
  /** Null: one that nobody can have. */
  readonly address: ProbeAddress | null;
  /** For how many there must be room: this one, and the control that may follow. One is used. */
  readonly room: 1 | 2;
}

/** Group of mail hosts that a rejection of the sender closes. */
export interface RefusedGroup {
  readonly group: string;
  /** The domain whose rule it was; null: all of the group. */
  readonly domain: string | null;
  readonly finding: SenderRefusal;
}

/** Port: how much may be asked of whom. What it grants counts as used, asked or not. */
export interface ProbeGate {
  /** Before a session with a host of the group. */
  takeSession(group: string): Promise<SessionLeave>;
  /** Before each recipient. */
  takeRecipient(recipient: GatedRecipient): Promise<RecipientLeave>;
  /** A host refused us, not a recipient: nobody of the group, or of the domain, is asked for hours. Answers until when. */
  pause(refused: RefusedGroup): Promise<Date>;
}
