import { describe, expect, test } from 'vitest';
import { createBatchControl } from '../../../db/stores/batches/batch-control.ts';
import { createBatchStore } from '../../../db/stores/batches/batches.ts';
import { createDispatchStore } from '../../../db/stores/work/dispatch.ts';
import { createLedger } from '../../../db/stores/credits/ledger.ts';
import type { LookupResult } from '../../../src/core/work/outcomes.ts';
import { openTestDatabase, type TestDatabase } from '../../support/db/database.ts';
import { examplePayloads } from '../../support/events/event-payloads.ts';
import { readStoredEvents } from '../../support/events/read-events.ts';
import { shapeOf } from '../../support/events/shape-of.ts';
import {
  answerAll,
  found,
  loadFixtureBatch,
  takeChunk,
  type FixtureBatch,
} from '../../support/db/fixture.ts';

const accountId = 1;
const credit = 1_000_000n;
const none = { kind: 'none', matchedBy: 'domain' } as const;
const failed = { kind: 'failed', reason: 'source_unreadable' } as const;

describe('events of a batch', () => {
  test('include one completion with counts and credits', async () => {
    const { database, work, load } = await openWork(10n * credit);
    const batch = await load(['a.com', 'b.com', 'c.com']);
    await work([found(['cr-1']), none, failed]);
    await createDispatchStore(database.app.sql).finishBatches();
    const events = await readStoredEvents(database);
    expect(events).toMatchObject([
      {
        event: 'batch.completed',
        payload: {
          batch: batch.publicId,
          file_name: 'list.csv',
          state: 'finished',
          reason: null,
          rows: { total: 3, rejected: 0 },
          outcomes: {
            total: 3,
            found: 1,
            none: 1,
            no_match: 0,
            completed: 0,
            failed: 1,
            cancelled: 0,
            open: 0,
          },
          credits: { spent: 0.2, left: 9.8 },
        },
      },
    ]);
    expect(events[0]?.eventId).toMatch(/^evt_[0-9a-f]{12}7[0-9a-f]{19}$/);
  });

  test('report a batch whose lookups all failed as failed', async () => {
    const { database, work, load } = await openWork(10n * credit);
    await load(['a.com', 'b.com']);
    await work([failed, failed]);
    expect(await readStoredEvents(database)).toMatchObject([
      { event: 'batch.failed', payload: { outcomes: { total: 2, failed: 2 } } },
    ]);
  });

  test('report a batch without companies as completed', async () => {
    const { database, work, load } = await openWork(10n * credit);
    await load([]);
    await work([]);
    expect(await readStoredEvents(database)).toMatchObject([{ event: 'batch.completed' }]);
  });

  test('include another completion after a retry, which counts repeated lookups once', async () => {
    const { database, work, load } = await openWork(10n * credit);
    const { publicId } = await load(['a.com', 'b.com']);
    await work([failed, failed]);
    await createBatchControl(database.app.sql).retry(accountId, publicId, 'certain');
    await work([found(['cr-1']), failed]);
    expect(await readStoredEvents(database)).toMatchObject([
      { event: 'batch.failed' },
      { event: 'batch.completed', payload: { outcomes: { total: 2, found: 1, failed: 1, open: 0 } } },
    ]);
  });

  test('include every wait for credits, with its reason', async () => {
    const { database, work, load } = await openWork(credit / 5n);
    const { batchId } = await load(['a.com', 'b.com', 'c.com']);
    await work([found(['cr-1'])]);
    await work([]);
    await createLedger(database.app.sql).grant(accountId, [grantOf(credit / 5n)]);
    await createBatchStore(database.app).wake(batchId);
    await work([found(['cr-2'])]);
    await work([]);
    expect(await readStoredEvents(database)).toMatchObject([
      {
        event: 'batch.waiting_for_credits',
        payload: {
          state: 'waiting_for_credits',
          reason: 'the balance is below the price of a result (0.2 credits)',
          outcomes: { found: 1, open: 2 },
          credits: { spent: 0.2, left: 0 },
        },
      },
      { event: 'batch.waiting_for_credits', payload: { outcomes: { found: 2, open: 1 } } },
    ]);
  });

  test('of a scan include a wait for credits, but no completion', async () => {
    const { database, work, load } = await openWork(credit / 5n);
    const { batchId } = await load(['a.com', 'b.com']);
    await asScan(database, batchId);
    await work([found(['cr-1'])]);
    await work([]);
    await createLedger(database.app.sql).grant(accountId, [grantOf(credit)]);
    await createBatchStore(database.app).wake(batchId);
    await work([found(['cr-2'])]);
    const { rows } = await database.owner.pool.query('SELECT state FROM nightshift.batches');
    expect(rows).toEqual([{ state: 'finished' }]);
    expect(await readStoredEvents(database)).toMatchObject([{ event: 'batch.waiting_for_credits' }]);
  });

  test('do not include pauses, cancellations and waits for a source', async () => {
    const { database, load } = await openWork(credit);
    const { batchId } = await load(['a.com']);
    for (const state of ['paused', 'waiting_for_source', 'cancelled'])
      await database.app.pool.query('UPDATE nightshift.batches SET state = $1 WHERE id = $2', [
        state,
        batchId,
      ]);
    expect(await readStoredEvents(database)).toEqual([]);
  });

  test('are not emitted by a transaction that is rolled back', async () => {
    const { database, load } = await openWork(credit);
    const { batchId } = await load(['a.com']);
    const client = await database.app.pool.connect();
    await client.query('BEGIN');
    await client.query(`UPDATE nightshift.batches SET state = 'finished' WHERE id = ${batchId}`);
    await client.query('ROLLBACK');
    client.release();
    expect(await readStoredEvents(database)).toEqual([]);
  });
});

