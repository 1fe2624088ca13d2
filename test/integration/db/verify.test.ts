import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { openDatabase } from '../../../db/connection/client.ts';
import { createBatchControl } from '../../../db/stores/batches/batch-control.ts';
import { createVerifyStore } from '../../../db/verify/verify-store.ts';
import type {
  InvariantNumber,
  InvariantReport,
  VerifyOptions,
} from '../../../src/core/reports/invariants.ts';
import { postgresConnection } from '../../../src/queue/connection.ts';
import { openChunkQueue } from '../../../src/queue/chunk-queue.ts';
import { unguarded } from '../../support/breakages/by-hand.ts';
import { emailBreakages } from '../../support/breakages/emails.ts';
import { breakages, nameLookups } from '../../support/breakages/index.ts';
import { buildScanFixture, scanBreakages, type ScanFixture } from '../../support/breakages/scans.ts';
import { openTestDatabase, useRecord, type TestDatabase } from '../../support/db/database.ts';
import { buildEmailFixture, type EmailFixture } from '../../support/dns-smtp/email-fixture.ts';
import { openSharedFixture, type SharedFixture } from '../../support/db/shared-fixture.ts';
import { buildFixture, type Fixture } from '../../support/db/fixture.ts';

const openRecord = useRecord(({ app }) => buildFixture(app));

async function openFixture() {
  const { database, record: fixture } = await openRecord();
  return { database, fixture, names: nameLookups(fixture) };
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

test('all invariants hold for a valid database, with the number of checks', async () => {
  const { database } = await openFixture();
  const reports = await verify(database);
  expect(reports.map(({ number }) => number)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15]);
  expect(reports.flatMap(({ broken }) => broken)).toEqual([]);
  expect(numbersOf('not_applicable', reports)).toEqual([7, 10, 11, 13, 14, 15]);
  expect(reports.filter(({ status, checked }) => status === 'holds' && checked === 0)).toEqual([]);
  expect(reports.find(({ number }) => number === 1)).toMatchObject({ checked: 13, brokenCount: 0 });
});

test('all invariants hold for a new database', async () => {
  const database = await openTestDatabase();
  expect(numbersOf('broken', await verify(database))).toEqual([]);
});

test('a repeated lookup belongs to the rows of its company', async () => {
  const { database, fixture } = await openFixture();
  const { publicId } = fixture.finished;
  const control = createBatchControl(database.app.sql);
  expect(await control.retry(fixture.accountId, publicId, 'in_doubt')).toMatchObject({ retried: 1 });
  expect((await verify(database)).flatMap(({ broken }) => broken)).toEqual([]);
});

test('all reports are computed on one snapshot', async () => {
  const { database, names } = await openFixture();
  const change = `UPDATE nightshift.lookup_blocks SET account_id = 99 WHERE ${names.undispatched} = ANY (ids)`;
  const exportDigests = async () => {
    await database.owner.pool.query(change);
    return ['aa', 'aa'] as const;
  };
  expect(numbersOf('broken', await verify(database, { exportDigests }))).toEqual([]);
  expect(numbersOf('broken', await verify(database))).toEqual([12]);
});

test('reports are returned one by one, in order', async () => {
  const database = await openTestDatabase();
  const reported: number[] = [];
  const reports = await verify(database, { onReport: ({ number }) => void reported.push(number) });
  expect(reported).toEqual(reports.map(({ number }) => number));
});

test('a report lists the first twenty findings and counts all', async () => {
  const { database } = await openFixture();
  await database.owner.pool.query(`INSERT INTO nightshift.source_calls (lookup_id, source, request_key)
    SELECT 500000 + i, 'upstream', 'key-' || i FROM generate_series(1, 25) i`);
  const report = await reportOn(5, database);
  expect(report).toMatchObject({ status: 'broken', brokenCount: 25 });
  expect(report.broken).toHaveLength(20);
  expect(report.broken[0]).toContain('lookup 500001');
  expect(report.broken[19]).toContain('lookup 500020');
});

