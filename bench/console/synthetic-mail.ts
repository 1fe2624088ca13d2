import type { MailboxEvidence } from '../../src/core/emails/probing/mailbox.ts';
import type { MailDomain, MailRoute } from '../../src/core/emails/domains/mail-domain.ts';
import type { MailLists } from '../../src/core/emails/lists/mail-lists.ts';
import { createEmailValidator, type EmailValidator } from '../../src/core/validation/validate-email.ts';
import { hashOf, randomAt } from '../data/random.ts';

const hosts = ['aspmx.l.google.com', 'mx.example-mail.com', 'acme.mail.protection.outlook.com'];
const shares = { dead: 0.06, catchAll: 0.15, accepts: 0.78, missing: 0.14 };
const dayMs = 86_400_000;

/**
 * Verdicts of the product for synthetic answers of name servers and mail servers. Makes no network call, and no verdict
 * schedules a retry.
 */
export function createSyntheticValidator(lists: MailLists, seed: number): EmailValidator {
  const startedAt = new Date();
  return createEmailValidator({
    optOuts: { has: () => Promise.resolve(false) },
    lists,
    domains: { find: (domain) => Promise.resolve(domainOf(domain, seed, startedAt)) },
    mailboxes: {
      find: ({ localPart }, { domain }) => Promise.resolve(mailboxOf(localPart, domain, seed)),
    },
    now: () => new Date(),
  });
}

function domainOf(domain: string, seed: number, checkedAt: Date): MailDomain {
  const expiresAt = new Date(checkedAt.getTime() + dayMs);
  return { domain, route: routeOf(domain, seed), hasSpf: true, hasDmarc: null, checkedAt, expiresAt };
}

function routeOf(domain: string, seed: number): MailRoute {
  const id = hashOf(domain);
  if (randomAt(seed, id) < shares.dead) return { kind: 'none', reason: 'domain_not_found', mx: null };
  const name = hosts[id % hosts.length] ?? '';
  return { kind: 'hosts', hosts: [{ name, preference: 10, addresses: ['93.184.216.34'] }], implicit: false };
}

function mailboxOf(localPart: string, domain: string, seed: number): MailboxEvidence {
  const lot = randomAt(seed + 1, hashOf(`${localPart}@${domain}`));
  const isOpenToAll = randomAt(seed + 2, hashOf(domain)) < shares.catchAll;
  return {
    kind: 'probed',
    finding: isOpenToAll ? 'mailbox_accepts' : findingOf(lot),
    catchAll: isOpenToAll ? 'accepted' : 'refused',
    host: 'mx',
    reply: null,
    attempts: 1,
    durationMs: 40,
    checkedAt: new Date(),
    retryAt: null,
  };
}

function findingOf(lot: number) {
  if (lot < shares.accepts) return 'mailbox_accepts';
  return lot < shares.accepts + shares.missing ? 'mailbox_not_found' : 'unrecognised_reply';
}