test('payloads match their documented schemas', async () => {
  const { database, work, load } = await openWork(credit);
  await setLow(database, 900_000n);
  await load(['a.com', 'b.com']);
  await work([found(['cr-1']), none]);
  await load(['c.com'], 'failed.csv');
  await work([failed]);
  await load(['d.com', 'e.com', 'f.com', 'g.com', 'h.com'], 'poor.csv');
  await work(['d', 'e', 'f', 'g'].map((id) => found([`cr-${id}`])));
  await work([]);
  const events = await readStoredEvents(database);
  const reported = new Map(events.map(({ event, payload }) => [event, shapeOf(payload)]));
  for (const event of [
    'batch.completed',
    'batch.failed',
    'batch.waiting_for_credits',
    'credits.low',
  ] as const)
    expect(reported.get(event), event).toEqual(shapeOf(examplePayloads[event]));
});

describe('credits.low', () => {
  test('is emitted once per fall of the available credits below the threshold', async () => {
    const { database, work, load } = await openWork(101n * credit);
    await load(Array.from({ length: 10 }, (_, i) => `c${i}.com`));
    // Holding 2 credits takes the balance below 100, and charging 1 does not.
    await work(Array.from({ length: 10 }, (_, i) => (i < 5 ? found([`cr-${i}`]) : none)));
    expect(await lowCreditEvents(database)).toEqual([]);

    await load(['d1.com', 'd2.com'], 'second.csv');
    await work([found(['cr-11']), found(['cr-12'])]);
    expect(await lowCreditEvents(database)).toEqual([{ balance: 99.6, held: 0, threshold: 100 }]);

    await createLedger(database.app.sql).grant(accountId, [grantOf(credit)]);
    await load(['e1.com', 'e2.com', 'e3.com', 'e4.com'], 'third.csv');
    await work(['a', 'b', 'c', 'd'].map((id) => found([`cr-e${id}`])));
    expect(await lowCreditEvents(database)).toMatchObject([{ balance: 99.6 }, { balance: 99.8 }]);
  });

  test('uses the threshold of the account, and is not emitted below 0', async () => {
    const { database, work, load } = await openWork(credit);
    await setLow(database, 900_000n);
    await load(['a.com', 'b.com']);
    await work([found(['cr-1']), none]);
    expect(await lowCreditEvents(database)).toEqual([{ balance: 0.8, held: 0, threshold: 0.9 }]);
    await setLow(database, 0n);
    await load(['c.com', 'd.com', 'e.com', 'f.com'], 'rest.csv');
    await work(['2', '3', '4', '5'].map((id) => found([`cr-${id}`])));
    expect(await lowCreditEvents(database)).toHaveLength(1);
  });

  test('is not emitted to an account that was never above the threshold', async () => {
    const { database, work, load } = await openWork(credit);
    await load(['a.com']);
    await work([found(['cr-1'])]);
    expect(await lowCreditEvents(database)).toEqual([]);
  });
});

