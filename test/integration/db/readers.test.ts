import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { sql } from 'drizzle-orm';
import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { readOwnBackupInfo } from '../../../db/info/own-backup-info.ts';
import { runQuery } from '../../../db/queries/run-query.ts';
import { createReader } from '../../../db/replica/reader.ts';
import { createReplica, replicaMsMax, type Replica } from '../../../db/replica/replica.ts';
import { createBatchReportStore } from '../../../db/stores/reports/batch-report.ts';
import { openApp, type App } from '../../../src/app/app.ts';
import { readConfig } from '../../../src/config/config.ts';
import type { BatchReportStore } from '../../../src/core/batches/batch-report.ts';
import { DatabaseUnavailable } from '../../../src/core/errors.ts';
import { diagnose } from '../../../src/doctor/diagnose.ts';
import { createLog } from '../../../src/log.ts';
import { exportBatch } from '../../../src/reporter/export/export-batch.ts';
import type { Environment } from '../../support/cli/nightshift-process.ts';
import { openTestPool } from '../../support/db/database.ts';
import { createHomes } from '../../support/db/private-postgres-folders.ts';
import { killNode, promote, startStandby, type PostgresNode } from '../../support/db/replicated-postgres.ts';
import { asLogin, withClient } from '../../support/db/test-postgres.ts';
import {
  openReplicatedRecord,
  recordAt,
  type ReplicatedRecord,
} from '../../support/replica/replicated-record.ts';
import { startWalReceiver } from '../../support/replica/wal-receiver.ts';

const rowsOfBatch = 9000;
const homes = createHomes();
let folder = '';
let record: ReplicatedRecord;
let primary: PostgresNode;
let standby: PostgresNode;
let environment: Environment;
let batchId = '';

beforeAll(async () => {
  folder = await homes.make();
  record = await openReplicatedRecord(homes, rowsOfBatch);
  ({ primary, batchId } = record);
  standby = await newStandby();
  environment = environmentOf(standby);
});

afterAll(async () => {
  await killNode(standby);
  await killNode(primary);
  await homes.clear();
});

let standbys = 0;

/** A standby that cancels readers at once when they conflict with the recovery. */
function newStandby(): Promise<PostgresNode> {
  standbys += 1;
  const dataFolder = join(folder, `standby-${standbys}`);
  return startStandby(primary, { dataFolder, settings: { max_standby_streaming_delay: '0' } });
}

function environmentOf(replica: PostgresNode): Environment {
  return { ...record.environment, NIGHTSHIFT_READER_URL: recordAt(replica) };
}

async function openReadingApp(): Promise<App> {
  const home = mkdtempSync(join(tmpdir(), 'nightshift-readers-'));
  const config = readConfig({ ...environment, NIGHTSHIFT_HOME: home });
  const app = await openApp(config, { log: createLog('silent'), onProgress: () => undefined });
  onTestFinished(() => app.close());
  return app;
}

/** Connections to the primary and to a standby. */
function openBoth(node = standby): { readonly db: NodePgDatabase; readonly replica: Replica } {
  const db = openTestPool(recordAt(primary)).sql;
  const database = openTestPool(recordAt(node));
  return { db, replica: createReplica({ database, primary: db, onLack: () => undefined }) };
}

/** A store with one reading: whether a standby answers, and the name of the first account. */
function openWhere({ db, replica }: ReturnType<typeof openBoth>) {
  const create = (from: NodePgDatabase) => ({
    read: async () => {
      const { rows } = await from.execute<{ isStandby: boolean; name: string }>(
        sql`SELECT pg_is_in_recovery() AS "isStandby", name FROM nightshift.accounts ORDER BY id LIMIT 1`,
      );
      return rows[0];
    },
  });
  return createReader(db, replica).of(create);
}

function onPrimary(text: string): Promise<unknown> {
  return withClient(recordAt(primary), (client) => client.query(text));
}

function onStandby(text: string): Promise<unknown> {
  return withClient(standby.url, (client) => client.query(text));
}

/** Makes the standby cancel every statement: the log removes rows that its snapshots see. */
async function conflict(): Promise<void> {
  await onPrimary('UPDATE nightshift.accounts SET name = name');
  await onPrimary('VACUUM nightshift.accounts');
  await onPrimary('CHECKPOINT');
}

