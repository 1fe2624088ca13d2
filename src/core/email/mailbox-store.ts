import type { CatchAll, ProbedMailbox } from './mailbox.ts';

/** Mail hosts as those of one domain. */
export interface HostsOfDomain {
  /** In ASCII, in lower case. */
  readonly domain: string;
  /** Names the hosts together. */
  readonly hosts: string;
}

/** Port: what mail servers said, kept where every process finds it. */
export interface MailboxStore {
  /**
   * What was said of these mailboxes, by digest, however old. What is not known is not in the answer.
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
   * What is known of these domains and has not expired, by domain.
   *
   * @throws DatabaseUnavailable
   */
  readCatchAlls(domains: readonly string[], hosts: string): Promise<ReadonlyMap<string, CatchAll>>;
  /** @throws DatabaseUnavailable */
  writeCatchAll(domain: HostsOfDomain, state: CatchAll, expiresAt: Date): Promise<void>;
}

export interface KeptMailbox {
  /** See `mailboxDigest`. */
  readonly digest: string;
  readonly evidence: ProbedMailbox;
  readonly expiresAt: Date;
}
