import { describe, expect, onTestFinished, test } from 'vitest';
import { createBatchControl } from '../../../db/stores/batches/batch-control.ts';
import { createBatchReportStore } from '../../../db/stores/reports/batch-report.ts';
import { createBatchStore } from '../../../db/stores/batches/batches.ts';
import { createErasure } from '../../../db/stores/purge/erase-address.ts';
import { createHousekeeping } from '../../../db/stores/purge/housekeeping.ts';
import { createPurgeStore, type PurgeStoreOptions } from '../../../db/stores/purge/purge.ts';
import { parseAddress } from '../../../src/core/emails/syntax/address.ts';
import { purgeKinds, type PurgeKind } from '../../../src/core/purge/purge-kinds.ts';
import { countPurge, purge, type PurgeOptions } from '../../../src/core/purge/purge.ts';
import { ageRecord } from '../../support/db/age-record.ts';
import { useRecord } from '../../support/db/database.ts';
import { editRows } from '../../support/db/edit-rows.ts';
import { buildPurgeFixture, finishList, loadAgain } from '../../support/db/purge-fixture.ts';
import { columnOf, dumpOf } from '../../support/db/record-dump.ts';
import { keptFor } from '../../support/db/retention.ts';
import { listFindings } from '../../support/db/findings.ts';

const dayMs = 86_400_000;
const everything: PurgeOptions = { orders: purgeKinds.map((kind) => ({ kind, ageMs: 30 * dayMs })) };

function only(kind: PurgeKind, ageDays = 30): PurgeOptions {
  return { orders: [{ kind, ageMs: ageDays * dayMs }] };
}

const openRecord = useRecord(buildPurgeFixture);

/** Opens a data set that is 40 days old. Other tests share the server, and a sweep waits for all their transactions. */
async function open(options: PurgeStoreOptions = {}) {
  const { database, record } = await openRecord();
  const store = createPurgeStore(database.app.sql, { sweepWaitMs: 20_000, ...options });
  return { database, record, store };
}

const money = ['ledger_entries', 'ledger_blocks', 'credit_balances', 'chunks'] as const;

describe('purge of a finished batch', () => {
  test('deletes rows, companies and ads, and keeps counts and charges', async () => {
    const { database, record, store } = await open();
    const { finished } = record.fixture;
    const batches = createBatchStore(database.app);
    const before = await batches.readSummary(1, finished.publicId);
    const moneyBefore = await dumpOf(database, money);

    await purge(store, only('batches'));

    const after = await batches.readSummary(1, finished.publicId);
    expect(after.purgedAt).toBeInstanceOf(Date);
    expect({ ...after, purgedAt: null }).toEqual(before);
    expect(await dumpOf(database, money)).toEqual(moneyBefore);
    const ofBatch = `FROM nightshift.purged_lookups WHERE batch_id = ${finished.batchId}`;
    expect(
      await columnOf(database, `SELECT 1 FROM nightshift.batch_rows WHERE batch_id = ${finished.batchId}`),
    ).toEqual([]);
    expect(
      await columnOf(database, `SELECT 1 FROM nightshift.all_lookups WHERE batch_id = ${finished.batchId}`),
    ).toEqual([]);
    // Five companies, of which one failed and was retried; two were found.
    expect(await columnOf(database, `SELECT sum(charged_micro) ${ofBatch}`)).toEqual(['400000']);
    expect(await columnOf(database, `SELECT count(*) ${ofBatch}`)).toEqual(['6']);
    expect(
      await columnOf(
        database,
        `SELECT DISTINCT description FROM nightshift.source_calls WHERE lookup_id IN (SELECT id ${ofBatch})`,
      ),
    ).toEqual(['']);
    expect(await listFindings(database)).toEqual([]);
  });

  test('deletes the advertiser candidates that its companies reported last', async () => {
    const { database, record, store } = await open();
    const left = 'SELECT account_id FROM nightshift.advertiser_candidates ORDER BY 1';
    expect(await columnOf(database, left)).toEqual(['1', String(record.others.accountId)]);
    await purge(store, { ...only('batches'), accountId: 1 });
    expect(await columnOf(database, left)).toEqual([String(record.others.accountId)]);
  });

  test('skips a younger batch and one that has not ended or was resumed', async () => {
    const { database, record, store } = await open();
    const tables = ['batches', 'batch_rows', 'lookups', 'lookup_ads', 'email_results'] as const;
    const before = await dumpOf(database, tables);
    await purge(store, only('batches', 50));
    expect(await dumpOf(database, tables)).toEqual(before);

    const retried = await createBatchControl(database.app.sql).retry(
      1,
      record.fixture.finished.publicId,
      'certain',
    );
    expect(retried.retried).toBe(1);
    await purge(store, only('batches'));
    const purged = await columnOf(
      database,
      'SELECT file_name FROM nightshift.batches WHERE purged_at IS NOT NULL',
    );
    expect(purged).toEqual(['others.csv']);
    expect(await listFindings(database)).toEqual([]);
  });

  test('makes export, rows and retry fail with the date of the purge', async () => {
    const { database, record, store } = await open();
    const { batchId, publicId } = record.fixture.finished;
    await purge(store, only('batches'));
    const reports = createBatchReportStore(database.app.sql);
    const reported = new RegExp(
      `${publicId} was purged on \\d{4}-\\d\\d-\\d\\d: its rows and results are deleted`,
    );
    const use = (): never => expect.unreachable('there are no lines');
    await expect(reports.read(batchId, { depth: 'rows' }, use)).rejects.toThrow(reported);
    await expect(reports.readPage(batchId, { afterRow: 0, limit: 10 })).rejects.toThrow(reported);
    const control = createBatchControl(database.app.sql);
    await expect(control.retry(1, publicId, 'certain')).rejects.toThrow(reported);
    await expect(control.retry(1, publicId, 'reparse')).rejects.toThrow(reported);
  });

  test('makes the same file a new batch', async () => {
    const { database, record, store } = await open();
    expect((await loadAgain(database, 'finished.csv')).batchId).toBe(record.fixture.finished.batchId);
    await purge(store, only('batches'));
    const again = await loadAgain(database, 'finished.csv');
    expect([again.isNew, again.batchId === record.fixture.finished.batchId]).toEqual([true, false]);
  });
});

