import { describe, expect, test } from 'vitest';
import { createAccountService } from '../../../db/stores/accounts/account-service.ts';
import { readSourceWaits } from '../../../db/info/source-info.ts';
import { writeThrottle } from '../../../db/stores/sources/throttles.ts';
import type { Throttle } from '../../../src/core/work/wait-cause.ts';
import { evaluateWait } from '../../../src/doctor/checks/evaluate-wait.ts';
import { calledSource } from '../../support/stand-in/call-logs.ts';
import { openTestDatabase } from '../../support/db/database.ts';
import { untilOneWaits } from '../../support/lock-waits.ts';
import { batchControlsOver } from '../../support/faults/steering.ts';

async function open({ readsIndexes = true } = {}) {
  const database = await openTestDatabase();
  if (!readsIndexes)
    await database.owner.pool.query(
      `DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET enable_indexscan = off', current_database());
        EXECUTE format('ALTER DATABASE %I SET enable_bitmapscan = off', current_database()); END $$`,
    );
  const controls = await batchControlsOver(database);
  const loaded = await controls.load(2);
  const waitOf = async () => (await controls.batches.readSummary(controls.accountId, loaded.publicId)).wait;
  const throttle = (changes: Partial<Throttle>, source = 'upstream') =>
    writeThrottle(database.app.sql, calledSource(source), { ...asked, ...changes });
  return { ...controls, ...loaded, database, waitOf, throttle };
}

type Opened = Awaited<ReturnType<typeof open>>;

const asked: Throttle = {
  cause: 'rate_limit',
  bound: null,
  reason: 'it asks us to slow down',
  delayMs: 60_000,
};
const spent = {
  kind: 'budget',
  reason: 'spent',
  delayMs: 60_000,
  cause: 'day_spend',
  bound: '5 USD',
} as const;

describe('the wait of a batch', () => {
  test('names the cause and the limit of a cap until it ends', async () => {
    const { work, dispatch, control, accountId, batchId, publicId, waitOf } = await open();
    await work.deferBatch(batchId, spent);
    expect(await waitOf()).toMatchObject({ cause: 'day_spend', bound: '5 USD', reason: 'spent' });
    await control.resume(accountId, publicId, {});
    expect(await waitOf()).toBeNull();
    await work.deferBatch(batchId, { kind: 'failing', reason: 'no answer', delayMs: 0 });
    expect(await waitOf()).toMatchObject({ cause: 'circuit_breaker', bound: null });
    await dispatch.wakeBatches();
    expect(await waitOf()).toBeNull();
  });

  test('is plain when a process of an earlier or a later release stored it', async () => {
    const { database, work, batchId, waitOf } = await open();
    const move = (set: string) =>
      database.app.pool.query(`UPDATE nightshift.batches SET ${set} WHERE id = $1`, [batchId]);
    await work.deferBatch(batchId, spent);
    // An earlier release writes these columns only.
    await move("state = 'running', state_reason = NULL, wait_until = NULL, wait_kind = NULL");
    await move("state = 'waiting_for_source', state_reason = 'spent again', wait_kind = 'budget'");
    expect(await waitOf()).toMatchObject({ cause: null, bound: null, reason: 'spent again' });
    await move("wait_cause = 'moon_phase', wait_kind = 'lunar'");
    expect(await waitOf()).toMatchObject({ cause: null, reason: 'spent again' });
  });

  test('names the throttle of its source while it runs', async () => {
    const { database, throttle, waitOf } = await open();
    await throttle({}, 'another');
    expect(await waitOf()).toBeNull();
    await throttle({});
    expect(await waitOf()).toMatchObject({ cause: 'rate_limit', source: 'upstream', reason: asked.reason });
    await database.owner.pool.query('UPDATE nightshift.source_states SET throttled_until = now()');
    expect(await waitOf()).toBeNull();
  });
});

test.each([
  ['their time has come', ({ dispatch }: Opened) => dispatch.wakeBatches()],
  [
    'a limit of their account changes',
    ({ database }: Opened) =>
      createAccountService(database.app.sql).setLimits(
        'default',
        { atSources: new Map([['upstream', { callsPerDay: 5 }]]) },
        { actor: 'test', address: null },
      ),
  ],
])('batches that continue because %s are locked in the order of their ids', async (_, continueAll) => {
  const opened = await open({ readsIndexes: false });
  const { database, work, batchId } = opened;
  const later = await opened.load(3);
  // The first one is the last in the table, as the planner may read it when there are many.
  for (const id of [later.batchId, batchId])
    await work.deferBatch(id, { kind: 'budget', reason: 'used up', delayMs: 0, cause: 'account_day_calls' });
  const other = await database.owner.pool.connect();
  try {
    const lock = (id: number) =>
      other.query('SELECT FROM nightshift.batches WHERE id = $1 FOR NO KEY UPDATE', [id]);
    await other.query('BEGIN');
    await lock(batchId);
    const continued = continueAll(opened);
    await untilOneWaits(database);
    await lock(later.batchId);
    await other.query('COMMIT');
    await continued;
  } finally {
    other.release(true);
  }
  const { rows } = await database.owner.pool.query('SELECT DISTINCT state FROM nightshift.batches');
  expect(rows).toEqual([{ state: 'running' }]);
});

describe('the throttle of a source', () => {
  test('keeps a rate limit when the pace has to wait for its end, and takes a later one', async () => {
    const { throttle, waitOf } = await open();
    await throttle({ cause: 'pace', bound: '6 calls a minute', reason: null, delayMs: 10_000 });
    expect(await waitOf()).toMatchObject({ cause: 'pace', bound: '6 calls a minute' });
    await throttle({});
    await throttle({ cause: 'pace', bound: '6 calls a minute', reason: null, delayMs: 70_000 });
    expect(await waitOf()).toMatchObject({ cause: 'rate_limit' });
    await throttle({ reason: 'again', delayMs: 90_000 });
    await throttle({ reason: 'shorter', delayMs: 30_000 });
    expect(await waitOf()).toMatchObject({ reason: 'again' });
  });
});

test('doctor reports the waits of sources and of batches with their causes', async () => {
  const { database, throttle, work, batchId } = await open();
  await throttle({});
  await database.owner.pool.query(
    `INSERT INTO nightshift.source_states (bucket, source, paused_until, pause_kind, pause_reason)
      VALUES ('b', 'broken', now() + interval '1 minute', 'failing', 'broken gives no answer')`,
  );
  await work.deferBatch(batchId, spent);
  const waits = await readSourceWaits(database.owner.pool);
  const findings = waits.map((each) => evaluateWait(each, new Date()));
  expect(findings.map(({ name, status }) => [name, status])).toEqual([
    ['calls to broken', 'warning'],
    ['calls to upstream', 'warning'],
    ['waiting batches', 'warning'],
  ]);
  const texts = findings.map(({ found }) => found);
  expect(texts[0]).toMatch(/^waiting \(circuit breaker\): broken gives no answer, until \d\d:\d\d:\d\d UTC$/);
  expect(texts[1]).toMatch(/^waiting \(rate limit of the source\): it asks us to slow down, until /);
  expect(texts[2]).toMatch(/^waiting \(daily cap of 5 USD\): until .* UTC \(batches: 1\)$/);
});
