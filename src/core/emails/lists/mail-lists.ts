import type { DidYouMean } from './did-you-mean.ts';

/** Properties of a domain by the lists. */
export interface DomainMarks {
  readonly isDisposable: boolean;
  readonly isPrivacyRelay: boolean;
  readonly isFree: boolean;
}

/** Certainty that a local part names a function: `strict` is never a person, `broad` may be one in a small company. */
export type RoleTier = 'strict' | 'broad';

/** Kind of a mail host: it stores mail, filters it for another server, or forwards it. */
export type MxKind = 'mailboxes' | 'gateway' | 'forwarder';

/** Operator of a mail host. */
export interface MxProvider {
  /** A stable, short name: `google`, `proofpoint`. */
  readonly id: string;
  readonly kind: MxKind;
}

/** Port: lists of domains, local parts and mail hosts, in memory. */
export interface MailLists {
  /** @param asciiDomain in lower case. A disposable domain and a privacy relay cover their subdomains, a free provider does not. */
  marksOf(asciiDomain: string): DomainMarks;
  /** @param name a local part in any case, without a tag */
  roleTier(name: string): RoleTier | null;
  /** @param host in ASCII, in lower case, without the final dot */
  mxProvider(host: string): MxProvider | null;
  /**
   * True when a mail host accepts every recipient, so that probing it proves nothing.
   *
   * @param host as for `mxProvider`
   */
  isSilentHost(host: string): boolean;
  readonly didYouMean: DidYouMean;
}
