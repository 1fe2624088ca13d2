import type { DomainReason } from '../reasons.ts';

/** Route of the mail of a domain, by DNS. */
export type MailRoute =
  /** In the order of their preference; `implicit`: there is no MX record, the domain's own address takes the mail (RFC 5321 §5.1). */
  | { readonly kind: 'hosts'; readonly hosts: readonly MailHost[]; readonly implicit: boolean }
  /** No mail can reach it, whatever any server thinks. `mx`: the first host of its MX record, where it has one. */
  | {
      readonly kind: 'none';
      readonly reason: Extract<
        DomainReason,
        'domain_not_found' | 'null_mx' | 'no_mail_host' | 'mail_host_unroutable' | 'spf_reject_all_without_mx'
      >;
      readonly mx: string | null;
    }
  /** DNS did not tell. Never a reason to call an address invalid. */
  | {
      readonly kind: 'unknown';
      readonly reason: Extract<DomainReason, 'dns_timeout' | 'dns_server_failure' | 'dns_untrusted'>;
    };

/** A host that takes mail, and its public addresses. One that was not looked up has none and is known by name only. */
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
  /** From then on it is asked for again. */
  readonly expiresAt: Date;
}

/** Port: looks a domain up in DNS. Answers for every domain; trouble with DNS is an answer too, of kind `unknown`. */
export interface MailDomainLookup {
  /** @param domain in ASCII, in lower case */
  find(domain: string, signal: AbortSignal): Promise<MailDomain>;
}

/** The first mail host of a domain; null where it has none, or none is known. */
export function mxRecordOf(domain: MailDomain | null): string | null {
  if (domain === null || domain.route.kind === 'unknown') return null;
  return domain.route.kind === 'hosts' ? (domain.route.hosts[0]?.name ?? null) : domain.route.mx;
}
