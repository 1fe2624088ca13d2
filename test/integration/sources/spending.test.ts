import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createBatchControl } from '../../../db/stores/batches/batch-control.ts';
import { createSourcePrices } from '../../../db/stores/sources/source-prices.ts';
import { SourcePaused } from '../../../src/core/errors.ts';
import type { Begun } from '../../../src/core/sources/call-log.ts';
import type { BatchBounds } from '../../../src/core/batches/batch.ts';
import type { Spend } from '../../../src/core/sources/spend.ts';
import { claimWork } from '../../support/queue/claimed-work.ts';
import { createTestDatabase, openTestDatabase, type TestDatabase } from '../../support/db/database.ts';
import { untilOneWaits } from '../../support/lock-waits.ts';
import { randomRuns } from '../../support/faults/random-runs.ts';
import { takeSeedNumber } from '../../support/seed-number.ts';
import {
  begunId,
  callEnd,
  calledSource,
  freeCaller,
  newCall,
  openSourceCallLog,
} from '../../support/stand-in/call-logs.ts';

const usd = (amount: string): Spend => ({ amount, currency: 'USD' });
const setPrice = ({ app }: TestDatabase, source: string, amount: string, currency = 'USD') =>
  createSourcePrices(app.sql).set({ source, amount, currency, unit: 'call', note: null });

async function openCalls(companies = ['a.com']) {
  return openCallsIn(await openTestDatabase(), companies);
}

async function openCallsIn(database: TestDatabase, companies: readonly string[]) {
  const { claims } = await claimWork(database.app, companies);
  const lookups = claims.flatMap((claim) => claim.lookups.map(({ lookupId }) => lookupId));
  const [lookupId = 0n] = lookups;
  const [batch] = (await database.owner.pool.query<{ id: string }>('SELECT id FROM nightshift.batches')).rows;
  const boundBatch = ({ amount, currency }: Spend) =>
    database.owner.pool.query(
      `INSERT INTO nightshift.batch_spending VALUES ($1, $2, $3, nightshift.spent_by_batch($1))
        ON CONFLICT (batch_id) DO UPDATE SET amount = excluded.amount`,
      [batch?.id, amount, currency],
    );
  return { database, lookupId, boundBatch, callLog: openSourceCallLog(database) };
}

/** Cost of all calls by the bill, those without an end with their maximum. */
async function billed({ owner }: TestDatabase, source: string | null = null): Promise<number> {
  const found = await owner.pool.query<{ cost: string | null }>(
    `SELECT sum(coalesce(c.source_charge, c.units * p.amount)) AS cost
      FROM nightshift.source_calls c JOIN nightshift.source_prices p USING (source) WHERE source = coalesce($1, source)`,
    [source],
  );
  return Number(found.rows[0]?.cost ?? 0);
}

function kindsOf(begun: readonly Begun[]) {
  return begun.reduce<Record<string, number>>(
    (counts, { kind }) => ({ ...counts, [kind]: (counts[kind] ?? 0) + 1 }),
    {},
  );
}

