import { expect, test } from 'vitest';
import { createIdempotencyStore } from '../../../db/stores/accounts/stored-responses.ts';
import { createDispatchStore } from '../../../db/stores/work/dispatch.ts';
import { createPostgresRateLimitStore } from '../../../db/stores/sources/rate-limits.ts';
import { checkPace } from '../../../db/verify/pace.ts';
import { openTestDatabase, type TestDatabase } from '../../support/db/database.ts';
import { untilOneWaits } from '../../support/lock-waits.ts';
import { claimWork } from '../../support/queue/claimed-work.ts';
import { defaultAccountId } from '../../support/sources/snapshots.ts';

const leaseMs = 60_000;
const hourMs = 3_600_000;

async function openClaimed() {
  const database = await openTestDatabase();
  const dispatch = createDispatchStore(database.app.sql);
  const { claims } = await claimWork(database.app, ['a.com', 'b.com'], { chunkSize: 1, leaseMs });
  const follow = () => dispatch.followClock(leaseMs);
  return { database, dispatch, claims, follow };
}

function change({ owner }: TestDatabase, statement: string): Promise<unknown> {
  return owner.pool.query(statement);
}

async function read({ owner }: TestDatabase, expression: string): Promise<unknown> {
  const { rows } = await owner.pool.query<{ value: unknown }>(`SELECT ${expression} AS value`);
  return rows[0]?.value;
}

/** As if the clock of the server had shown a time this much later until now. */
async function setBack(database: TestDatabase, by = '1 day'): Promise<void> {
  await change(database, `UPDATE nightshift.server_clock SET seen_at = now() + interval '${by}'`);
}

test('leases move back with a clock that was set back, and chunks of dead workers are found in time', async () => {
  const { database, dispatch, follow } = await openClaimed();
  expect(await follow()).toBe(0);
  await change(
    database,
    `UPDATE nightshift.chunks SET lease_until = lease_until + interval '1 day' WHERE id = (SELECT min(id) FROM nightshift.chunks)`,
  );
  await setBack(database);
  expect(await follow()).toBeGreaterThan(24 * hourMs - leaseMs);
  expect(
    await read(
      database,
      `(SELECT array_agg(lease_until BETWEEN now() AND now() + interval '70 seconds') FROM nightshift.chunks)`,
    ),
  ).toEqual([true, true]);
  expect(await follow()).toBe(0);
  await change(database, `UPDATE nightshift.chunks SET lease_until = lease_until - interval '70 seconds'`);
  expect(await dispatch.listLapsed(10)).toHaveLength(2);
});

test('a clock that goes on, and one of another server that is a little behind, move nothing', async () => {
  const { database, follow } = await openClaimed();
  await follow();
  await change(database, `UPDATE nightshift.chunks SET lease_until = now() + interval '3 days'`);
  for (const by of ['0.9 seconds', '-1 day', '-5 seconds']) {
    await setBack(database, by);
    expect([by, await follow()]).toEqual([by, 0]);
  }
  expect(
    await read(database, `(SELECT min(lease_until) > now() + interval '2 days' FROM nightshift.chunks)`),
  ).toBe(true);
  expect(await read(database, '(SELECT count(*)::integer FROM nightshift.clock_setbacks)')).toBe(0);
});

test('slots, pauses and calls in flight move back with the clock', async () => {
  const { database, claims, follow } = await openClaimed();
  await follow();
  const slots = createPostgresRateLimitStore(database.app.sql);
  await slots.delay('a', 24 * hourMs + 5000);
  const lookup = claims[0]?.lookups[0]?.lookupId ?? 0n;
  await change(
    database,
    `INSERT INTO nightshift.source_states (bucket, source, paused_until, throttled_until)
       VALUES ('a', 'upstream', now() + interval '1 day 10 minutes', now() - interval '1 hour');
     INSERT INTO nightshift.source_calls (lookup_id, source, request_key, bucket, sent_at)
       VALUES (${lookup}, 'upstream', 'k', 'a', now() + interval '23 hours 59 minutes');
     UPDATE nightshift.batches SET state = 'waiting_for_source', wait_until = now() + interval '1 day 20 seconds'`,
  );
  await setBack(database);
  await follow();
  const { waitMs } = await slots.take('a', { intervalMs: 1000, waitMsMax: 0, count: 1 });
  expect(waitMs).toBeLessThan(60_000);
  expect(
    await read(
      database,
      `(SELECT ARRAY[paused_until BETWEEN now() + interval '8 minutes' AND now() + interval '10 minutes',
          throttled_until < now() - interval '59 minutes'] FROM nightshift.source_states)`,
    ),
  ).toEqual([true, true]);
  expect(await read(database, `(SELECT sent_at < now() FROM nightshift.source_calls)`)).toBe(true);
  expect(
    await read(database, `(SELECT wait_until < now() + interval '1 minute' FROM nightshift.batches)`),
  ).toBe(true);
});

