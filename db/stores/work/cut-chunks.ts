import assert from 'node:assert/strict';
import { and, eq, inArray, notExists, sql } from 'drizzle-orm';
import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import { failpoint } from '../../../src/core/failpoint.ts';
import { formatCredits } from '../../../src/core/credits/credits.ts';
import { operations, type Operation } from '../../../src/core/credits/price-book.ts';
import type { ChunkBounds, DispatchStore } from '../../../src/core/work/work-store.ts';
import type { Sql } from '../../connection/client.ts';
import { batches } from '../../schema/batches.ts';
import { chunks } from '../../schema/lookups.ts';
import { bigints, ints } from '../sql/arrays.ts';
import { isOpenInSql } from '../sql/open-lookups.ts';
import { committedSql, lastAllowedSql, type CuttableBatch } from '../sql/bounds.ts';
import { reserveCredits } from '../credits/ledger.ts';
import { priceNow } from '../sql/price-book.ts';
import { createChunkShares, type ChunkShares, type PlannedCut } from '../../../src/core/work/share-chunks.ts';
import { readLine, type Line } from './accounts-in-line.ts';
import { placeChunks, rebaseTurns, withdrawTurnsOf, withdrawTurnsOfWaiting } from './turns.ts';
import { unparkChunks } from './unpark-chunks.ts';

type CutOptions = Parameters<DispatchStore['cutChunks']>[0];

/** Cuts chunks, and remembers the turns of accounts between two rounds. */
export interface ChunkCutter {
  readonly cut: (options: CutOptions) => Promise<number>;
  /** Forgets the turns; the next round reads those of the open chunks. */
  readonly forgetTurns: () => void;
}

export function createChunkCutter(db: NodePgDatabase): ChunkCutter {
  let shares = createChunkShares();
  return {
    cut: async ({ sizeOf, searchChunksMax, ...options }) => {
      const { accounts, presentTurn, withdrawn } = await readOrderedLine(db, shares, {
        sizeOf,
        searchChunksMax,
      });
      const chunksMax = options.chunksMax + withdrawn;
      let made = 0;
      for (const cut of shares.plan(accounts, presentTurn, { ...options, chunksMax })) {
        const size = (operation: Operation) => sizeOf(operation, cut.sources, accounts.length);
        const chunks = await db.transaction((transaction) => cutBatch(transaction, cut, size));
        shares.noteUnused(cut, cut.turns.length - chunks);
        made += chunks;
      }
      const by = shares.rebaseBy();
      if (by > 0) {
        await rebaseTurns(db, by);
        shares.rebase(by);
      }
      return made;
    },
    forgetTurns: () => {
      shares = createChunkShares();
    },
  };
}

/** Reads the line without turns that are no longer right. Returns also the number of open chunks that are to get other turns. */
async function readOrderedLine(
  db: Sql,
  shares: ChunkShares,
  bounds: ChunkBounds,
): Promise<Line & { readonly withdrawn: number }> {
  const ofWaiting = await withdrawTurnsOfWaiting(db);
  for (const { accountId, from } of ofWaiting) shares.release(accountId, from);
  const line = await readLine(db, bounds);
  // The chunks of an account that others of it have left between its turns move up.
  const unordered = [...ofWaiting.map(({ accountId }) => accountId), ...shares.listOutOfOrder(line.accounts)];
  if (unordered.length === 0) return { ...line, withdrawn: 0 };
  const ofOthers = await withdrawTurnsOf(db, unordered);
  for (const { accountId, from } of ofOthers) shares.release(accountId, from);
  const withdrawn = ofOthers.reduce((sum, { chunks }) => sum + chunks, 0);
  return { ...(await readLine(db, bounds)), withdrawn };
}

