import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createLedger } from '../../../db/stores/credits/ledger.ts';
import { createPurgeStore } from '../../../db/stores/purge/purge.ts';
import { createUsageList } from '../../../db/stores/reports/usage-list.ts';
import type { FreeReason, Usage, UsageFilter, UsageList } from '../../../src/core/credits/usage.ts';
import { purgeKinds } from '../../../src/core/purge/purge-kinds.ts';
import { purge } from '../../../src/core/purge/purge.ts';
import { NotFound, ValidationError } from '../../../src/core/errors.ts';
import { unguarded } from '../../support/breakages/by-hand.ts';
import { createTestDatabase } from '../../support/db/database.ts';
import { buildEmailFixture } from '../../support/dns-smtp/email-fixture.ts';
import { finishList } from '../../support/db/purge-fixture.ts';
import { buildFixture, takeChunk, loadFixtureBatch } from '../../support/db/fixture.ts';
import { listFindings } from '../../support/db/findings.ts';
import { createDispatchStore } from '../../../db/stores/work/dispatch.ts';
import { createOutcomeStore } from '../../../db/stores/work/outcomes.ts';

const always: UsageFilter = { from: null, to: null, timeZone: 'UTC', operation: null };
const nobody = 999;

let database: Awaited<ReturnType<typeof createTestDatabase>>;
let usage: UsageList;
let accountId = 0;

// Every outcome, both operations, single requests, a split chunk, a reused answer, and one without a price; lookups end over four
// days, so that chunks span midnight in any time zone.
beforeAll(async () => {
  database = await createTestDatabase();
  const db = database.app.sql;
  await buildEmailFixture(database.app);
  await createLedger(db).grant(1, [{ key: null, amountMicro: 50_000_000n, reason: 'test' }]);
  ({ accountId } = await buildFixture(database.app));
  const first = await finishList(database, accountId, 'first.csv', ['cr-1', 'cr-2']);
  await showAgain(first.lookupIds[0] ?? 0n);
  await finishList(
    database,
    accountId,
    'large.csv',
    ['cr-3'],
    Array.from({ length: 40 }, (_, i) => `large-${i}.com`),
  );
  await database.owner.pool.query(
    `INSERT INTO nightshift.prices (operation, amount_micro, note) VALUES ('ads_search', 0, 'a gift')`,
  );
  await finishList(database, accountId, 'gift.csv', ['cr-4']);
  await spread();
  usage = createUsageList(db);
});
afterAll(() => database.close());

