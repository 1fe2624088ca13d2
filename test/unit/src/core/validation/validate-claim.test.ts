import { expect, test } from 'vitest';
import type { MailDomain } from '../../../../../src/core/emails/domains/mail-domain.ts';
import { validateClaim } from '../../../../../src/core/validation/validate-claim.ts';
import type { EmailVerdict } from '../../../../../src/core/emails/verdict/verdict.ts';
import type { LookupResult } from '../../../../../src/core/work/outcomes.ts';
import type { EmailClaim, OpenAddress } from '../../../../../src/core/work/claim.ts';

const now = new Date('2026-11-21T22:00:00.000Z');
const inAMinute = new Date('2026-11-21T22:01:00.000Z');
const silentDomain: MailDomain = {
  domain: 'slow.com',
  route: { kind: 'unknown', reason: 'dns_timeout' },
  hasSpf: null,
  hasDmarc: null,
  checkedAt: now,
  expiresAt: inAMinute,
};

test('a chunk completes with a verdict for every address', async () => {
  const { results, reschedule } = await validate(
    [address(1n, 'jane@acme.com'), address(2n, 'joe@acme.com')],
    () => verdict({}),
  );
  expect(reschedule).toBeNull();
  expect(results.map(({ lookupId, answer }) => [lookupId, answer.kind])).toEqual([
    [1n, 'completed'],
    [2n, 'completed'],
  ]);
});

test('a chunk is rescheduled for deferred addresses, and the others complete', async () => {
  const { results, reschedule } = await validate(
    [address(1n, 'jane@acme.com'), address(2n, 'joe@slow.com')],
    (email) => verdict(email.endsWith('slow.com') ? { retryAt: inAMinute } : {}),
  );
  expect(results.map(({ lookupId }) => lookupId)).toEqual([1n]);
  expect(reschedule).toEqual({ delayMs: 60_000, failedTries: [] });
});

test('a chunk is rescheduled for the first mail server retry, but not before the DNS retry', async () => {
  const rescheduleAfter = async (delays: Readonly<Record<string, readonly ['dns' | 'server', number]>>) => {
    const { reschedule } = await validate(
      Object.keys(delays).map((email, i) => address(BigInt(i), email)),
      (email) => {
        const [on, seconds] = delays[email] ?? ['server', 0];
        const retryAt = new Date(now.getTime() + seconds * 1000);
        return verdict(on === 'dns' ? { domain: silentDomain, retryAt } : { level: 'mailbox', retryAt });
      },
    );
    return reschedule;
  };
  expect(await rescheduleAfter({ 'a@a.net': ['server', 360], 'a@b.net': ['server', 20] })).toEqual({
    delayMs: 20_000,
    failedTries: [],
  });
  expect(
    await rescheduleAfter({ 'a@a.net': ['server', 5], 'a@b.net': ['dns', 10], 'a@c.net': ['dns', 8] }),
  ).toEqual({ delayMs: 10_000, failedTries: [1n, 2n] });
});

test('a chunk waits for DNS once, and for a mail server as long as it has a retry time', async () => {
  const waits = async (tries: number, changes: Partial<EmailVerdict>) => {
    const { reschedule } = await validate([address(1n, 'joe@slow.com', tries)], () =>
      verdict({ retryAt: inAMinute, ...changes }),
    );
    return reschedule !== null;
  };
  expect([await waits(0, { domain: silentDomain }), await waits(1, { domain: silentDomain })]).toEqual([
    true,
    false,
  ]);
  expect([await waits(7, { level: 'mailbox' }), await waits(7, { level: 'mailbox', retryAt: null })]).toEqual(
    [true, false],
  );
});

test('the delay of a rescheduled chunk is between one second and one hour', async () => {
  const wait = async (retryAt: string) => {
    const { reschedule } = await validate([address(1n, 'joe@slow.com')], () =>
      verdict({ retryAt: new Date(retryAt) }),
    );
    return reschedule?.delayMs;
  };
  expect(await wait('2026-11-25T00:00:00.000Z')).toBe(3_600_000);
  expect(await wait('2026-11-21T21:00:00.000Z')).toBe(1000);
});

test.each(['domain_paused', 'provider_paused'] as const)(
  'a chunk does not wait for a paused domain or provider: %s',
  async (subStatus) => {
    const { results, reschedule } = await validate([address(1n, 'jane@acme.com')], () =>
      verdict({ subStatus, retryAt: inAMinute }),
    );
    expect([results.length, reschedule]).toEqual([1, null]);
  },
);

test('a final verdict completes at once even if it has a retry time', async () => {
  const { reschedule } = await validate([address(1n, 'jane@acme.com')], () =>
    verdict({ status: 'invalid', retryAt: inAMinute }),
  );
  expect(reschedule).toBeNull();
});

test('the lookup of an erased person fails without a validation', async () => {
  const { results } = await validate([address(1n, null)], () => {
    throw new Error('The validator was called.');
  });
  expect(results).toEqual([{ lookupId: 1n, source: null, answer: { kind: 'failed', reason: 'forgotten' } }]);
});

async function validate(lookups: readonly OpenAddress[], answer: (email: string) => EmailVerdict) {
  const results: LookupResult[] = [];
  const reschedule = await validateClaim(claimOf(lookups), {
    validator: { validate: async (email) => answer(email) },
    now: () => now,
    signal: new AbortController().signal,
    onResult: (result) => void results.push(result),
  });
  return { results, reschedule };
}

function address(lookupId: bigint, email: string | null, tries = 0): OpenAddress {
  return { lookupId, email, tries };
}

function verdict(changes: Partial<EmailVerdict>): EmailVerdict {
  return {
    email: 'jane@acme.com',
    status: 'unknown',
    subStatus: 'mailbox_not_probed',
    recommendation: 'review',
    level: 'domain',
    reasons: ['mailbox_not_probed'],
    address: null,
    canonical: null,
    didYouMean: null,
    isCatchAll: null,
    domain: null,
    provider: null,
    mailbox: null,
    fromCache: false,
    checkedAt: now,
    expiresAt: null,
    retryAt: null,
    ...changes,
  };
}

function claimOf(lookups: readonly OpenAddress[]): EmailClaim {
  return {
    operation: 'email_validation',
    chunkId: 1,
    generation: 1,
    token: 'token',
    accountId: 1,
    batchId: 1,
    priceMicro: 0n,
    attempt: 1,
    lookups,
  };
}
