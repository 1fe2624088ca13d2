import { randomUUID } from 'node:crypto';
import { and, eq, exists, sql, type SQL } from 'drizzle-orm';
import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import { anySearch, wholeSearch } from '../../../src/core/ads/ads-answer.ts';
import type {
  AdsClaim,
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
import { batches } from '../../schema/batches.ts';
import { chunks } from '../../schema/lookups.ts';
import { chargedAnswers } from '../sources/charged-answers.ts';
import { bigints, ints, texts } from '../sql/arrays.ts';
import { lockedSubjectsSql, isOpenInSql } from '../sql/open-lookups.ts';
import { msFromNow } from '../sql/moments.ts';

/** Chunks, their leases and fencing tokens, in `nightshift.chunks`. */
export function createWorkStore(db: NodePgDatabase): WorkStore {
  return {
    claim: (chunkId, generation, leaseMs) => withDatabase(() => claimChunk(db, chunkId, generation, leaseMs)),
    renew: (tokens, leaseMs) => withDatabase(() => renewLeases(db, tokens, leaseMs)),
    release: (claim, options) =>
      withDatabase(() => db.transaction((transaction) => release(transaction, claim, options))),
    deferBatch: (batchId, { kind, reason, delayMs, cause = null, bound = null }) =>
      withDatabase(async () => {
        await db
          .update(batches)
          .set({
            state: 'waiting_for_source',
            stateReason: reason,
            stateSince: sql`now()`,
            waitKind: kind,
            waitCause: cause,
            waitBound: bound,
            waitUntil: msFromNow(delayMs),
          })
          .where(and(eq(batches.id, batchId), eq(batches.state, 'running')));
      }),
  };
}

/** A chunk after it was claimed with a token. */
export type TakenChunk = typeof chunks.$inferSelect & { readonly token: string };

async function claimChunk(
  db: Sql,
  chunkId: number,
  generation: number,
  leaseMs: number,
): Promise<Claim | null> {
  const token = randomUUID();
  const ofRunningBatch = db
    .select({ id: batches.id })
    .from(batches)
    .where(and(eq(batches.id, chunks.batchId), eq(batches.state, 'running')));
  const [chunk] = await db
    .update(chunks)
    .set({
      state: 'running',
      starts: sql`${chunks.starts} + 1`,
      token,
      leaseUntil: msFromNow(leaseMs),
    })
    .where(
      and(
        eq(chunks.id, chunkId),
        eq(chunks.generation, generation),
        eq(chunks.state, 'queued'),
        exists(ofRunningBatch),
      ),
    )
    .returning();
  return chunk === undefined ? null : toClaim(db, { ...chunk, token });
}

/** The claim of a chunk that was just claimed, with its open lookups. */
export async function toClaim(db: Sql, chunk: TakenChunk): Promise<Claim> {
  const { id: chunkId, generation, token, accountId, batchId, priceMicro, attempt, operation } = chunk;
  const claimed = { chunkId, generation, token, accountId, batchId, priceMicro, attempt };
  return operation === 'ads_search'
    ? { ...claimed, operation, ...(await readPlan(db, batchId)), lookups: await selectOpenLookups(db, chunk) }
    : { ...claimed, operation, lookups: await selectOpenAddresses(db, chunk) };
}

/** Reads the sources and options of a batch's search; no source for the chunk of a request. */
async function readPlan(db: Sql, batchId: number | null): Promise<Pick<AdsClaim, 'sources' | 'search'>> {
  if (batchId === null) return { sources: [], search: anySearch };
  const { sources, search } = batches;
  const [plan] = await db.select({ sources, search }).from(batches).where(eq(batches.id, batchId));
  return { sources: plan?.sources ?? [], search: wholeSearch(plan?.search) };
}

async function selectOpenAddresses(db: Sql, chunk: TakenChunk): Promise<readonly OpenAddress[]> {
  const rows = await db.execute<{ id: string; email: string | null; tries: number }>(
    sql`SELECT l.id, l.email, l.tries FROM nightshift.open_lookups l WHERE ${isOpenIn(chunk)} ORDER BY l.id`,
  );
  return rows.rows.map((row) => ({ lookupId: BigInt(row.id), email: row.email, tries: row.tries }));
}

/** Condition that open lookup `l` is one of the chunk's. */
function isOpenIn({ batchId, operation, firstLookupId: from, lastLookupId: to }: TakenChunk): SQL {
  return isOpenInSql({ batchId, operation, from, to });
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
      FROM nightshift.open_lookups l
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
 * Calls of lookup `l` that may have been charged, and those of the lookup whose replies it parses again. A call that failed by
 * the source's own report, or was never sent, does not count.
 */
const earlierCallsSql = sql`SELECT jsonb_agg(jsonb_build_object('callId', s.id::text, 'source', s.source, 'about', s.description,
    'state', CASE WHEN s.answer IS NOT NULL AND EXISTS (SELECT FROM nightshift.raw_responses r WHERE r.hash = s.response_hash) THEN 'kept'
      WHEN s.answer IN ('none', 'no_match', 'candidates') THEN s.answer ELSE 'lost' END) ORDER BY s.id) AS earlier
  FROM nightshift.source_calls s
  WHERE s.lookup_id IN (l.id, l.reparses) AND (s.answer IS NULL OR s.answer = ANY (${texts(chargedAnswers)}))`;

/** Locks the chunks in the order of their ids, as commits of several requests do, so that they do not deadlock. */
async function renewLeases(db: Sql, tokens: readonly string[], leaseMs: number): Promise<Renewal> {
  const renewed = await db.execute<{ token: string; state: string }>(
    sql`WITH held AS MATERIALIZED (
        SELECT id FROM nightshift.chunks WHERE state = 'running' AND token = ANY (${texts(tokens)}::uuid[]) ORDER BY id FOR NO KEY UPDATE
      )
      UPDATE nightshift.chunks c SET lease_until = ${msFromNow(leaseMs)}
      WHERE c.id = ANY (ARRAY(SELECT id FROM held)) AND c.state = 'running' AND c.token = ANY (${texts(tokens)}::uuid[])
      RETURNING c.token, coalesce((SELECT b.state FROM nightshift.batches b WHERE b.id = c.batch_id), 'running') AS state`,
  );
  const ours = new Set(renewed.rows.map((row) => row.token));
  const tokensOf = (isMeant: (state: string) => boolean) =>
    renewed.rows.filter(({ state }) => isMeant(state)).map(({ token }) => token);
  return {
    lost: tokens.filter((token) => !ours.has(token)),
    waiting: tokensOf((state) => state === 'waiting_for_source'),
    halted: tokensOf((state) => state !== 'running' && state !== 'waiting_for_source'),
  };
}

async function release(db: Sql, claim: Claim, { delayMs, ...known }: Reschedule): Promise<void> {
  const { id, token, state, generation, starts } = chunks;
  const returned = await db
    .update(chunks)
    .set({
      state: 'queued',
      token: null,
      leaseUntil: null,
      queuedAt: null,
      generation: sql`${generation} + 1`,
      starts: sql`greatest(${starts} - 1, 0)`,
      dueAt: msFromNow(delayMs),
    })
    .where(and(eq(id, claim.chunkId), eq(token, claim.token), eq(state, 'running')));
  if (returned.rowCount === 0) return;
  await rememberOpen(db, claim, known);
  await notifyWorkers(db);
}

/** Stores what an unfinished try of open lookups found. One statement, whatever their number; a lookup that waits in a block gets its row. */
async function rememberOpen(
  db: Sql,
  { batchId, operation, lookups }: Claim,
  { failedTries, reported = new Map() }: Pick<Reschedule, 'failedTries' | 'reported'>,
): Promise<void> {
  const failed = new Set(failedTries);
  const ids = [...new Set([...failed, ...reported.keys()])];
  if (ids.length === 0) return;
  const words = ids.map((id) => reported.get(id) ?? []);
  const claimed = lookups.map(({ lookupId }) => lookupId);
  const range = { batchId, operation, from: claimed[0] ?? 0n, to: claimed.at(-1) ?? 0n };
  await db.execute(
    sql`WITH k AS (
        SELECT * FROM unnest(${bigints(ids)}, ${ints(ids.map((id) => Number(failed.has(id))))},
          ${texts(words.map((each) => (each.length === 0 ? null : JSON.stringify(each))))}) AS k(id, tries, reported)
      ), begun AS (
        UPDATE nightshift.lookups l SET tries = l.tries + k.tries, source_results = coalesce(k.reported::jsonb, l.source_results)
        FROM k WHERE l.id = k.id AND l.outcome IS NULL
      )
      INSERT INTO nightshift.lookups (id, account_id, batch_id, operation, subject_key, company_domain, company_name, email, tries,
        source_results)
      SELECT w.id, w.account_id, w.batch_id, w.operation, w.subject_key, w.company_domain, w.company_name, w.email, k.tries, k.reported::jsonb
      FROM k JOIN (${lockedSubjectsSql(range)}) w ON w.id = k.id
      ON CONFLICT (id) DO NOTHING`,
  );
}
