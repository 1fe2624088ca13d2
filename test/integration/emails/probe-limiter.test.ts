import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { withClient, type Database } from '../../../db/connection/client.ts';
import { createMailboxStore } from '../../../db/stores/emails/mailboxes.ts';
import {
  createPostgresProbeLimiter,
  type ProbeLimiterOptions,
} from '../../../db/stores/emails/probe-limiter.ts';
import { mailboxDigest, type ProbedMailbox } from '../../../src/core/emails/probing/mailbox.ts';
import type {
  ProbeLimiter,
  RecipientPermit,
  RecipientRequest,
  SessionLease,
} from '../../../src/core/emails/probing/probe-limiter.ts';
import { openTestDatabase, openTestPool, type TestDatabase } from '../../support/db/database.ts';

const wide = { groupPerMinute: 1000, domainPerDay: 1000, egressPerMinute: 1000 };

/** A limiter with its own connections, as in another process. */
function openLimiter(
  database: TestDatabase,
  {
    budgets = {},
    ...changed
  }: Partial<Omit<ProbeLimiterOptions, 'budgets'>> & {
    readonly budgets?: Partial<ProbeLimiterOptions['budgets']>;
  } = {},
): ProbeLimiter {
  return createPostgresProbeLimiter(openTestPool(database.url).sql, {
    egress: 'probe.example.org',
    leaseMs: 30_000,
    onError: (error) => {
      throw error;
    },
    ...changed,
    budgets: { ...wide, ...budgets },
  });
}

function recipientOf(
  changed: Partial<RecipientRequest> & { readonly localPart?: string } = {},
): RecipientRequest {
  const { localPart = randomUUID(), domain = 'acme.com', ...rest } = changed;
  return { provider: 'house', domain, digest: mailboxDigest(localPart, domain), room: 1, ...rest };
}

async function takeMany(
  limiters: readonly ProbeLimiter[],
  count: number,
  changed: Partial<RecipientRequest> = {},
) {
  const limiterOf = (i: number) => limiters[i % limiters.length] as ProbeLimiter;
  const taken = await Promise.all(
    Array.from({ length: count }, (_, i) => limiterOf(i).acquireRecipient(recipientOf(changed))),
  );
  return {
    granted: taken.filter(({ kind }) => kind === 'granted').length,
    waits: taken.flatMap((leave) => (leave.kind === 'wait' ? [leave.untilMs - Date.now()] : [])),
    refused: taken.filter(({ kind }) => kind === 'refused').length,
  };
}

/** Uses a budget until a time. Returns the times of its permits, by the database's clock, in milliseconds. */
async function useBudget(
  { pool }: Database,
  key: string,
  slices: { readonly max: number; readonly ms: number },
  untilMs: number,
) {
  const usedAt: number[] = [];
  while (Date.now() < untilMs) {
    const waitMs = await withClient(pool, async (client) => {
      await client.query('BEGIN');
      const { rows } = await client.query<{ wait: string }>(
        "SELECT nightshift.probe_budget_wait('group', $1, $2, 1, $3) AS wait",
        [key, slices.max, slices.ms],
      );
      const left = Number(rows[0]?.wait);
      if (left === 0) {
        const used = await client.query<{ at: number }>(
          `SELECT extract(epoch FROM clock_timestamp())::float8 * 1000 AS at, nightshift.use_probe_budget('group', $1, $2)`,
          [key, slices.ms],
        );
        usedAt.push(used.rows[0]?.at ?? 0);
      }
      await client.query('COMMIT');
      return left;
    });
    await wait(waitMs);
  }
  return usedAt;
}

test('a budget is never exceeded in any window, and has room after the announced wait', async () => {
  const database = await openTestDatabase();
  const slices = { max: 10, ms: 20 };
  const windowMs = 60 * slices.ms;
  const untilMs = Date.now() + 3 * windowMs;
  const pools = Array.from({ length: 4 }, () => openTestPool(database.url));
  const used = (
    await Promise.all([...pools, ...pools, ...pools].map((pool) => useBudget(pool, 'house', slices, untilMs)))
  ).flat();
  const fullest = Math.max(
    ...used.map((from) => used.filter((at) => at >= from && at < from + windowMs).length),
  );
  expect(fullest).toBe(slices.max);
  expect(used.length).toBeGreaterThanOrEqual(2 * slices.max);
});