/** Exports the batch, and lets `meanwhile` run after its first bytes. */
async function exportText(
  { batches: { pages } }: Pick<App, 'batches'>,
  store: BatchReportStore,
  meanwhile: () => Promise<void> = () => Promise.resolve(),
): Promise<string> {
  const batch = await pages.readSummary(null, batchId);
  const chunks: Buffer[] = [];
  const target = new Writable({
    highWaterMark: 1,
    write: (chunk: Buffer, _encoding, done) => {
      chunks.push(chunk);
      if (chunks.length !== 1) return done();
      return void meanwhile().then(() => done(), done);
    },
  });
  const createdAt = new Date(0);
  await exportBatch(store, { batch, format: 'csv', shape: 'rows', raw: false, target, createdAt });
  return Buffer.concat(chunks).toString();
}

describe('a replica', () => {
  test('answers pages, exports and SQL, after a write at once with what was written', async () => {
    const app = await openReadingApp();
    expect(app.sql.countReadings()).toEqual({ replica: 0, primary: 0, repeated: 0 });
    const accountId = await app.accounts.store.create(`written-${standbys}`);
    expect(await app.batches.pages.listSummaries(app.accounts.defaultId, 10)).toHaveLength(1);
    const ofAccount = await app.sql.queries.run(accountId, {
      text: 'SELECT count(*), pg_is_in_recovery() FROM batches',
      rowsMax: 1,
      signal: new AbortController().signal,
    });
    expect(ofAccount.rows).toEqual([[0, true]]);
    const ofDefault = await app.sql.queries.run(app.accounts.defaultId, {
      text: 'SELECT count(*), pg_is_in_recovery() FROM batches',
      rowsMax: 1,
      signal: new AbortController().signal,
    });
    expect(ofDefault.rows).toEqual([[1, true]]);
    const operators = await runQuery(
      app.sql.openReader(),
      'SELECT count(*), pg_is_in_recovery() FROM batches',
    );
    expect(operators.rows).toEqual([[1, true]]);
    const text = await exportText(app, app.batches.reportStore);
    expect(text.trim().split('\n')).toHaveLength(rowsOfBatch + 1);
    const { replica, primary: atPrimary, repeated } = app.sql.countReadings() ?? {};
    expect({ atPrimary, repeated }).toEqual({ atPrimary: 0, repeated: 0 });
    expect(replica).toBeGreaterThanOrEqual(5);
  });

  test('that is behind is waited for, and then the primary answers with what was written', async () => {
    const both = openBoth();
    const where = openWhere(both);
    expect(await where.read()).toMatchObject({ isStandby: true });
    await onStandby('SELECT pg_wal_replay_pause()');
    try {
      await onPrimary(
        "UPDATE nightshift.accounts SET name = 'renamed' WHERE id = (SELECT min(id) FROM nightshift.accounts)",
      );
      const startedMs = performance.now();
      expect(await where.read()).toEqual({ isStandby: false, name: 'renamed' });
      expect(performance.now() - startedMs).toBeGreaterThan(900);
      // It is left alone for a while, so that no other reading waits.
      const againMs = performance.now();
      expect(await where.read()).toEqual({ isStandby: false, name: 'renamed' });
      expect(performance.now() - againMs).toBeLessThan(900);
    } finally {
      await onStandby('SELECT pg_wal_replay_resume()');
      await onPrimary("UPDATE nightshift.accounts SET name = 'default' WHERE name = 'renamed'");
    }
    await expect.poll(() => where.read()).toEqual({ isStandby: true, name: 'default' });
  });

  test('is read after a wait for a connection to a busy primary', async () => {
    const busy = openTestPool(recordAt(primary), { connectionsMax: 1 });
    const database = openTestPool(recordAt(standby));
    const replica = createReplica({ database, primary: busy.sql, onLack: () => undefined });
    const working = busy.pool.query('SELECT pg_sleep($1)', [(replicaMsMax + 200) / 1000]);
    expect(await openWhere({ db: busy.sql, replica }).read()).toMatchObject({ isStandby: true });
    await working;
  });

  test('that cancels a statement is asked again', async () => {
    const { db, replica } = openBoth();
    let starts = 0;
    const slow = createReader(db, replica).of((from) => ({
      read: async () => {
        starts += 1;
        const { rows } = await from.execute(
          sql`SELECT pg_is_in_recovery() AS "isStandby" FROM (SELECT pg_sleep(${starts === 1 ? 20 : 0})) s`,
        );
        return rows[0];
      },
    }));
    const answer = slow.read();
    await expect
      .poll(() => onStandby("SELECT FROM pg_stat_activity WHERE wait_event = 'PgSleep'"))
      .toMatchObject({ rowCount: 1 });
    await conflict();
    expect(await answer).toEqual({ isStandby: true });
    expect(starts).toBe(2);
    expect(replica.counts()).toEqual({ replica: 1, primary: 0, repeated: 1 });
  });

  test('that cancels an export has it go on, with the bytes of the primary', async () => {
    const app = await openReadingApp();
    const { db, replica } = openBoth();
    const store = createReader(db, replica).ofReports((from) => createBatchReportStore(from));
    const expected = await exportText(app, createBatchReportStore(db));
    expect(await exportText(app, store, conflict)).toBe(expected);
    expect(replica.counts().repeated).toBeGreaterThan(0);
  });

  test('that cancels an export whose rows have changed meanwhile makes it fail', async () => {
    const app = await openReadingApp();
    const { db, replica } = openBoth();
    const store = createReader(db, replica).ofReports((from) => createBatchReportStore(from));
    const exported = exportText(app, store, async () => {
      await onPrimary("UPDATE nightshift.batches SET header = '{changed,domain}'");
      await conflict();
    });
    await expect(exported).rejects.toThrow(DatabaseUnavailable);
    await expect(exported).rejects.toThrow('the data has changed since it began');
    await onPrimary("UPDATE nightshift.batches SET header = '{name,domain}'");
  });

  test('does not store WAL for doctor, but a program that receives it does', async () => {
    const reading = () => withClient(recordAt(primary), readOwnBackupInfo);
    expect(await reading()).toMatchObject({ receivers: [], unseen: 0, idleSlots: [], callArchive: null });
    const receiver = await startWalReceiver(primary.url, 'barman_receive_wal');
    onTestFinished(receiver.close);
    expect(await reading()).toMatchObject({ receivers: ['barman_receive_wal'], unseen: 0 });
    await onPrimary("CREATE ROLE plain LOGIN PASSWORD 'plain' IN ROLE nightshift_app");
    const seen = await withClient(asLogin(recordAt(primary), 'plain', 'plain'), readOwnBackupInfo);
    expect(seen).toMatchObject({ archiver: expect.any(String) as string, receivers: [], unseen: 2 });
  });

  test('is found by doctor, also when it is paused', async () => {
    const finding = async () => {
      const { findings } = await diagnose(readConfig(environment), {
        nodeVersion: '22.11.0',
        onProgress: () => undefined,
      });
      return findings.find(({ name }) => name === 'replica');
    };
    expect(await finding()).toMatchObject({ status: 'ok' });
    await onStandby('SELECT pg_wal_replay_pause()');
    try {
      await onPrimary('UPDATE nightshift.accounts SET name = name');
      expect(await finding()).toMatchObject({
        status: 'warning',
        remedy: expect.stringContaining('pg_wal_replay_resume') as string,
      });
    } finally {
      await onStandby('SELECT pg_wal_replay_resume()');
    }
  });
});

