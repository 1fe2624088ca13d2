import assert from 'node:assert/strict';
import { eq, sql } from 'drizzle-orm';
import type { Sql } from '../../connection/client.ts';
import { chunks } from '../../schema/lookups.ts';
import { bigints, ints } from '../sql/arrays.ts';
import { joinOpenOfChunkSql } from '../sql/open-lookups.ts';
import type { CuttableBatch } from '../sql/bounds.ts';
import { releaseHolds, reserveCredits } from '../credits/ledger.ts';
import { splitChunk } from './split-chunk.ts';

/** Result of unparking a batch's chunks. */
export interface Unparked {
  readonly chunks: number;
  readonly heldMicro: bigint;
  /** The price for which credits or budget are insufficient at the next parked chunk; null if they suffice. */
  readonly shortOf: bigint | null;
}

/** A lookup of a parked chunk. The price is that of the chunk's first hold, which was promised. */
interface ParkedLookup {
  readonly chunkId: number;
  readonly lookupId: bigint;
  readonly attempt: number;
  readonly amountMicro: bigint;
}

/**
 * Queues parked chunks again, oldest first, one per turn, with holds of a new attempt. A chunk is held completely or not at all; one that is
 * too large for the remaining credits continues as single lookups, or in parts if it is very large.
 */
export async function unparkChunks(
  db: Sql,
  batch: CuttableBatch,
  turns: readonly number[],
): Promise<Unparked> {
  const lookups = await selectParked(db, batch.batchId, turns.length);
  if (lookups.length === 0) return { chunks: 0, heldMicro: 0n, shortOf: null };
  const held = await holdInOrder(db, batch, lookups);
  const firstShort = lookups[held.length];
  const whole = held.filter(({ chunkId }) => chunkId !== firstShort?.chunkId);
  await putInLine(db, [...new Set(whole.map(({ chunkId }) => chunkId))], turns);
  if (firstShort !== undefined) {
    await splitShort(db, batch, firstShort, held.slice(whole.length));
  }
  return {
    chunks: new Set(whole.map(({ chunkId }) => chunkId)).size,
    heldMicro: whole.reduce((sum, { amountMicro }) => sum + amountMicro, 0n),
    shortOf: firstShort?.amountMicro ?? null,
  };
}

async function selectParked(db: Sql, batchId: number, chunksMax: number): Promise<readonly ParkedLookup[]> {
  const rows = await db.execute<{ chunk_id: string; id: string; attempt: number; price_micro: string }>(
    sql`SELECT c.id AS chunk_id, l.id, c.attempt, c.price_micro FROM (
        SELECT * FROM nightshift.chunks WHERE batch_id = ${batchId} AND state = 'parked' ORDER BY id LIMIT ${chunksMax}
      ) c
      ${joinOpenOfChunkSql}
      ORDER BY c.id, l.id`,
  );
  return rows.rows.map((row) => ({
    chunkId: Number(row.chunk_id),
    lookupId: BigInt(row.id),
    attempt: row.attempt,
    amountMicro: BigInt(row.price_micro),
  }));
}

async function holdInOrder(
  db: Sql,
  { accountId, roomMicro }: CuttableBatch,
  lookups: readonly ParkedLookup[],
): Promise<readonly ParkedLookup[]> {
  const allowed = roomMicro === null ? lookups : withinRoom(lookups, roomMicro);
  const statuses = await reserveCredits(db, accountId, allowed);
  const firstShort = statuses.indexOf('insufficient');
  const held = firstShort === -1 ? allowed : allowed.slice(0, firstShort);
  assert(
    statuses.slice(0, held.length).every((status) => status === 'reserved' || status === 'free'),
    'A lookup of a parked chunk is held for already.',
  );
  return held;
}

function withinRoom(lookups: readonly ParkedLookup[], roomMicro: bigint): readonly ParkedLookup[] {
  let sum = 0n;
  const beyond = lookups.findIndex(({ amountMicro }) => (sum += amountMicro) > roomMicro);
  return beyond === -1 ? lookups : lookups.slice(0, beyond);
}

async function putInLine(db: Sql, chunkIds: readonly number[], turns: readonly number[]): Promise<void> {
  await db.execute(
    sql`UPDATE nightshift.chunks c SET state = 'queued', queued_at = NULL, due_at = now(), position = p.turn
      FROM unnest(${bigints(chunkIds)}, ${ints(turns.slice(0, chunkIds.length))}) AS p(id, turn)
      WHERE c.id = p.id AND c.state = 'parked'`,
  );
}

/** Its first lookups may be affordable one by one; a single lookup cannot be split. */
async function splitShort(
  db: Sql,
  { accountId }: CuttableBatch,
  { chunkId }: ParkedLookup,
  partlyHeld: readonly ParkedLookup[],
): Promise<void> {
  if (partlyHeld.length === 0) return;
  await releaseHolds(db, accountId, partlyHeld);
  await db
    .update(chunks)
    .set({ attempt: sql`${chunks.attempt} + 1` })
    .where(eq(chunks.id, chunkId));
  await splitChunk(db, chunkId, 'parked');
}
