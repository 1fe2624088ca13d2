import type { KnownControl, MailboxStore } from '../../../src/core/emails/probing/mailbox-store.ts';
import type { ProbedMailbox } from '../../../src/core/emails/probing/mailbox.ts';

/** Creates a store in memory. */
export function createMemoryMailboxes(): MailboxStore {
  const mailboxes = new Map<string, ProbedMailbox>();
  const catchAlls = new Map<
    string,
    { readonly catchAll: KnownControl['catchAll']; readonly expiresAt: Date }
  >();
  const controls = new Map<string, { readonly localPart: string; readonly expiresAt: Date }>();
  const keyOf = (domain: string, hosts: string) => `${domain} ${hosts}`;
  const fresh = <Entry extends { readonly expiresAt: Date }>(entry: Entry | undefined) =>
    entry !== undefined && entry.expiresAt.getTime() > Date.now() ? entry : undefined;
  return {
    readMailboxes: async (digests) =>
      new Map(
        digests.flatMap((digest) => {
          const known = mailboxes.get(digest);
          return known === undefined ? [] : [[digest, known] as const];
        }),
      ),
    writeMailboxes: async (found) => {
      for (const { digest, evidence } of found) {
        const known = mailboxes.get(digest);
        if (known === undefined || known.checkedAt <= evidence.checkedAt) mailboxes.set(digest, evidence);
      }
    },
    readControls: async (domains, hosts) =>
      new Map(
        domains.flatMap((domain) => {
          const catchAll = fresh(catchAlls.get(keyOf(domain, hosts)))?.catchAll;
          const localPart = fresh(controls.get(keyOf(domain, hosts)))?.localPart;
          if (catchAll === undefined && localPart === undefined) return [];
          return [[domain, { catchAll: catchAll ?? 'not_run', localPart: localPart ?? null }] as const];
        }),
      ),
    writeCatchAll: async ({ domain, hosts }, catchAll, expiresAt) => {
      catchAlls.set(keyOf(domain, hosts), { catchAll, expiresAt });
    },
    writeControl: async ({ domain, hosts }, control) => {
      const key = keyOf(domain, hosts);
      if (control === null) controls.delete(key);
      else if (fresh(controls.get(key)) === undefined) controls.set(key, control);
    },
  };
}
