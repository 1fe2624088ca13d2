import { join } from 'node:path';
import { createMailDomainLookup } from './adapters/mail/dns.ts';
import { createMailLists } from './adapters/mail/mail-lists.ts';
import type { Config } from './config.ts';
import { createKnownDomains } from './core/email/known-domains.ts';
import type { MailDomainStore } from './core/email/mail-domain-store.ts';
import type { MailLists } from './core/email/mail-lists.ts';
import { createEmailValidator, type EmailValidator } from './core/email/validate-email.ts';
import { mailListsFolder } from './package-root.ts';

export interface EmailDeskOptions {
  readonly config: Config;
  /** What DNS said, for all processes. */
  readonly store: MailDomainStore;
  /** Lets so many domains be looked up at a time. */
  readonly limit: <T>(work: () => Promise<T>) => Promise<T>;
  /** Told when the store is away; DNS is asked instead. */
  readonly onError: (error: unknown) => void;
}

/** The parts of the email validation, from the configuration. */
export function createEmailDesk({ config, store, limit, onError }: EmailDeskOptions): EmailValidator {
  const { dnsServers, dnsTimeoutMs, allowedHosts } = config.email;
  const lookup = createMailDomainLookup({
    ...(dnsServers === null ? {} : { servers: dnsServers }),
    timeoutMs: dnsTimeoutMs,
    nowMs: Date.now,
    isAllowedHost: (name) => allowedHosts.includes(name),
  });
  return createEmailValidator({
    lists: openLists(config),
    domains: createKnownDomains({ lookup, store, nowMs: Date.now, limit, onError }),
    mailboxes: null,
    now: () => new Date(),
  });
}

/** For verdicts on the text alone: nobody is asked, and no database is needed. */
export function openTextValidator(config: Config): Pick<EmailValidator, 'judgeText'> {
  const domains = { find: () => Promise.reject(new Error('Nobody is asked about a text.')) };
  return createEmailValidator({
    lists: openLists(config),
    domains,
    mailboxes: null,
    now: () => new Date(),
  });
}

/** The lists that ship, with the corrections that the operator has put into the home folder. */
function openLists({ home }: Config): MailLists {
  return createMailLists({ shipped: mailListsFolder, own: join(home, 'lists') });
}