let shared: SharedFixture<Fixture>;
let emails: SharedFixture<EmailFixture>;
let scans: SharedFixture<ScanFixture>;
beforeAll(async () => {
  shared = await openSharedFixture(buildFixture);
  emails = await openSharedFixture(buildEmailFixture);
  scans = await openSharedFixture(buildScanFixture);
});
afterAll(() => Promise.all([shared.close(), emails.close(), scans.close()]));

test.each(breakages)('invariant $number finds $name', async ({ number, by, finding, also = [] }) => {
  const names = nameLookups(shared.fixture);
  const reports = await shared.verifyAfter(by(names));
  const report = reports.find((candidate) => candidate.number === number);
  expect(report?.broken.join('\n')).toContain(finding(names));
  expect(numbersOf('broken', reports)).toEqual([number, ...also].sort((a, b) => a - b));
});

test.each(emailBreakages)(
  'invariant $number finds $name in a batch of addresses',
  async ({ number, by, finding, also = [] }) => {
    const reports = await emails.verifyAfter(by(emails.fixture));
    const report = reports.find((candidate) => candidate.number === number);
    expect(report?.broken.join('\n')).toContain(finding(emails.fixture));
    expect(numbersOf('broken', reports)).toEqual([number, ...also].sort((a, b) => a - b));
  },
);

test.each(scanBreakages)('invariant 13 finds $name', async ({ by, finding, also = [] }) => {
  const reports = await scans.verifyAfter(by(scans.fixture));
  const report = reports.find(({ number }) => number === 13);
  expect(report?.broken.join('\n')).toContain(finding(scans.fixture));
  expect(numbersOf('broken', reports)).toEqual([...also, 13]);
});

test('invariant 13 holds for a schedule with retries', async () => {
  const reports = await scans.verifyAfter('SELECT 1');
  expect(numbersOf('broken', reports)).toEqual([]);
  expect(reports.find(({ number }) => number === 13)).toMatchObject({ status: 'holds', note: null });
});

test('invariant 13 skips and counts companies whose first answers were purged', async () => {
  const reports = await scans.verifyAfter(
    unguarded(
      'scan_companies',
      `DELETE FROM nightshift.scan_companies WHERE is_baseline AND company_key = 'd:globex.com';
      ALTER TABLE nightshift.ad_changes DISABLE TRIGGER USER;
      DELETE FROM nightshift.ad_changes WHERE company_key = 'd:globex.com';
      ALTER TABLE nightshift.ad_changes ENABLE ALWAYS TRIGGER append_only;
      ALTER TABLE nightshift.ad_changes ENABLE ALWAYS TRIGGER append_only_truncate;
      DELETE FROM nightshift.events`,
    ),
  );
  expect(reports.find(({ number }) => number === 13)).toMatchObject({
    status: 'holds',
    note: '1 companies were left out, because their first answers were purged.',
  });
});

test('all invariants hold for a batch of addresses', async () => {
  expect(numbersOf('broken', await emails.verifyAfter('SELECT 1'))).toEqual([]);
});

test('the changes of a test are rolled back in the shared fixture', async () => {
  expect(numbersOf('broken', await shared.verifyAfter('SELECT 1'))).toEqual([]);
});

test('a chunk with a recently expired lease may still be rescued', async () => {
  const { database, names } = await openFixture();
  await database.owner.pool.query(
    `UPDATE nightshift.chunks SET lease_until = now() - interval '2 min' WHERE first_lookup_id = ${names.claimed}`,
  );
  expect(await reportOn(8, database, { rescueMs: 3_600_000 })).toMatchObject({ status: 'holds' });
});

test('an empty queue requires that running batches have no open lookups', async () => {
  const { database, names } = await openFixture();
  expect(await reportOn(8, database, { queueIsEmpty: false })).toMatchObject({ status: 'holds' });
  const { broken } = await reportOn(8, database, { queueIsEmpty: true });
  const { runningId, claimed } = names;
  expect(broken).toEqual([
    `batch ${runningId} runs, the queue is empty, and 5 of its lookups are open, the first of them lookup ${claimed}`,
  ]);
});

