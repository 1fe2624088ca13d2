import { sql } from 'drizzle-orm';
import type { PurgeCounts, PurgeRound, PurgeScope } from '../../../src/core/purge/purge-store.ts';
import type { Sql } from '../../connection/client.ts';
import { noCounts } from './purge-counts.ts';
import {
  batchesIn,
  deletedBatches,
  purgeableSql,
  inboxesIn,
  momentSql,
  operationOfRequests,
  schedulesIn,
} from './purge-scope.ts';
import { deleteRawResponses } from '../sources/raw-responses.ts';

/** Purges one round, about `perRound` lookups, rows and so on; `from` is the end of the previous round. */
export async function purgeSome(
  db: Sql,
  scope: PurgeScope,
  from: string | null,
  perRound: number,
): Promise<PurgeRound> {
  const place = parsePlace(from);
  const { counts, next } =
    place.stage === 'batches'
      ? await purgeBatches(db, scope, place, perRound)
      : await purgeRest(db, scope, place.afterId, perRound);
  const known = noCounts(scope.kind);
  const named = Object.entries(counts).filter(([name]) => name in known);
  return {
    counts: { ...known, ...Object.fromEntries(named) },
    next: next === null ? null : JSON.stringify(next),
  };
}

/** Position of a purge of one kind: within a batch, after a batch, or in the records after all batches. */
interface Place {
  readonly stage: 'batches' | 'rest';
  /** Id of the current batch. */
  readonly inBatch: string | null;
  /** Everything up to this id is purged. */
  readonly afterId: string;
}

const beginning: Place = { stage: 'batches', inBatch: null, afterId: '0' };

function parsePlace(text: string | null): Place {
  return text === null ? beginning : (JSON.parse(text) as Place);
}

/** Result of a round; counts that a kind lacks are 0. */
interface Step {
  readonly counts: PurgeCounts;
  readonly next: Place | null;
}

async function purgeBatches(db: Sql, scope: PurgeScope, place: Place, perRound: number): Promise<Step> {
  const at = place.inBatch ?? (await findBatch(db, scope, place.afterId));
  if (at === null) return { counts: {}, next: { stage: 'rest', inBatch: null, afterId: '0' } };
  const purged = await db.execute<{
    state: 'more' | 'done' | 'rejected';
    lookups: string;
    ads: string;
    verdicts: string;
    rows: string;
  }>(sql`SELECT * FROM nightshift.purge_batch(${at}, ${momentSql(scope.before)}, ${perRound})`);
  const [row] = purged.rows;
  if (row === undefined) throw new Error('A round of a purge returned no result.');
  const isDone = row.state === 'done' ? 1 : 0;
  const counts = {
    batches: isDone,
    scans: isDone,
    rows: Number(row.rows),
    lookups: Number(row.lookups),
    ads: Number(row.ads),
    verdicts: Number(row.verdicts),
  };
  if (row.state !== 'more') return { counts, next: { stage: 'batches', inBatch: null, afterId: at } };
  return { counts, next: { ...place, inBatch: at } };
}

/** Purges batches that people deleted, whatever the retention. */
export async function purgeDeleted(db: Sql, rounds: number, perRound: number): Promise<void> {
  for (let round = 0; round < rounds; round += 1) {
    const purged = await db.execute<{ state: string }>(
      sql`SELECT p.state FROM (${deletedBatches}) d
        CROSS JOIN LATERAL nightshift.purge_batch(d.id, ${purgeableSql}, ${perRound}) p`,
    );
    if (purged.rows.length === 0) return;
  }
}

async function findBatch(db: Sql, scope: PurgeScope, afterId: string): Promise<Place['inBatch']> {
  const found = await db.execute<{ id: string }>(
    sql`SELECT i.id FROM (${batchesIn(scope)}) i WHERE i.id > ${afterId} ORDER BY i.id LIMIT 1`,
  );
  return found.rows[0]?.id ?? null;
}