/** One transaction: the holds, the chunks, and the position of the batch. */
async function cutBatch(
  db: Sql,
  { batchId, turns, newChunks }: PlannedCut,
  sizeOf: (operation: Operation) => number,
): Promise<number> {
  const batch = await lockBatch(db, batchId);
  if (batch === null) return 0;
  const placed = await placeChunks(db, batchId, turns);
  const parked = await unparkChunks(db, batch, turns.slice(placed));
  let { shortOf } = parked;
  let chunks = placed + parked.chunks;
  let room = lessened(batch, parked.heldMicro);
  const open = operations.filter(
    (name) => newChunks[name] > 0 && BigInt(batch.dispatchedTo[name]) < BigInt(batch.lastAllowed),
  );
  for (const [i, operation] of open.entries()) {
    const share = Math.min(Math.ceil((turns.length - chunks) / (open.length - i)), newChunks[operation]);
    if (parked.shortOf !== null || share <= 0) break;
    const turnsHere = turns.slice(chunks, chunks + share);
    const cut = await cutNew(db, room, { operation, turns: turnsHere, size: sizeOf(operation) });
    chunks += cut.chunks;
    shortOf ??= cut.shortOf;
    room = lessened(room, cut.heldMicro);
  }
  if (shortOf !== null) await waitForCredits(db, batch, shortOf);
  failpoint('dispatch:chunks-inserted');
  return chunks;
}

function lessened(batch: CuttableBatch, heldMicro: bigint): CuttableBatch {
  return { ...batch, roomMicro: batch.roomMicro === null ? null : batch.roomMicro - heldMicro };
}

async function lockBatch(db: Sql, batchId: number): Promise<CuttableBatch | null> {
  const locked = await db.execute<{
    account_id: string;
    dispatched_to: string;
    emails_dispatched_to: string;
    last_allowed: string;
    max_credits_micro: string | null;
  }>(
    sql`SELECT b.account_id, b.dispatched_to, b.emails_dispatched_to, ${lastAllowedSql} AS last_allowed, b.max_credits_micro
      FROM nightshift.batches b WHERE b.id = ${batchId} AND b.state = 'running' FOR NO KEY UPDATE`,
  );
  const row = locked.rows[0];
  if (row === undefined) return null;
  return {
    batchId,
    accountId: Number(row.account_id),
    dispatchedTo: { ads_search: row.dispatched_to, email_validation: row.emails_dispatched_to },
    lastAllowed: row.last_allowed,
    roomMicro: row.max_credits_micro === null ? null : await readRoom(db, batchId),
  };
}

/** A separate statement after the lock, to see what other dispatchers and workers committed until then. */
async function readRoom(db: Sql, batchId: number): Promise<bigint> {
  const rows = await db.execute<{ room: string }>(
    sql`SELECT greatest(b.max_credits_micro - ${committedSql}, 0)::bigint AS room
      FROM nightshift.batches b WHERE b.id = ${batchId}`,
  );
  return BigInt(rows.rows[0]?.room ?? 0);
}

interface Cutting {
  readonly operation: Operation;
  /** A turn for each chunk. */
  readonly turns: readonly number[];
  /** Lookups per chunk. */
  readonly size: number;
}

interface CutResult {
  readonly chunks: number;
  readonly heldMicro: bigint;
  /** The price for which credits or budget are insufficient; null if they suffice. */
  readonly shortOf: bigint | null;
}

async function cutNew(db: Sql, batch: CuttableBatch, cutting: Cutting): Promise<CutResult> {
  const { batchId, accountId, dispatchedTo, lastAllowed, roomMicro } = batch;
  const { operation, turns, size } = cutting;
  const lookups = await db.execute<{ id: string }>(
    sql`SELECT l.id FROM nightshift.open_lookups l
      WHERE ${isOpenInSql({ batchId, operation, from: BigInt(dispatchedTo[operation]) + 1n, to: BigInt(lastAllowed) })}
      ORDER BY l.id LIMIT ${turns.length * size}`,
  );
  const ids = lookups.rows.map((lookup) => BigInt(lookup.id));
  if (ids.length === 0) {
    await noteDispatchedTo(db, batchId, operation, BigInt(lastAllowed));
    return { chunks: 0, heldMicro: 0n, shortOf: null };
  }
  const priceMicro = await priceNow(db, operation);
  const affordable =
    roomMicro === null || priceMicro === 0n ? ids : ids.slice(0, Number(roomMicro / priceMicro));
  const held = await holdInOrder(db, accountId, affordable, priceMicro);
  failpoint('dispatch:credits-held');
  if (held.length > 0)
    await insertChunks(db, { batchId, accountId, operation, priceMicro, ids: held, turns, size });
  return {
    chunks: Math.ceil(held.length / size),
    heldMicro: priceMicro * BigInt(held.length),
    shortOf: held.length < ids.length ? priceMicro : null,
  };
}