describe('dry run of a purge', () => {
  test.each([...purgeKinds])('counts what the purge of %s deletes, and changes nothing', async (kind) => {
    const { database, store } = await open({ perRound: 2 });
    const before = await dumpOf(database);
    const would = await countPurge(store, only(kind));
    expect(await dumpOf(database)).toEqual(before);
    const { kinds, unseenAds } = await purge(store, only(kind));
    expect(kinds.map(({ counts }) => counts)).toEqual(would.kinds.map(({ counts }) => counts));
    expect(unseenAds).toEqual(would.unseenAds);
    expect(Object.values(kinds[0]?.counts ?? {}).some((count) => count > 0)).toBe(true);
    const left = await countPurge(store, only(kind));
    expect(Object.values(left.kinds[0]?.counts ?? {}).every((count) => count === 0)).toBe(true);
    expect(await listFindings(database)).toEqual([]);
  });

  test('counts what a purge of all kinds deletes', async () => {
    const { database, store } = await open();
    const would = await countPurge(store, everything);
    const went = await purge(store, everything);
    expect(went.kinds.map(({ counts }) => counts)).toEqual(would.kinds.map(({ counts }) => counts));
    expect(went.unseenAds).toEqual(would.unseenAds);
    expect(went.unseenAds?.versions).toBeGreaterThan(0);
    expect(await listFindings(database)).toEqual([]);
  });
});

test('purge keeps every invariant after each round, and resumes after an interruption', async () => {
  const { database, store } = await open({ perRound: 1 });
  const would = await countPurge(store, everything);
  const went = new Map<string, number>();
  let rounds = 0;
  for (const { kind, before } of would.kinds) {
    let isDone = false;
    // Aborted after three iterations, after six, and so on; each run starts from the beginning, as after a crash.
    for (let roundsMax = 3; !isDone; roundsMax += 3) {
      let next: string | null = null;
      for (let round = 0; round < roundsMax && !isDone; round += 1) {
        const { counts, next: place } = await store.purgeSome({ kind, before, accountId: null }, next);
        for (const [name, count] of Object.entries(counts))
          went.set(`${kind} ${name}`, (went.get(`${kind} ${name}`) ?? 0) + count);
        expect(await listFindings(database)).toEqual([]);
        next = place;
        isDone = next === null;
        rounds += 1;
      }
    }
  }
  const counts = would.kinds.flatMap(({ kind, counts: of }) =>
    Object.entries(of).map(([name, count]) => [`${kind} ${name}`, count] as const),
  );
  expect(Object.fromEntries(went)).toEqual(Object.fromEntries(counts));
  expect(rounds).toBeGreaterThan(50);
});

