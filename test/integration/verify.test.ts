import { expect, test } from 'vitest';
import { openDatabase } from '../../db/client.ts';
import { createVerifyStore } from '../../db/verify/verify-store.ts';
import type { InvariantNumber, InvariantReport, VerifyOptions } from '../../src/core/verify/invariants.ts';
import { openChunkQueue } from '../../src/queue/queues.ts';
import { moveCredits, nameLookups, unconstrained, unguarded, type Names } from '../support/break-world.ts';
import { openTestDatabase, type TestDatabase } from '../support/database.ts';
import { buildWorld } from '../support/world.ts';

async function openWorld() {
  const database = await openTestDatabase();
  const world = await buildWorld(database.app);
  return { database, world, names: nameLookups(world) };
}

async function verify(database: TestDatabase, options?: VerifyOptions): Promise<readonly InvariantReport[]> {
  return createVerifyStore(database.app.sql).check(options);
}

async function reportOn(number: InvariantNumber, database: TestDatabase, options?: VerifyOptions) {
  const report = (await verify(database, options)).find((candidate) => candidate.number === number);
  if (report === undefined) throw new Error(`There is no report on invariant ${number}.`);
  return report;
}

function numbersOf(
  status: InvariantReport['status'],
  reports: readonly InvariantReport[],
): readonly number[] {
  return reports.filter((report) => report.status === status).map((report) => report.number);
}

