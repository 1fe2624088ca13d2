import assert from 'node:assert/strict';
import { sql } from 'drizzle-orm';
import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import { formatCredits } from '../../src/core/credits/credits.ts';
import type { DispatchStore } from '../../src/core/work/work-store.ts';
import type { Sql } from '../client.ts';
import { bigints, ints } from './arrays.ts';
import { reserveCredits } from './ledger.ts';
import { priceNow } from './price-book.ts';

type CutOptions = Parameters<DispatchStore['cutChunks']>[0];

/** Each batch gets an equal share of the room, so that a small list is not stuck behind a large one. */
export async function cutChunks(db: NodePgDatabase, { chunksMax, sizeOf }: CutOptions): Promise<number> {
  const waiting = await db.execute<{ id: string; sources: readonly string[] }>(
    sql`SELECT id, sources FROM nightshift.batches WHERE state = 'running' AND dispatched_to < last_lookup_id ORDER BY id`,
  );
  let made = 0;
  for (const [i, batch] of waiting.rows.entries()) {
    const share = Math.ceil((chunksMax - made) / (waiting.rows.length - i));
    if (share <= 0) break;
    made += await db.transaction((transaction) =>
      cutBatch(transaction, Number(batch.id), share, sizeOf(batch.sources)),
    );
  }
  return made;
}

/** One transaction: the holds, the chunks, and how far the batch is dispatched. */
async function cutBatch(db: Sql, batchId: number, chunksMax: number, size: number): Promise<number> {
  const batch = await db.execute<{ account_id: string; dispatched_to: string; last_lookup_id: string }>(
    sql`SELECT account_id, dispatched_to, last_lookup_id FROM nightshift.batches
      WHERE id = ${batchId} AND state = 'running' FOR NO KEY UPDATE`,
  );
  const row = batch.rows[0];
  if (row === undefined) return 0;
  const accountId = Number(row.account_id);
  const lookups = await db.execute<{ id: string }>(
    sql`SELECT id FROM nightshift.lookups
      WHERE id > ${row.dispatched_to} AND id <= ${row.last_lookup_id} AND batch_id = ${batchId} AND outcome IS NULL
      ORDER BY id LIMIT ${chunksMax * size}`,
  );
  const ids = lookups.rows.map((lookup) => BigInt(lookup.id));
  if (ids.length === 0) {
    await noteDispatchedTo(db, batchId, BigInt(row.last_lookup_id));
    return 0;
  }
  const priceMicro = await priceNow(db, 'ads_search');
  const held = await holdInOrder(db, accountId, ids, priceMicro);
  if (held.length === 0) await waitForCredits(db, batchId, priceMicro);
  else await insertChunks(db, { batchId, accountId, priceMicro, ids: held, size });
  return Math.ceil(held.length / size);
}

/** Holds the price of a find for each lookup, as far as the balance goes; answers the lookups that are held for. */
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
  readonly priceMicro: bigint;
  readonly ids: readonly bigint[];
  readonly size: number;
}

async function insertChunks(db: Sql, { batchId, accountId, priceMicro, ids, size }: Cut): Promise<void> {
  const pieces = Array.from({ length: Math.ceil(ids.length / size) }, (_, i) =>
    ids.slice(i * size, (i + 1) * size),
  );
  await db.execute(
    sql`INSERT INTO nightshift.chunks (account_id, batch_id, first_lookup_id, last_lookup_id, lookups, state, price_micro)
      SELECT ${accountId}, ${batchId}, p.first_id, p.last_id, p.lookups, 'queued', ${priceMicro}
      FROM unnest(${bigints(pieces.map((piece) => piece[0] ?? null))}, ${bigints(pieces.map((piece) => piece.at(-1) ?? null))},
        ${ints(pieces.map((piece) => piece.length))}) AS p(first_id, last_id, lookups)
      ORDER BY p.first_id`,
  );
  await noteDispatchedTo(db, batchId, ids.at(-1) ?? 0n);
}

async function noteDispatchedTo(db: Sql, batchId: number, lookupId: bigint): Promise<void> {
  await db.execute(sql`UPDATE nightshift.batches SET dispatched_to = ${lookupId} WHERE id = ${batchId}`);
}

/** What is held for is worked on first: its free answers give credits back, and then it may go on after all. */
async function waitForCredits(db: Sql, batchId: number, priceMicro: bigint): Promise<void> {
  const reason = `the balance is below the price of a find (${formatCredits(priceMicro)} credits)`;
  await db.execute(
    sql`UPDATE nightshift.batches SET state = 'waiting_for_credits', state_reason = ${reason}, state_since = now()
      WHERE id = ${batchId} AND NOT EXISTS (
        SELECT 1 FROM nightshift.chunks c WHERE c.batch_id = ${batchId} AND c.state IN ('queued', 'running'))`,
  );
}