test('purge deletes rows from the last block to the first, so that a row shows each charge until the end', async () => {
  const { database, store } = await open({ perRound: 1 });
  const companies = Array.from({ length: 32 }, (_, i) => `block-${i}.com`);
  const { batchId, lookupIds } = await finishList(database, 1, 'long.csv', ['cr-1'], companies);
  // Another row of the first company, in a second block.
  await database.owner.pool.query(
    `INSERT INTO nightshift.row_blocks (batch_id, block_no, rows, lines, cells, ads_lookups, ads_repeats)
      VALUES (${batchId}, 1, 1, '{34}', 'again', '{${lookupIds[0] ?? 0n}}', 1);
    UPDATE nightshift.batches SET rows_total = 33 WHERE id = ${batchId}`,
  );
  await ageRecord(database, 40);
  const blocks = `SELECT block_no FROM nightshift.row_blocks WHERE batch_id = ${batchId} ORDER BY 1`;
  const left: (readonly unknown[])[] = [];
  let next: string | null = null;
  do {
    const before = new Date(Date.now() - 30 * dayMs);
    next = (await store.purgeSome({ kind: 'batches', before, accountId: null }, next)).next;
    const now = await columnOf(database, blocks);
    if (now.length !== left.at(-1)?.length) left.push(now);
  } while (next !== null);
  expect(left).toEqual([['0', '1'], ['0'], []]);
});

test('two concurrent purges delete nothing twice', async () => {
  const { database, store } = await open({ perRound: 1 });
  const would = await countPurge(store, everything);
  const both = await Promise.all([purge(store, everything), purge(store, everything)]);
  for (const [index, { kind, counts }] of would.kinds.entries()) {
    for (const name of ['rows', 'ads', 'lookups', 'calls', 'raw_responses', 'events', 'deliveries']) {
      const taken = both.map(({ kinds }) => kinds[index]?.counts[name] ?? 0);
      expect([kind, name, (taken[0] ?? 0) + (taken[1] ?? 0)]).toEqual([kind, name, counts[name] ?? 0]);
    }
  }
  expect(await listFindings(database)).toEqual([]);
});

test('a purge of requests waits for another one, and leaves out what that has taken', async () => {
  const { database } = await open();
  const round = `SELECT lookups FROM nightshift.purge_requests(NULL, 'ads_search', now() - interval '30 days', 0, 100)`;
  const [one, other] = [await database.app.pool.connect(), await database.app.pool.connect()];
  onTestFinished(() => [one, other].forEach((client) => client.release(true)));
  await one.query('BEGIN');
  expect(Number((await one.query<{ lookups: string }>(round)).rows[0]?.lookups)).toBeGreaterThan(0);
  const second = other.query<{ lookups: string }>(round);
  const waiting = `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND query LIKE '%purge_requests%' AND wait_event_type = 'Lock'`;
  await expect.poll(() => columnOf(database, waiting)).toHaveLength(1);
  await one.query('COMMIT');
  expect((await second).rows).toEqual([{ lookups: '0' }]);
  expect(await listFindings(database)).toEqual([]);
});

test('purge of one account does not affect other accounts', async () => {
  const { database, record, store } = await open();
  const ofOthers = async () => ({
    lookups: await columnOf(
      database,
      `SELECT to_jsonb(l) FROM nightshift.all_lookups l WHERE account_id = ${record.others.accountId} ORDER BY id`,
    ),
    rows: await columnOf(
      database,
      `SELECT to_jsonb(r) FROM nightshift.batch_rows r WHERE batch_id = ${record.others.batchId} ORDER BY row_no`,
    ),
    calls: await columnOf(
      database,
      `SELECT c.id FROM nightshift.source_calls c JOIN nightshift.all_lookups l ON l.id = c.lookup_id
        WHERE l.account_id = ${record.others.accountId} ORDER BY 1`,
    ),
    replies: await columnOf(
      database,
      'SELECT encode(hash, $$hex$$) FROM nightshift.raw_responses ORDER BY 1',
    ),
  });
  const before = await ofOthers();
  expect([before.lookups.length, before.rows.length, before.calls.length]).toEqual([3, 3, 3]);
  const would = await countPurge(store, { ...everything, accountId: 1 });
  const went = await purge(store, { ...everything, accountId: 1 });
  expect(went.kinds.map(({ counts }) => counts)).toEqual(would.kinds.map(({ counts }) => counts));
  expect(went.kinds[0]?.counts).toMatchObject({ batches: 1 });
  expect(await ofOthers()).toEqual(before);
  const report = await createBatchReportStore(database.app.sql).readPage(record.others.batchId, {
    afterRow: 0,
    limit: 10,
  });
  expect(report.lines.map(({ adsCount }) => adsCount)).toEqual([2, 0, 0]);
  expect(await listFindings(database)).toEqual([]);
});