test('an empty queue is valid with a waiting batch', async () => {
  const { database, names } = await openFixture();
  await database.owner.pool.query(
    `UPDATE nightshift.batches SET state = 'paused' WHERE id = ${names.runningBatch}`,
  );
  expect(await reportOn(8, database, { queueIsEmpty: true })).toMatchObject({ status: 'holds' });
});

const pace = new Map([['upstream', { requestsPerSecond: 10, burst: 5 }]]);

interface RecordedCalls {
  readonly calls: number;
  readonly sentAt: string;
  readonly answer?: string | null;
}

async function recordCalls(database: TestDatabase, { calls, sentAt, answer = 'found' }: RecordedCalls) {
  await database.owner.pool.query(
    `INSERT INTO nightshift.source_calls (lookup_id, source, request_key, sent_at, answer, answered_at)
      SELECT (SELECT min(id) FROM nightshift.all_lookups), 'upstream', 'k', ${sentAt}, $1, CASE WHEN $1::text IS NOT NULL THEN now() END
      FROM generate_series(1, ${calls}) i`,
    [answer],
  );
}

test('invariant 9 is not applicable without calls', async () => {
  const database = await openTestDatabase();
  expect(await reportOn(9, database)).toMatchObject({ status: 'not_applicable', checked: 0 });
});

test('invariant 9 fails if a recorded second has more calls than two seconds and the burst allow', async () => {
  const { database } = await openFixture();
  await recordCalls(database, { calls: 26, sentAt: `now() - interval '30 minutes' + i * interval '10 ms'` });
  const report = await reportOn(9, database, { paces: pace });
  expect(report).toMatchObject({ status: 'broken', checked: 33, brokenCount: 1 });
  expect(report.broken[0]).toBe(
    'source upstream has 26 calls in one recorded second, with a rate limit of 10 a second and a burst of 5',
  );
});

test('invariant 9 ignores calls that were not sent, or never ended', async () => {
  const { database } = await openFixture();
  const sentAt = `now() - interval '30 minutes'`;
  await recordCalls(database, { calls: 26, sentAt, answer: 'not_sent' });
  await recordCalls(database, { calls: 26, sentAt, answer: null });
  expect(await reportOn(9, database, { paces: pace })).toMatchObject({ status: 'holds', checked: 7 });
});

test('invariant 9 allows calls that were recorded up to a second late', async () => {
  const { database } = await openFixture();
  await recordCalls(database, { calls: 25, sentAt: `now() - interval '30 minutes'` });
  await recordCalls(database, { calls: 25, sentAt: `now() - interval '30 minutes' + interval '1 second'` });
  expect(await reportOn(9, database, { paces: pace })).toMatchObject({ status: 'holds', checked: 57 });
});

test('invariant 9 reports calls older than an hour without a result', async () => {
  const { database } = await openFixture();
  await recordCalls(database, { calls: 100, sentAt: `timestamptz '2026-01-02 03:04:05Z'` });
  const report = await reportOn(9, database, { paces: pace });
  expect(report).toMatchObject({ status: 'holds' });
  expect(report.note).toContain('upstream 100 (of 107) at 2026-01-02T03:04:05Z');
});

test('invariant 11 finds a finished batch with two different exports', async () => {
  const { database, fixture } = await openFixture();
  const asked: string[] = [];
  const exportDigests = async (batch: string) => {
    asked.push(batch);
    return ['aa', 'bb'] as const;
  };
  const report = await reportOn(11, database, { exportDigests });
  expect(asked).toEqual([fixture.finished.publicId]);
  expect(report.broken).toEqual([
    `batch ${fixture.finished.publicId} was exported twice, with SHA-256 aa and bb`,
  ]);
  expect(await reportOn(11, database, { exportDigests: async () => ['aa', 'aa'] })).toMatchObject({
    status: 'holds',
    checked: 1,
  });
});

async function openFixtureWithQueue() {
  const { database } = await openFixture();
  const { url } = database;
  const options = {
    url,
    role: 'nightshift_app',
    searchPath: 'bullmq',
    connectionsMax: 5,
    name: 'queue',
  } as const;
  const connection = openDatabase({ ...options, onIdleError: () => undefined });
  const queue = await openChunkQueue(postgresConnection(connection.pool), { onError: () => undefined });
  await queue.enqueue([{ chunkId: 5, generation: 1, delayMs: 0, turn: 1, isQuarantined: false }]);
  await queue.close();
  await connection.close();
  return database;
}