test('calls of the day count again after the clock was set back over midnight, for sources and accounts', async () => {
  const { database, claims, follow } = await openClaimed();
  await follow();
  const lookup = claims[0]?.lookups[0]?.lookupId ?? 0n;
  const today = "(now() AT TIME ZONE 'UTC')::date";
  await change(
    database,
    `INSERT INTO nightshift.source_states (bucket, source, day, day_calls) VALUES ('a', 'upstream', ${today} + 1, 1), ('b', 'other', NULL, 0);
     INSERT INTO nightshift.account_source_limits (account_id, source, calls_per_day, day, day_calls)
       VALUES (${defaultAccountId}, 'upstream', 9, ${today}, 1);
     INSERT INTO nightshift.source_calls (lookup_id, source, request_key, bucket, sent_at, answered_at, answer, account_id)
       SELECT ${lookup}, 'upstream', a, 'a', now() + l::interval, now(), a, ${defaultAccountId}
       FROM unnest('{none,found,not_sent}'::text[], '{0,1 day,0}'::text[]) AS c(a, l)
       UNION ALL SELECT ${lookup}, 'upstream', 'k', 'a', now() - interval '1 day', now(), 'none', ${defaultAccountId}`,
  );
  await setBack(database);
  await follow();
  expect(
    await read(
      database,
      `(SELECT array_agg(day_calls || ' ' || (day = ${today})) FROM nightshift.source_states WHERE day IS NOT NULL)`,
    ),
  ).toEqual(['2 true']);
  expect(
    await read(
      database,
      `(SELECT array_agg(day_calls || ' ' || (day = ${today})) FROM nightshift.account_source_limits)`,
    ),
  ).toEqual(['2 true']);
});

test.each([
  ['that resumes and then lets its source be probed', 'batches', 'source_states'],
  ['that is drained', 'batches', 'chunks'],
  ['whose call begins', 'source_states', 'account_source_limits'],
  ['whose call is renewed', 'source_states', 'source_calls'],
  ['whose call ends', 'source_calls', 'source_states'],
])('a batch %s while the clock is followed fails nothing', async (_, first, second) => {
  const { database, claims, follow } = await openClaimed();
  await follow();
  const lookup = claims[0]?.lookups[0]?.lookupId ?? 0n;
  await change(
    database,
    `INSERT INTO nightshift.source_states (bucket, source, paused_until) VALUES ('a', 'upstream', now() + interval '1 day');
     INSERT INTO nightshift.account_source_limits (account_id, source, search_until)
       VALUES (${defaultAccountId}, 'upstream', now() + interval '1 day');
     INSERT INTO nightshift.source_calls (lookup_id, source, request_key, bucket, sent_at)
       VALUES (${lookup}, 'upstream', 'k', 'a', now() + interval '23 hours');
     UPDATE nightshift.chunks SET lease_until = lease_until + interval '1 day';
     UPDATE nightshift.batches SET wait_until = now() + interval '1 day'`,
  );
  await setBack(database);
  const other = await database.owner.pool.connect();
  try {
    await other.query(`BEGIN; SELECT FROM nightshift.${first} FOR NO KEY UPDATE`);
    const following = follow();
    await Promise.race([following, untilOneWaits(database)]);
    await other.query(`SELECT FROM nightshift.${second} FOR NO KEY UPDATE; COMMIT`);
    expect(await following).toBeGreaterThan(0);
  } finally {
    other.release(true);
  }
});