describe('the cost of a day', () => {
  test('is reserved with its maximum before a call, over all processes', async () => {
    const { database, lookupId } = await openCalls();
    await setPrice(database, 'dear', '0.3');
    const source = calledSource('dear', { spendPerDay: usd('1') });
    const processes = [1, 2, 3, 4].map(() => openSourceCallLog(database));
    const begun = await Promise.all(
      processes.flatMap((log) => [1, 2, 3].map(() => log.begin(source, newCall(lookupId)))),
    );
    expect(kindsOf(begun)).toEqual({ begun: 3, full: 9 });
    expect(await billed(database)).toBeCloseTo(0.9);
  });

  test('is freed by calls that cost less, and names the budget once it is spent', async () => {
    const { database, lookupId, callLog } = await openCalls();
    await setPrice(database, 'dear', '0.3');
    const source = calledSource('dear', { spendPerDay: usd('1') });
    const call = newCall(lookupId, { unitsMax: 3 });
    const first = begunId(await callLog.begin(source, call));
    expect(await callLog.begin(source, call)).toEqual({ kind: 'full' });
    await callLog.end(source, first, callEnd({ units: 0 }));
    const second = begunId(await callLog.begin(source, call));
    await callLog.end(source, second, callEnd({ units: 1 }));
    expect(await callLog.begin(source, call)).toMatchObject({
      kind: 'paused',
      pause: {
        kind: 'budget',
        reason: 'the daily budget of 1 USD at dear is spent (0.3 used)',
        cause: 'day_spend',
        bound: '1 USD',
      },
    });
    expect(await callLog.begin(source, newCall(lookupId, { unitsMax: 2 }))).toMatchObject({ kind: 'begun' });
  });

  test('counts what the source reported, and calls that were cut off with their maximum', async () => {
    const { database, lookupId, callLog } = await openCalls();
    await setPrice(database, 'dear', '0.3');
    const source = calledSource('dear', { spendPerDay: usd('1') });
    const first = begunId(await callLog.begin(source, newCall(lookupId)));
    await callLog.end(source, first, callEnd({ units: 1, charged: 0.8 }));
    expect(await callLog.begin(source, newCall(lookupId))).toMatchObject({ kind: 'paused' });
    const cut = calledSource('cut', { spendPerDay: usd('1') });
    await setPrice(database, 'cut', '0.6');
    await callLog.begin(cut, newCall(lookupId));
    await database.owner.pool.query(
      "UPDATE nightshift.source_calls SET sent_at = sent_at - interval '2 minutes'",
    );
    expect(await callLog.begin(cut, newCall(lookupId))).toMatchObject({ kind: 'paused' });
  });

  test('counts calls from before the bound was set, and of processes without it', async () => {
    const { database, lookupId, callLog } = await openCalls();
    await setPrice(database, 'dear', '0.3');
    const [free, bounded] = [calledSource('dear'), calledSource('dear', { spendPerDay: usd('1') })];
    const spend = async (source: typeof free) =>
      callLog.end(source, begunId(await callLog.begin(source, newCall(lookupId))), callEnd());
    await spend(free);
    await spend(bounded);
    await spend(free);
    const other = openSourceCallLog(database);
    expect(await other.begin(bounded, newCall(lookupId))).toMatchObject({ kind: 'paused' });
  });

  test('starts again on the next day', async () => {
    const { database, lookupId, callLog } = await openCalls();
    await setPrice(database, 'dear', '1');
    const source = calledSource('dear', { spendPerDay: usd('1') });
    await callLog.end(source, begunId(await callLog.begin(source, newCall(lookupId))), callEnd());
    expect(await callLog.begin(source, newCall(lookupId))).toMatchObject({ kind: 'paused' });
    await database.owner.pool.query(
      `UPDATE nightshift.source_calls SET sent_at = sent_at - interval '1 day'`,
    );
    await database.owner.pool.query(`UPDATE nightshift.source_states SET spent_day = spent_day - 1`);
    expect(await callLog.begin(source, newCall(lookupId))).toMatchObject({ kind: 'begun' });
  });

  test('counts a call that was delayed past midnight on the day of its renewal', async () => {
    const { database, lookupId, callLog } = await openCalls();
    await setPrice(database, 'dear', '0.6');
    const source = calledSource('dear', { spendPerDay: usd('1') });
    const late = async () => {
      const callId = begunId(await callLog.begin(source, newCall(lookupId)));
      await database.owner.pool.query(
        `UPDATE nightshift.source_calls SET sent_at = sent_at - interval '1 day' WHERE id = $1`,
        [callId],
      );
      return { callId, isProbe: false };
    };
    const [first, second] = [await late(), await late()];
    expect(await callLog.renew(source, first, freeCaller)).toBe(true);
    expect(await callLog.begin(source, newCall(lookupId))).toEqual({ kind: 'full' });
    expect(await callLog.renew(source, second, freeCaller)).toBe(false);
    await callLog.end(source, first.callId, callEnd());
    await expect(callLog.renew(source, second, freeCaller)).rejects.toThrow(SourcePaused);
  });

  test.each([
    ['has its price in searches', 'searches'],
    ['has no price', null],
  ])('begins no call at a source that %s, and states the remedy', async (state, currency) => {
    const { database, lookupId, callLog } = await openCalls();
    if (currency !== null) await setPrice(database, 'dear', '1', currency);
    const source = calledSource('dear', { spendPerDay: usd('1') });
    const refused = await callLog.begin(source, newCall(lookupId));
    expect(refused).toMatchObject({ kind: 'paused', pause: { kind: 'declined' } });
    const reason = refused.kind === 'paused' ? refused.pause.reason : '';
    expect(reason).toContain(`dear ${state}`);
    expect(reason).toContain('`nightshift prices source dear AMOUNT --currency USD`');
    expect(await callLog.begin(source, newCall(lookupId, { unitsMax: 0 }))).toMatchObject({ kind: 'begun' });
  });
});