test('a provider has one budget for all processes and sending hosts', async () => {
  const database = await openTestDatabase();
  const budgets = { groupPerMinute: 7 };
  const limiters = ['a.example.org', 'b.example.org', 'b.example.org'].map((egress) =>
    openLimiter(database, { egress, budgets }),
  );
  const { granted, waits } = await takeMany(limiters, 30);
  expect(granted).toBe(7);
  expect(waits).toHaveLength(23);
  expect(Math.max(...waits)).toBeLessThanOrEqual(61_000);
  expect(Math.min(...waits)).toBeGreaterThan(50_000);
  expect(await takeMany(limiters, 5, { provider: 'other house' })).toMatchObject({ granted: 5 });
});

test('a sending host has one budget for all providers', async () => {
  const database = await openTestDatabase();
  const budgets = { egressPerMinute: 6 };
  const [here, elsewhere] = ['a.example.org', 'b.example.org'].map((egress) =>
    Array.from({ length: 3 }, () => openLimiter(database, { egress, budgets })),
  ) as [ProbeLimiter[], ProbeLimiter[]];
  const counts = await Promise.all(['x', 'y', 'z'].map((provider) => takeMany(here, 10, { provider })));
  expect(counts.reduce((sum, { granted }) => sum + granted, 0)).toBe(6);
  expect(await takeMany(elsewhere, 6, { provider: 'x' })).toMatchObject({ granted: 6 });
});

test('a domain has a daily budget, and a denied recipient uses no other budget', async () => {
  const database = await openTestDatabase();
  const limiters = [1, 2, 3].map(() =>
    openLimiter(database, { budgets: { domainPerDay: 4, groupPerMinute: 8 } }),
  );
  expect(await takeMany(limiters, 20)).toMatchObject({ granted: 4, refused: 16 });
  expect(await takeMany(limiters, 4, { domain: 'other.com' })).toMatchObject({ granted: 4 });
  await database.owner.pool.query(
    "UPDATE nightshift.probe_budgets SET slices = ARRAY(SELECT s - 61 FROM unnest(slices) s) WHERE scope <> 'egress'",
  );
  expect(await takeMany(limiters, 4)).toMatchObject({ granted: 4 });
});

test('a request for two recipients uses one', async () => {
  const limiter = openLimiter(await openTestDatabase(), { budgets: { groupPerMinute: 3 } });
  const take = async (room: 1 | 2) => (await limiter.acquireRecipient(recipientOf({ room }))).kind;
  expect([await take(2), await take(2), await take(2), await take(1), await take(1)]).toEqual([
    'granted',
    'granted',
    'wait',
    'granted',
    'wait',
  ]);
});

test('a provider has one session at a time', async () => {
  const database = await openTestDatabase();
  const limiters = Array.from({ length: 4 }, () => openLimiter(database));
  const taken = await Promise.all(
    [...limiters, ...limiters, ...limiters].map((limiter) => limiter.acquireSession('house')),
  );
  const [held, ...others] = taken.flatMap((leave) => (leave.kind === 'granted' ? [leave] : []));
  expect(others).toEqual([]);
  expect(taken.filter(({ kind }) => kind === 'wait')).toHaveLength(11);
  const elsewhere = await limiters[0]?.acquireSession('other house');
  expect(elsewhere?.kind).toBe('granted');
  await held?.release();
  const next = await limiters[1]?.acquireSession('house');
  expect(next?.kind).toBe('granted');
  for (const leave of [elsewhere, next]) if (leave?.kind === 'granted') await leave.release();
  const left = await database.owner.pool.query('SELECT * FROM nightshift.probe_sessions');
  expect(left.rows).toEqual([]);
});

test('a lease is renewed while it is held, and expires after its process died', async () => {
  const database = await openTestDatabase();
  const [limiter, other] = [
    openLimiter(database, { leaseMs: 1_000 }),
    openLimiter(database, { leaseMs: 1_000 }),
  ];
  await database.app.pool.query(
    "SELECT nightshift.take_probe_session('house', 'dead.example.org', $1, 1000)",
    [randomUUID()],
  );
  const early = await limiter.acquireSession('house');
  expect(early).toMatchObject({ kind: 'wait' });
  await wait(1_020);
  const held = await limiter.acquireSession('house');
  onTestFinished(async () => void (held.kind === 'granted' && (await held.release())));
  expect(held.kind).toBe('granted');
  await wait(2_500);
  expect(await other.acquireSession('house')).toMatchObject({ kind: 'wait' });
});

