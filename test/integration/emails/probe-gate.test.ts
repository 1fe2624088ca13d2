import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { withClient, type Database } from '../../../db/connection/client.ts';
import { createMailboxStore } from '../../../db/stores/emails/mailboxes.ts';
import { createPostgresProbeGate, type ProbeGateOptions } from '../../../db/stores/emails/probe-gate.ts';
import { mailboxDigest } from '../../../src/core/emails/probing/mailbox-digest.ts';
import type {
  GatedRecipient,
  ProbeGate,
  RecipientLeave,
  SessionLeave,
} from '../../../src/core/emails/probing/mailbox-probe.ts';
import type { ProbedMailbox } from '../../../src/core/emails/probing/mailbox.ts';
import { openTestDatabase, openTestPool, type TestDatabase } from '../../support/db/database.ts';

const wide = { groupPerMinute: 1000, domainPerDay: 1000, egressPerMinute: 1000 };

/** A gate with connections of its own, as another process has them. */
function openGate(
  database: TestDatabase,
  {
    budgets = {},
    ...changed
  }: Partial<Omit<ProbeGateOptions, 'budgets'>> & {
    readonly budgets?: Partial<ProbeGateOptions['budgets']>;
  } = {},
): ProbeGate {
  return createPostgresProbeGate(openTestPool(database.url).sql, {
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
  changed: Partial<GatedRecipient> & { readonly localPart?: string } = {},
): GatedRecipient {
  const { localPart = randomUUID(), domain = 'acme.com', ...rest } = changed;
  const digest = mailboxDigest(localPart, domain);
  const address = { localPart, digest, attempts: 0, isFirstContact: true };
  return { group: 'house', domain, address, room: 1, ...rest };
}

async function takeMany(gates: readonly ProbeGate[], count: number, changed: Partial<GatedRecipient> = {}) {
  const gateOf = (i: number) => gates[i % gates.length] as ProbeGate;
  const taken = await Promise.all(
    Array.from({ length: count }, (_, i) => gateOf(i).takeRecipient(recipientOf(changed))),
  );
  return {
    granted: taken.filter(({ kind }) => kind === 'granted').length,
    waits: taken.flatMap((leave) => (leave.kind === 'wait' ? [leave.untilMs - Date.now()] : [])),
    refused: taken.filter(({ kind }) => kind === 'refused').length,
  };
}

/** Times at which a budget of 60 slices was used, by its own clock, in milliseconds. */
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

test('no window of a minute holds more than the budget, and who waits as told gets in', async () => {
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

test('the hosts of a group share a budget, whoever asks and from wherever', async () => {
  const database = await openTestDatabase();
  const budgets = { groupPerMinute: 7 };
  const gates = ['a.example.org', 'b.example.org', 'b.example.org'].map((egress) =>
    openGate(database, { egress, budgets }),
  );
  const { granted, waits } = await takeMany(gates, 30);
  expect(granted).toBe(7);
  expect(waits).toHaveLength(23);
  expect(Math.max(...waits)).toBeLessThanOrEqual(61_000);
  expect(Math.min(...waits)).toBeGreaterThan(50_000);
  expect(await takeMany(gates, 5, { group: 'other house' })).toMatchObject({ granted: 5 });
});

test('an egress has a budget of its own, for all groups together', async () => {
  const database = await openTestDatabase();
  const budgets = { egressPerMinute: 6 };
  const [here, elsewhere] = ['a.example.org', 'b.example.org'].map((egress) =>
    Array.from({ length: 3 }, () => openGate(database, { egress, budgets })),
  ) as [ProbeGate[], ProbeGate[]];
  const counts = await Promise.all(['x', 'y', 'z'].map((group) => takeMany(here, 10, { group })));
  expect(counts.reduce((sum, { granted }) => sum + granted, 0)).toBe(6);
  expect(await takeMany(elsewhere, 6, { group: 'x' })).toMatchObject({ granted: 6 });
});

test('a domain has a budget a day, and what it refuses uses up nothing else', async () => {
  const database = await openTestDatabase();
  const gates = [1, 2, 3].map(() => openGate(database, { budgets: { domainPerDay: 4, groupPerMinute: 8 } }));
  expect(await takeMany(gates, 20)).toMatchObject({ granted: 4, refused: 16 });
  expect(await takeMany(gates, 4, { domain: 'other.com' })).toMatchObject({ granted: 4 });
  await database.owner.pool.query(
    "UPDATE nightshift.probe_budgets SET slices = ARRAY(SELECT s - 61 FROM unnest(slices) s) WHERE scope <> 'egress'",
  );
  expect(await takeMany(gates, 4)).toMatchObject({ granted: 4 });
});

test('room for two is asked for, and one is used', async () => {
  const gate = openGate(await openTestDatabase(), { budgets: { groupPerMinute: 3 } });
  const take = async (room: 1 | 2) => (await gate.takeRecipient(recipientOf({ room }))).kind;
  expect([await take(2), await take(2), await take(2), await take(1), await take(1)]).toEqual([
    'granted',
    'granted',
    'wait',
    'granted',
    'wait',
  ]);
});

test('a group is asked in one session at a time', async () => {
  const database = await openTestDatabase();
  const gates = Array.from({ length: 4 }, () => openGate(database));
  const taken = await Promise.all([...gates, ...gates, ...gates].map((gate) => gate.takeSession('house')));
  const [held, ...others] = taken.flatMap((leave) => (leave.kind === 'granted' ? [leave] : []));
  expect(others).toEqual([]);
  expect(taken.filter(({ kind }) => kind === 'wait')).toHaveLength(11);
  const elsewhere = await gates[0]?.takeSession('other house');
  expect(elsewhere?.kind).toBe('granted');
  await held?.end();
  const next = await gates[1]?.takeSession('house');
  expect(next?.kind).toBe('granted');
  for (const leave of [elsewhere, next]) if (leave?.kind === 'granted') await leave.end();
  const left = await database.owner.pool.query('SELECT * FROM nightshift.probe_sessions');
  expect(left.rows).toEqual([]);
});

test('who holds a session keeps it for as long as it takes; that of a process that died is free again', async () => {
  const database = await openTestDatabase();
  const [gate, other] = [openGate(database, { leaseMs: 1_000 }), openGate(database, { leaseMs: 1_000 })];
  await database.app.pool.query(
    "SELECT nightshift.take_probe_session('house', 'dead.example.org', $1, 1000)",
    [randomUUID()],
  );
  const early = await gate.takeSession('house');
  expect(early).toMatchObject({ kind: 'wait' });
  await wait(1_020);
  const held = await gate.takeSession('house');
  onTestFinished(async () => void (held.kind === 'granted' && (await held.end())));
  expect(held.kind).toBe('granted');
  await wait(2_500);
  expect(await other.takeSession('house')).toMatchObject({ kind: 'wait' });
});

test('a refusal of ourselves closes the group, to the egress that was refused', async () => {
  const database = await openTestDatabase();
  const [here, sameName, elsewhere] = ['a.example.org', 'a.example.org', 'b.example.org'].map((egress) =>
    openGate(database, { egress }),
  ) as [ProbeGate, ProbeGate, ProbeGate];
  const retryAt = await here.pause({ group: 'house', domain: null, finding: 'sender_blocked' });
  expect(retryAt.getTime()).toBeGreaterThan(Date.now() + 5.9 * 3_600_000);
  for (const gate of [here, sameName])
    expect(refusedUntil(await gate.takeSession('house'))).toEqual(['provider_paused', minuteOf(retryAt)]);
  const kindOf = async (gate: ProbeGate, group: string) => {
    const leave = await gate.takeSession(group);
    if (leave.kind === 'granted') await leave.end();
    return leave.kind;
  };
  expect(await kindOf(here, 'other house')).toBe('granted');
  expect(await kindOf(elsewhere, 'house')).toBe('granted');
  await database.owner.pool.query("UPDATE nightshift.probe_blocks SET until = until - interval '6 hours'");
  expect(await kindOf(here, 'house')).toBe('granted');
});

test('a rule of a domain closes that domain, to the egress that was refused', async () => {
  const database = await openTestDatabase();
  const [here, elsewhere] = ['a.example.org', 'b.example.org'].map((egress) =>
    openGate(database, { egress }),
  ) as [ProbeGate, ProbeGate];
  const retryAt = await here.pause({ group: 'house', domain: 'acme.com', finding: 'sender_blocked' });
  expect(refusedUntil(await here.takeRecipient(recipientOf()))).toEqual(['domain_paused', minuteOf(retryAt)]);
  const kindOf = async (gate: ProbeGate, changed: Partial<GatedRecipient> = {}) =>
    (await gate.takeRecipient(recipientOf(changed))).kind;
  expect(await kindOf(here, { domain: 'other.com' })).toBe('granted');
  expect(await kindOf(here, { group: 'other house' })).toBe('granted');
  expect(await kindOf(elsewhere)).toBe('granted');
  expect((await here.takeSession('house')).kind).toBe('granted');
  await database.owner.pool.query("UPDATE nightshift.probe_blocks SET until = until - interval '6 hours'");
  expect(await kindOf(here)).toBe('granted');
});

test('an address that was asked about twice without an answer is left alone for a day', async () => {
  const database = await openTestDatabase();
  const [gate, other] = [openGate(database), openGate(database)];
  const ask = async (by: ProbeGate, localPart: string) =>
    (await by.takeRecipient(recipientOf({ localPart }))).kind;
  expect([await ask(gate, 'jane'), await ask(other, 'jane')]).toEqual(['granted', 'granted']);
  expect(await gate.takeRecipient(recipientOf({ localPart: 'jane' }))).toEqual({
    kind: 'refused',
    reason: 'probe_budget_exhausted',
    retryAt: null,
  });
  expect(await ask(other, 'joe')).toBe('granted');
  await database.owner.pool.query("UPDATE nightshift.mailboxes SET asked_at = asked_at - interval '1 day'");
  expect(await ask(gate, 'jane')).toBe('granted');
});

test('with an answer it starts anew, and the control is nobody', async () => {
  const database = await openTestDatabase();
  const gate = openGate(database);
  const mailboxes = createMailboxStore(database.app.sql);
  const jane = recipientOf({ localPart: 'jane' });
  const digest = jane.address?.digest ?? '';
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
    expect(await gate.takeRecipient(jane)).toEqual({ kind: 'granted' });
    expect(await gate.takeRecipient({ ...jane, address: null })).toEqual({ kind: 'granted' });
    await mailboxes.writeMailboxes([{ digest, evidence, expiresAt: new Date() }]);
  }
  const { rows } = await database.owner.pool.query('SELECT unanswered FROM nightshift.mailboxes');
  expect(rows).toEqual([{ unanswered: 0 }]);
});

/** Why somebody is left alone, and until when. */
function refusedUntil(leave: SessionLeave | RecipientLeave) {
  return leave.kind === 'refused' ? [leave.reason, minuteOf(leave.retryAt)] : [leave.kind];
}

/** Clocks of processes and of the database differ by less. */
function minuteOf(time: Date | null): number {
  return Math.round((time?.getTime() ?? 0) / 60_000);
}
