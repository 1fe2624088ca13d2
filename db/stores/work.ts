import { sql, type SQL } from 'drizzle-orm';
import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import type { Operation } from '../../src/core/credits/price-book.ts';
import type { Claim, EarlierCall, OpenAddress, OpenLookup } from '../../src/core/work/claim.ts';
import type { ComeBack } from '../../src/core/work/come-back.ts';
import type { Renewal, WorkStore } from '../../src/core/work/work-store.ts';
import { withDatabase, type Sql } from '../client.ts';
import { ringWorkBell } from '../work-bell.ts';
import { bigints, texts } from './arrays.ts';

/** Chunks, their leases and their fences, in `nightshift.chunks`. */
export function createWorkStore(db: NodePgDatabase): WorkStore {
  return {
    claim: (chunkId, generation, leaseMs) => withDatabase(() => claimChunk(db, chunkId, generation, leaseMs)),
    renew: (tokens, leaseMs) => withDatabase(() => renewLeases(db, tokens, leaseMs)),
    giveBack: (claim, options) =>
      withDatabase(() => db.transaction((transaction) => giveBack(transaction, claim, options))),
    holdBatch: (batchId, reason) =>
      withDatabase(async () => {
        await db.execute(
          sql`UPDATE nightshift.batches SET state = 'waiting_for_source', state_reason = ${reason}, state_since = now()
            WHERE id = ${batchId} AND state = 'running'`,
        );
      }),
  };
}

/** A chunk as it stands after it was taken. */
export interface TakenChunk extends Record<string, unknown> {
  readonly id: string;
  readonly generation: number;
  readonly token: string;
  readonly account_id: string;
  readonly batch_id: string | null;
  readonly operation: Operation;
  readonly price_micro: string;
  readonly attempt: number;
  readonly first_lookup_id: string;
  readonly last_lookup_id: string;
}

async function claimChunk(
  db: Sql,
  chunkId: number,
  generation: number,
  leaseMs: number,
): Promise<Claim | null> {
  const taken = await db.execute<TakenChunk>(
    sql`UPDATE nightshift.chunks c SET state = 'running', starts = starts + 1, token = gen_random_uuid(),
        lease_until = now() + ${leaseMs} * interval '1 millisecond'
      WHERE c.id = ${chunkId} AND c.generation = ${generation} AND c.state = 'queued'
        AND EXISTS (SELECT 1 FROM nightshift.batches b WHERE b.id = c.batch_id AND b.state = 'running')
      RETURNING *`,
  );
  const chunk = taken.rows[0];
  return chunk === undefined ? null : toClaim(db, chunk, await readSources(db, chunk));
}

/** The sources that a chunk's batch names; none for the chunk of a request. */
export async function readSources(db: Sql, chunk: TakenChunk): Promise<readonly string[]> {
  const batch = await db.execute<{ sources: readonly string[] }>(
    sql`SELECT sources FROM nightshift.batches WHERE id = ${chunk.batch_id}`,
  );
  return batch.rows[0]?.sources ?? [];
}

/** The claim of a chunk that was just taken, with the lookups that are still open. */
export async function toClaim(db: Sql, chunk: TakenChunk, sources: readonly string[]): Promise<Claim> {
  const { operation } = chunk;
  const claimed = {
    chunkId: Number(chunk.id),
    generation: chunk.generation,
    token: chunk.token,
    accountId: Number(chunk.account_id),
    batchId: chunk.batch_id === null ? null : Number(chunk.batch_id),
    priceMicro: BigInt(chunk.price_micro),
    attempt: chunk.attempt,
  };
  return operation === 'ads_search'
    ? { ...claimed, operation, sources, lookups: await selectOpenLookups(db, chunk) }
    : { ...claimed, operation, lookups: await selectOpenAddresses(db, chunk) };
}

