import { drizzle } from 'drizzle-orm/node-postgres';
import { expect, test } from 'vitest';
import { migrate } from '../../../../db/migrate.ts';
import { createVerifyStore } from '../../../../db/verify/verify-store.ts';
import { createEmptyDatabase } from '../../../support/db/database.ts';
import { withEarlierSchema } from '../../../support/db/earlier-schema.ts';
import { schemaFolder, withClient } from '../../../support/db/test-postgres.ts';

/**
 * A batch whose purge was interrupted: ten companies in a chunk of which two moved to chunks of their own, ten in a chunk that ended on two
 * days, and an address. Another batch and a request were not purged, one request was. Every second company was found.
 */
const record = `INSERT INTO nightshift.accounts (name) VALUES ('acme');
  INSERT INTO nightshift.batches (public_id, account_id, file_name, state, identity, content_sha256, operations, header, column_map, sources,
      rows_total, lookups_total, email_lookups_total, last_lookup_id, dispatched_to, emails_dispatched_to, loaded_at, finished_at, purged_at)
    SELECT 'bat_' || n, 1, 'list.csv', 'finished', sha256(n::text::bytea), '\\x00', '{ads_search,email_validation}', '{domain}', '{}', '{sample}',
      1, CASE n WHEN 1 THEN 21 ELSE 1 END, CASE n WHEN 1 THEN 1 ELSE 0 END, last, last, last, now(), '2026-03-02', CASE n WHEN 1 THEN now() END
    FROM (VALUES (1, 1020), (2, 3000)) AS b(n, last);
  INSERT INTO nightshift.lookups (id, account_id, batch_id, request_id, operation, subject_key, company_domain, outcome, reason, ads_count,
      charged_micro, ended_at, truncated, purged_at)
    SELECT n, 1, CASE WHEN n < 2000 THEN 1 WHEN n = 3000 THEN 2 END, CASE WHEN n BETWEEN 2000 AND 2999 THEN 'req_' || n END,
      CASE n WHEN 1020 THEN 'email_validation' ELSE 'ads_search' END, CASE WHEN n % 3 = 0 THEN 'd:' || n ELSE 'purged:' || n END,
      CASE WHEN n % 3 = 0 THEN n || '.com' END,
      CASE WHEN n = 1020 THEN 'completed' WHEN n = 1009 THEN 'failed' WHEN n % 2 = 0 THEN 'found' ELSE 'none' END,
      CASE n WHEN 1009 THEN 'source_unreadable' END, CASE WHEN n % 2 = 0 AND n <> 1020 THEN 1 ELSE 0 END,
      CASE WHEN n % 2 = 0 THEN 200000 ELSE 0 END,
      CASE WHEN n BETWEEN 1015 AND 1019 THEN '2026-03-02T00:10Z' ELSE '2026-03-01T23:50Z' END::timestamptz + n * interval '1 millisecond',
      n = 1002, CASE WHEN n NOT IN (2001, 3000) AND n % 3 > 0 THEN now() END
    FROM generate_series(1000, 3000) n WHERE n <= 1020 OR n IN (2000, 2001, 3000);
  UPDATE nightshift.lookups SET answer_id = NULL;
  INSERT INTO nightshift.email_results (lookup_id, status, recommendation, verification_level, reasons, is_disposable, is_privacy_relay, is_role,
      is_free, requires_smtputf8, checked_at) VALUES (1020, 'invalid', 'do_not_send', 'domain', '{}', false, false, false, false, false, now());
  INSERT INTO nightshift.chunks (account_id, batch_id, operation, first_lookup_id, last_lookup_id, state, price_micro, lookups, found, none,
      failed, invalid, charged_micro, moved_on, split_at, first_ended_at, last_ended_at)
    SELECT 1, c.batch_id, c.operation, c.first_id, c.last_id, 'done', 200000, c.last_id - c.first_id + 1, c.found, c.none, c.failed, c.invalid,
      (c.found + c.invalid) * 200000, c.moved, CASE WHEN c.first_id = c.last_id AND c.first_id IN (1008, 1009) THEN '2026-03-01T23:50Z' END::timestamptz,
      e.first_ended_at, e.last_ended_at
    FROM (VALUES (1, 'ads_search', 1000, 1009, 4, 4, 0, 0, 2), (1, 'ads_search', 1008, 1008, 1, 0, 0, 0, 0), (1, 'ads_search', 1009, 1009, 0, 0, 1, 0, 0),
      (1, 'ads_search', 1010, 1019, 5, 5, 0, 0, 0), (1, 'email_validation', 1020, 1020, 0, 0, 0, 1, 0), (NULL, 'ads_search', 2000, 2000, 1, 0, 0, 0, 0),
      (NULL, 'ads_search', 2001, 2001, 0, 1, 0, 0, 0), (2, 'ads_search', 3000, 3000, 1, 0, 0, 0, 0))
      AS c(batch_id, operation, first_id, last_id, found, none, failed, invalid, moved)
    CROSS JOIN LATERAL (SELECT min(l.ended_at) AS first_ended_at, max(l.ended_at) AS last_ended_at FROM nightshift.lookups l
      WHERE l.id BETWEEN c.first_id AND c.last_id - c.moved) e;
  INSERT INTO nightshift.row_blocks (batch_id, block_no, rows, lines, cells, ads_lookups)
    VALUES (1, 0, 1, '{2}', 'a.com', '{1000}'), (2, 0, 1, '{2}', 'b.com', '{3000}');
  INSERT INTO nightshift.source_calls (lookup_id, source, request_key, description) SELECT id, 'upstream', 'k', 'a company' FROM nightshift.lookups;
  INSERT INTO nightshift.ledger_blocks (account_id, to_seq, from_seq, first_lookup, last_lookup, balance_delta_micro, held_delta_micro,
      balance_after_micro, held_after_micro, attempt, phase, hash)
    SELECT 1, row_number() OVER (ORDER BY id), row_number() OVER (ORDER BY id), id, id, 0, -200000, 0, 0, 1, 1, '\\x00'
    FROM nightshift.lookups WHERE charged_micro > 0`;

