import type { ProbedMailbox } from './mailbox.ts';
import type { CatchAll } from '../replies/smtp-reply.ts';

/** Mail hosts as those of one domain. */
export interface HostsOfDomain {
  /** In ASCII, in lower case. */
  readonly domain: string;
  /** Names the hosts together. */
  readonly hosts: string;
}

/** Known state of the control address of a domain. */
export interface KnownControl {
  readonly catchAll: CatchAll;
  /** The local part under which it was asked about and put off; null where it was not. */
  readonly control: string | null;
}

/** A control that is to be asked about again under the same name. */
export interface OpenControl {
  readonly localPart: string;
  readonly expiresAt: Date;
}

/** Port: what mail servers said, kept where every process finds it. */
export interface MailboxStore {
  /**
   * Reads stored answers by digest, of any age; unknown mailboxes are absent.
   *
   * @throws DatabaseUnavailable
   */
  readMailboxes(digests: readonly string[]): Promise<ReadonlyMap<string, ProbedMailbox>>;
  /**
   * Keeps what was said, each with the moment from which on it is asked for again.
   *
   * @throws DatabaseUnavailable
   */
  writeMailboxes(found: readonly KeptMailbox[]): Promise<void>;
  /**
   * Reads unexpired controls, by domain.
   *
   * @throws DatabaseUnavailable
   */
  readDomains(domains: readonly string[], hosts: string): Promise<ReadonlyMap<string, KnownControl>>;
  /** @throws DatabaseUnavailable */
  writeCatchAll(domain: HostsOfDomain, state: CatchAll, expiresAt: Date): Promise<void>;
  /**
   * Keeps the name of a control that was put off, unless there is one that is older; null: it is settled.
   *
   * @throws DatabaseUnavailable
   */
  writeControl(domain: HostsOfDomain, control: OpenControl | null): Promise<void>;
}

export interface KeptMailbox {
  /** See `mailboxDigest`. */
  readonly digest: string;
  readonly evidence: ProbedMailbox;
  readonly expiresAt: Date;
}
