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
  ['batches', (before) => `SELECT nightshift.purge_batch(1, ${before}, '', '', 10)`],
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
  const answer = `SELECT state FROM nightshift.purge_batch(${batchId}, ${before}, '', '', 10)`;
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
  'SELECT nightshift.purge_lookups(ARRAY[1]::bigint[], ARRAY[1]::bigint[])',
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
  ['an answer that is kept', 'answer_id = 1'],
  ['a company that is kept', `company_name = 'Acme'`],
  ['another key', `subject_key = 'd:other.com'`],
])('a purged lookup keeps its outcome and charge, and nothing else: %s', async (_what, change) => {
  const { database, record } = await open();
  const [lookupId = 0n] = record.fixture.finished.lookupIds;
  const bare: Record<string, string> = {
    purged_at: 'now()',
    subject_key: `'purged:1'`,
    company_domain: 'NULL',
    company_name: 'NULL',
    source_results: 'NULL',
    search: 'NULL',
    answer_id: 'NULL',
    newest_day: 'NULL',
    relations: 'NULL',
  };
  const set = (changes: Record<string, string>) =>
    Object.entries(changes)
      .map(([name, value]) => `${name} = ${value}`)
      .join(', ');
  const changed = Object.fromEntries(change.split(', ').map((each) => each.split(' = ') as [string, string]));
  const update = (changes: Record<string, string>) =>
    database.app.pool.query(`UPDATE nightshift.lookups SET ${set(changes)} WHERE id = ${lookupId}`);
  await expect(update({ ...bare, ...changed })).rejects.toThrow('an outcome never changes');
  await update(bare);
});

test('a lookup that ended today cannot be purged', async () => {
  const { database, record } = await open();
  const [lookupId = 0n] = record.fixture.finished.lookupIds;
  await database.owner.pool.query(
    unguarded(
      'lookups',
      `UPDATE nightshift.lookups SET ended_at = now() - interval '23 hours' WHERE id = ${lookupId}`,
    ),
  );
  const update = database.app.pool.query(
    `UPDATE nightshift.lookups SET purged_at = now(), subject_key = 'purged:1', company_domain = NULL, company_name = NULL, source_results = NULL
      WHERE id = ${lookupId}`,
  );
  await expect(update).rejects.toThrow('an outcome never changes');
});

test('verify reports a purged lookup with ads, and a lookup without its ads', async () => {
  const { database, record } = await open();
  const store = createPurgeStore(database.app.sql, { sweepWaitMs: 20_000 });
  const orders = purgeKinds.map((kind) => ({ kind, ageMs: 30 * 86_400_000 }));
  await purge(store, { orders });
  expect(await listFindings(database)).toEqual([]);
  const [bare = 0n] = record.fixture.finished.lookupIds;
  const [whole = 0n] = record.fixture.running.lookupIds;
  await database.owner.pool.query(
    unguarded(
      'lookups',
      `UPDATE nightshift.lookups SET answer_id = (SELECT answer_id FROM nightshift.lookup_answers WHERE lookup_id = ${whole}) WHERE id = ${bare};
      UPDATE nightshift.lookups SET answer_id = NULL WHERE id = ${whole}`,
    ),
  );
  const findings = (await listFindings(database)).join('\n');
  expect(findings).toContain(`lookup ${bare} is purged, and refers to answer `);
  expect(findings).toContain(`lookup ${whole} (found) says it saw 1 ads; stored are 0`);
});