test('every wait of other work moves back with the clock', async () => {
  const { database, follow } = await openClaimed();
  await follow();
  const ahead = `now() + interval '1 day 1 minute'`;
  await change(
    database,
    `INSERT INTO nightshift.probe_sessions (mx_group, token, ends_at) VALUES ('g', gen_random_uuid(), ${ahead});
     INSERT INTO nightshift.probe_blocks (mx_group, egress, finding, until) VALUES ('g', 'e', 'f', ${ahead});
     INSERT INTO nightshift.idempotency_keys (account_id, key, request_id, fingerprint, token, lease_until)
       SELECT min(id), 'k', 'r', 'f', gen_random_uuid(), ${ahead} FROM nightshift.accounts`,
  );
  await setBack(database);
  await follow();
  for (const [table, column] of [
    ['probe_sessions', 'ends_at'],
    ['probe_blocks', 'until'],
    ['idempotency_keys', 'lease_until'],
  ] as const)
    expect([
      table,
      await read(
        database,
        `(SELECT ${column} BETWEEN now() - interval '1 minute' AND now() + interval '2 minutes' FROM nightshift.${table})`,
      ),
    ]).toEqual([table, true]);
});

test('calls of moments that the clock showed twice do not break the pace', async () => {
  const { database, claims, follow } = await openClaimed();
  await follow();
  const lookup = claims[0]?.lookups[0]?.lookupId ?? 0n;
  await change(
    database,
    `INSERT INTO nightshift.source_calls (lookup_id, source, request_key, bucket, sent_at, answered_at, answer)
       SELECT ${lookup}, 'upstream', n::text, 'a', now() - interval '1 minute', now(), 'none' FROM generate_series(1, 20) n`,
  );
  const paces = new Map([['upstream', { requestsPerSecond: 2, burst: 1 }]]);
  const check = () =>
    checkPace(database.app.sql, { paces, calls: { after: 0n, to: 1_000_000n }, before: [], proved: 0 });
  expect((await check()).broken).toHaveLength(1);
  await change(
    database,
    `INSERT INTO nightshift.clock_setbacks VALUES (now(), now() - interval '50 seconds')`,
  );
  expect((await check()).broken).toEqual([]);
});

test('a lease that was taken after the clock was set back lasts', async () => {
  const { database, follow } = await openClaimed();
  await follow();
  const keys = createIdempotencyStore(database.app.sql);
  const claim = () =>
    keys.claim({
      accountId: defaultAccountId,
      key: 'k',
      requestId: 'r',
      fingerprint: Buffer.from('f'),
      leaseMs,
    });
  expect(await claim()).toMatchObject({ kind: 'claimed' });
  await change(
    database,
    `INSERT INTO nightshift.probe_sessions (mx_group, token, ends_at) VALUES ('g', gen_random_uuid(), now() + interval '30 seconds')`,
  );
  await setBack(database, '1 hour');
  expect(await follow()).toBeGreaterThan(0);
  expect(await claim()).toEqual({ kind: 'in_flight' });
  expect(await read(database, '(SELECT ends_at > now() FROM nightshift.probe_sessions)')).toBe(true);
});

test('a lease that is renewed while the clock is followed lasts', async () => {
  const { database, dispatch, follow } = await openClaimed();
  await follow();
  await change(database, `UPDATE nightshift.chunks SET lease_until = lease_until + interval '1 hour'`);
  await setBack(database, '1 hour');
  const worker = await database.owner.pool.connect();
  try {
    await worker.query('BEGIN; SELECT id FROM nightshift.chunks FOR NO KEY UPDATE');
    const following = follow();
    await untilOneWaits(database);
    await worker.query(
      `UPDATE nightshift.chunks SET lease_until = clock_timestamp() + ${leaseMs} * interval '1 millisecond'; COMMIT`,
    );
    expect(await following).toBeGreaterThan(0);
  } finally {
    worker.release();
  }
  expect(await dispatch.listLapsed(10)).toEqual([]);
});
