import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTestApi, type TestApi } from '../../support/api/test-api.ts';
import { validateList } from '../../support/api/uploaded-batch.ts';
import { openPostfix, postfixUnavailableReason, type Postfix } from '../../support/dns-smtp/postfix.ts';
import { openProbingFixture, type ProbingFixture } from '../../support/dns-smtp/probing-fixture.ts';

const unavailableReason = postfixUnavailableReason();

/** More than Postfix allows in one session: it slows down after 10 errors and disconnects after 20. */
const strangers = Array.from({ length: 30 }, (_, i) => `stranger-${i}@acme.com`);
const truth: readonly (readonly [email: string, status: string, subStatus: string])[] = [
  ['jane@acme.com', 'valid', 'mailbox_accepts'],
  ['ghost@acme.com', 'invalid', 'mailbox_not_found'],
  ['rita@relayed.com', 'valid', 'mailbox_accepts'],
  ['ghost@relayed.com', 'invalid', 'mailbox_not_found'],
  ['greta@slow.com', 'valid', 'mailbox_accepts'],
  ['ghost@slow.com', 'invalid', 'mailbox_not_found'],
  // It defers unknown recipients as well, and every control, whose name is always new.
  ['paula@wary.com', 'valid', 'mailbox_accepts'],
  ['peter@wary.com', 'valid', 'mailbox_accepts'],
  ['ghost@wary.com', 'invalid', 'mailbox_not_found'],
  ['anybody@open-wary.com', 'catch_all', 'catch_all_domain'],
  ['anybody@everybody.com', 'catch_all', 'catch_all_domain'],
  // Its mail host does not handle the domain.
  ['jane@stray.com', 'unknown', 'relay_denied'],
  ...strangers.map((email) => [email, 'invalid', 'mailbox_not_found'] as const),
];

describe.skipIf(unavailableReason !== null)(
  `Postfix${unavailableReason === null ? '' : ` (not run: ${unavailableReason})`}`,
  () => {
    let postfix: Postfix;
    let fixture: ProbingFixture;
    let api: TestApi;
    let key: string;

    beforeAll(async () => {
      postfix = await openPostfix({
        local: ['jane@acme.com', 'greta@slow.com', 'paula@wary.com', 'peter@wary.com'],
        relayed: ['rita@relayed.com'],
        catchAll: ['everybody.com', 'open-wary.com'],
        greylisted: ['slow.com'],
        greylistedFirst: ['wary.com', 'open-wary.com'],
      });
      const domains = [...new Set(truth.map(([email]) => email.slice(email.indexOf('@') + 1)))];
      fixture = await openProbingFixture(
        domains.map((domain) => ({ domain, host: 'mx.acme.com', port: postfix.port })),
      );
      const settings = { ...fixture.settings, NIGHTSHIFT_PROBE_RETRY_MINUTES: '0.03,0.1,0.1,0.1' };
      api = await openTestApi({ workers: true, zone: fixture.zone, settings });
      key = await api.createKey();
    });
    afterAll(async () => {
      await api?.close();
      await fixture?.close();
      await postfix?.close();
    });

    test('gives the right verdict for every address, with those that postgrey defers', async () => {
      const lines = await validateList(
        api,
        key,
        truth.map(([email]) => email),
      );
      expect(lines.map((line) => [line['email'], line['email_status'], line['email_sub_status']])).toEqual(
        truth,
      );
      // Deferred, and settled by a retry.
      expect(
        postfix.log().match(/<greta@slow\.com>: Recipient address rejected: Greylisted/g)?.length,
      ).toBeGreaterThan(0);
      expect(await api.findings()).toEqual([]);
    });

    test('logs no error and receives no mail', () => {
      const log = postfix.log();
      expect(log).toContain('disconnect from unknown[127.0.0.1]');
      expect(log).not.toMatch(
        /too many errors|improper command|lost connection|timeout after|warning:|fatal:/,
      );
      expect(log).not.toMatch(/ data=| vrfy=| expn=/);
    });
  },
);