test('a database with purged lookups keeps their ids and charges, and ends an interrupted purge', async () => {
  const url = await createEmptyDatabase();
  await withEarlierSchema(url, '0011_purged_chunks', (client) => client.query(record));
  const { applied } = await migrate(url, schemaFolder);
  expect(applied).toContain('0011_purged_chunks');
  await withClient(url, async (client) => {
    const column = async (text: string) => (await client.query<{ v: unknown }>(text)).rows.map(({ v }) => v);
    expect(await column('SELECT id AS v FROM nightshift.lookups ORDER BY id')).toEqual(['2001', '3000']);
    expect(await column('SELECT batch_id AS v FROM nightshift.row_blocks')).toEqual(['2']);
    expect(await column('SELECT lookup_id AS v FROM nightshift.email_results')).toEqual([]);
    expect(
      await column(
        `SELECT lookup_id AS v FROM nightshift.source_calls WHERE description <> '' AND lookup_id < 2000`,
      ),
    ).toEqual([]);
    const chunks = `SELECT concat_ws(' ', c.first_lookup_id, coalesce(p.batch_id::text, p.request_id), p.lookups, p.charged, p.truncated,
        jsonb_array_length(p.quarters)) AS v
      FROM nightshift.purged_chunks p JOIN nightshift.chunks c ON c.id = p.chunk_id ORDER BY c.id`;
    const evens = (first: number, last: number) => {
      const ids = Array.from({ length: (last - first) / 2 + 1 }, (_, i) => first + 2 * i);
      return `{${ids.map((id) => `[${id},${id + 1})`).join(',')}}`;
    };
    expect(await column(chunks)).toEqual([
      `1000 1 {[1000,1008)} ${evens(1000, 1006)} 1`,
      `1008 1 {[1008,1009)} {[1008,1009)} 0`,
      '1009 1 {[1009,1010)} {} 0',
      `1010 1 {[1010,1020)} ${evens(1010, 1018)} 0 2`,
      '1020 1 {[1020,1021)} {[1020,1021)} 0',
      '2000 req_2000 {[2000,2001)} {[2000,2001)} 0',
    ]);
    const reports = await createVerifyStore(drizzle(client)).check({ only: [2, 3, 5] });
    expect(reports.flatMap(({ broken }) => broken)).toEqual([]);
  });
});
