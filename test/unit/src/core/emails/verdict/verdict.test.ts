import { describe, expect, test } from 'vitest';
import { parseAddress } from '../../../../../../src/core/emails/syntax/address.ts';
import type { MailDomain, MailRoute } from '../../../../../../src/core/emails/domains/mail-domain.ts';
import type { MailboxEvidence, ProbedMailbox } from '../../../../../../src/core/emails/probing/mailbox.ts';
import type { CatchAll } from '../../../../../../src/core/emails/replies/smtp-reply.ts';
import {
  emailReasons,
  type PolicyReason,
  type QualityReason,
} from '../../../../../../src/core/emails/reasons.ts';
import { evaluateEmail, type EmailEvidence } from '../../../../../../src/core/emails/verdict/verdict.ts';

const checkedAt = new Date('2026-11-21T22:00:00.000Z');
const expiresAt = new Date('2026-11-21T23:00:00.000Z');
const hosts: MailRoute = {
  kind: 'hosts',
  hosts: [{ name: 'mx.acme.com', preference: 10, addresses: ['203.0.113.1'] }],
  implicit: false,
};

type Finding = ProbedMailbox['finding'];

describe('the status is invalid', () => {
  test('for a text that is not an address, without a lookup', () => {
    const verdict = evaluate({ email: 'jane', domain: null });
    expect(verdict).toMatchObject({
      status: 'invalid',
      subStatus: 'missing_at',
      level: 'syntax',
      recommendation: 'do_not_send',
      address: null,
    });
  });

  test.each([
    'domain_not_found',
    'null_mx',
    'no_mail_host',
    'mail_host_unroutable',
    'spf_reject_all_without_mx',
  ] as const)('for a domain that cannot receive mail: %s', (reason) => {
    const verdict = evaluate({ domain: over({ kind: 'none', reason, mx: null }) });
    expect(verdict).toMatchObject({ status: 'invalid', subStatus: reason, level: 'domain' });
  });

  test.each(['mailbox_not_found', 'mailbox_disabled'] as const)(
    'for a recipient that the mail server rejects: %s',
    (finding) => {
      expect(evaluate({ mailbox: probed(finding) })).toMatchObject({
        status: 'invalid',
        subStatus: finding,
        level: 'mailbox',
      });
    },
  );

  test('for no other finding of a mail server, the network or a policy', () => {
    const recipient: readonly string[] = ['mailbox_not_found', 'mailbox_disabled'];
    for (const [code, { stage }] of Object.entries(emailReasons)) {
      if (recipient.includes(code)) continue;
      if (stage === 'smtp' && !code.startsWith('catch_all'))
        expect(evaluate({ mailbox: probed(code as Finding) }).status, code).not.toBe('invalid');
      if (stage === 'policy')
        expect(evaluate({ mailbox: unprobed(code as PolicyReason) }).status, code).toBe('unknown');
    }
  });
});

describe('a mail server that accepts the address', () => {
  test.each<[CatchAll, string, string]>([
    ['refused', 'valid', 'mailbox_accepts'],
    ['accepted', 'catch_all', 'catch_all_domain'],
    ['inconclusive', 'unknown', 'catch_all_inconclusive'],
    ['not_run', 'unknown', 'catch_all_inconclusive'],
  ])('with the control %s: %s', (catchAll, status, subStatus) => {
    const verdict = evaluate({ mailbox: probed('mailbox_accepts', catchAll) });
    expect(verdict).toMatchObject({ status, subStatus });
    expect(verdict.reasons).toContain('mailbox_accepts');
  });
});

test.each(['dns_timeout', 'dns_server_failure', 'dns_untrusted'] as const)(
  'an error of DNS is unknown, with a retry: %s',
  (reason) => {
    const verdict = evaluate({ domain: over({ kind: 'unknown', reason }) });
    expect(verdict).toMatchObject({ status: 'unknown', subStatus: reason, retryAt: expiresAt });
  },
);

test('an address without a probe is unknown', () => {
  expect(evaluate({})).toMatchObject({
    status: 'unknown',
    subStatus: 'mailbox_not_probed',
    level: 'domain',
    recommendation: 'review',
    expiresAt,
    retryAt: null,
  });
  expect(evaluate({ domain: null })).toMatchObject({ level: 'syntax', expiresAt: null });
});

describe('the recommendation', () => {
  test.each<[readonly QualityReason[], string]>([
    [[], 'send'],
    [['free_provider', 'subaddress', 'privacy_relay'], 'send'],
    [['role_account'], 'review'],
    [['possible_typo'], 'review'],
    [['disposable_domain'], 'do_not_send'],
  ])('for a valid address with %j is %s', (reasons, recommendation) => {
    const quality = { reasons, didYouMean: null };
    const verdict = evaluate({ quality, mailbox: probed('mailbox_accepts', 'refused') });
    expect(verdict).toMatchObject({ status: 'valid', recommendation });
    expect(verdict.reasons).toEqual(['mailbox_accepts', ...reasons]);
  });

  test('for a person that opted out is do_not_send', () => {
    expect(evaluate({ mailbox: unprobed('opted_out') }).recommendation).toBe('do_not_send');
  });
});

test('the decisive reason is first and unique; an implicit MX is a reason', () => {
  const verdict = evaluate({ domain: over({ ...hosts, implicit: true }), mailbox: probed('mailbox_full') });
  expect(verdict.reasons).toEqual(['mailbox_full', 'implicit_mx']);
});

function evaluate(evidence: Partial<EmailEvidence>) {
  const email = evidence.email ?? 'Jane+news@acme.com';
  return evaluateEmail({
    email,
    parsed: parseAddress(email),
    quality: null,
    domain: over(hosts),
    provider: null,
    mailbox: null,
    fromCache: false,
    checkedAt,
    ...evidence,
  });
}

function over(route: MailRoute): MailDomain {
  return { domain: 'acme.com', route, hasSpf: null, hasDmarc: null, checkedAt, expiresAt };
}

function probed(finding: Finding, catchAll: CatchAll = 'not_run'): MailboxEvidence {
  const reply = { code: 250, enhancedCode: null, lines: ['Ok'] };
  const rest = { host: 'mx.acme.com', reply, attempts: 1, durationMs: 12, checkedAt, retryAt: null };
  return { kind: 'probed', finding, catchAll, ...rest };
}

function unprobed(reason: PolicyReason): MailboxEvidence {
  return { kind: 'not_probed', reason, retryAt: null };
}
