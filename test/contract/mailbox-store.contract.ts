import { beforeEach, describe, expect, test } from 'vitest';
import type { MailboxStore } from '../../src/core/emails/probing/mailbox-store.ts';
import { mailboxDigest, type ProbedMailbox } from '../../src/core/emails/probing/mailbox.ts';

const later = new Date(Date.now() + 3_600_000);
const past = new Date(Date.now() - 1_000);
const [jane, joe] = [mailboxDigest('jane', 'acme.com'), mailboxDigest('joe', 'acme.com')];
const accepted: ProbedMailbox = {
  kind: 'probed',
  finding: 'mailbox_accepts',
  catchAll: 'refused',
  host: 'mx.acme.com',
  reply: { code: 250, enhancedCode: '2.1.5', lines: ['Ok'] },
  attempts: 1,
  durationMs: 12,
  checkedAt: new Date(Date.UTC(2026, 0, 1, 12)),
  retryAt: null,
};
const greylisted: ProbedMailbox = {
  ...accepted,
  finding: 'greylisted',
  catchAll: 'not_run',
  reply: null,
  checkedAt: new Date(Date.UTC(2026, 0, 1, 11)),
  retryAt: new Date(Date.UTC(2026, 0, 1, 12)),
};
const at = { domain: 'acme.com', hosts: 'mx1.acme.com mx2.acme.com' };

/** Checks the guarantees of `MailboxStore`; run by every implementation, each test with an empty store. */
export function mailboxStoreContract(openStore: () => Promise<MailboxStore>): void {
  let store: MailboxStore;
  const readControl = async () => (await store.readControls([at.domain], at.hosts)).get(at.domain);

  describe('store of mailboxes', () => {
    beforeEach(async () => {
      store = await openStore();
    });

    test('is empty at first', async () => {
      expect(await store.readMailboxes([jane])).toEqual(new Map());
      expect(await store.readControls([at.domain], at.hosts)).toEqual(new Map());
    });

    test('returns the evidence of known mailboxes, expired or not', async () => {
      await store.writeMailboxes([
        { digest: jane, evidence: accepted, expiresAt: later },
        { digest: joe, evidence: greylisted, expiresAt: past },
      ]);
      const read = await store.readMailboxes([joe, jane, mailboxDigest('nobody', 'acme.com')]);
      expect(read.get(jane)).toEqual(accepted);
      expect(read.get(joe)).toEqual(greylisted);
      expect(read.size).toBe(2);
    });

    test('keeps the latest evidence, in whatever order it is written', async () => {
      for (const evidence of [greylisted, accepted, greylisted])
        await store.writeMailboxes([{ digest: jane, evidence, expiresAt: later }]);
      expect((await store.readMailboxes([jane])).get(jane)).toEqual(accepted);
    });

    test('returns controls by domain and hosts until they expire', async () => {
      await store.writeCatchAll(at, 'accepted', later);
      expect(await readControl()).toEqual({ catchAll: 'accepted', localPart: null });
      expect(await store.readControls([at.domain], 'mx.other.com')).toEqual(new Map());
      await store.writeCatchAll(at, 'refused', later);
      expect(await readControl()).toEqual({ catchAll: 'refused', localPart: null });
      await store.writeCatchAll(at, 'refused', past);
      expect(await readControl()).toBeUndefined();
    });

    test('keeps the first name of a deferred control until it is settled or expires', async () => {
      await store.writeControl(at, { localPart: 'first', expiresAt: later });
      await store.writeControl(at, { localPart: 'second', expiresAt: later });
      expect(await readControl()).toEqual({ catchAll: 'not_run', localPart: 'first' });
      await store.writeControl(at, null);
      expect(await readControl()).toBeUndefined();
      await store.writeControl(at, { localPart: 'expired', expiresAt: past });
      await store.writeControl(at, { localPart: 'third', expiresAt: later });
      expect(await readControl()).toEqual({ catchAll: 'not_run', localPart: 'third' });
    });
  });
}
