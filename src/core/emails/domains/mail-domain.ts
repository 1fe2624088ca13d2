import type { DomainReason } from '../reasons.ts';

/** Route of mail to a domain, by DNS. */
export type MailRoute =
  /** In the order of preference. `implicit`: there is no MX record, and the domain's own address receives the mail (RFC 5321 §5.1). */
  | { readonly kind: 'hosts'; readonly hosts: readonly MailHost[]; readonly implicit: boolean }
  /** No mail can reach it. `mx`: the first host of its MX record, if it has one. */
  | {
      readonly kind: 'none';
      readonly reason: Extract<
        DomainReason,
        'domain_not_found' | 'null_mx' | 'no_mail_host' | 'mail_host_unroutable' | 'spf_reject_all_without_mx'
      >;
      readonly mx: string | null;
    }
  /** DNS failed. Never a reason for `invalid`. */
  | {
      readonly kind: 'unknown';
      readonly reason: Extract<DomainReason, 'dns_timeout' | 'dns_server_failure' | 'dns_untrusted'>;
    };

/** A mail host and its public addresses; none if it was not looked up. */
export interface MailHost {
  /** In ASCII, in lower case, without the final dot. */
  readonly name: string;
  readonly preference: number;
  readonly addresses: readonly string[];
}

/** DNS records of a domain that concern mail. */
export interface MailDomain {
  /** In ASCII, in lower case. */
  readonly domain: string;
  readonly route: MailRoute;
  /** Null: not known. */
  readonly hasSpf: boolean | null;
  readonly hasDmarc: boolean | null;
  readonly checkedAt: Date;
  /** The next lookup after that repeats the queries. */
  readonly expiresAt: Date;
}

/** Port: looks a domain up in DNS. It has a result for every domain; an error of DNS is a route of kind `unknown`. */
export interface MailDomainLookup {
  /** @param domain in ASCII, in lower case */
  find(domain: string, signal: AbortSignal): Promise<MailDomain>;
}

/** Port: results of DNS about mail domains, stored for all processes. */
export interface MailDomainStore {
  /**
   * Reads stored domains, of any age; unknown domains are absent.
   *
   * @throws DatabaseUnavailable
   */
  read(domains: readonly string[]): Promise<ReadonlyMap<string, MailDomain>>;
  /**
   * Stores results; of several for one domain the latest check counts.
   *
   * @throws DatabaseUnavailable
   */
  write(found: readonly MailDomain[]): Promise<void>;
}

/** The first mail host of a domain; null without one. */
export function mxRecordOf(domain: MailDomain | null): string | null {
  if (domain === null || domain.route.kind === 'unknown') return null;
  return domain.route.kind === 'hosts' ? (domain.route.hosts[0]?.name ?? null) : domain.route.mx;
}
