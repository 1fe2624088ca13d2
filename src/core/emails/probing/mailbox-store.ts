import type { CatchAll } from '../replies/smtp-reply.ts';
import type { ProbedMailbox } from './mailbox.ts';

/** A domain at a set of mail hosts. */
export interface DomainAtHosts {
  /** In ASCII, in lower case. */
  readonly domain: string;
  /** See `hostsKey`. */
  readonly hosts: string;
}

/** Known state of the control address of a domain. */
export interface KnownControl {
  readonly catchAll: CatchAll;
  /** Local part of a control that the server deferred: the next attempt uses it again. Null: none is open. */
  readonly localPart: string | null;
}

/** A deferred control, kept until the server answers it. */
export interface DeferredControl {
  readonly localPart: string;
  readonly expiresAt: Date;
}

/** Evidence for one mailbox, and its end of life. */
export interface StoredMailbox {
  /** See `mailboxDigest`. */
  readonly digest: string;
  readonly evidence: ProbedMailbox;
  readonly expiresAt: Date;
}

/** Port: evidence of mail servers, stored for all processes. */
export interface MailboxStore {
  /**
   * Reads stored evidence by digest, of any age; unknown mailboxes are absent.
   *
   * @throws DatabaseUnavailable
   */
  readMailboxes(digests: readonly string[]): Promise<ReadonlyMap<string, ProbedMailbox>>;
  /**
   * Stores evidence; of several entries for one mailbox the latest counts.
   *
   * @throws DatabaseUnavailable
   */
  writeMailboxes(found: readonly StoredMailbox[]): Promise<void>;
  /**
   * Reads unexpired controls, by domain.
   *
   * @throws DatabaseUnavailable
   */
  readControls(domains: readonly string[], hosts: string): Promise<ReadonlyMap<string, KnownControl>>;
  /** @throws DatabaseUnavailable */
  writeCatchAll(domain: DomainAtHosts, state: CatchAll, expiresAt: Date): Promise<void>;
  /**
   * Stores the name of a deferred control, unless an older one is stored; null: the control is settled.
   *
   * @throws DatabaseUnavailable
   */
  writeControl(domain: DomainAtHosts, control: DeferredControl | null): Promise<void>;
}