describe('the cost of a batch', () => {
  test('is bounded over all its sources, and leaves other work alone', async () => {
    const { database, lookupId, boundBatch, callLog } = await openCalls();
    await setPrice(database, 'one', '0.3');
    await setPrice(database, 'two', '0.5');
    await boundBatch(usd('1'));
    const [one, two] = [calledSource('one'), calledSource('two')];
    const spend = async (source: typeof one) =>
      callLog.end(source, begunId(await callLog.begin(source, newCall(lookupId))), callEnd());
    await spend(one);
    await spend(two);
    expect(await callLog.begin(two, newCall(lookupId))).toMatchObject({
      kind: 'paused',
      pause: {
        kind: 'budget',
        reason:
          'the budget of 1 USD for the calls of this batch is spent (0.8 used); a larger --max-spend continues it',
      },
    });
    // The next call of another batch or request is not concerned.
    const both = await Promise.all([
      callLog.begin(two, newCall(lookupId)),
      callLog.begin(two, newCall(lookupId + 1_000_000n)),
    ]);
    expect(both.map(({ kind }) => kind)).toEqual(['paused', 'full']);
    expect(await callLog.begin(two, newCall(lookupId + 1_000_000n))).toMatchObject({ kind: 'begun' });
    await boundBatch(usd('1.3'));
    expect(await callLog.begin(two, newCall(lookupId))).toMatchObject({ kind: 'begun' });
  });
});

test('calls of a batch to two sources at once are admitted one after the other', async () => {
  const { database, lookupId, boundBatch, callLog } = await openCalls();
  await setPrice(database, 'one', '0.6');
  await setPrice(database, 'two', '0.6');
  await boundBatch(usd('1'));
  const other = await database.owner.pool.connect();
  try {
    await other.query('BEGIN');
    const admitted = await other.query(
      `SELECT admitted FROM nightshift.admit_calls('one', 'one:bucket', 1, NULL, NULL, 60000, 1000, ARRAY[$1::bigint], ARRAY[1::numeric], NULL, NULL)`,
      [String(lookupId)],
    );
    expect(admitted.rows).toEqual([{ admitted: 1 }]);
    await other.query(
      `INSERT INTO nightshift.source_calls (lookup_id, source, bucket, request_key, units, sent_at)
        VALUES ($1, 'one', 'one:bucket', 'key', 1, clock_timestamp())`,
      [String(lookupId)],
    );
    const begun = callLog.begin(calledSource('two'), newCall(lookupId));
    const isFirst = await Promise.race([begun.then(() => true), untilOneWaits(database).then(() => false)]);
    expect(isFirst).toBe(false);
    await other.query('COMMIT');
    expect(await begun).toEqual({ kind: 'full' });
  } finally {
    other.release(true);
  }
});

test('a first bound of a batch counts calls that end while it is set', async () => {
  const { database, lookupId, callLog } = await openCalls();
  await setPrice(database, 'one', '0.6');
  const call = begunId(await callLog.begin(calledSource('one'), newCall(lookupId)));
  const other = await database.owner.pool.connect();
  try {
    await other.query('BEGIN');
    await other.query('UPDATE nightshift.source_calls SET answered_at = now() WHERE id = $1', [String(call)]);
    await other.query(
      `SELECT nightshift.record_results(ARRAY['one:bucket'], ARRAY[1], ARRAY[false], ARRAY[]::bigint[], 20, ARRAY[$1::bigint], ARRAY[1::numeric],
        ARRAY[NULL::numeric])`,
      [String(call)],
    );
    const set = resume(database, { maxSpend: usd('1') });
    await Promise.race([set, untilOneWaits(database)]);
    await other.query('COMMIT');
    await set;
  } finally {
    other.release(true);
  }
  expect(await spentByBatch(database)).toEqual({ spent: 0.6, expected: 0.6 });
});

test('a bound of a batch is changed while a call ends, and neither fails', async () => {
  const { database, lookupId, boundBatch, callLog } = await openCalls();
  await setPrice(database, 'one', '0.6');
  await boundBatch(usd('1'));
  await callLog.pause(calledSource('one'), { kind: 'refused', reason: 'no', delayMs: 60_000 });
  await database.owner.pool.query("UPDATE nightshift.batches SET state = 'paused', sources = '{one}'");
  const other = await database.owner.pool.connect();
  try {
    await other.query('BEGIN');
    await other.query(
      "UPDATE nightshift.source_states SET day_calls = day_calls WHERE bucket = 'one:bucket'",
    );
    const set = resume(database, { maxSpend: usd('2') });
    await untilOneWaits(database);
    const ended = other.query('UPDATE nightshift.batch_spending SET spent = spent + 1');
    await ended.then(() => other.query('COMMIT'));
    await set;
  } finally {
    other.release(true);
  }
  expect(await callLog.begin(calledSource('one'), newCall(lookupId))).toMatchObject({ isProbe: true });
});