test('a healthy record holds, and every invariant says how much it looked at', async () => {
  const { database } = await openWorld();
  const reports = await verify(database);
  expect(reports.map(({ number }) => number)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
  expect(reports.flatMap(({ broken }) => broken)).toEqual([]);
  expect(numbersOf('not_applicable', reports)).toEqual([7, 10, 11]);
  expect(reports.filter(({ status, checked }) => status === 'holds' && checked === 0)).toEqual([]);
  expect(reports.find(({ number }) => number === 1)).toMatchObject({ checked: 13, brokenCount: 0 });
});

test('a fresh database holds', async () => {
  const database = await openTestDatabase();
  expect(numbersOf('broken', await verify(database))).toEqual([]);
});

test('an older generation of a lookup belongs to the rows of its subject', async () => {
  const { database, names } = await openWorld();
  const retried = names.undispatched + 1n;
  await database.owner.pool.query(`
    INSERT INTO nightshift.lookups (id, account_id, batch_id, operation, subject_key, generation)
      SELECT ${retried}, account_id, batch_id, operation, subject_key, 2 FROM nightshift.lookups WHERE id = ${names.split};
    UPDATE nightshift.batch_rows SET ads_lookup_id = ${retried} WHERE ads_lookup_id = ${names.split};
    UPDATE nightshift.batches SET lookups_total = 7, last_lookup_id = ${retried} WHERE id = ${names.runningBatch}`);
  expect((await verify(database)).flatMap(({ broken }) => broken)).toEqual([]);
});

test('reports come one by one, in order', async () => {
  const database = await openTestDatabase();
  const told: number[] = [];
  const reports = await verify(database, { onReport: ({ number }) => void told.push(number) });
  expect(told).toEqual(reports.map(({ number }) => number));
});

test('of many findings the first twenty are spelled out and all are counted', async () => {
  const { database } = await openWorld();
  await database.owner.pool.query(`INSERT INTO nightshift.source_calls (lookup_id, source, request_key)
    SELECT 500000 + i, 'upstream', 'key-' || i FROM generate_series(1, 25) i`);
  const report = await reportOn(5, database);
  expect(report).toMatchObject({ status: 'broken', brokenCount: 25 });
  expect(report.broken).toHaveLength(20);
  expect(report.broken[0]).toContain('lookup 500001');
  expect(report.broken[19]).toContain('lookup 500020');
});

/** One thing done to the record by hand, and who must notice. */
interface Breakage {
  readonly number: InvariantNumber;
  /** What is done, as the end of a sentence. */
  readonly name: string;
  /** Run with all rights. */
  readonly by: (names: Names) => string;
  /** What a finding must say. */
  readonly finding: (names: Names) => string;
  /** Other invariants that the same deed breaks, and that say so too. */
  readonly also?: readonly InvariantNumber[];
}

const rows: readonly Breakage[] = [
  {
    number: 1,
    name: 'a row that is gone',
    by: ({ finishedBatch }) =>
      `DELETE FROM nightshift.batch_rows WHERE batch_id = ${finishedBatch} AND row_no = 6`,
    finding: ({ finishedId }) =>
      `batch ${finishedId} says 7 rows, 1 of them rejected; stored are 6, numbered 1 to 7, 1 rejected`,
  },
  {
    number: 1,
    name: 'a gap in the row numbers',
    by: ({
      finishedBatch,
    }) => `DELETE FROM nightshift.batch_rows WHERE batch_id = ${finishedBatch} AND row_no = 6;
      UPDATE nightshift.batches SET rows_total = 6 WHERE id = ${finishedBatch}`,
    finding: ({ finishedId }) =>
      `batch ${finishedId} says 6 rows, 1 of them rejected; stored are 6, numbered 1 to 7`,
  },
  {
    number: 1,
    name: 'a wrong count of rejected rows',
    by: ({ finishedBatch }) => `UPDATE nightshift.batches SET rows_rejected = 0 WHERE id = ${finishedBatch}`,
    finding: ({ finishedId }) => `batch ${finishedId} says 7 rows, 0 of them rejected`,
  },
  {
    number: 1,
    name: 'rows without a batch',
    by: () =>
      `INSERT INTO nightshift.batch_rows (batch_id, row_no, line_no, cells, reject_reason) VALUES (999, 1, 2, '{}', 'x')`,
    finding: () => 'batch 999 is gone, and 1 of its rows are stored',
  },
  {
    number: 1,
    name: 'rows out of the order of their lines',
    by: ({ finishedBatch }) =>
      `UPDATE nightshift.batch_rows SET line_no = 3 WHERE batch_id = ${finishedBatch} AND row_no = 3`,
    finding: ({ finishedId }) => `row 3 of batch ${finishedId} comes from line 3, the row before from line 3`,
  },
  {
    number: 1,
    name: 'a row with the lookup of another batch',
    by: ({ finishedBatch, split }) =>
      `UPDATE nightshift.batch_rows SET ads_lookup_id = ${split} WHERE batch_id = ${finishedBatch} AND row_no = 6`,
    finding: ({ finishedId, split }) =>
      `row 6 of batch ${finishedId} points at lookup ${split} of another batch`,
  },
  {
    number: 1,
    name: 'a row whose lookup does not exist',
    by: ({ finishedBatch }) =>
      `UPDATE nightshift.batch_rows SET ads_lookup_id = 999, is_first = true WHERE batch_id = ${finishedBatch} AND row_no = 6`,
    finding: ({ finishedId }) => `row 6 of batch ${finishedId} points at lookup 999, which does not exist`,
  },
  {
    number: 1,
    name: 'a row that is neither answered nor rejected',
    by: ({ finishedBatch }) =>
      unconstrained(
        'batch_rows',
        'batch_rows_one_fate',
        `UPDATE nightshift.batch_rows SET ads_lookup_id = NULL WHERE batch_id = ${finishedBatch} AND row_no = 6`,
      ),
    finding: ({ finishedId }) => `row 6 of batch ${finishedId} has neither a lookup nor a reason why not`,
  },
  {
    number: 1,
    name: 'a cell that is gone',
    by: ({ finishedBatch }) =>
      `UPDATE nightshift.batch_rows SET cells = '{Acme,NULL}' WHERE batch_id = ${finishedBatch} AND row_no = 2`,
    finding: ({ finishedId }) => `row 2 of batch ${finishedId} has lost a cell`,
  },
  {
    number: 1,
    name: 'cells that the export has no column for',
    by: ({ finishedBatch }) => `UPDATE nightshift.batches SET extra_cells = 0 WHERE id = ${finishedBatch}`,
    finding: ({ finishedId }) => `batch ${finishedId} has rows with 1 cells beyond its header, and says 0`,
  },
  {
    number: 1,
    name: 'a column name that is gone',
    by: ({ finishedBatch }) =>
      `UPDATE nightshift.batches SET header = '{NULL,domain}' WHERE id = ${finishedBatch}`,
    finding: ({ finishedId }) => `batch ${finishedId} has lost the name of a column`,
  },
];

const lookups: readonly Breakage[] = [
  {
    number: 2,
    name: 'an outcome without a time',
    by: ({ none }) =>
      unconstrained(
        'lookups',
        'lookups_ended',
        unguarded('lookups', `UPDATE nightshift.lookups SET ended_at = NULL WHERE id = ${none}`),
      ),
    finding: ({ none }) => `lookup ${none} has the outcome none and no time of its end`,
  },
  {
    number: 2,
    name: 'a failure without a reason',
    by: ({ failed }) =>
      unconstrained(
        'lookups',
        'lookups_failure_has_reason',
        unguarded('lookups', `UPDATE nightshift.lookups SET reason = NULL WHERE id = ${failed}`),
      ),
    finding: ({ failed }) => `lookup ${failed} has failed without a reason`,
  },
  {
    number: 2,
    name: 'an open lookup in a finished batch',
    by: ({ failed }) =>
      unguarded(
        'lookups',
        `UPDATE nightshift.lookups SET outcome = NULL, ended_at = NULL WHERE id = ${failed}`,
      ),
    finding: ({ finishedId, failed }) => `batch ${finishedId} is finished, and lookup ${failed} is open`,
  },
  {
    number: 2,
    name: 'a finished batch without a time',
    by: ({ finishedBatch }) => `UPDATE nightshift.batches SET finished_at = NULL WHERE id = ${finishedBatch}`,
    finding: ({ finishedId }) => `batch ${finishedId} is finished, and has no time of its end`,
  },
  {
    number: 2,
    name: 'a wrong count of lookups',
    by: ({ runningBatch }) => `UPDATE nightshift.batches SET lookups_total = 5 WHERE id = ${runningBatch}`,
    finding: ({ runningId }) => `batch ${runningId} says 5 lookups`,
  },
  {
    number: 2,
    name: 'a lookup behind the last one that the dispatcher looks at',
    by: ({ runningBatch, queuedToo }) =>
      `UPDATE nightshift.batches SET last_lookup_id = ${queuedToo} WHERE id = ${runningBatch}`,
    finding: ({ runningId, queuedToo, undispatched }) =>
      `batch ${runningId} says 6 lookups up to ${queuedToo}; stored are 6 up to ${undispatched}`,
  },
  {
    number: 2,
    name: 'a chunk that counts what its lookups do not say',
    by: ({ foundTwo }) =>
      `UPDATE nightshift.chunks SET found = 1, none = 1 WHERE first_lookup_id = ${foundTwo}`,
    finding: () =>
      'counts 1 found, 1 none, 0 no_match, 0 failed, 0 cancelled of 2 lookups; its lookups are 2, 0, 0, 0, 0 of 2',
  },
  {
    number: 2,
    name: 'a chunk that is done while lookups of it are open',
    by: ({ queued }) => `UPDATE nightshift.chunks SET state = 'done' WHERE first_lookup_id = ${queued}`,
    finding: () => 'is done, and 2 of its lookups are open',
    also: [4],
  },
  {
    number: 2,
    name: 'a chunk that goes on after its last lookup has ended',
    by: ({ split }) => `UPDATE nightshift.chunks SET state = 'queued' WHERE first_lookup_id = ${split}`,
    finding: () => 'is queued, and 0 of its lookups are open',
  },
  {
    number: 2,
    name: 'a dispatched lookup in no chunk',
    by: ({ failed }) => `DELETE FROM nightshift.chunks WHERE first_lookup_id = ${failed}`,
    finding: ({ finishedId, failed }) => `lookup ${failed} of batch ${finishedId} is in no chunk`,
  },
  {
    number: 2,
    name: 'a lookup of a request in no chunk',
    by: ({ request }) => `DELETE FROM nightshift.chunks WHERE first_lookup_id = ${request}`,
    finding: ({ request }) => `lookup ${request} of a request is in no chunk`,
    also: [3],
  },
  {
    number: 2,
    name: 'a lookup in two chunks',
    by: ({ failed }) => `INSERT INTO nightshift.chunks
        (account_id, batch_id, first_lookup_id, last_lookup_id, state, price_micro, lookups, failed)
      SELECT account_id, batch_id, first_lookup_id, last_lookup_id, state, price_micro, lookups, failed
      FROM nightshift.chunks WHERE first_lookup_id = ${failed}`,
    finding: () => '1 failed, 0 cancelled of 1 lookups; its lookups are 0, 0, 0, 0, 0 of 0',
  },
  {
    number: 2,
    name: 'a lookup that moved on to no chunk of its own',
    by: ({ alone }) => `DELETE FROM nightshift.chunks WHERE first_lookup_id = ${alone}`,
    finding: () => '0 cancelled of 1 lookups; its lookups are 1, 0, 0, 0, 0 of 2',
    also: [4],
  },
  {
    number: 2,
    name: 'a lookup in a chunk before it was dispatched',
    by: ({ finishedBatch, noMatch }) =>
      `UPDATE nightshift.batches SET dispatched_to = ${noMatch} WHERE id = ${finishedBatch}`,
    finding: ({ failed, finishedId }) => `lookup ${failed} of batch ${finishedId} is in chunk`,
  },
  {
    number: 2,
    name: 'a disabled guard of outcomes',
    by: () => 'ALTER TABLE nightshift.lookups DISABLE TRIGGER outcome_is_final',
    finding: () => 'trigger outcome_is_final of table lookups is disabled',
  },
  {
    number: 2,
    name: 'a guard of outcomes that replication passes by',
    by: () => 'ALTER TABLE nightshift.lookups ENABLE TRIGGER outcome_is_final',
    finding: () => 'trigger outcome_is_final of table lookups is not enabled in every replication role',
  },
  {
    number: 2,
    name: 'a guard of outcomes that guards nothing',
    by: () => `CREATE OR REPLACE TRIGGER outcome_is_final BEFORE UPDATE ON nightshift.lookups
        FOR EACH ROW WHEN (false) EXECUTE FUNCTION nightshift.refuse_second_outcome();
      ALTER TABLE nightshift.lookups ENABLE ALWAYS TRIGGER outcome_is_final`,
    finding: () => 'trigger outcome_is_final of table lookups is not the one that was installed',
  },
  {
    number: 2,
    name: 'a missing guard of outcomes',
    by: () => 'DROP TRIGGER outcome_is_final ON nightshift.lookups',
    finding: () => 'trigger outcome_is_final of table lookups is missing',
  },
];

const charges: readonly Breakage[] = [
  {
    number: 3,
    name: 'a find that was charged twice, though all sums agree',
    by: ({ foundTwo }) => moveCredits(foundTwo, { end: 'settle' }),
    finding: ({ foundTwo }) =>
      `lookup ${foundTwo} (found) says it cost 0.2; the ledger has 2 charges for it, 0.4 in all`,
  },
  {
    number: 3,
    name: 'a charge for a lookup that found nothing',
    by: ({ none }) => moveCredits(none, { end: 'settle' }),
    finding: ({ none }) =>
      `lookup ${none} (none) says it cost 0; the ledger has 1 charges for it, 0.2 in all`,
  },
  {
    number: 3,
    name: 'a charge for a lookup that is open',
    by: ({ undispatched }) => moveCredits(undispatched, { end: 'settle' }),
    finding: ({ undispatched }) => `lookup ${undispatched} (open) says it cost 0; the ledger has 1 charges`,
  },
  {
    number: 3,
    name: 'a find that was released instead of charged',
    by: ({ foundTwo }) =>
      unguarded(
        'ledger_entries',
        `UPDATE nightshift.ledger_entries SET kind = 'release', balance_delta_micro = 200000
          WHERE lookup_id = ${foundTwo} AND phase = 1`,
      ),
    finding: ({ foundTwo }) => `lookup ${foundTwo} (found) says it cost 0.2; the ledger has 0 charges`,
    also: [4],
  },
  {
    number: 3,
    name: 'a find that says it cost something else',
    by: ({ foundOne }) =>
      unguarded('lookups', `UPDATE nightshift.lookups SET charged_micro = 100000 WHERE id = ${foundOne}`),
    finding: ({ foundOne }) =>
      `lookup ${foundOne} (found) says it cost 0.1; the ledger has 1 charges for it, 0.2 in all`,
  },
  {
    number: 3,
    name: 'a free lookup that says it cost something',
    by: ({ none }) =>
      unconstrained(
        'lookups',
        'lookups_charge_is_for_ads',
        unguarded('lookups', `UPDATE nightshift.lookups SET charged_micro = 200000 WHERE id = ${none}`),
      ),
    finding: ({ none }) => `lookup ${none} (none) says it cost 0.2; the ledger has 0 charges`,
  },
  {
    number: 3,
    name: 'a chunk that says it charged something else',
    by: ({ foundTwo }) =>
      `UPDATE nightshift.chunks SET charged_micro = 200000 WHERE first_lookup_id = ${foundTwo}`,
    finding: () => 'says it charged 0.2; its 2 finds at 0.2 say 0.4',
  },
  {
    number: 3,
    name: 'finds at another price than the one they were held at',
    by: ({ foundTwo }) =>
      `UPDATE nightshift.chunks SET price_micro = 300000 WHERE first_lookup_id = ${foundTwo}`,
    finding: () => 'says it charged 0.4; its 2 finds at 0.3 say 0.4',
  },
  {
    number: 3,
    name: 'a charge that shows on two rows',
    by: ({ finishedBatch }) =>
      `UPDATE nightshift.batch_rows SET is_first = true WHERE batch_id = ${finishedBatch} AND row_no = 6`,
    finding: ({ foundTwo }) => `lookup ${foundTwo} shows its charge on 2 rows`,
  },
  {
    number: 3,
    name: 'a charge that shows on a later row',
    by: ({ finishedBatch, foundTwo }) => `UPDATE nightshift.batch_rows SET is_first = row_no = 6
      WHERE batch_id = ${finishedBatch} AND ads_lookup_id = ${foundTwo}`,
    finding: ({ foundTwo }) => `lookup ${foundTwo} shows its charge on 1 rows, and on the first of them not`,
  },
  {
    number: 3,
    name: 'an unguarded price book',
    by: () => 'ALTER TABLE nightshift.prices DISABLE TRIGGER append_only',
    finding: () => 'trigger append_only of table prices is disabled',
  },
];

const ledger: readonly Breakage[] = [
  {
    number: 4,
    name: 'a gap in the numbers',
    by: () => unguarded('ledger_entries', 'DELETE FROM nightshift.ledger_entries WHERE seq = 2'),
    finding: () => 'account 1, entry 3 (reserve): the entry before it is 1',
  },
  {
    number: 4,
    name: 'a running sum that does not follow',
    by: () =>
      unguarded(
        'ledger_entries',
        'UPDATE nightshift.ledger_entries SET held_after_micro = held_after_micro + 1 WHERE seq = 4',
      ),
    finding: () => 'account 1, entry 4 (reserve): its running sums do not follow from the entry before',
  },
  {
    number: 4,
    name: 'an entry that leaves less than nothing',
    by: () =>
      unconstrained(
        'ledger_entries',
        'ledger_entries_not_negative',
        unguarded(
          'ledger_entries',
          'UPDATE nightshift.ledger_entries SET balance_after_micro = -1, balance_delta_micro = -1 WHERE seq = 1',
        ),
      ).replace('DROP CONSTRAINT', 'DROP CONSTRAINT ledger_entries_shape, DROP CONSTRAINT'),
    finding: () => 'account 1, entry 1 (grant): it leaves less than nothing',
  },
  {
    number: 4,
    name: 'an entry of a kind there is not',
    by: () =>
      unconstrained(
        'ledger_entries',
        'ledger_entries_shape',
        unguarded('ledger_entries', `UPDATE nightshift.ledger_entries SET kind = 'gift' WHERE seq = 2`),
      ),
    finding: () => 'account 1, entry 2 (gift): it moves credits in a way that its kind does not',
  },
  {
    number: 4,
    name: 'a balance that was raised by hand',
    by: () => 'UPDATE nightshift.credit_balances SET balance_micro = balance_micro + 1000000',
    finding: () =>
      'account 1 says balance 9.9, held 0.8, 24 entries; its entries sum up to 8.9 and 0.8, 24 of them',
  },
  {
    number: 4,
    name: 'entries of an account without a balance',
    by: () => `INSERT INTO nightshift.ledger_entries (account_id, seq, kind, balance_delta_micro, held_delta_micro,
        balance_after_micro, held_after_micro) VALUES (77, 1, 'grant', 5, 0, 5, 0)`,
    finding: () => 'account 77 says balance 0, held 0, 0 entries; its entries sum up to 0.000005',
  },
  {
    number: 4,
    name: 'an edit that leaves every sum as it was',
    by: () =>
      unguarded('ledger_entries', `UPDATE nightshift.ledger_entries SET reason = 'bonus' WHERE seq = 2`),
    finding: () => 'account 1: the hash of the block of entries 1 to 2 does not fit its entries',
  },
  {
    number: 4,
    name: 'an edit with its hash made anew',
    by: () =>
      unguarded(
        'ledger_blocks',
        `UPDATE nightshift.ledger_blocks SET hash = sha256('made anew') WHERE from_seq = 1`,
      ),
    finding: () => 'account 1: the hash of the block of entries 3 to 7 does not fit its entries',
  },
  {
    number: 4,
    name: 'a block that is gone',
    by: () => unguarded('ledger_blocks', 'DELETE FROM nightshift.ledger_blocks WHERE from_seq = 3'),
    finding: () => 'account 1: the block of entries 8 to 9 follows a block that ends with entry 2',
  },
  {
    number: 4,
    name: 'entries behind the last block',
    by: () => unguarded('ledger_blocks', 'DELETE FROM nightshift.ledger_blocks WHERE to_seq = 24'),
    finding: () => 'account 1 has 24 entries, and blocks up to entry 23',
  },
  {
    number: 4,
    name: 'a last hash that is not that of the last block',
    by: () => `UPDATE nightshift.credit_balances SET last_hash = sha256('another')`,
    finding: () => 'account 1: its last hash is not the hash of its last block',
  },
  {
    number: 4,
    name: 'a hold for a lookup that has ended',
    by: ({ noMatch }) => moveCredits(noMatch, { end: 'none' }),
    finding: ({ noMatch }) => `lookup ${noMatch}, attempt 2: 0.2 are held, and there is no open work for it`,
  },
  {
    number: 4,
    name: 'a hold for a lookup that is not dispatched',
    by: ({ undispatched }) => moveCredits(undispatched, { attempt: 1, end: 'none' }),
    finding: ({ undispatched }) =>
      `lookup ${undispatched}, attempt 1: 0.2 are held, and there is no open work for it`,
  },
  {
    number: 4,
    name: 'a hold whose chunk is gone',
    by: ({ queued }) => `DELETE FROM nightshift.chunks WHERE first_lookup_id = ${queued}`,
    finding: ({ queuedToo }) =>
      `lookup ${queuedToo}, attempt 1: 0.2 are held, and there is no open work for it`,
    also: [2],
  },
  {
    number: 4,
    name: 'open work that nothing is held for',
    by: ({ queued }) =>
      `SELECT nightshift.credit_resolve(1, ARRAY[${queued}]::bigint[], ARRAY[1]::smallint[], ARRAY[0]::bigint[])`,
    finding: ({ queued }) => `lookup ${queued} is open in chunk`,
  },
  {
    number: 4,
    name: 'a hold of another amount than the price',
    by: ({ claimed }) =>
      `UPDATE nightshift.chunks SET price_micro = 300000 WHERE first_lookup_id = ${claimed}`,
    finding: ({ claimed }) => `lookup ${claimed}, attempt 1: 0.2 are held, and the price of chunk`,
  },
  {
    number: 4,
    name: 'the end of a hold that never was',
    by: ({ foundTwo }) =>
      unguarded(
        'ledger_entries',
        `UPDATE nightshift.ledger_entries SET attempt = 9 WHERE lookup_id = ${foundTwo} AND phase = 1`,
      ),
    finding: ({ foundTwo }) => `lookup ${foundTwo}, attempt 9: 0 holds and 1 ends leave -0.2 held`,
  },
  {
    number: 4,
    name: 'an unguarded ledger',
    by: () => 'ALTER TABLE nightshift.ledger_entries DISABLE TRIGGER append_only',
    finding: () => 'trigger append_only of table ledger_entries is disabled',
  },
  {
    number: 4,
    name: 'a chain that can be truncated',
    by: () => 'DROP TRIGGER append_only_truncate ON nightshift.ledger_blocks',
    finding: () => 'trigger append_only_truncate of table ledger_blocks is missing',
  },
  {
    number: 4,
    name: 'an application that may delete entries',
    by: () => 'GRANT DELETE ON nightshift.ledger_entries TO nightshift_app',
    finding: () => 'nightshift_app may DELETE ledger_entries',
  },
  {
    number: 4,
    name: 'an application that may set balances',
    by: () => 'GRANT UPDATE (balance_micro) ON nightshift.credit_balances TO nightshift_app',
    finding: () => 'nightshift_app may UPDATE credit_balances',
  },
  {
    number: 4,
    name: 'an application that owns a table of the ledger',
    by: () => 'ALTER TABLE nightshift.ledger_blocks OWNER TO nightshift_app',
    finding: () => 'nightshift_app may act as nightshift_app, who owns ledger_blocks',
  },
  {
    number: 4,
    name: 'an application that may call the inside of the ledger',
    by: () =>
      'GRANT EXECUTE ON FUNCTION nightshift.ledger_close(nightshift.credit_balances, bigint, bigint, bigint, text) TO nightshift_app',
    finding: () => 'nightshift_app may call nightshift.ledger_close',
  },
];

const owners: readonly Breakage[] = [
  {
    number: 5,
    name: 'a charge for a lookup that does not exist',
    by: () => moveCredits(424_242n, { end: 'settle' }),
    finding: () => 'account 1, entry 26 (settle) is for lookup 424242, which does not exist',
  },
  {
    number: 5,
    name: 'a call for a lookup that does not exist',
    by: () =>
      `INSERT INTO nightshift.source_calls (lookup_id, source, request_key) VALUES (424242, 'upstream', 'k')`,
    finding: () => 'call 8 to upstream was made for lookup 424242, which does not exist',
  },
  {
    number: 5,
    name: 'a lookup of a batch that does not exist',
    by: () => `INSERT INTO nightshift.lookups (id, account_id, batch_id, operation, subject_key)
      VALUES (424242, 1, 999, 'ads_search', 'd:lost.com')`,
    finding: () => 'lookup 424242 belongs to batch 999, which does not exist',
  },
  {
    number: 5,
    name: 'a lookup of neither a batch nor a request',
    by: () =>
      unconstrained(
        'lookups',
        'lookups_one_owner',
        `INSERT INTO nightshift.lookups (id, account_id, operation, subject_key) VALUES (424242, 1, 'ads_search', 'd:lost.com')`,
      ),
    finding: () => 'lookup 424242 belongs to neither a batch nor a request',
    also: [2],
  },
  {
    number: 5,
    name: 'a lookup of a batch that no row asked for',
    by: ({
      runningBatch,
      undispatched,
    }) => `UPDATE nightshift.batch_rows SET ads_lookup_id = NULL, reject_reason = 'x'
        WHERE ads_lookup_id = ${undispatched};
      UPDATE nightshift.batches SET rows_rejected = 1 WHERE id = ${runningBatch}`,
    finding: ({ undispatched, runningBatch }) =>
      `lookup ${undispatched} of batch ${runningBatch} is for no row`,
  },
];

const ads: readonly Breakage[] = [
  {
    number: 6,
    name: 'an ad that is gone',
    by: ({ foundTwo }) =>
      unguarded(
        'lookup_ads',
        `DELETE FROM nightshift.lookup_ads WHERE lookup_id = ${foundTwo} AND position = 2`,
      ),
    finding: ({ foundTwo }) =>
      `lookup ${foundTwo} (found) says it saw 2 ads; stored are 1, at positions 1 to 1`,
  },
  {
    number: 6,
    name: 'a gap in the positions',
    by: ({ foundTwo }) =>
      unguarded(
        'lookup_ads',
        `UPDATE nightshift.lookup_ads SET position = 3 WHERE lookup_id = ${foundTwo} AND position = 2`,
      ),
    finding: ({ foundTwo }) =>
      `lookup ${foundTwo} (found) says it saw 2 ads; stored are 2, at positions 1 to 3`,
  },
  {
    number: 6,
    name: 'a lookup that says it saw more ads',
    by: ({ foundOne }) =>
      unguarded('lookups', `UPDATE nightshift.lookups SET ads_count = 2 WHERE id = ${foundOne}`),
    finding: ({ foundOne }) => `lookup ${foundOne} (found) says it saw 2 ads; stored are 1`,
  },
  {
    number: 6,
    name: 'ads of a lookup that found none',
    by: ({ none }) =>
      `INSERT INTO nightshift.lookup_ads (lookup_id, position, version_id) VALUES (${none}, 1, 1)`,
    finding: ({ none }) => `lookup ${none} (none) says it saw 0 ads; stored are 1`,
  },
  {
    number: 6,
    name: 'ads of a lookup that does not exist',
    by: () => 'INSERT INTO nightshift.lookup_ads (lookup_id, position, version_id) VALUES (424242, 1, 1)',
    finding: () => '1 ads are stored for lookup 424242, which does not exist',
  },
  {
    number: 6,
    name: 'a version that is gone',
    by: () => unguarded('ad_versions', 'DELETE FROM nightshift.ad_versions WHERE id = 2'),
    finding: ({ foundTwo }) => `lookup ${foundTwo} saw version 2 at position 2, and there is no such version`,
  },
  {
    number: 6,
    name: 'an ad without its identity',
    by: () => 'DELETE FROM nightshift.ads WHERE id = 2',
    finding: ({ foundTwo }) => `lookup ${foundTwo} saw version 2 at position 2, and its ad 2 does not exist`,
  },
  {
    number: 6,
    name: 'a variant that is gone',
    by: () =>
      unguarded('ad_variants', 'DELETE FROM nightshift.ad_variants WHERE version_id = 1 AND position = 2'),
    finding: () => 'version 1 says it has 2 variants; stored are 1',
  },
  {
    number: 6,
    name: 'variants of a version that does not exist',
    by: () => `INSERT INTO nightshift.ad_variants (version_id, position, content) VALUES (999, 1, 'x')`,
    finding: () => '1 variants are stored for version 999, which does not exist',
  },
  {
    number: 6,
    name: 'a version that was edited',
    by: () => unguarded('ad_versions', `UPDATE nightshift.ad_versions SET headline = 'Sell' WHERE id = 1`),
    finding: () => 'version 1 of ad 1 no longer fits the hash of its content',
  },
  {
    number: 6,
    name: 'a variant that was edited',
    by: () =>
      unguarded(
        'ad_variants',
        'UPDATE nightshift.ad_variants SET width = 301 WHERE version_id = 1 AND position = 1',
      ),
    finding: () => 'version 1 of ad 1 no longer fits the hash of its content',
  },
  {
    number: 6,
    name: 'unguarded ads',
    by: () => 'ALTER TABLE nightshift.lookup_ads DISABLE TRIGGER append_only',
    finding: () => 'trigger append_only of table lookup_ads is disabled',
  },
];

const leases: readonly Breakage[] = [
  {
    number: 8,
    name: 'a chunk that stays claimed after its lease',
    by: ({ claimed }) =>
      `UPDATE nightshift.chunks SET lease_until = now() - interval '2 min' WHERE first_lookup_id = ${claimed}`,
    finding: ({ runningId }) => `of batch ${runningId} is claimed, and its lease ended 12`,
  },
  {
    number: 8,
    name: 'work that goes on in a finished batch',
    by: ({ runningBatch }) =>
      `UPDATE nightshift.batches SET state = 'finished', finished_at = now() WHERE id = ${runningBatch}`,
    finding: ({ runningId }) => `is queued, and its batch ${runningId} is finished`,
    also: [2],
  },
];

const otherAccount = `INSERT INTO nightshift.accounts (name) VALUES ('other')`;

const tenancy: readonly Breakage[] = [
  {
    number: 12,
    name: 'a lookup of another account than its batch',
    by: ({ undispatched }) =>
      `${otherAccount}; UPDATE nightshift.lookups SET account_id = 2 WHERE id = ${undispatched}`,
    finding: ({ undispatched, runningId }) =>
      `lookup ${undispatched} belongs to account 2, its batch ${runningId} to account 1`,
  },
  {
    number: 12,
    name: 'a lookup of an account that does not exist',
    by: ({ request }) =>
      `UPDATE nightshift.chunks SET account_id = 1 WHERE first_lookup_id = ${request};` +
      unguarded('lookups', `UPDATE nightshift.lookups SET account_id = 99 WHERE id = ${request}`),
    finding: ({ request }) => `lookup ${request} belongs to account 99, which does not exist`,
  },
  {
    number: 12,
    name: 'a chunk of another account than its lookups',
    by: ({ queued }) =>
      `${otherAccount}; UPDATE nightshift.chunks SET account_id = 2 WHERE first_lookup_id = ${queued}`,
    finding: ({ queued }) => `belongs to account 2, its lookups from ${queued} on to account 1`,
  },
  {
    number: 12,
    name: 'credits of one account moved for a lookup of another',
    by: ({ none }) => `${otherAccount};
      INSERT INTO nightshift.credit_balances (account_id) VALUES (2);
      SELECT nightshift.credit_grant(2, '{k}', '{1000000}', '{test}');
      ${moveCredits(none, { accountId: 2, end: 'release' })}`,
    finding: ({ none }) => `entry 2 of account 2 is for lookup ${none} of account 1`,
  },
  {
    number: 12,
    name: 'a view that its readers cannot read',
    by: () => 'REVOKE SELECT ON reports.rows FROM nightshift_reader',
    finding: () => 'nightshift_reader may not read reports.rows',
  },
  {
    number: 12,
    name: 'a table that readers can read',
    by: () => 'GRANT SELECT ON nightshift.lookups TO nightshift_reader',
    finding: () => 'nightshift_reader may read nightshift.lookups',
  },
  {
    number: 12,
    name: 'a column that readers can read',
    by: () => 'GRANT SELECT (identity) ON nightshift.batches TO nightshift_reader',
    finding: () => 'nightshift_reader may read nightshift.batches',
  },
  {
    number: 12,
    name: 'a view that readers can write through',
    by: () => 'GRANT UPDATE ON reports.prices TO nightshift_reader',
    finding: () => 'nightshift_reader may UPDATE reports.prices',
  },
];

const breakages = [...rows, ...lookups, ...charges, ...ledger, ...owners, ...ads, ...leases, ...tenancy];

test.each(breakages)('invariant $number names $name', async ({ number, by, finding, also = [] }) => {
  const { database, names } = await openWorld();
  await database.owner.pool.query(by(names));
  const reports = await verify(database);
  const report = reports.find((candidate) => candidate.number === number);
  expect(report?.broken.join('\n')).toContain(finding(names));
  expect(numbersOf('broken', reports)).toEqual([number, ...also].sort((a, b) => a - b));
});

test('a chunk whose lease ended a moment ago may still be rescued', async () => {
  const { database, names } = await openWorld();
  await database.owner.pool.query(
    `UPDATE nightshift.chunks SET lease_until = now() - interval '2 min' WHERE first_lookup_id = ${names.claimed}`,
  );
  expect(await reportOn(8, database, { rescueMs: 180_000 })).toMatchObject({ status: 'holds' });
});

test('an empty queue means no open lookup in a running batch', async () => {
  const { database, names } = await openWorld();
  expect(await reportOn(8, database, { queueIsEmpty: false })).toMatchObject({ status: 'holds' });
  const { broken } = await reportOn(8, database, { queueIsEmpty: true });
  const { runningId, claimed } = names;
  expect(broken).toEqual([
    `batch ${runningId} runs, the queue is empty, and 5 of its lookups are open, the first of them lookup ${claimed}`,
  ]);
});

test('an empty queue says nothing about a batch that waits', async () => {
  const { database, names } = await openWorld();
  await database.owner.pool.query(
    `UPDATE nightshift.batches SET state = 'paused' WHERE id = ${names.runningBatch}`,
  );
  expect(await reportOn(8, database, { queueIsEmpty: true })).toMatchObject({ status: 'holds' });
});

const pace = new Map([['upstream', { requestsPerSecond: 10, burst: 5 }]]);

async function recordCalls(database: TestDatabase, { calls, sentAt }: { calls: number; sentAt: string }) {
  await database.owner.pool
    .query(`INSERT INTO nightshift.source_calls (lookup_id, source, request_key, sent_at)
    SELECT (SELECT min(id) FROM nightshift.lookups), 'upstream', 'k', ${sentAt} FROM generate_series(1, ${calls}) i`);
}

test('without a call the pace is not judged', async () => {
  const database = await openTestDatabase();
  expect(await reportOn(9, database)).toMatchObject({ status: 'not_applicable', checked: 0 });
});

test('a pace is broken when more calls stand in one recorded second than two seconds and the burst allow', async () => {
  const { database } = await openWorld();
  await recordCalls(database, { calls: 26, sentAt: `now() - interval '1 minute' + i * interval '10 ms'` });
  const report = await reportOn(9, database, { paces: pace });
  expect(report).toMatchObject({ status: 'broken', checked: 33, brokenCount: 1 });
  expect(report.broken[0]).toBe(
    'source upstream has 26 calls in one recorded second, at a pace of 10 a second and a burst of 5',
  );
});

test('calls that were recorded up to a second late keep their pace', async () => {
  const { database } = await openWorld();
  await recordCalls(database, { calls: 25, sentAt: `now() - interval '1 minute'` });
  await recordCalls(database, { calls: 25, sentAt: `now() - interval '1 minute' + interval '1 second'` });
  expect(await reportOn(9, database, { paces: pace })).toMatchObject({ status: 'holds', checked: 57 });
});

test('calls from before the last hour are reported and not judged', async () => {
  const { database } = await openWorld();
  await recordCalls(database, { calls: 100, sentAt: `timestamptz '2026-01-02 03:04:05Z'` });
  const report = await reportOn(9, database, { paces: pace });
  expect(report).toMatchObject({ status: 'holds' });
  expect(report.note).toContain('upstream 100 (of 107) at 2026-01-02T03:04:05Z');
});

test('a finished batch whose two exports differ is named', async () => {
  const { database, world } = await openWorld();
  const asked: string[] = [];
  const exportDigests = async (batch: string) => {
    asked.push(batch);
    return ['aa', 'bb'] as const;
  };
  const report = await reportOn(11, database, { exportDigests });
  expect(asked).toEqual([world.finished.publicId]);
  expect(report.broken).toEqual([
    `batch ${world.finished.publicId} was exported twice, with SHA-256 aa and bb`,
  ]);
  expect(await reportOn(11, database, { exportDigests: async () => ['aa', 'aa'] })).toMatchObject({
    status: 'holds',
    checked: 1,
  });
});

async function openWorldWithQueue() {
  const { database } = await openWorld();
  const { url } = database;
  const options = {
    url,
    role: 'nightshift_app',
    searchPath: 'bullmq',
    connectionsMax: 5,
    name: 'queue',
  } as const;
  const connection = openDatabase({ ...options, onIdleError: () => undefined });
  const queue = await openChunkQueue(
    { kind: 'postgres', pool: connection.pool },
    { onError: () => undefined },
  );
  await queue.enqueue([{ chunkId: 5, generation: 1, delayMs: 0 }]);
  await queue.close();
  await connection.close();
  return database;
}

test('jobs that carry ids only are in order', async () => {
  const database = await openWorldWithQueue();
  expect(await reportOn(12, database)).toMatchObject({ status: 'holds', note: null });
});

test('a job that carries more than ids is named, and what it carries is not', async () => {
  const database = await openWorldWithQueue();
  await database.owner.pool.query(`UPDATE bullmq.job SET data = data || '{"who": "jane@acme.com"}'`);
  const { broken } = await reportOn(12, database);
  expect(broken).toEqual(['job chunk-5-1 of queue nightshift-chunks carries more than ids']);
});

test('an address in the error of a job is noticed, and not repeated', async () => {
  const database = await openWorldWithQueue();
  await database.owner.pool.query(`UPDATE bullmq.job SET failed_reason = 'no answer for jane@acme.com'`);
  const { broken } = await reportOn(12, database);
  expect(broken).toEqual(['job chunk-5-1 of queue nightshift-chunks has an address in its error']);
});

test('jobs of a queue elsewhere are judged by their payloads', async () => {
  const { database } = await openWorld();
  const payloads = [
    '{"chunkId":5,"generation":1}',
    '{"chunkId":6,"generation":1,"key":"x"}',
    '{"chunkId":"7@","generation":1}',
  ];
  const report = await reportOn(12, database, { readJobPayloads: async () => payloads });
  expect(report.broken).toEqual([
    'job payload 2 of 3 carries more than ids',
    'job payload 3 of 3 carries more than ids',
  ]);
});