/** Holds the price of a result for each lookup, as far as the balance allows. Returns the held lookups. */
async function holdInOrder(
  db: Sql,
  accountId: number,
  ids: readonly bigint[],
  priceMicro: bigint,
): Promise<readonly bigint[]> {
  const statuses = await reserveCredits(
    db,
    accountId,
    ids.map((lookupId) => ({ lookupId, attempt: 1, amountMicro: priceMicro })),
  );
  assert(!statuses.includes('mismatch'), 'A lookup that was not dispatched yet has a hold at another price.');
  const firstShort = statuses.indexOf('insufficient');
  return firstShort === -1 ? ids : ids.slice(0, firstShort);
}

interface Cut {
  readonly batchId: number;
  readonly accountId: number;
  readonly operation: Operation;
  readonly priceMicro: bigint;
  readonly ids: readonly bigint[];
  readonly turns: readonly number[];
  readonly size: number;
}

async function insertChunks(db: Sql, cut: Cut): Promise<void> {
  const { batchId, accountId, operation, priceMicro, ids, turns, size } = cut;
  const pieces = Array.from({ length: Math.ceil(ids.length / size) }, (_, i) =>
    ids.slice(i * size, (i + 1) * size),
  );
  await db.execute(
    sql`INSERT INTO nightshift.chunks (account_id, batch_id, operation, first_lookup_id, last_lookup_id, lookups, state,
        position, price_micro)
      SELECT ${accountId}, ${batchId}, ${operation}, p.first_id, p.last_id, p.lookups, 'queued', p.turn, ${priceMicro}
      FROM unnest(${bigints(pieces.map((piece) => piece[0] ?? null))}, ${bigints(pieces.map((piece) => piece.at(-1) ?? null))},
        ${ints(pieces.map((piece) => piece.length))}, ${ints(turns.slice(0, pieces.length))}) AS p(first_id, last_id, lookups, turn)
      ORDER BY p.first_id`,
  );
  await db
    .update(batches)
    .set({ chunksCut: sql`${batches.chunksCut} + ${pieces.length}` })
    .where(eq(batches.id, batchId));
  await noteDispatchedTo(db, batchId, operation, ids.at(-1) ?? 0n);
}

async function noteDispatchedTo(
  db: Sql,
  batchId: number,
  operation: Operation,
  lookupId: bigint,
): Promise<void> {
  const dispatched =
    operation === 'ads_search' ? { dispatchedTo: lookupId } : { emailsDispatchedTo: lookupId };
  await db.update(batches).set(dispatched).where(eq(batches.id, batchId));
}

/** Waits for credits. Work with held credits runs first: its free answers release credits, and then the batch may continue. */
async function waitForCredits(
  db: Sql,
  { batchId, roomMicro }: CuttableBatch,
  priceMicro: bigint,
): Promise<void> {
  const reason =
    roomMicro !== null && roomMicro < priceMicro
      ? 'its budget is used up (--max-credits)'
      : `the balance is below the price of a result (${formatCredits(priceMicro)} credits)`;
  const inLine = db
    .select({ id: chunks.id })
    .from(chunks)
    .where(and(eq(chunks.batchId, batchId), inArray(chunks.state, ['queued', 'running'])));
  await db
    .update(batches)
    .set({ state: 'waiting_for_credits', stateReason: reason, stateSince: sql`now()` })
    .where(and(eq(batches.id, batchId), notExists(inLine)));
}
