import type { MailDomain, MailDomainStore } from '../../../src/core/emails/domains/mail-domain.ts';

/** Creates a store in memory. */
export function createMemoryMailDomains(): MailDomainStore {
  const kept = new Map<string, MailDomain>();
  return {
    read: async (domains) =>
      new Map(
        domains.flatMap((domain) => {
          const known = kept.get(domain);
          return known === undefined ? [] : [[domain, known] as const];
        }),
      ),
    write: async (found) => {
      for (const answer of found) {
        const known = kept.get(answer.domain);
        if (known === undefined || known.checkedAt <= answer.checkedAt) kept.set(answer.domain, answer);
      }
    },
  };
}
