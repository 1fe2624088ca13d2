import assert from 'node:assert/strict';
import { sql } from 'drizzle-orm';
import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import { crashPoint } from '../../src/core/crash-point.ts';
import { chargeFor } from '../../src/core/credits/price-book.ts';
import { LeaseLost } from '../../src/core/errors.ts';
import type { AdsOutcome, LookupResult, OutcomeStore } from '../../src/core/outcomes.ts';
import type { Claim } from '../../src/core/work/claim.ts';
import { withDatabase, type Sql } from '../client.ts';
import { ringSql } from '../work-bell.ts';
import { bigints, ints, texts } from './arrays.ts';
import { resolveCredits } from './ledger.ts';
import { linkAds } from './link-ads.ts';

/** The exactly-once commit (DESIGN D4): one transaction, guarded by the claim's token and by the state it moves from. */
export function createOutcomeStore(db: NodePgDatabase): OutcomeStore {
  return {
    commit: (claim, results) =>
      withDatabase(async () => {
        await db.transaction((transaction) => commitResults(transaction, claim, results));
        crashPoint('commit:committed');
      }),
  };
}

/**
 * The commit inside the caller's transaction. `beforeSettling` is for what else belongs to it, and is told how the lookups
 * end: from then on the account is locked.
 *
 * @throws LeaseLost
 */
export async function commitResults(
  db: Sql,
  claim: Claim,
  results: readonly LookupResult[],
  beforeSettling: (ends: readonly LookupEnd[]) => Promise<void> = () => Promise.resolve(),
): Promise<void> {
  await lockChunk(db, claim);
  crashPoint('commit:chunk-locked');
  const open = await selectOpen(db, results);
  if (open.length === 0) return;
  const linked = await linkAds(db, open);
  const ends = open.map((result) => endOf(result, linked.get(result.lookupId) ?? 0));
  crashPoint('commit:ads-linked');
  await writeOutcomes(db, claim, ends);
  crashPoint('commit:outcomes-written');
  await countInChunk(db, claim, ends);
  crashPoint('commit:chunk-counted');
  await beforeSettling(ends);
  // Last, because it locks the account: everybody else who charges it waits from here to the COMMIT.
  await settle(db, claim, ends);
  crashPoint('commit:settled');
}

/** A lookup's end as it is written down. */
export interface LookupEnd {
  readonly lookupId: bigint;
  readonly outcome: AdsOutcome;
  readonly reason: string | null;
  readonly source: string | null;
  readonly matchedBy: string | null;
  readonly adsCount: number;
}

/** Everything below happens while this row is locked: the reconciler and other workers wait here and then find it changed. */
async function lockChunk(db: Sql, claim: Claim): Promise<void> {
  const held = await db.execute(
    sql`SELECT 1 FROM nightshift.chunks WHERE id = ${claim.chunkId} AND token = ${claim.token} AND state = 'running'
      FOR NO KEY UPDATE`,
  );
  if (held.rows.length === 0) {
    throw new LeaseLost(
      `Chunk ${claim.chunkId} belongs to another worker by now; its results are that worker's to write.`,
    );
  }
}

/** A statement of its own after the lock, so that it sees what was committed while we waited for it. */
async function selectOpen(db: Sql, results: readonly LookupResult[]): Promise<readonly LookupResult[]> {
  const rows = await db.execute<{ id: string }>(
    sql`SELECT id FROM nightshift.lookups WHERE outcome IS NULL AND id = ANY (${bigints(results.map((r) => r.lookupId))})`,
  );
  const open = new Set(rows.rows.map((row) => BigInt(row.id)));
  return results.filter((result) => open.has(result.lookupId));
}