describe('purge of addresses', () => {
  test('deletes them with their verdicts, and keeps counts and charges', async () => {
    const { database, store } = await open();
    const moneyBefore = await dumpOf(database, money);
    await purge(store, only('addresses'));
    expect(await columnOf(database, 'SELECT lookup_id FROM nightshift.email_results')).toEqual([]);
    expect(await dumpOf(database, money)).toEqual(moneyBefore);
    const kept = await dumpOf(database, ['batch_rows', 'lookups', 'email_results', 'source_calls']);
    expect(JSON.stringify(kept)).not.toContain('jane');
    expect(await listFindings(database)).toEqual([]);
  });

  test('is not part of a purge of batches', async () => {
    const { database, store } = await open();
    await purge(store, only('batches'));
    expect(
      await columnOf(database, `SELECT cells[1] FROM nightshift.batch_rows WHERE cells[1] LIKE '%jane%'`),
    ).toEqual(['jane@acme.com']);
  });

  test('does not prevent an erasure of remaining rows', async () => {
    const { database, store } = await open();
    const young = await finishList(database, 1, 'young.csv', ['cr-1']);
    await database.owner.pool.query(
      editRows(
        `UPDATE nightshift.batch_rows SET cells = '{jane@acme.com,x}' WHERE batch_id = ${young.batchId} AND row_no = 1`,
      ),
    );
    await purge(store, everything);
    const jane = parseAddress('jane@acme.com');
    if (jane.kind === 'invalid') throw new Error('Jane has an address.');
    const forgetting = createErasure(database.app.sql);
    expect(await forgetting.erase(jane.address)).toMatchObject({ lookups: 0, rows: 1 });
    expect(await forgetting.erase(jane.address)).toMatchObject({ lookups: 0, rows: 0 });
    expect(await listFindings(database)).toEqual([]);
  });

  test('leaves the advertiser candidates to an erasure of the address that is their name', async () => {
    const { database, record } = await open();
    const left = 'SELECT account_id FROM nightshift.advertiser_candidates ORDER BY 1';
    const name = parseAddress('Jane-1@sole-trader.com');
    if (name.kind === 'invalid') throw new Error('The name is an address.');
    await createErasure(database.app.sql).erase(name.address);
    expect(await columnOf(database, left)).toEqual([String(record.others.accountId)]);
  });

  test('includes addresses that are erased', async () => {
    const { database, store } = await open();
    const jane = parseAddress('jane@acme.com');
    if (jane.kind === 'invalid') throw new Error('Jane has an address.');
    expect(await createErasure(database.app.sql).erase(jane.address)).toMatchObject({ lookups: 1 });
    const { kinds } = await purge(store, only('addresses'));
    expect(kinds[0]?.counts).toMatchObject({ lookups: 2, rows: 2 });
    expect(await listFindings(database)).toEqual([]);
  });
});

test('purge keeps calls of open lookups, whatever their age', async () => {
  const { database, record, store } = await open();
  const [, open2 = 0n] = record.fixture.running.lookupIds;
  await database.owner.pool.query(
    `INSERT INTO nightshift.source_calls (lookup_id, source, request_key, sent_at) VALUES ($1, 'upstream', 'k', now() - interval '90 days')`,
    [open2],
  );
  await purge(store, only('calls'));
  expect(await columnOf(database, 'SELECT lookup_id FROM nightshift.source_calls')).toEqual([String(open2)]);
});

test('purge keeps pending events, and the ids of others', async () => {
  const { database, store } = await open();
  await purge(store, only('events'));
  const events = `SELECT jsonb_build_array(subject, payload, purged_at IS NOT NULL) FROM nightshift.events WHERE public_id IN ('evt_dead', 'evt_delivered', 'evt_pending') ORDER BY subject`;
  expect((await columnOf(database, events)).map((text) => JSON.parse(text ?? '') as unknown)).toEqual([
    ['dead', {}, true],
    ['delivered', {}, true],
    ['pending', { file_name: 'secret.csv' }, false],
  ]);
  expect(await columnOf(database, 'SELECT state FROM nightshift.webhook_deliveries')).toEqual(['pending']);
  const again = `SELECT nightshift.emit_event(1, 'batch.completed', 'delivered', '{}')`;
  expect(await columnOf(database, again)).toEqual([null]);
});

test('housekeeping deletes data after its retention days only', async () => {
  const { database, record } = await open();
  const before = await dumpOf(database, ['batch_rows', 'lookups']);
  await createHousekeeping(database.app.sql, keptFor({ batches: 50 * dayMs, searches: 50 * dayMs })).tidy();
  expect(await dumpOf(database, ['batch_rows', 'lookups'])).toEqual(before);
  await createHousekeeping(database.app.sql, keptFor({ searches: 30 * dayMs })).tidy();
  const purged = `SELECT id FROM nightshift.purged_lookups`;
  expect(await columnOf(database, purged)).toEqual([String(record.fixture.request.lookupId)]);
  await createHousekeeping(database.app.sql, keptFor({ batches: 30 * dayMs })).tidy();
  const batches = 'SELECT file_name FROM nightshift.batches WHERE purged_at IS NOT NULL ORDER BY 1';
  expect(await columnOf(database, batches)).toEqual(['finished.csv', 'others.csv']);
  expect(await listFindings(database)).toEqual([]);
});
