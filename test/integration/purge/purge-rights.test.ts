import { expect, test } from 'vitest';
import { unguarded } from '../../support/breakages/by-hand.ts';
import { createPurgeStore } from '../../../db/stores/purge/purge.ts';
import { purgeKinds } from '../../../src/core/purge/purge-kinds.ts';
import { purge } from '../../../src/core/purge/purge.ts';
import { useRecord } from '../../support/db/database.ts';
import { buildPurgeFixture } from '../../support/db/purge-fixture.ts';
import { columnOf } from '../../support/db/record-dump.ts';
import { listFindings } from '../../support/db/findings.ts';

const open = useRecord(buildPurgeFixture);

const rounds: readonly (readonly [name: string, round: (before: string) => string])[] = [
  ['batches', (before) => `SELECT nightshift.purge_batch(1, ${before}, 10)`],
  ['searches', (before) => `SELECT nightshift.purge_requests(NULL, 'ads_search', ${before}, 0, 10)`],
  ['calls', (before) => `SELECT nightshift.purge_calls(NULL, ${before}, 0, 10)`],
  ['events', (before) => `SELECT nightshift.purge_events(NULL, ${before}, 0, 10)`],
  ['schedules', (before) => `SELECT nightshift.purge_schedule(1, ${before}, 10)`],
];

test.each(rounds)('the application role cannot purge data younger than a day: %s', async (_name, round) => {
  const { database } = await open();
  const { pool } = database.app;
  for (const before of ['now()', `now() - interval '23 hours'`, `'infinity'`, 'NULL'])
    await expect(pool.query(round(before))).rejects.toThrow('younger than one day');
  await pool.query(round(`now() - interval '25 hours'`));
});

test('the application role cannot purge a batch that has not ended', async () => {
  const { database, record } = await open();
  const { batchId } = record.fixture.running;
  const before = `now() - interval '30 days'`;
  const answer = `SELECT state FROM nightshift.purge_batch(${batchId}, ${before}, 10)`;
  const { rows } = await database.app.pool.query<{ state: string }>(answer);
  expect(rows).toEqual([{ state: 'rejected' }]);
  expect(
    await columnOf(database, `SELECT count(*) FROM nightshift.batch_rows WHERE batch_id = ${batchId}`),
  ).toEqual(['6']);
});

test.each([
  'DELETE FROM nightshift.answers',
  'DELETE FROM nightshift.ad_versions',
  'DELETE FROM nightshift.source_calls',
  'DELETE FROM nightshift.events',
  'DELETE FROM nightshift.webhook_deliveries',
  'DELETE FROM nightshift.ad_changes',
  'UPDATE nightshift.row_blocks SET cells = $$x$$',
  'UPDATE nightshift.email_results SET status = $$valid$$',
  'INSERT INTO nightshift.swept_answers SELECT id FROM nightshift.answers',
  'INSERT INTO nightshift.swept_versions SELECT id, ad_id FROM nightshift.ad_versions',
  'DELETE FROM nightshift.lookups',
  'DELETE FROM nightshift.email_results',
  `INSERT INTO nightshift.purged_chunks (chunk_id, account_id, batch_id, lookups, charged) VALUES (1, 1, 1, '{}', '{}')`,
  'UPDATE nightshift.purged_chunks SET truncated = 0',
  'DELETE FROM nightshift.purged_chunks',
  `SELECT nightshift.purge_lookups('{1}'::bigint[], '{1}'::bigint[], '{1}'::bigint[])`,
])('the application role cannot delete or change data directly: %s', async (statement) => {
  const { database } = await open();
  await expect(database.app.pool.query(statement)).rejects.toThrow('permission denied');
});

test.each([
  ['an answer', 'DELETE FROM nightshift.answers'],
  ['the order of an answer', 'UPDATE nightshift.answers SET versions = versions || versions'],
  ['an advertiser of an answer', 'DELETE FROM nightshift.answer_advertisers'],
  ['a version', 'DELETE FROM nightshift.ad_versions'],
  ['a variant', 'DELETE FROM nightshift.ad_variants'],
  ['a block of the ledger', 'DELETE FROM nightshift.ledger_blocks'],
  [
    'an entry of the audit log',
    `INSERT INTO nightshift.audit_log (event, actor, details) VALUES ('x', 'cli', '{}');
    DELETE FROM nightshift.audit_log`,
  ],
])('the owner cannot delete or change %s', async (_what, statement) => {
  const { database } = await open();
  await expect(database.owner.pool.query(statement)).rejects.toThrow('append-only');
});

test.each([
  ['another outcome', `outcome = 'none', ads_count = 0`],
  ['another charge', 'charged_micro = 0'],
  ['no answer', 'answer_id = NULL'],
  ['another company', `company_name = 'Acme'`],
  ['another key', `subject_key = 'purged:1'`],
])('a lookup that ended gets %s by no one but its purge', async (_what, change) => {
  const { database, record } = await open();
  const [lookupId = 0n] = record.fixture.finished.lookupIds;
  const update = database.app.pool.query(`UPDATE nightshift.lookups SET ${change} WHERE id = ${lookupId}`);
  await expect(update).rejects.toThrow('an outcome never changes');
});

test('a request that ended today cannot be purged', async () => {
  const { database, record } = await open();
  const { lookupId } = record.fixture.request;
  await database.owner.pool.query(
    unguarded(
      'lookups',
      `UPDATE nightshift.lookups SET ended_at = now() - interval '23 hours' WHERE id = ${lookupId}`,
    ),
  );
  const round = `SELECT lookups FROM nightshift.purge_requests(NULL, 'ads_search', now() - interval '24 hours', 0, 10)`;
  expect(await columnOf(database, round)).toEqual(['0']);
  expect(
    await columnOf(
      database,
      `SELECT id FROM nightshift.lookups WHERE request_id IS NOT NULL AND id = ${lookupId}`,
    ),
  ).toEqual([String(lookupId)]);
});

test('verify reports purged lookups that are stored, counted or charged otherwise', async () => {
  const { database, record } = await open();
  const store = createPurgeStore(database.app.sql, { sweepWaitMs: 20_000 });
  const orders = purgeKinds.map((kind) => ({ kind, ageMs: 30 * 86_400_000 }));
  await purge(store, { orders });
  expect(await listFindings(database)).toEqual([]);
  const [found = 0n, , none = 0n] = record.fixture.finished.lookupIds;
  const inChunkOf = (id: bigint) => `WHERE lookups @> ${id}::bigint`;
  const oneMore = `multirange(int8range(${none}, ${none + 1n}))`;
  await database.owner.pool.query(
    `INSERT INTO nightshift.lookups (id, account_id, batch_id, operation, subject_key, outcome, ended_at)
      VALUES (${found}, 1, ${record.fixture.finished.batchId}, 'ads_search', 'd:again.com', 'none', now());
    UPDATE nightshift.purged_chunks SET lookups = lookups - ${oneMore} ${inChunkOf(none)};
    UPDATE nightshift.purged_chunks SET lookups = lookups + ${oneMore}, charged = charged + ${oneMore} ${inChunkOf(found)}`,
  );
  const findings = (await listFindings(database)).join('\n');
  expect(findings).toContain(`lookup ${found} is purged, and stored`);
  expect(findings).toMatch(/chunk \d+ counts 2 of 2 lookups; purged are 1 from /);
  expect(findings).toMatch(/chunk \d+ counts 2 of 2 lookups; purged are 3 from /);
  expect(findings).toContain('its 3 purged charges at 0.2 say 0.6');
  expect(findings).toContain(`lookup ${none} (purged) says it cost 0.2; the ledger has 0 charges for it`);
});