/** `found` is what has ads in the store by now: a snapshot that was emptied since the match makes it `none`. */
function endOf({ lookupId, source, answer }: LookupResult, adsCount: number): LookupEnd {
  const matchedBy = 'matchedBy' in answer ? answer.matchedBy : null;
  if (answer.kind === 'failed')
    return { lookupId, outcome: 'failed', reason: answer.reason, source, matchedBy, adsCount };
  const outcome = answer.kind === 'found' || answer.kind === 'stored' ? foundOrNone(adsCount) : answer.kind;
  return { lookupId, outcome, reason: null, source, matchedBy, adsCount };
}

function foundOrNone(adsCount: number): AdsOutcome {
  return adsCount > 0 ? 'found' : 'none';
}

/**
 * Guarded by `selectOpen` under the chunk's lock and by the trigger `outcome_is_final`, not by a condition of its own: statistics of
 * a moment when every lookup had ended make `outcome IS NULL` look like one row, and the join a loop over all of them (measured: 3 s
 * for a chunk instead of 10 ms).
 */
async function writeOutcomes(db: Sql, claim: Claim, ends: readonly LookupEnd[]): Promise<void> {
  const written = await db.execute(
    sql`UPDATE nightshift.lookups l SET outcome = e.outcome, reason = e.reason, source = e.source,
        matched_by = e.matched_by, ads_count = e.ads_count, charged_micro = e.charged_micro, ended_at = now()
      FROM unnest(${bigints(ends.map((end) => end.lookupId))}, ${texts(ends.map((end) => end.outcome))},
        ${texts(ends.map((end) => end.reason))}, ${texts(ends.map((end) => end.source))},
        ${texts(ends.map((end) => end.matchedBy))}, ${ints(ends.map((end) => end.adsCount))},
        ${bigints(ends.map((end) => chargeFor(end.outcome, claim.priceMicro)))})
        AS e(id, outcome, reason, source, matched_by, ads_count, charged_micro)
      WHERE l.id = e.id`,
  );
  assert.equal(written.rowCount, ends.length, 'A lookup went away while its chunk was locked.');
}

/** Counts the ends in the chunk; with the last one the chunk is done, and the dispatcher is told. */
async function countInChunk(db: Sql, claim: Claim, ends: readonly LookupEnd[]): Promise<void> {
  const count = (outcome: AdsOutcome) => ends.filter((end) => end.outcome === outcome).length;
  const isDone = sql`found + none + no_match + failed + cancelled + moved_on + ${ends.length} = lookups`;
  await db.execute(
    sql`WITH counted AS (
        UPDATE nightshift.chunks SET found = found + ${count('found')}, none = none + ${count('none')},
          no_match = no_match + ${count('no_match')}, failed = failed + ${count('failed')},
          cancelled = cancelled + ${count('cancelled')},
          charged_micro = charged_micro + ${claim.priceMicro * BigInt(count('found'))},
          state = CASE WHEN ${isDone} THEN 'done' ELSE state END,
          token = CASE WHEN ${isDone} THEN NULL ELSE token END,
          lease_until = CASE WHEN ${isDone} THEN NULL ELSE lease_until END
        WHERE id = ${claim.chunkId} RETURNING state, batch_id
      )
      SELECT ${ringSql} FROM counted WHERE state = 'done' AND batch_id IS NOT NULL`,
  );
}

async function settle(db: Sql, claim: Claim, ends: readonly LookupEnd[]): Promise<void> {
  if (claim.priceMicro === 0n) return;
  const statuses = await resolveCredits(
    db,
    claim.accountId,
    ends.map(({ lookupId, outcome }) => ({
      lookupId,
      attempt: claim.attempt,
      amountMicro: chargeFor(outcome, claim.priceMicro),
    })),
  );
  // The lookups were open and the chunk is locked, so anything else means that the ledger and the lookups disagree.
  const odd = statuses.findIndex((status) => status !== 'settled' && status !== 'released');
  assert(
    odd === -1 && statuses.length === ends.length,
    `The ledger answered ${statuses[odd] ?? 'nothing'} for lookup ${ends[odd]?.lookupId ?? '?'} of chunk ${claim.chunkId}.`,
  );
}
