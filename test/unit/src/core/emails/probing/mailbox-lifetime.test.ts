import { expect, test } from 'vitest';
import { catchAllExpiry, mailboxExpiry } from '../../../../../../src/core/emails/probing/mailbox-lifetime.ts';
import type { ProbedMailbox } from '../../../../../../src/core/emails/probing/mailbox.ts';
import type { CatchAll, ProbeFinding } from '../../../../../../src/core/emails/replies/smtp-reply.ts';

const checkedAt = new Date('2026-11-22T00:00:00.000Z');

function hoursOf(finding: ProbeFinding, catchAll: CatchAll = 'not_run', retryAt: Date | null = null): number {
  const evidence: ProbedMailbox = {
    kind: 'probed',
    ...{
      finding,
      catchAll,
      host: 'mx.acme.com',
      reply: null,
      attempts: 1,
      durationMs: 1,
      checkedAt,
      retryAt,
    },
  };
  return (mailboxExpiry(evidence).getTime() - checkedAt.getTime()) / 3_600_000;
}

test.each<[ProbeFinding, CatchAll, number]>([
  ['mailbox_accepts', 'accepted', 7 * 24],
  ['mailbox_accepts', 'refused', 24],
  ['mailbox_accepts', 'inconclusive', 1],
  ['mailbox_accepts', 'not_run', 1],
  ['mailbox_not_found', 'not_run', 24],
  ['mailbox_disabled', 'refused', 24],
  ['mailbox_full', 'refused', 6],
  ['recipient_policy', 'not_run', 6],
])('%s with the control %s expires after %d hours', (finding, catchAll, hours) => {
  expect(hoursOf(finding, catchAll)).toBe(hours);
});

test('open evidence expires at its retry', () => {
  const retryAt = new Date(checkedAt.getTime() + 360_000);
  expect(hoursOf('greylisted', 'not_run', retryAt)).toBe(0.1);
});

test.each<[CatchAll, number]>([
  ['accepted', 7 * 24],
  ['refused', 24],
  ['inconclusive', 1],
  ['not_run', 0],
])('a control that is %s expires after %d hours', (state, hours) => {
  expect(catchAllExpiry(state, checkedAt).getTime() - checkedAt.getTime()).toBe(hours * 3_600_000);
});
