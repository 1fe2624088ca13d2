import { count, eq, ne, sql } from 'drizzle-orm';
import { creditsNumber } from '../../../src/core/credits/credits.ts';
import type { ServiceStats, ServiceStatsStore } from '../../../src/core/work/service-stats.ts';
import { withDatabase, type Sql } from '../../connection/client.ts';
import { accounts } from '../../schema/accounts.ts';
import { creditBalances } from '../../schema/credits.ts';
import { chunks } from '../../schema/lookups.ts';
import { endedSql, sumCountsSql } from '../sql/chunk-counts.ts';

/** Maximum number of calls to read, newest first. */
const lastCalls = 1000;

/** Creates the store of metrics over all processes. */
export function createServiceStatsStore(db: Sql): ServiceStatsStore {
  const totals = createTotals(db);
  return {
    readStats: () =>
      withDatabase(async () => {
        const [ended, accounts, backlog, chunks, sources] = await Promise.all([
          totals(),
          readAccounts(db),
          readBacklog(db),
          countChunks(db),
          readSources(db),
        ]);
        return { ...ended, ...backlog, accounts, chunks, sources };
      }),
    countOpenLookups: () => withDatabase(async () => (await readBacklog(db)).openLookups),
  };
}

type Outcomes = ServiceStats['outcomes'];

interface Totals {
  readonly outcomes: Outcomes;
  readonly chargedMicro: bigint;
}

const nothing: Totals = {
  outcomes: { found: 0, none: 0, no_match: 0, completed: 0, failed: 0, cancelled: 0 },
  chargedMicro: 0n,
};

/** Sums over all chunks so far. A finished chunk does not change, so its sums are kept. */
function createTotals(db: Sql): () => Promise<Pick<ServiceStats, 'outcomes' | 'creditsCharged'>> {
  let settled = nothing;
  let settledTo = 0n;

  return async () => {
    const open = await db.execute<{ id: string | null }>(
      sql`SELECT coalesce(min(id) FILTER (WHERE state <> 'done'), max(id) + 1) AS id FROM nightshift.chunks WHERE id > ${settledTo}`,
    );
    const to = open.rows[0]?.id;
    if (to !== null && to !== undefined) {
      settled = add(settled, await sumChunks(db, settledTo, BigInt(to) - 1n));
      settledTo = BigInt(to) - 1n;
    }
    const { outcomes, chargedMicro } = add(settled, await sumChunks(db, settledTo, null));
    return { outcomes, creditsCharged: creditsNumber(chargedMicro) };
  };
}

async function sumChunks(db: Sql, after: bigint, to: bigint | null): Promise<Totals> {
  const summed = await db.execute<Record<keyof Outcomes | 'charged_micro', string>>(
    sql`SELECT found, none, no_match, failed, cancelled, valid + invalid + catch_all + unknown AS completed, charged_micro
      FROM (SELECT ${sumCountsSql}, coalesce(sum(charged_micro), 0)::bigint AS charged_micro
      FROM nightshift.chunks WHERE id > ${after} AND (id <= ${to}) IS NOT FALSE) s`,
  );
  const [row] = summed.rows;
  if (row === undefined) return nothing;
  const { charged_micro: charged, ...counts } = row;
  return { outcomes: mapOutcomes((name) => Number(counts[name])), chargedMicro: BigInt(charged) };
}

function add(a: Totals, b: Totals): Totals {
  return {
    outcomes: mapOutcomes((name) => a.outcomes[name] + b.outcomes[name]),
    chargedMicro: a.chargedMicro + b.chargedMicro,
  };
}

function mapOutcomes(countOf: (name: keyof Outcomes) => number): Outcomes {
  return {
    found: countOf('found'),
    none: countOf('none'),
    no_match: countOf('no_match'),
    completed: countOf('completed'),
    failed: countOf('failed'),
    cancelled: countOf('cancelled'),
  };
}

async function readAccounts(db: Sql): Promise<ServiceStats['accounts']> {
  const { balanceMicro, heldMicro } = creditBalances;
  const found = await db
    .select({ name: accounts.name, balanceMicro, heldMicro })
    .from(accounts)
    .innerJoin(creditBalances, eq(creditBalances.accountId, accounts.id))
    .orderBy(accounts.id);
  return found.map((account) => ({
    name: account.name,
    balance: creditsNumber(account.balanceMicro),
    held: creditsNumber(account.heldMicro),
  }));
}

async function readBacklog(db: Sql): Promise<Pick<ServiceStats, 'openLookups' | 'oldestWaitingSeconds'>> {
  const found = await db.execute<{ open: string; oldest: number }>(
    sql`SELECT coalesce(sum(o.open), 0) AS open,
        coalesce(extract(epoch FROM now() - min(o.loaded_at) FILTER (WHERE o.open > 0)), 0)::float8 AS oldest
      FROM (
        SELECT b.loaded_at, b.lookups_total + b.retried - coalesce(sum(${endedSql}), 0) AS open
        FROM nightshift.batches b LEFT JOIN nightshift.chunks c ON c.batch_id = b.id
        WHERE b.state NOT IN ('finished', 'cancelled', 'loading')
        GROUP BY b.id
      ) o`,
  );
  return {
    openLookups: Number(found.rows[0]?.open ?? 0),
    oldestWaitingSeconds: found.rows[0]?.oldest ?? 0,
  };
}

async function countChunks(db: Sql): Promise<ServiceStats['chunks']> {
  const found = await db
    .select({ state: chunks.state, count: count() })
    .from(chunks)
    .where(ne(chunks.state, 'done'))
    .groupBy(chunks.state);
  const counts = new Map(found.map((each) => [each.state, each.count]));
  return {
    queued: counts.get('queued') ?? 0,
    running: counts.get('running') ?? 0,
    parked: counts.get('parked') ?? 0,
  };
}

async function readSources(db: Sql): Promise<ServiceStats['sources']> {
  const found = await db.execute<{
    source: string;
    p50: number;
    p99: number;
    answers: Readonly<Record<string, number>>;
  }>(
    sql`WITH last AS (
        SELECT source, answer, extract(epoch FROM answered_at - sent_at)::float8 AS seconds
        FROM nightshift.source_calls ORDER BY id DESC LIMIT ${lastCalls}
      ), answers AS (
        SELECT source, answer, count(*)::integer AS count FROM last WHERE answer IS NOT NULL GROUP BY source, answer
      )
      SELECT source, percentile_cont(0.5) WITHIN GROUP (ORDER BY seconds) AS p50,
        percentile_cont(0.99) WITHIN GROUP (ORDER BY seconds) AS p99,
        (SELECT jsonb_object_agg(a.answer, a.count) FROM answers a WHERE a.source = l.source) AS answers
      FROM last l WHERE seconds IS NOT NULL GROUP BY source`,
  );
  return found.rows.map(({ source, p50, p99, answers }) => ({
    source,
    p50Seconds: p50,
    p99Seconds: p99,
    answers,
  }));
}