describe('a replica that is lost', () => {
  test('in the middle of an export leaves the rest to the primary', async () => {
    const app = await openReadingApp();
    const lost = await newStandby();
    const { db, replica } = openBoth(lost);
    const store = createReader(db, replica).ofReports((from) => createBatchReportStore(from));
    const expected = await exportText(app, createBatchReportStore(db));
    expect(await exportText(app, store, () => killNode(lost))).toBe(expected);
    expect(replica.counts()).toEqual({ replica: 0, primary: 1, repeated: 1 });
  });

  test('by a promotion is not read any more', async () => {
    const promoted = await newStandby();
    onTestFinished(() => killNode(promoted));
    const both = openBoth(promoted);
    const where = openWhere(both);
    expect(await where.read()).toMatchObject({ isStandby: true });
    await promote(promoted);
    await withClient(recordAt(promoted), (client) =>
      client.query("UPDATE nightshift.accounts SET name = 'diverged' WHERE name = 'default'"),
    );
    expect(await where.read()).toEqual({ isStandby: false, name: 'default' });
  });

  test('because it follows the old primary is not read after a promotion', async () => {
    const promoted = await newStandby();
    onTestFinished(() => killNode(promoted));
    await promote(promoted);
    await onPrimary("UPDATE nightshift.accounts SET name = 'lost' WHERE name = 'default'");
    onTestFinished(
      async () =>
        void (await onPrimary("UPDATE nightshift.accounts SET name = 'default' WHERE name = 'lost'")),
    );
    // The old primary, and so its standby, is far ahead of the promoted one.
    await onPrimary("SELECT pg_logical_emit_message(false, 'test', repeat('x', 5000000))");
    const db = openTestPool(recordAt(promoted)).sql;
    const database = openTestPool(recordAt(standby));
    const replica = createReplica({ database, primary: db, onLack: () => undefined });
    expect(await openWhere({ db, replica }).read()).toEqual({ isStandby: false, name: 'default' });
  });
});