async function selectOpenAddresses(db: Sql, chunk: TakenChunk): Promise<readonly OpenAddress[]> {
  const rows = await db.execute<{ id: string; email: string | null; tries: number }>(
    sql`SELECT l.id, l.email, l.tries FROM nightshift.lookups l WHERE ${isOpenIn(chunk)} ORDER BY l.id`,
  );
  return rows.rows.map((row) => ({ lookupId: BigInt(row.id), email: row.email, tries: row.tries }));
}

/** Whether lookup `l` is one of the chunk's that are still open. */
function isOpenIn(chunk: TakenChunk): SQL {
  return sql`l.id BETWEEN ${chunk.first_lookup_id} AND ${chunk.last_lookup_id} AND l.outcome IS NULL
    AND l.batch_id IS NOT DISTINCT FROM ${chunk.batch_id} AND l.operation = ${chunk.operation}`;
}

async function selectOpenLookups(db: Sql, chunk: TakenChunk): Promise<readonly OpenLookup[]> {
  const rows = await db.execute<{
    id: string;
    subject_key: string;
    company_domain: string | null;
    company_name: string | null;
    owner: string;
    tries: number;
    earlier: Readonly<Record<string, EarlierCall>> | null;
  }>(
    sql`SELECT l.id, l.subject_key, l.company_domain, l.company_name, l.tries,
        coalesce(b.public_id, l.request_id) AS owner, c.earlier
      FROM nightshift.lookups l
      LEFT JOIN nightshift.batches b ON b.id = l.batch_id
      LEFT JOIN LATERAL (
        SELECT jsonb_object_agg(s.source, s.known) AS earlier FROM (
          SELECT source, CASE WHEN bool_or(answer IS NULL OR answer IN ('found', 'in_doubt')) THEN 'lost'
            WHEN bool_or(answer = 'none') THEN 'none' ELSE 'no_match' END AS known
          FROM nightshift.source_calls
          WHERE lookup_id = l.id AND (answer IS NULL OR answer IN ('found', 'in_doubt', 'none', 'no_match'))
          GROUP BY source
        ) s
      ) c ON true
      WHERE ${isOpenIn(chunk)} ORDER BY l.id`,
  );
  return rows.rows.map((row) => ({
    lookupId: BigInt(row.id),
    company: { key: row.subject_key, domain: row.company_domain, name: row.company_name },
    requestKey: `${row.owner}-${row.id}`,
    tries: row.tries,
    earlier: new Map(Object.entries(row.earlier ?? {})),
  }));
}

async function renewLeases(db: Sql, tokens: readonly string[], leaseMs: number): Promise<Renewal> {
  const renewed = await db.execute<{ token: string; runs: boolean }>(
    sql`UPDATE nightshift.chunks c SET lease_until = now() + ${leaseMs} * interval '1 millisecond'
      WHERE c.state = 'running' AND c.token = ANY (${texts(tokens)}::uuid[])
      RETURNING c.token, c.batch_id IS NULL
        OR EXISTS (SELECT 1 FROM nightshift.batches b WHERE b.id = c.batch_id AND b.state = 'running') AS runs`,
  );
  const ours = new Set(renewed.rows.map((row) => row.token));
  return {
    lost: tokens.filter((token) => !ours.has(token)),
    halted: renewed.rows.filter((row) => !row.runs).map((row) => row.token),
  };
}

async function giveBack(db: Sql, claim: Claim, { delayMs, failedTries }: ComeBack): Promise<void> {
  const returned = await db.execute(
    sql`UPDATE nightshift.chunks SET state = 'queued', token = NULL, lease_until = NULL, queued_at = NULL,
        generation = generation + 1, starts = greatest(starts - 1, 0),
        due_at = now() + ${delayMs} * interval '1 millisecond'
      WHERE id = ${claim.chunkId} AND token = ${claim.token} AND state = 'running'`,
  );
  if (returned.rowCount === 0) return;
  await db.execute(
    sql`UPDATE nightshift.lookups SET tries = tries + 1 WHERE outcome IS NULL AND id = ANY (${bigints(failedTries)})`,
  );
  await ringWorkBell(db);
}
