import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest';
import { parseAddress } from '../../../src/core/emails/syntax/address.ts';
import { parseOptOut } from '../../../src/core/emails/probing/opt-outs.ts';
import { openTestApi, type TestApi } from '../../support/api/test-api.ts';
import { validateList } from '../../support/api/uploaded-batch.ts';
import { openPoliteServer, type PoliteServer } from '../../support/dns-smtp/polite-server.ts';
import { openProbingFixture, type ProbingFixture } from '../../support/dns-smtp/probing-fixture.ts';
import { waitMsMax } from '../../support/wait-bound.ts';

/** Accepts jane and joe, defers greta once, rejects all others; accepts everyone at catchall.com. */
function reply(address: string, seen: Map<string, number>): string | null {
  const [local = '', domain] = address.split('@');
  const times = (seen.get(address) ?? 0) + 1;
  seen.set(address, times);
  if (domain === 'catchall.com' || ['jane', 'joe'].includes(local)) return null;
  if (local === 'greta') return times === 1 ? '450 4.2.0 Greylisted, see you in 5 minutes' : null;
  return '550 5.1.1 User unknown';
}

const people = ['jane@acme.com', 'ghost@acme.com', 'greta@acme.com', 'joe@catchall.com', 'x@gone.com'];

describe.each(['postgres', 'redis'] as const)('mailbox probing, with the queue on %s', (queue) => {
  const isLacking = queue === 'redis' && inject('redisUrl') === null;
  describe.skipIf(isLacking)(`probes mailboxes${isLacking ? ' (not run: no Redis)' : ''}`, () => {
    const seen = new Map<string, number>();
    let server: PoliteServer;
    let fixture: ProbingFixture;
    let api: TestApi;
    let key: string;

    beforeAll(async () => {
      server = await openPoliteServer({ recipient: (address) => reply(address, seen) });
      fixture = await openProbingFixture([
        { domain: 'acme.com', port: server.port },
        { domain: 'catchall.com', port: server.port },
        { domain: 'slow.com', port: server.port },
      ]);
      api = await openTestApi({ queue, workers: true, zone: fixture.zone, settings: fixture.settings });
      key = await api.createKey();
    });
    afterAll(async () => {
      await api.close();
      await fixture.close();
      await server.close();
    });

    async function validate(email: string) {
      const answer = await api.call('POST', '/v1/people/email-validation', { key, json: { email } });
      return answer.json() as Readonly<Record<string, unknown>>;
    }

    test('a batch gets verdicts from mail servers, and settles greylisted addresses', async () => {
      const lines = await validateList(api, key, people);
      expect(
        lines.map((line) => [
          line['email'],
          line['email_status'],
          line['email_sub_status'],
          line['email_recommendation'],
        ]),
      ).toEqual([
        ['jane@acme.com', 'valid', 'mailbox_accepts', 'send'],
        ['ghost@acme.com', 'invalid', 'mailbox_not_found', 'do_not_send'],
        ['greta@acme.com', 'valid', 'mailbox_accepts', 'send'],
        ['joe@catchall.com', 'catch_all', 'catch_all_domain', 'review'],
        ['x@gone.com', 'invalid', 'domain_not_found', 'do_not_send'],
      ]);
      const controls = server.recipients.filter(({ address }) => !people.includes(address));
      expect(controls).toHaveLength(2);
      expect(seen.get('greta@acme.com')).toBe(2);
      expect(await api.findings()).toEqual([]);
    });

    test('verdicts are listed with the answer of the mail server', async () => {
      const { text } = await api.call('GET', '/v1/emails?q=acme.com&status=invalid', { key });
      expect((JSON.parse(text) as { readonly emails: unknown }).emails).toMatchObject([
        {
          email: 'ghost@acme.com',
          smtp: { host: 'mx.acme.com', code: 550, enhanced_code: '5.1.1', attempts: 1 },
        },
      ]);
      const counts = await api.call('GET', '/v1/emails/counts', { key });
      expect(counts.json()).toMatchObject({ statuses: { valid: 2, invalid: 2, catch_all: 1, unknown: 0 } });
    });

    test('known mailboxes are not probed again', async () => {
      const asked = server.recipients.length;
      expect(await validate('Jane@ACME.com')).toMatchObject({
        email_status: 'valid',
        verification_level: 'mailbox',
        from_cache: true,
        smtp: { host: 'mx.acme.com', code: 250, catch_all_probe: 'refused', attempts: 1 },
      });
      expect(server.recipients).toHaveLength(asked);
    });

    test('a request for a greylisted address returns unknown at once, and a later one the result of the retry', async () => {
      expect(await validate('greta@slow.com')).toMatchObject({
        email_status: 'unknown',
        sub_status: 'greylisted',
        retry_at: expect.stringMatching(/Z$/) as string,
        credits_consumed: 0,
      });
      await vi.waitFor(async () => expect(seen.get('greta@slow.com')).toBe(2), {
        timeout: waitMsMax,
        interval: 50,
      });
      await vi.waitFor(async () =>
        expect(await validate('greta@slow.com')).toMatchObject({ email_status: 'valid', from_cache: true }),
      );
      expect(seen.get('greta@slow.com')).toBe(2);
      // The recheck is removed after its verdict is stored.
      await vi.waitFor(async () => {
        const left = await api.database.owner.pool.query('SELECT 1 FROM nightshift.mailbox_rechecks');
        expect(left.rowCount).toBe(0);
      });
    });

    test('fifty concurrent requests for one address probe it once', async () => {
      const answers = await Promise.all(Array.from({ length: 50 }, () => validate('joe@acme.com')));
      expect(new Set(answers.map((answer) => answer['email_status']))).toEqual(new Set(['valid']));
      expect(seen.get('joe@acme.com')).toBe(1);
    });

    test('a person or domain that opted out is not probed, and not looked up in DNS', async () => {
      const {
        lookups: { optOuts },
      } = api.app;
      for (const name of ['private.com', 'shy@acme.com'])
        expect(await optOuts.add(parseOptOut(name))).toBe(true);
      const asked = api.dns.queries.length;
      for (const email of ['a@mail.private.com', 'Shy+x@acme.com']) {
        expect(await validate(email)).toMatchObject({
          email_status: 'unknown',
          sub_status: 'opted_out',
          recommendation: 'do_not_send',
          verification_level: 'syntax',
          credits_consumed: 0,
        });
      }
      expect(api.dns.queries).toHaveLength(asked);
      expect(seen.has('Shy+x@acme.com')).toBe(false);
      expect(await optOuts.remove(parseOptOut('private.com'))).toBe(true);
      expect(await optOuts.list()).toMatchObject([{ kind: 'person' }]);
    });

    test('an erased person is never probed again', async () => {
      const asked = server.recipients.length;
      const parsed = parseAddress('jane@acme.com');
      if (parsed.kind === 'invalid') throw new Error('This is an address.');
      await api.app.lookups.erasure.erase(parsed.address);
      expect(await validate('jane@acme.com')).toMatchObject({ sub_status: 'opted_out', smtp: null });
      expect(server.recipients).toHaveLength(asked);
    });

    test('no table stores the address itself', async () => {
      const { rows } = await api.database.owner.pool.query<{ kept: string }>(
        'SELECT m::text AS kept FROM nightshift.mailboxes m',
      );
      expect(rows.length).toBeGreaterThan(3);
      expect(rows.filter(({ kept }) => /jane|greta|ghost/.test(kept))).toEqual([]);
    });
  });
});