const step = fc.record({
  process: fc.nat(2),
  source: fc.constantFrom('one', 'two'),
  unitsMax: fc.integer({ min: 0, max: 4 }),
  share: fc.double({ min: 0, max: 1, noNaN: true }),
  /** Calls that end late are in flight together; a lost one never ends. */
  ends: fc.constantFrom('now', 'late', 'never'),
});

test('no bound is ever exceeded, for any calls of several processes, ends, losses and restarts', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 40 }), async (steps) => {
      const database = await createTestDatabase();
      try {
        await expectWithinBounds(database, steps);
      } finally {
        // Not at the end of the test: the runs together would need too many connections.
        await database.close();
      }
    }),
    { seed: takeSeedNumber(), numRuns: randomRuns(200) },
  );
});

type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

async function expectWithinBounds(database: TestDatabase, steps: readonly Step[]): Promise<void> {
  const { lookupId, boundBatch } = await openCallsIn(database, ['a.com']);
  await setPrice(database, 'one', '0.1');
  await setPrice(database, 'two', '0.07');
  await boundBatch(usd('1.5'));
  const sources = {
    one: calledSource('one', { spendPerDay: usd('1') }),
    two: calledSource('two', { spendPerDay: usd('0.9') }),
  };
  const processes = [1, 2, 3].map(() => openSourceCallLog(database));
  const late: (() => Promise<unknown>)[] = [];
  await Promise.all(
    steps.map(async ({ process, source: name, unitsMax, share, ends }) => {
      const [log, source] = [processes[process], sources[name]];
      const begun = await log?.begin(source, newCall(lookupId, { unitsMax }));
      if (begun?.kind !== 'begun') return;
      const end = () => log?.end(source, begun.callId, callEnd({ units: unitsMax * share }));
      if (ends === 'now') await end();
      else if (ends === 'late') late.push(async () => end());
    }),
  );
  expect(await billed(database, 'one')).toBeLessThanOrEqual(1 + 1e-9);
  expect(await billed(database, 'two')).toBeLessThanOrEqual(0.9 + 1e-9);
  expect(await billed(database)).toBeLessThanOrEqual(1.5 + 1e-9);
  await Promise.all(late.map((end) => end()));
  const { spent, expected } = await spentByBatch(database);
  expect(spent).toBeCloseTo(expected, 9);
}

async function spentByBatch({ owner }: TestDatabase) {
  const { rows } = await owner.pool.query<{ spent: string; expected: string }>(
    'SELECT s.spent, nightshift.spent_by_batch(s.batch_id) AS expected FROM nightshift.batch_spending s',
  );
  return { spent: Number(rows[0]?.spent), expected: Number(rows[0]?.expected) };
}

/** Resumes the batch with other bounds. */
async function resume({ app, owner }: TestDatabase, changes: Partial<BatchBounds>): Promise<void> {
  const { rows } = await owner.pool.query<{ public_id: string; account_id: string }>(
    'SELECT public_id, account_id FROM nightshift.batches',
  );
  const control = createBatchControl(app.sql).actingAs('cli');
  await control.resume(Number(rows[0]?.account_id), rows[0]?.public_id ?? '', changes);
}

test('the bound of a batch is stored, replaced by a later run, and lifted by a run without one', async () => {
  const { database } = await openCalls();
  const set = async (maxSpend: Spend | null | undefined) => {
    await database.owner.pool.query("UPDATE nightshift.batches SET state = 'paused'");
    await resume(database, maxSpend === undefined ? {} : { maxSpend });
    const found = await database.owner.pool.query(
      'SELECT trim_scale(amount)::text AS amount, currency FROM nightshift.batch_spending',
    );
    return found.rows as unknown[];
  };
  expect(await set(usd('5'))).toEqual([usd('5')]);
  expect(await set(undefined)).toEqual([usd('5')]);
  expect(await set(usd('0.002'))).toEqual([usd('0.002')]);
  expect(await set(null)).toEqual([]);
});