/** Purges the records of a kind other than batches. */
function purgeRest(db: Sql, scope: PurgeScope, afterId: string, perRound: number): Promise<Step> {
  switch (scope.kind) {
    case 'batches':
      return purgeInboxes(db, scope, afterId, perRound);
    case 'addresses':
    case 'searches':
      return purgeRequests(db, scope, afterId, perRound);
    case 'scans':
      return purgeSchedules(db, scope, afterId, perRound);
    case 'raw_responses':
      return purgeRawResponses(db, scope, perRound);
    case 'calls':
    case 'events':
      return purgeRecords(db, scope, afterId, perRound);
  }
}

interface RoundRow extends Record<string, unknown> {
  readonly next_id: string | null;
}

async function purgeRequests(
  db: Sql,
  { kind, before, accountId }: PurgeScope,
  afterId: string,
  perRound: number,
): Promise<Step> {
  const purged = await db.execute<RoundRow>(
    sql`SELECT * FROM nightshift.purge_requests(${accountId}, ${operationOfRequests(kind)}, ${momentSql(before)}, ${afterId},
      ${perRound})`,
  );
  return stepOf(purged.rows[0]);
}

async function purgeRecords(
  db: Sql,
  { kind, before, accountId }: PurgeScope,
  afterId: string,
  perRound: number,
): Promise<Step> {
  const round = sql`(${accountId}, ${momentSql(before)}, ${afterId}, ${perRound})`;
  const purged = await db.execute<RoundRow>(
    kind === 'calls'
      ? sql`SELECT * FROM nightshift.purge_calls${round}`
      : sql`SELECT * FROM nightshift.purge_events${round}`,
  );
  return stepOf(purged.rows[0]);
}

function stepOf({ next_id: nextId, ...counts }: RoundRow = { next_id: null }): Step {
  return {
    counts: Object.fromEntries(Object.entries(counts).map(([name, count]) => [name, Number(count)])),
    next: nextId === null ? null : { stage: 'rest', inBatch: null, afterId: nextId },
  };
}

async function purgeSchedules(db: Sql, scope: PurgeScope, afterId: string, perRound: number): Promise<Step> {
  const found = await db.execute<{ id: string }>(
    sql`SELECT i.id FROM (${schedulesIn(scope, { alsoBatches: false })}) i WHERE i.id > ${afterId} ORDER BY i.id LIMIT 1`,
  );
  const id = found.rows[0]?.id;
  if (id === undefined) return { counts: {}, next: null };
  const purged = await db.execute<{ state: string; changes: string }>(
    sql`SELECT * FROM nightshift.purge_schedule(${id}, ${momentSql(scope.before)}, ${perRound})`,
  );
  const [row] = purged.rows;
  const isDone = row?.state === 'done';
  return {
    counts: { schedules: isDone ? 1 : 0, changes: Number(row?.changes ?? 0) },
    next: { stage: 'rest', inBatch: null, afterId: row?.state === 'more' ? afterId : id },
  };
}

async function purgeInboxes(db: Sql, scope: PurgeScope, afterId: string, perRound: number): Promise<Step> {
  const found = await db.execute<{ id: string }>(
    sql`SELECT i.id FROM (${inboxesIn(scope)}) i WHERE i.id > ${afterId} ORDER BY i.id LIMIT 1`,
  );
  const id = found.rows[0]?.id;
  if (id === undefined) return { counts: {}, next: null };
  const purged = await db.execute<{ state: string; files: string }>(
    sql`SELECT * FROM nightshift.purge_inbox(${id}, ${momentSql(scope.before)}, ${perRound})`,
  );
  const [row] = purged.rows;
  return {
    counts: { inboxes: row?.state === 'done' ? 1 : 0, files: Number(row?.files ?? 0) },
    next: { stage: 'rest', inBatch: null, afterId: row?.state === 'more' ? afterId : id },
  };
}

/** Responses belong to no account: equal ones are stored once for all. */
async function purgeRawResponses(
  db: Sql,
  { before, accountId }: PurgeScope,
  perRound: number,
): Promise<Step> {
  if (accountId !== null) return { counts: {}, next: null };
  const deleted = await deleteRawResponses(db, before, perRound);
  return {
    counts: { raw_responses: deleted },
    next: deleted < perRound ? null : { stage: 'rest', inBatch: null, afterId: '0' },
  };
}