test.each([
  ['GRANT USAGE ON SCHEMA reports TO nightshift_account', 'nightshift_account may enter the schema reports'],
  [
    'GRANT UPDATE ON nightshift.accounts TO nightshift_account',
    'nightshift_account may UPDATE nightshift.accounts',
  ],
  ['ALTER VIEW account_reports.ads RESET (security_barrier)', 'account_reports.ads has no security barrier'],
  [
    'CREATE OR REPLACE VIEW account_reports.prices WITH (security_barrier) AS SELECT * FROM reports.prices',
    'account_reports.prices looks at conditions of a query before it chooses the rows of the account',
  ],
  [
    `CREATE OR REPLACE VIEW account_reports.prices WITH (security_barrier) AS
      SELECT p.* FROM (SELECT * FROM reports.prices OFFSET 0) p WHERE EXISTS (SELECT FROM (SELECT 1 FROM nightshift.prices) o)`,
    'account_reports.prices looks at conditions of a query before it chooses the rows of the account',
  ],
  ['DROP VIEW account_reports.rows', 'accounts have no view of reports.rows'],
  ['REVOKE SELECT ON account_reports.ads FROM nightshift_account', 'accounts have no view of reports.ads'],
  [
    "INSERT INTO nightshift.account_logins VALUES (1, 'nightshift_owner_of_all'); CREATE ROLE nightshift_owner_of_all IN ROLE nightshift_reader",
    'nightshift_owner_of_all may act as nightshift_reader, and reads more than one account',
  ],
  [
    'GRANT INSERT ON nightshift.account_logins TO nightshift_app',
    'nightshift_app may INSERT nightshift.account_logins, which says who reads what',
  ],
])('invariant 12 finds an account with access to other accounts: %s', async (statement, finding) => {
  const { database } = await openFixture();
  await database.owner.pool.query(statement);
  onTestFinished(
    async () => void (await database.owner.pool.query('DROP ROLE IF EXISTS nightshift_owner_of_all')),
  );
  expect((await reportOn(12, database)).broken).toEqual([finding]);
});

test('invariant 12 holds for jobs with ids only', async () => {
  const database = await openFixtureWithQueue();
  expect(await reportOn(12, database)).toMatchObject({ status: 'holds', note: null });
});

test('invariant 12 finds a job with more than ids, and does not repeat its data', async () => {
  const database = await openFixtureWithQueue();
  await database.owner.pool.query(`UPDATE bullmq.job SET data = data || '{"who": "jane@acme.com"}'`);
  const { broken } = await reportOn(12, database);
  expect(broken).toEqual(['job chunk-5-1 of queue nightshift-chunks carries more than ids']);
});

test('invariant 12 finds an address in the error of a job, and does not repeat it', async () => {
  const database = await openFixtureWithQueue();
  await database.owner.pool.query(`UPDATE bullmq.job SET failed_reason = 'no answer for jane@acme.com'`);
  const { broken } = await reportOn(12, database);
  expect(broken).toEqual(['job chunk-5-1 of queue nightshift-chunks has an address in its error']);
});

test('invariant 12 checks the payloads of an external queue', async () => {
  const { database } = await openFixture();
  const payloads = [
    '{"chunkId":5,"generation":1}',
    '{"chunkId":6,"generation":1,"key":"x"}',
    '{"chunkId":"7@","generation":1}',
    '{"schedule":"sch_01a1ff734ad87655b2c761ba36458456"}',
    '{"schedule":"sch_01a1ff734ad87655b2c761ba36458456","name":"rivals"}',
    '{"schedule":"rivals"}',
    '{"lookupId":"8","round":1}',
  ];
  const report = await reportOn(12, database, { readJobPayloads: async () => payloads });
  expect(report.broken).toEqual(
    [2, 3, 5, 6].map((place) => `job payload ${place} of 7 carries more than ids`),
  );
});
