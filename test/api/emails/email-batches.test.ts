import { inject, beforeAll, describe, expect, test } from 'vitest';
import { parseAddress } from '../../../src/core/emails/syntax/address.ts';
import { codesOf, useTestApi } from '../../support/api/test-api.ts';
import type { DnsZone } from '../../support/dns-smtp/dns-server.ts';
import {
  batchOf,
  exportedLines,
  uploadBatch,
  waitForState,
  type ExportedLine,
} from '../../support/api/uploaded-batch.ts';

const zone: DnsZone = {
  'acme.com': { MX: [[10, 'mx.acme.com']], TXT: ['v=spf1 mx -all'] },
  'mx.acme.com': { A: ['93.184.216.34'] },
  'silent.com': 'silence',
};

const people = [
  'id,Company,Website,E-mail',
  '1,Nike,nike.com,jane@acme.com',
  '2,Nike,nike.com,Jane@ACME.com',
  '3,,,jane@ACME.COM',
  '4,Acme,,',
  '5,,,nobody@nowhere.invalid-tld',
  '6,!!,,bob@acme',
  '7,,,',
  '8,,,sales@acme.com',
].join('\n');

describe.each(['postgres', 'redis'] as const)('batch with addresses, with the queue on %s', (queue) => {
  const isLacking = queue === 'redis' && inject('redisUrl') === null;
  describe.skipIf(isLacking)(`enrichment${isLacking ? ' (not run: no Redis)' : ''}`, () => {
    const api = useTestApi({ workers: true, queue, zone });
    let key: string;
    let id: string;
    let lines: readonly ExportedLine[];

    beforeAll(async () => {
      key = await api().createKey();
      id = await uploadBatch(api(), key, people);
      await waitForState(api(), key, id, 'finished');
      lines = await exportedLines(api(), key, id);
    });

    test('makes one lookup per company and per address of the rows', async () => {
      expect(await batchOf(api(), key, id)).toMatchObject({
        state: 'finished',
        operations: ['ads_search', 'email_validation'],
        rows: { total: 8, rejected: 1 },
        lookups: { total: 7, completed: 5, failed: 0, open: 0 },
        emails: { total: 5, valid: 0, invalid: 2, catch_all: 0, unknown: 3 },
      });
    });

    test('exports every row in order, with the verdict on its address', () => {
      expect(
        lines.map((line) => [
          line['id'],
          line['email_outcome'],
          line['email_status'],
          line['email_sub_status'],
        ]),
      ).toEqual([
        ['1', 'completed', 'unknown', 'mailbox_not_probed'],
        ['2', 'completed', 'unknown', 'mailbox_not_probed'],
        ['3', 'completed', 'unknown', 'mailbox_not_probed'],
        ['4', null, null, null],
        ['5', 'completed', 'invalid', 'domain_not_found'],
        ['6', 'completed', 'invalid', 'dotless_domain'],
        ['7', 'rejected', null, null],
        ['8', 'completed', 'unknown', 'mailbox_not_probed'],
      ]);
      expect(lines.map((line) => line['ads_outcome'])).toEqual([
        'found',
        'found',
        null,
        expect.stringMatching(/^(found|none|no_match)$/),
        null,
        null,
        'rejected',
        null,
      ]);
    });

    test('distinguishes addresses by the case of the local part, not of the domain', () => {
      const normalised = lines.map((line) => line['email_normalized']);
      expect(normalised.slice(0, 3)).toEqual(['jane@acme.com', 'Jane@acme.com', 'jane@acme.com']);
    });

    test('keeps the address of a row with an invalid company, with a reason', () => {
      expect(lines[5]?.['ads_warning']).toMatch(/only the address is looked up$/);
      expect(lines[2]?.['ads_warning']).toBeNull();
      expect(lines[6]?.['email_reason']).toMatch(/no e-mail address$/);
    });

    test('exports the details of the verdict', () => {
      expect(lines[7]).toMatchObject({ email_is_role: true, email_mx_record: 'mx.acme.com' });
      expect(lines[4]).toMatchObject({
        email_recommendation: 'do_not_send',
        email_verification_level: 'domain',
      });
    });

    test('returns the same rows over HTTP', async () => {
      const { rows } = (await api().call('GET', `/v1/batches/${id}/rows`, { key })).json() as {
        rows: readonly { email: { email_status: string | null } | null }[];
      };
      expect(rows.map(({ email }) => email && email.email_status)).toEqual(
        lines.map((line) => line['email_status']),
      );
    });

    test('shows the verdicts in the SQL views', async () => {
      const found = await api().database.owner.pool.query<Record<string, unknown>>(
        `SELECT email, email_status, sub_status, mx_record, has_spf, credits::float8 AS credits FROM reports.email_results
          WHERE batch = $1 ORDER BY lookup_id`,
        [id],
      );
      expect(found.rows).toHaveLength(5);
      expect(found.rows[0]).toEqual({
        email: 'jane@acme.com',
        email_status: 'unknown',
        sub_status: 'mailbox_not_probed',
        mx_record: 'mx.acme.com',
        has_spf: true,
        credits: 0,
      });
    });

    test('makes one MX query per domain', () => {
      expect(api().dns.count('MX', 'acme.com')).toBe(1);
    });

    test('every invariant holds', async () => {
      expect(await api().findings()).toEqual([]);
    });

    test('stores nothing of an erased person, and every invariant holds', async () => {
      const parsed = parseAddress('jane@ACME.com');
      if (parsed.kind === 'invalid') throw new Error('This is an address.');
      expect(await api().app.lookups.erasure.erase(parsed.address)).toMatchObject({ lookups: 2, rows: 3 });
      for (const table of ['lookups', 'email_results', 'batch_rows', 'chunks', 'batches'])
        expect(await mentionsIn(table), table).toEqual([]);
      expect(await api().findings()).toEqual([]);
    });

    /** Forms in which a table mentions the person. */
    async function mentionsIn(table: string): Promise<readonly string[]> {
      const found = await api().database.owner.pool.query<{ spelling: string }>(
        `SELECT DISTINCT (regexp_matches(t::text, 'jane@acme[.]com', 'gi'))[1] AS spelling FROM nightshift.${table} t`,
      );
      return found.rows.map(({ spelling }) => spelling);
    }
  });
});

