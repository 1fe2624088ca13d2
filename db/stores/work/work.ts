import { sql, type SQL } from 'drizzle-orm';
import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import { anySearch, type SearchOptions } from '../../../src/core/ads/ads-answer.ts';
import type { Operation } from '../../../src/core/credits/price-book.ts';
import type {
  Claim,
  EarlierCall,
  PriorAnswer,
  OpenAddress,
  OpenLookup,
} from '../../../src/core/work/claim.ts';
import type { Reschedule } from '../../../src/core/work/reschedule.ts';
import type { Renewal, WorkStore } from '../../../src/core/work/work-store.ts';
import { withDatabase, type Sql } from '../../connection/client.ts';
import { notifyWorkers } from '../../connection/notifier.ts';
import { bigints, ints, texts } from '../sql/arrays.ts';

/** Chunks, their leases and their fences, in `nightshift.chunks`. */
export function createWorkStore(db: NodePgDatabase): WorkStore {
  return {
    claim: (chunkId, generation, leaseMs) => withDatabase(() => claimChunk(db, chunkId, generation, leaseMs)),
    renew: (tokens, leaseMs) => withDatabase(() => renewLeases(db, tokens, leaseMs)),
    release: (claim, options) =>
      withDatabase(() => db.transaction((transaction) => release(transaction, claim, options))),
    holdBatch: (batchId, { kind, reason, delayMs }) =>
      withDatabase(async () => {
        await db.execute(
          sql`UPDATE nightshift.batches SET state = 'waiting_for_source', state_reason = ${reason}, state_since = now(),
              wait_kind = ${kind}, wait_until = now() + ${delayMs}::double precision * interval '1 millisecond'
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
  return chunk === undefined ? null : toClaim(db, chunk, await readPlan(db, chunk));
}

/** Sources and options of a batch's search. */
export interface SearchPlan {
  readonly sources: readonly string[];
  readonly search: SearchOptions;
}

/** Reads the search plan of a chunk's batch; no source for the chunk of a request. */
export async function readPlan(db: Sql, chunk: TakenChunk): Promise<SearchPlan> {
  const batch = await db.execute<{ sources: readonly string[]; search: SearchOptions | null }>(
    sql`SELECT sources, search FROM nightshift.batches WHERE id = ${chunk.batch_id}`,
  );
  const [plan] = batch.rows;
  return { sources: plan?.sources ?? [], search: plan?.search ?? anySearch };
}

/** The claim of a chunk that was just taken, with the lookups that are still open. */
export async function toClaim(db: Sql, chunk: TakenChunk, plan: SearchPlan): Promise<Claim> {
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
    ? { ...claimed, operation, ...plan, lookups: await selectOpenLookups(db, chunk) }
    : { ...claimed, operation, lookups: await selectOpenAddresses(db, chunk) };
}

async function selectOpenAddresses(db: Sql, chunk: TakenChunk): Promise<readonly OpenAddress[]> {
  const rows = await db.execute<{ id: string; email: string | null; tries: number }>(
    sql`SELECT l.id, l.email, l.tries FROM nightshift.lookups l WHERE ${isOpenIn(chunk)} ORDER BY l.id`,
  );
  return rows.rows.map((row) => ({ lookupId: BigInt(row.id), email: row.email, tries: row.tries }));
}

/** Condition that lookup `l` is one of the chunk's open ones. */
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
    reparses: boolean;
    earlier: readonly EarlierRow[] | null;
    reported: readonly PriorAnswer[] | null;
  }>(
    sql`SELECT l.id, l.subject_key, l.company_domain, l.company_name, l.tries, l.reparses IS NOT NULL AS reparses, l.source_results AS reported,
        coalesce(b.public_id, l.request_id) AS owner, c.earlier
      FROM nightshift.lookups l
      LEFT JOIN nightshift.batches b ON b.id = l.batch_id
      LEFT JOIN LATERAL (${earlierCallsSql}) c ON true
      WHERE ${isOpenIn(chunk)} ORDER BY l.id`,
  );
  return rows.rows.map((row) => ({
    lookupId: BigInt(row.id),
    company: { key: row.subject_key, domain: row.company_domain, name: row.company_name },
    requestKey: `${row.owner}-${row.id}`,
    tries: row.tries,
    earlier: (row.earlier ?? []).map((call) => ({ ...call, callId: BigInt(call.callId) })),
    reported: row.reported ?? [],
    repliesOnly: row.reparses,
  }));
}

interface EarlierRow extends Omit<EarlierCall, 'callId'> {
  readonly callId: string;
}

/**
 * The calls of lookup `l` that may have been charged, and those of the lookup whose replies it reads again. One that failed as the
 * source said, or was never sent, is as if it had not been.
 */
const earlierCallsSql = sql`SELECT jsonb_agg(jsonb_build_object('callId', s.id::text, 'source', s.source, 'about', s.description,
    'state', CASE WHEN s.answer IS NOT NULL AND EXISTS (SELECT FROM nightshift.raw_responses r WHERE r.hash = s.response_hash) THEN 'kept'
      WHEN s.answer IN ('none', 'no_match', 'candidates') THEN s.answer ELSE 'lost' END) ORDER BY s.id) AS earlier
  FROM nightshift.source_calls s
  WHERE s.lookup_id IN (l.id, l.reparses) AND (s.answer IS NULL OR s.answer IN ('found', 'none', 'no_match', 'candidates',
    'in_doubt', 'source_unreadable'))`;

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

async function release(db: Sql, claim: Claim, { delayMs, ...known }: Reschedule): Promise<void> {
  const returned = await db.execute(
    sql`UPDATE nightshift.chunks SET state = 'queued', token = NULL, lease_until = NULL, queued_at = NULL,
        generation = generation + 1, starts = greatest(starts - 1, 0),
        due_at = now() + ${delayMs} * interval '1 millisecond'
      WHERE id = ${claim.chunkId} AND token = ${claim.token} AND state = 'running'`,
  );
  if (returned.rowCount === 0) return;
  await rememberOpen(db, known);
  await notifyWorkers(db);
}

/** One statement, however many there are. */
async function rememberOpen(
  db: Sql,
  { failedTries, reported = new Map() }: Pick<Reschedule, 'failedTries' | 'reported'>,
): Promise<void> {
  const failed = new Set(failedTries);
  const ids = [...new Set([...failed, ...reported.keys()])];
  if (ids.length === 0) return;
  const words = ids.map((id) => reported.get(id) ?? []);
  await db.execute(
    sql`UPDATE nightshift.lookups l SET tries = l.tries + k.tries, source_results = coalesce(k.reported::jsonb, l.source_results)
      FROM unnest(${bigints(ids)}, ${ints(ids.map((id) => Number(failed.has(id))))},
        ${texts(words.map((each) => (each.length === 0 ? null : JSON.stringify(each))))}) AS k(id, tries, reported)
      WHERE l.id = k.id AND l.outcome IS NULL`,
  );
}
