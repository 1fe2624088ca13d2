import { parseAddress, type AddressProfile, type EmailAddress } from '../emails/syntax/address.ts';
import type { MailDomainLookup } from '../emails/domains/mail-domain.ts';
import { unprobed, type MailboxLookup } from '../emails/probing/mailbox.ts';
import type { MailLists } from '../emails/lists/mail-lists.ts';
import type { OptOuts } from '../emails/probing/opt-outs.ts';
import { qualityOf, type AddressQuality } from '../emails/verdict/quality.ts';
import { evaluateEmail, type EmailVerdict } from '../emails/verdict/verdict.ts';

export interface EmailValidatorPorts {
  readonly optOuts: Pick<OptOuts, 'has'>;
  readonly lists: MailLists;
  readonly domains: MailDomainLookup;
  /** Null when probing is off. */
  readonly mailboxes: MailboxLookup | null;
  readonly now: () => Date;
}

/** Validates addresses. */
export interface EmailValidator {
  /**
   * Validates an address completely: syntax, lists, DNS, and the mail server if probing is on. Errors on the way are part of
   * the verdict.
   */
  validate(email: string, signal: AbortSignal): Promise<EmailVerdict>;
  /** Evaluates an address without any call. */
  evaluateText(email: string, profile?: AddressProfile): EmailVerdict;
}

const unseen = { domain: null, provider: null, mailbox: null, fromCache: false } as const;

/** The stages run in order, cheap ones first; a later stage runs only if the earlier ones leave the verdict open. */
export function createEmailValidator(ports: EmailValidatorPorts): EmailValidator {
  const { optOuts, lists, domains, mailboxes, now } = ports;

  function qualityOfAddress(address: EmailAddress, domainTakesMail: boolean | null): AddressQuality {
    return qualityOf(address, lists, { domainTakesMail, roles: 'broad' });
  }

  function evaluateText(email: string, profile: AddressProfile = 'deliverable'): EmailVerdict {
    const parsed = parseAddress(email, profile);
    const quality = parsed.kind === 'address' ? qualityOfAddress(parsed.address, null) : null;
    return evaluateEmail({ email, parsed, quality, ...unseen, checkedAt: now() });
  }

  /** Opted-out addresses cause no network call, not even DNS. */
  function leaveAlone(email: string, address: EmailAddress): EmailVerdict {
    const quality = qualityOfAddress(address, null);
    const parsed = { kind: 'address', address } as const;
    return evaluateEmail({
      email,
      parsed,
      quality,
      ...unseen,
      mailbox: unprobed('opted_out'),
      checkedAt: now(),
    });
  }

  async function validate(email: string, signal: AbortSignal): Promise<EmailVerdict> {
    const parsed = parseAddress(email);
    if (parsed.kind === 'invalid') return evaluateText(email);
    const { address } = parsed;
    if (await optOuts.has(address)) return leaveAlone(email, address);
    const askedAt = now();
    const domain = await domains.find(address.asciiDomain, signal);
    const { route } = domain;
    const mailbox =
      mailboxes === null || route.kind !== 'hosts' ? null : await mailboxes.find(address, domain, signal);
    const host = route.kind === 'hosts' ? route.hosts[0]?.name : undefined;
    return evaluateEmail({
      email,
      parsed,
      quality: qualityOfAddress(address, route.kind === 'unknown' ? null : route.kind === 'hosts'),
      domain,
      provider: host === undefined ? null : lists.mxProvider(host),
      mailbox,
      fromCache: [domain, ...(mailbox?.kind === 'probed' ? [mailbox] : [])].every(
        ({ checkedAt }) => checkedAt < askedAt,
      ),
      checkedAt: mailbox?.kind === 'probed' ? mailbox.checkedAt : domain.checkedAt,
    });
  }

  return { validate, evaluateText };
}