describe('batch of addresses only', () => {
  const api = useTestApi({ workers: true, zone, settings: { NIGHTSHIFT_SOURCES: '' } });

  test('needs no ad source, and its export has no ad columns', async () => {
    const key = await api().createKey();
    const id = await uploadBatch(api(), key, 'email\njane@acme.com\n\nx@gone.example.test\n');
    await waitForState(api(), key, id, 'finished');
    const { text } = await api().call('GET', `/v1/batches/${id}/export?format=csv`, { key });
    const [header = '', first = ''] = text.split('\n');
    expect(header).not.toContain('ads_');
    expect(header.split(',').slice(0, 2)).toEqual(['email', 'email_outcome']);
    expect(first.split(',').slice(0, 4)).toEqual(['jane@acme.com', 'completed', '', 'unknown']);
  });

  test('with an unreachable domain ends as unknown after a retry', async () => {
    const key = await api().createKey();
    const id = await uploadBatch(api(), key, 'email\njane@silent.com\n');
    await waitForState(api(), key, id, 'finished');
    expect(await batchOf(api(), key, id)).toMatchObject({ emails: { total: 1, unknown: 1 } });
    expect(api().dns.count('MX', 'silent.com')).toBeGreaterThanOrEqual(2);
  });

  test('charges by the price book, and nothing for unknown', async () => {
    await api().database.owner.pool.query(
      `INSERT INTO nightshift.prices (operation, amount_micro, note) VALUES ('email_validation', 10000, 'test')`,
    );
    await api().createAccount('payer', 1n);
    const key = await api().createKey({ account: 'payer' });
    const id = await uploadBatch(api(), key, 'email\njane@acme.com\nbad\nworse\n');
    await waitForState(api(), key, id, 'finished');
    expect((await api().balance('payer')).balanceMicro).toBe(1_000_000n - 2n * 10_000n);
    expect(await batchOf(api(), key, id)).toMatchObject({ credits: { charged: 0.02, ceiling: 0.03 } });
    const one = await api().call('POST', '/v1/people/email-validation', { key, json: { email: 'bad' } });
    expect(one.json()).toMatchObject({ email_status: 'invalid', credits_consumed: 0.01 });
    const other = await api().call('POST', '/v1/people/email-validation', {
      key,
      json: { email: 'jane@acme.com' },
    });
    expect(other.json()).toMatchObject({ email_status: 'unknown', credits_consumed: 0, from_cache: true });
    expect(await api().findings()).toEqual([]);
  });

  test('waits for credits, and resumes after a grant', async () => {
    const accountId = await api().createAccount('poor');
    const key = await api().createKey({ account: 'poor' });
    const id = await uploadBatch(api(), key, 'email\nbad\nworse\n');
    await waitForState(api(), key, id, 'waiting_for_credits');
    await api().app.credits.ledger.grant(accountId, [{ key: null, amountMicro: 20_000n, reason: 'test' }]);
    await waitForState(api(), key, id, 'finished');
    expect((await api().balance('poor')).balanceMicro).toBe(0n);
    const single = await api().call('POST', '/v1/people/email-validation', { key, json: { email: 'bad' } });
    expect([single.status, codesOf(single)]).toEqual([402, ['insufficient_credits']]);
  });
});

describe('operations of a batch', () => {
  const api = useTestApi({ zone });

  test.each([
    ['ads_search', { companies: 2, addresses: 0 }],
    ['email_validation', { companies: 0, addresses: 5 }],
    ['ads_search,email_validation', { companies: 2, addresses: 5 }],
  ])('are the requested ones: %s', async (operations, counts) => {
    const key = await api().createKey();
    const path = `/v1/batches?dry_run=true&operations=${operations}`;
    const answer = await api().call('POST', path, {
      key,
      body: people,
      headers: { 'Content-Type': 'text/csv' },
    });
    expect(answer.json()).toMatchObject(counts);
  });

  test('are rejected if no column fits', async () => {
    const key = await api().createKey();
    const answer = await api().call('POST', '/v1/batches?operations=email_validation', {
      key,
      body: 'domain\nnike.com\n',
      headers: { 'Content-Type': 'text/csv' },
    });
    expect([answer.status, codesOf(answer)]).toEqual([400, ['validation_error']]);
    expect(answer.text).toContain('email');
  });
});