describe('emitted event', () => {
  test('is queued for the active webhooks of its account that subscribe to it', async () => {
    const { database } = await openWork(credit);
    await database.owner.pool.query(`
      INSERT INTO nightshift.accounts (id, name) OVERRIDING SYSTEM VALUE VALUES (7, 'other');
      INSERT INTO nightshift.webhooks (public_id, account_id, name, kind, target, events, state) VALUES
        ('whk_1', 1, 'all', 'email', 'a@b.co', '{schedule.missed,scan.changes}', 'active'),
        ('whk_2', 1, 'others', 'email', 'a@b.co', '{credits.low}', 'active'),
        ('whk_3', 1, 'off', 'email', 'a@b.co', '{scan.changes}', 'disabled'),
        ('whk_4', 1, 'gone', 'email', 'a@b.co', '{scan.changes}', 'removed'),
        ('whk_5', 7, 'foreign', 'email', 'a@b.co', '{scan.changes}', 'active'),
        ('whk_6', 1, 'second', 'email', 'a@b.co', '{scan.changes}', 'active')`);
    const make = (subject: string, webhooks: string) =>
      database.app.pool.query<{ id: string | null }>(
        `SELECT nightshift.emit_event(1, 'scan.changes', '${subject}', '{}', ${webhooks}) AS id`,
      );
    await make('scn_1', 'NULL');
    await make(
      'scn_2',
      `(SELECT array_agg(id) FROM nightshift.webhooks WHERE name IN ('second', 'off', 'foreign'))`,
    );
    expect((await make('scn_2', 'NULL')).rows).toEqual([{ id: null }]);
    expect(await readStoredEvents(database)).toMatchObject([
      { subject: 'scn_1', webhooks: ['all', 'second'] },
      { subject: 'scn_2', webhooks: ['second'] },
    ]);
  });
});

async function openWork(grantMicro: bigint) {
  const database = await openTestDatabase();
  await createLedger(database.app.sql).grant(accountId, [grantOf(grantMicro)]);
  return {
    database,
    load: (companies: readonly string[], fileName = 'list.csv'): Promise<FixtureBatch> =>
      loadFixtureBatch(database.app, accountId, { fileName, companies, withOddRows: false }),
    work: (answers: readonly LookupResult['answer'][]) => workOnce(database, answers),
  };
}

/** One iteration of a dispatcher and a worker: answers what the credits allow, in order. */
async function workOnce(database: TestDatabase, answers: readonly LookupResult['answer'][]): Promise<void> {
  const dispatch = createDispatchStore(database.app.sql);
  await dispatch.cutChunks({ chunksMax: 10, sizeOf: () => 100 });
  const left = [...answers];
  for (const chunk of await dispatch.listUnqueued(10)) {
    const claim = await takeChunk(database.app, chunk.chunkId, chunk.generation);
    await answerAll(database.app, claim, () => left.shift());
  }
  await dispatch.finishBatches();
}

function grantOf(amountMicro: bigint) {
  return { key: null, amountMicro, reason: 'a test' };
}

async function setLow({ app }: TestDatabase, lowMicro: bigint): Promise<void> {
  await app.pool.query('SELECT nightshift.set_low_credits(1, $1)', [lowMicro]);
}

async function lowCreditEvents(database: TestDatabase) {
  const events = await readStoredEvents(database);
  return events.filter(({ event }) => event === 'credits.low').map(({ payload }) => payload);
}

/** Turns the batch into a scan of a schedule. */
async function asScan({ owner }: TestDatabase, batchId: number): Promise<void> {
  await owner.pool.query(
    `WITH schedule AS (
        INSERT INTO nightshift.schedules (public_id, account_id, name, cron, time_zone, file_name, file_content, file_options, companies, sources,
          next_at)
        VALUES ('sch_1', 1, 'rivals', '0 2 * * *', 'UTC', 'list.csv', '', '{}', 2, '{upstream}', now()) RETURNING id
      )
      INSERT INTO nightshift.scans (public_id, account_id, schedule_id, due_at, cause, state, batch_id, begun_at)
      SELECT 'scn_1', 1, id, now(), 'tick', 'running', ${batchId}, now() FROM schedule`,
  );
}