test('a pause of a provider applies to the rejected sending host only', async () => {
  const database = await openTestDatabase();
  const [here, sameName, elsewhere] = ['a.example.org', 'a.example.org', 'b.example.org'].map((egress) =>
    openLimiter(database, { egress }),
  ) as [ProbeLimiter, ProbeLimiter, ProbeLimiter];
  const retryAt = await here.pause({ provider: 'house', domain: null, finding: 'sender_blocked' });
  expect(retryAt.getTime()).toBeGreaterThan(Date.now() + 5.9 * 3_600_000);
  for (const limiter of [here, sameName])
    expect(refusedUntil(await limiter.acquireSession('house'))).toEqual([
      'provider_paused',
      minuteOf(retryAt),
    ]);
  const kindOf = async (limiter: ProbeLimiter, provider: string) => {
    const leave = await limiter.acquireSession(provider);
    if (leave.kind === 'granted') await leave.release();
    return leave.kind;
  };
  expect(await kindOf(here, 'other house')).toBe('granted');
  expect(await kindOf(elsewhere, 'house')).toBe('granted');
  await database.owner.pool.query("UPDATE nightshift.probe_blocks SET until = until - interval '6 hours'");
  expect(await kindOf(here, 'house')).toBe('granted');
});

test('a pause of a domain applies to that domain and the rejected sending host only', async () => {
  const database = await openTestDatabase();
  const [here, elsewhere] = ['a.example.org', 'b.example.org'].map((egress) =>
    openLimiter(database, { egress }),
  ) as [ProbeLimiter, ProbeLimiter];
  const retryAt = await here.pause({ provider: 'house', domain: 'acme.com', finding: 'sender_blocked' });
  expect(refusedUntil(await here.acquireRecipient(recipientOf()))).toEqual([
    'domain_paused',
    minuteOf(retryAt),
  ]);
  const kindOf = async (limiter: ProbeLimiter, changed: Partial<RecipientRequest> = {}) =>
    (await limiter.acquireRecipient(recipientOf(changed))).kind;
  expect(await kindOf(here, { domain: 'other.com' })).toBe('granted');
  expect(await kindOf(here, { provider: 'other house' })).toBe('granted');
  expect(await kindOf(elsewhere)).toBe('granted');
  expect((await here.acquireSession('house')).kind).toBe('granted');
  await database.owner.pool.query("UPDATE nightshift.probe_blocks SET until = until - interval '6 hours'");
  expect(await kindOf(here)).toBe('granted');
});

test('a mailbox that was probed twice without an answer is denied for a day', async () => {
  const database = await openTestDatabase();
  const [limiter, other] = [openLimiter(database), openLimiter(database)];
  const ask = async (by: ProbeLimiter, localPart: string) =>
    (await by.acquireRecipient(recipientOf({ localPart }))).kind;
  expect([await ask(limiter, 'jane'), await ask(other, 'jane')]).toEqual(['granted', 'granted']);
  expect(await limiter.acquireRecipient(recipientOf({ localPart: 'jane' }))).toEqual({
    kind: 'refused',
    reason: 'probe_budget_exhausted',
    retryAt: null,
  });
  expect(await ask(other, 'joe')).toBe('granted');
  await database.owner.pool.query("UPDATE nightshift.mailboxes SET asked_at = asked_at - interval '1 day'");
  expect(await ask(limiter, 'jane')).toBe('granted');
});

test('stored evidence resets the count of unanswered probes, and a control has none', async () => {
  const database = await openTestDatabase();
  const limiter = openLimiter(database);
  const mailboxes = createMailboxStore(database.app.sql);
  const jane = recipientOf({ localPart: 'jane' });
  const digest = jane.digest ?? '';
  const evidence: ProbedMailbox = {
    kind: 'probed',
    finding: 'mailbox_accepts',
    catchAll: 'refused',
    host: 'mx.acme.com',
    reply: null,
    attempts: 1,
    durationMs: 1,
    checkedAt: new Date(),
    retryAt: null,
  };
  for (let i = 0; i < 4; i += 1) {
    expect(await limiter.acquireRecipient(jane)).toEqual({ kind: 'granted' });
    expect(await limiter.acquireRecipient({ ...jane, digest: null })).toEqual({ kind: 'granted' });
    await mailboxes.writeMailboxes([{ digest, evidence, expiresAt: new Date() }]);
  }
  const { rows } = await database.owner.pool.query('SELECT unanswered FROM nightshift.mailboxes');
  expect(rows).toEqual([{ unanswered: 0 }]);
});

/** Reason and end of a pause. */
function refusedUntil(leave: SessionLease | RecipientPermit) {
  return leave.kind === 'refused' ? [leave.reason, minuteOf(leave.retryAt)] : [leave.kind];
}

/** The clocks of processes and of the database differ by less. */
function minuteOf(time: Date | null): number {
  return Math.round((time?.getTime() ?? 0) / 60_000);
}