describe('usage', () => {
  test('matches invariants of the database in the fixture', async () => {
    expect(await listFindings(database)).toEqual([]);
  });

  test.each(['UTC', 'Europe/Berlin', 'America/St_Johns', 'Pacific/Kiritimati', 'Asia/Kathmandu'])(
    'by day of %s counts the lookups that ended on each day',
    async (timeZone) => {
      const reported = await usage.byDay(accountId, { ...always, timeZone });
      const days = await readLookups();
      expect(reported.map(({ day, ...counts }) => [day, counts])).toEqual(
        groupBy(days, ({ endedAt }) => dayIn(timeZone, endedAt)),
      );
      expect(reported.length).toBeGreaterThan(3);
    },
  );

  test.each([
    ['2026-03-02', '2026-03-03'],
    ['2026-03-03', null],
    [null, '2026-03-02'],
    ['2026-03-04', '2026-03-04'],
    ['2027-01-01', null],
  ])('from %s to %s covers both days and the days between', async (from, to) => {
    const timeZone = 'America/New_York';
    const lookups = (await readLookups()).filter(({ endedAt }) => {
      const day = dayIn(timeZone, endedAt);
      return (from ?? day) <= day && day <= (to ?? day);
    });
    const filter = { ...always, from, to, timeZone };
    const days = await usage.byDay(accountId, filter);
    expect(days.map(({ day, ...counts }) => [day, counts])).toEqual(
      groupBy(lookups, ({ endedAt }) => dayIn(timeZone, endedAt)),
    );
    const operations = await usage.byOperation(accountId, filter);
    expect(operations.map(({ operation, ...counts }) => [operation, counts])).toEqual(
      groupBy(lookups, ({ operation }) => operation),
    );
    const reported = (await usage.byBatch(accountId, filter, { limit: 100, after: null })).filter(
      ({ lookups: count }) => count > 0,
    );
    expect(reported.map(({ batch, ...counts }) => [batch ?? '-', without(counts)]).sort()).toEqual(
      groupBy(lookups, ({ batch }) => batch ?? '-'),
    );
  });

  test('of one operation excludes the other', async () => {
    const lookups = (await readLookups()).filter(({ operation }) => operation === 'email_validation');
    const days = await usage.byDay(accountId, { ...always, operation: 'email_validation' });
    expect(days.map(({ day, ...counts }) => [day, counts])).toEqual(
      groupBy(lookups, ({ endedAt }) => dayIn('UTC', endedAt)),
    );
  });

  test('has every reason of free lookups, and all add up', async () => {
    const [ads, emails] = await usage.byOperation(accountId, always);
    expect(ads?.free).toMatchObject({ repeated: 1, no_price: 1, failed: 1, no_match: 1 });
    expect(emails?.free).toMatchObject({ unknown: 1 });
    for (const each of [ads, emails]) {
      const free = Object.values(each?.free ?? {}).reduce((sum, count) => sum + count, 0);
      expect(free + (each?.charged ?? 0)).toBe(each?.lookups);
    }
  });

  test('equals the charges of the ledger', async () => {
    const { rows } = await database.owner.pool.query<{ micro: string; entries: string }>(
      `SELECT -sum(balance_delta_micro + held_delta_micro) AS micro, count(*) AS entries FROM nightshift.ledger_entries
        WHERE account_id = $1 AND kind = 'settle'`,
      [accountId],
    );
    const operations = await usage.byOperation(accountId, always);
    expect([sumOf(operations, 'chargedMicro'), sumOf(operations, 'charged')]).toEqual([
      BigInt(rows[0]?.micro ?? 0),
      BigInt(rows[0]?.entries ?? 0),
    ]);
  });

  test.each([1, 2, 3, 5])(
    'by batch in pages of %i has each batch once, newest first, and single requests last',
    async (limit) => {
      const whole = await usage.byBatch(accountId, always, { limit: 100, after: null });
      expect(whole.at(-1)?.batch).toBeNull();
      expect(whole.map(({ fileName }) => fileName)).toEqual([
        ...[
          'gift.csv',
          'large.csv',
          'again.csv',
          'first.csv',
          'running.csv',
          'finished.csv',
          'addresses.csv',
        ],
        null,
      ]);
      const reported = [];
      for (let after: string | null = null; ;) {
        const page = await usage.byBatch(accountId, always, { limit, after });
        reported.push(...page);
        if (page.length < limit) break;
        after = page.at(-1)?.batch ?? null;
        if (after === null) break;
      }
      expect(reported).toEqual(whole);
    },
  );

  test('excludes other accounts, and rejects a cursor at a batch of another account', async () => {
    for (const read of [usage.byDay, usage.byOperation]) expect(await read(nobody, always)).toEqual([]);
    expect(await usage.byBatch(nobody, always, { limit: 9, after: null })).toEqual([]);
    const [newest] = await usage.byBatch(accountId, always, { limit: 1, after: null });
    const after = newest?.batch ?? '';
    await expect(usage.byBatch(nobody, always, { limit: 9, after })).rejects.toThrow(NotFound);
  });

  test('rejects an unknown time zone as a validation error', async () => {
    await expect(usage.byDay(accountId, { ...always, timeZone: 'Mars/Base' })).rejects.toThrow(
      ValidationError,
    );
  });

  // The last test: it deletes the lookups.
  test('stays when its lookups are purged, also of chunks that span midnight', async () => {
    const readAll = async () => {
      const read = [];
      for (const timeZone of ['UTC', 'America/St_Johns', 'Asia/Kathmandu']) {
        const filter = { ...always, timeZone, from: '2026-03-02' };
        read.push(
          await usage.byDay(accountId, { ...always, timeZone }),
          await usage.byDay(accountId, filter),
        );
        read.push(await usage.byOperation(accountId, filter));
        read.push(await usage.byBatch(accountId, filter, { limit: 100, after: null }));
      }
      return read;
    };
    const before = await readAll();
    await database.owner.pool.query(
      `UPDATE nightshift.batches SET finished_at = finished_at - interval '40 days'`,
    );
    const orders = purgeKinds.map((kind) => ({ kind, ageMs: 30 * 86_400_000 }));
    const { kinds } = await purge(createPurgeStore(database.app.sql), { orders });
    expect(kinds[0]?.counts).toMatchObject({ batches: 5, lookups: 52 });
    expect(await readAll()).toEqual(before);
    expect(await listFindings(database)).toEqual([]);
  });
});

interface Reported {
  readonly batch: string | null;
  readonly operation: string;
  readonly endedAt: Date;
  readonly chargedMicro: bigint;
  readonly reason: FreeReason | 'charged';
}

