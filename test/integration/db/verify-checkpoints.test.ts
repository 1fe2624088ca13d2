import { createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import { createBatchControl } from '../../../db/stores/batches/batch-control.ts';
import { createVerifyStore } from '../../../db/verify/verify-store.ts';
import type {
  InvariantNumber,
  InvariantReport,
  VerifyOptions,
} from '../../../src/core/reports/invariants.ts';
import { unguarded } from '../../support/breakages/by-hand.ts';
import { nameLookups } from '../../support/breakages/index.ts';
import { ageRecord } from '../../support/db/age-record.ts';
import { useRecord, type TestDatabase } from '../../support/db/database.ts';
import { buildFixture } from '../../support/db/fixture.ts';
import { buildEmailFixture } from '../../support/dns-smtp/email-fixture.ts';

const openRecord = useRecord(({ app }) => buildFixture(app));
const openEmailRecord = useRecord(({ app }) => buildEmailFixture(app));

/** A record whose closed batch is proved. */
async function openProved() {
  const { database, record: fixture } = await openRecord();
  expect(findingsOf(await verify(database))).toEqual([]);
  return { database, fixture, names: nameLookups(fixture) };
}

function verify({ app }: TestDatabase, options?: VerifyOptions): Promise<readonly InvariantReport[]> {
  return createVerifyStore(app.sql).check(options);
}

function findingsOf(reports: readonly InvariantReport[]): readonly string[] {
  return reports.flatMap(({ broken }) => broken);
}

async function provedOf(database: TestDatabase, number: InvariantNumber): Promise<number | undefined> {
  return (await verify(database)).find((report) => report.number === number)?.proved;
}

/** Tampers with a lookup of a batch: neither the batch nor its chunks change. */
async function tamper({ owner }: TestDatabase, lookupId: bigint): Promise<void> {
  await owner.pool.query(
    unguarded('lookups', `UPDATE nightshift.lookups SET account_id = 99 WHERE id = ${lookupId}`),
  );
}

const tampered = (lookupId: bigint) => `lookup ${lookupId} belongs to account 99, which does not exist`;

test('a second run counts what the first proved, and reads only the rest', async () => {
  const { database } = await openRecord();
  const [first, second] = [await verify(database), await verify(database)];
  const countsOf = (reports: readonly InvariantReport[], number: InvariantNumber) => {
    const report = reports.find((each) => each.number === number);
    return [report?.checked, report?.proved];
  };
  expect([countsOf(first, 1), countsOf(second, 1)]).toEqual([
    [13, 0],
    [6, 7],
  ]);
  expect([countsOf(first, 5), countsOf(second, 5)]).toMatchObject([
    [expect.any(Number), 0],
    [expect.any(Number), 5],
  ]);
  expect(second.find(({ number }) => number === 2)?.note).toBe(
    'Lookups before the newest checkpoint were proved by an earlier run; --full reads them again.',
  );
});

test('tampering with a proved batch is found by a full run, which withdraws its proof', async () => {
  const { database, names } = await openProved();
  await tamper(database, names.failed);
  expect(findingsOf(await verify(database))).toEqual([]);
  expect(findingsOf(await verify(database, { isFull: true }))).toContain(tampered(names.failed));
  expect(findingsOf(await verify(database))).toContain(tampered(names.failed));
  expect(await provedOf(database, 1)).toBe(0);
});

test('a run with a finding proves nothing of its part', async () => {
  const { database, record } = await openRecord();
  const { failed } = nameLookups(record);
  await tamper(database, failed);
  expect(findingsOf(await verify(database))).toContain(tampered(failed));
  expect(findingsOf(await verify(database))).toContain(tampered(failed));
});

test('a change of a proved batch or of its chunks is found by the next run', async () => {
  const { database, names } = await openProved();
  await database.owner.pool.query(
    `UPDATE nightshift.chunks SET charged_micro = charged_micro + 1 WHERE first_lookup_id = ${names.foundTwo}`,
  );
  expect(findingsOf(await verify(database))).toEqual([
    expect.stringMatching(/^chunk \d+ says it charged 0\.400001/),
  ]);
});

test('a retry, which reopens a batch, has it read again', async () => {
  const { database, fixture, names } = await openProved();
  await tamper(database, names.none);
  const control = createBatchControl(database.app.sql);
  await control.retry(fixture.accountId, names.finishedId, 'in_doubt');
  expect(findingsOf(await verify(database))).toContain(tampered(names.none));
});

test('a batch is read again while it is purged, and afterwards', async () => {
  const { database, record } = await openRecord();
  const names = nameLookups(record);
  await ageRecord(database, 40);
  expect(findingsOf(await verify(database))).toEqual([]);
  await tamper(database, names.none);
  const purge = () =>
    database.owner.pool.query(
      `SELECT nightshift.purge_batch(${names.finishedBatch}, now() - interval '30 days', 2)`,
    );
  await purge();
  expect(await provedOf(database, 1)).toBe(0);
  expect(findingsOf(await verify(database))).toContain(tampered(names.none));
});

test('an erasure has the batch of the address read again', async () => {
  const { database, record } = await openEmailRecord();
  await verify(database);
  await tamper(database, record.charged);
  expect(findingsOf(await verify(database))).toEqual([]);
  const { rows } = await database.owner.pool.query<{ subject_key: string }>(
    `SELECT subject_key FROM nightshift.lookups WHERE id = ${record.free}`,
  );
  const key = rows[0]?.subject_key ?? '';
  await database.app.pool.query('SELECT nightshift.erase_address($1, ARRAY[$1])', [key]);
  expect(findingsOf(await verify(database))).toContain(tampered(record.charged));
});

test('a checkpoint with another signature proves nothing', async () => {
  const { database, names } = await openProved();
  await tamper(database, names.failed);
  await database.owner.pool.query(
    `UPDATE nightshift.verify_checkpoints SET signature = sha256('forged') WHERE kind = 'batch'`,
  );
  expect(findingsOf(await verify(database))).toContain(tampered(names.failed));
});

test('a checkpoint of another version of the clauses proves nothing', async () => {
  const { database, names } = await openProved();
  await tamper(database, names.failed);
  const { pool } = database.owner;
  const { rows } = await pool.query<{ scope: string; state: string; secret: Buffer }>(
    `SELECT c.scope, c.state, i.secret FROM nightshift.verify_checkpoints c, nightshift.installation i WHERE c.kind = 'batch'`,
  );
  expect(rows).toHaveLength(1);
  for (const { scope, state, secret } of rows) {
    const older = state.replace(/^\d+:/, '0:');
    const sign = (text: string) =>
      createHmac('sha256', secret)
        .update(JSON.stringify(['batch', scope, text]))
        .digest();
    const store = (text: string) =>
      pool.query(
        `INSERT INTO nightshift.verify_checkpoints (kind, scope, state, signature) VALUES ('batch', $1, $2, $3)`,
        [scope, text, sign(text)],
      );
    await store(state);
    expect(findingsOf(await verify(database))).toEqual([]);
    await store(older);
  }
  expect(findingsOf(await verify(database))).toContain(tampered(names.failed));
});

const provedVersions = `SELECT 1 FROM nightshift.verify_checkpoints WHERE kind = 'versions' AND state ~ '"to":"[1-9]'`;
const brokenVersion = 'version 1 of ad 1 no longer fits the hash of its content';

/** A record whose versions are proved and whose first version is then changed. */
async function openWithBrokenVersion(): Promise<TestDatabase> {
  const { database } = await openProved();
  // Not before the transactions of other tests on this server are over, which could have added a version.
  await expect
    .poll(async () => {
      await verify(database);
      return (await database.owner.pool.query(provedVersions)).rowCount;
    })
    .toBe(1);
  await database.owner.pool.query(
    unguarded('ad_versions', `UPDATE nightshift.ad_versions SET headline = 'Sell' WHERE id = 1`),
  );
  return database;
}

test('answers and versions of ads are read once', async () => {
  const database = await openWithBrokenVersion();
  expect(findingsOf(await verify(database))).toEqual([]);
  expect(findingsOf(await verify(database, { isFull: true }))).toEqual([brokenVersion]);
  expect(findingsOf(await verify(database))).toEqual([brokenVersion]);
});

test('versions are not proved while a transaction that could add one is open', async () => {
  const { database } = await openProved();
  await database.owner.pool.query("DELETE FROM nightshift.verify_checkpoints WHERE kind = 'versions'");
  await whileWriting(database, async () => {
    expect(findingsOf(await verify(database))).toEqual([]);
    expect((await database.owner.pool.query(provedVersions)).rowCount).toBe(0);
  });
});

test('a full run withdraws the proof of a broken version while a transaction is open', async () => {
  const database = await openWithBrokenVersion();
  await whileWriting(database, async () => {
    expect(findingsOf(await verify(database, { isFull: true }))).toEqual([brokenVersion]);
    expect(findingsOf(await verify(database))).toEqual([brokenVersion]);
  });
});

/** Runs `act` while a transaction with a number, as of one that has written, is open. */
async function whileWriting({ owner }: TestDatabase, act: () => Promise<void>): Promise<void> {
  const other = await owner.pool.connect();
  try {
    await other.query('BEGIN; SELECT pg_current_xact_id()');
    await act();
  } finally {
    await other.query('ROLLBACK');
    other.release();
  }
}

test('a request is proved an hour after its end', async () => {
  const { database, record } = await openRecord();
  const { request } = nameLookups(record);
  const lookupsOf = () => provedOf(database, 5);
  await verify(database);
  expect(await lookupsOf()).toBe(5);
  await ageRecord(database, 1);
  await verify(database);
  expect(await lookupsOf()).toBe(6);
  await tamper(database, request);
  expect(findingsOf(await verify(database))).toEqual([]);
  expect(findingsOf(await verify(database, { isFull: true }))).toContain(tampered(request));
});

test('a record that is read in small parts has the counts and findings of one that is read at once', async () => {
  const { database, record } = await openRecord();
  const { failed } = nameLookups(record);
  await ageRecord(database, 1);
  const inParts = createVerifyStore(database.app.sql, { lookups: 2, answers: 1 });
  const whole = await verify(database, { isFull: true });
  expect(findingsOf(whole)).toEqual([]);
  expect(await inParts.check({ isFull: true })).toEqual(whole);
  await tamper(database, failed);
  const broken = await verify(database, { isFull: true });
  expect(findingsOf(broken)).toContain(tampered(failed));
  expect(await inParts.check({ isFull: true })).toEqual(broken);
});