/** Outcome of each lookup, from its own row. */
async function readLookups(): Promise<readonly Reported[]> {
  const { rows } = await database.owner.pool.query<{
    batch: string | null;
    operation: string;
    ended_at: Date;
    charged_micro: string;
    outcome: string;
    status: string | null;
    is_repeat: boolean;
  }>(
    `SELECT b.public_id AS batch, l.operation, l.ended_at, l.charged_micro, l.outcome, e.status, l.repeats IS NOT NULL AS is_repeat
      FROM nightshift.all_lookups l LEFT JOIN nightshift.batches b ON b.id = l.batch_id
      LEFT JOIN nightshift.email_results e ON e.lookup_id = l.id
      WHERE l.account_id = $1 AND l.outcome IS NOT NULL`,
    [accountId],
  );
  return rows.map((row) => ({
    batch: row.batch,
    operation: row.operation,
    endedAt: row.ended_at,
    chargedMicro: BigInt(row.charged_micro),
    reason: reasonOf(row),
  }));
}

function reasonOf(row: {
  charged_micro: string;
  outcome: string;
  status: string | null;
  is_repeat: boolean;
}) {
  if (row.charged_micro !== '0') return 'charged';
  if (row.status === 'unknown') return 'unknown';
  if (row.outcome === 'found' || row.outcome === 'completed') return row.is_repeat ? 'repeated' : 'no_price';
  return row.outcome as FreeReason;
}

/** Pairs of a group and its usage, in the order of the groups. */
function groupBy(
  lookups: readonly Reported[],
  groupOf: (lookup: Reported) => string,
): readonly [string, Usage][] {
  const groups = [...new Set(lookups.map(groupOf))].sort();
  return groups.map((group) => {
    const own = lookups.filter((lookup) => groupOf(lookup) === group);
    const count = (reason: Reported['reason']) => own.filter((lookup) => lookup.reason === reason).length;
    return [
      group,
      {
        lookups: own.length,
        charged: count('charged'),
        chargedMicro: own.reduce((sum, { chargedMicro }) => sum + chargedMicro, 0n),
        free: {
          none: count('none'),
          no_match: count('no_match'),
          unknown: count('unknown'),
          failed: count('failed'),
          cancelled: count('cancelled'),
          repeated: count('repeated'),
          no_price: count('no_price'),
        },
      },
    ];
  });
}

/** Usage without the name of the batch. */
function without({ lookups, charged, chargedMicro, free }: Usage): Usage {
  return { lookups, charged, chargedMicro, free };
}

function dayIn(timeZone: string, at: Date): string {
  const format = new Intl.DateTimeFormat('en-CA', {
    timeZone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  });
  return format.format(at);
}

function sumOf(usages: readonly Usage[], name: 'charged' | 'chargedMicro'): bigint {
  return usages.reduce((sum, each) => sum + BigInt(each[name]), 0n);
}

/** A batch of one company that reuses the answer of an earlier lookup. */
async function showAgain(lookupId: bigint): Promise<void> {
  const { app } = database;
  const list = { fileName: 'again.csv', companies: ['first-1.com'], withOddRows: false };
  await loadFixtureBatch(app, accountId, list);
  const dispatch = createDispatchStore(app.sql);
  await dispatch.cutChunks({ chunksMax: 10, sizeOf: () => 10 });
  for (const { chunkId, generation } of await dispatch.listUnqueued(10)) {
    const claim = await takeChunk(app, chunkId, generation);
    if (claim.lookups[0]?.company.domain !== 'first-1.com') continue;
    const answer = { kind: 'repeated', lookupId } as const;
    const results = claim.lookups.map((lookup) => ({ lookupId: lookup.lookupId, source: null, answer }));
    await createOutcomeStore(app.sql).commit(claim, results);
  }
  await dispatch.finishBatches();
}

/** Spreads the ends of lookups over four days, except for split chunks, and updates the chunks. The ledger keeps its times. */
async function spread(): Promise<void> {
  const { rows } = await database.owner.pool.query<{ id: string; first: string; last: string }>(
    `SELECT id, first_lookup_id AS first, last_lookup_id AS last FROM nightshift.chunks
      WHERE moved_on = 0 AND split_at IS NULL AND last_ended_at IS NOT NULL`,
  );
  for (const { id, first, last } of rows) {
    for (let lookup = BigInt(first); lookup <= BigInt(last); lookup += 1n) {
      const minutes = Number((lookup * 7919n) % (4n * 1440n));
      const at = new Date(Date.parse('2026-03-01T12:00:00Z') + minutes * 60_000).toISOString();
      await database.owner.pool.query(
        unguarded(
          'lookups',
          `UPDATE nightshift.lookups SET ended_at = '${at}' WHERE id = ${lookup} AND ended_at IS NOT NULL`,
        ),
      );
    }
    await database.owner.pool.query(
      `UPDATE nightshift.chunks c SET (first_ended_at, last_ended_at) = (
        SELECT min(l.ended_at), max(l.ended_at) FROM nightshift.all_lookups l
        WHERE l.id BETWEEN c.first_lookup_id AND c.last_lookup_id AND l.operation = c.operation) WHERE id = $1`,
      [id],
    );
  }
}
