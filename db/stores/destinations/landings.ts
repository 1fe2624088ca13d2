import { and, asc, eq, sql, type SQL } from 'drizzle-orm';
import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import type { ReportDepth } from '../../../src/core/batches/batch-report.ts';
import type {
  DueLanding,
  LandingEnd,
  LandingPart,
  LandingStore,
  RecordedPart,
} from '../../../src/core/destinations/landing.ts';
import { LeaseLost } from '../../../src/core/errors.ts';
import { withDatabase, type Sql } from '../../connection/client.ts';
import { destinations, landingParts, landings } from '../../schema/destinations.ts';
import { msFromNow } from '../sql/moments.ts';
import { toTarget, type DestinationRow } from './destination-rows.ts';

/** Landings in `nightshift.landings`. */
export function createLandingStore(db: NodePgDatabase): LandingStore {
  return {
    claim: (limit, leaseMs) => withDatabase(() => claimDue(db, limit, leaseMs)),
    renew: (landing, leaseMs) => withDatabase(() => renew(db, landing, leaseMs)),
    readParts: (landing) => withDatabase(() => readParts(db, landing)),
    planPart: (landing, part) => changeParts(db, landing, (sql) => planPart(sql, landing, part)),
    recordPart: (landing, part) =>
      changeParts(db, landing, async (transaction) => {
        await transaction
          .update(landingParts)
          .set({ writtenAt: sql`now()` })
          .where(isPart(landing, part));
      }),
    forgetPart: (landing, part) =>
      changeParts(db, landing, async (transaction) => {
        await transaction.delete(landingParts).where(isPart(landing, part));
      }),
    end: (landing, end) => withDatabase(() => db.transaction((sql) => endLanding(sql, landing, end))),
    release: (landing) => withDatabase(() => release(db, landing)),
  };
}

interface ClaimedRow extends Record<string, unknown> {
  readonly id: string;
  readonly token: number;
  readonly attempts: number;
  readonly content_key: string;
  readonly revision: number;
  readonly shape: ReportDepth;
  readonly day: string;
  readonly batch_key: string;
  readonly batch: string;
  readonly file_name: string;
  readonly batch_state: string;
  readonly finished_at: string;
  readonly rows_total: number;
  readonly name: DestinationRow['name'];
  readonly location: DestinationRow['location'];
  readonly credentials: DestinationRow['credentials'];
  readonly is_of_account: boolean;
  readonly format: DestinationRow['format'];
  readonly options: DestinationRow['options'];
}

/**
 * The lock on the destination keeps two processes from writing to it at once; the conditions are repeated in the update, for processes that
 * read them before another claimed the landing.
 */
async function claimDue(db: Sql, limit: number, leaseMs: number): Promise<readonly DueLanding[]> {
  const claimed = await db.execute<ClaimedRow>(
    sql`WITH due AS (
        SELECT DISTINCT ON (l.destination_id) l.destination_id, l.id, l.next_at FROM nightshift.landings l
        JOIN nightshift.batches b ON b.id = l.batch_id AND b.state IN ('finished', 'cancelled')
        WHERE l.state = 'pending' AND l.next_at <= now() AND coalesce(l.lease_until < now(), true)
        ORDER BY l.destination_id, l.id
      ), ready AS (
        SELECT due.id FROM due JOIN nightshift.destinations d ON d.id = due.destination_id
        WHERE d.state = 'active' AND NOT EXISTS (
          SELECT FROM nightshift.landings o WHERE o.destination_id = d.id AND o.state = 'pending' AND o.lease_until >= now())
        ORDER BY due.next_at LIMIT ${limit} FOR NO KEY UPDATE OF d SKIP LOCKED
      ), claimed AS (
        UPDATE nightshift.landings l SET attempts = l.attempts + 1, token = l.token + 1, tried_at = now(),
          lease_until = ${msFromNow(leaseMs)}
        FROM ready r WHERE l.id = r.id AND l.state = 'pending' AND coalesce(l.lease_until < now(), true)
        RETURNING l.*
      )
      SELECT c.id, c.token, c.attempts, c.content_key, c.revision, c.shape, c.day::text AS day, b.id AS batch_key, b.public_id AS batch,
        b.file_name, b.state AS batch_state, coalesce(b.finished_at, b.state_since) AS finished_at, b.rows_total, d.name, d.location,
        d.credentials, d.is_of_account, d.format, d.options
      FROM claimed c
      JOIN nightshift.batches b ON b.id = c.batch_id
      JOIN nightshift.destinations d ON d.id = c.destination_id
      ORDER BY c.id`,
  );
  return claimed.rows.map(toDue);
}

function toDue(row: ClaimedRow): DueLanding {
  return {
    landingKey: Number(row.id),
    token: row.token,
    attempt: row.attempts,
    contentKey: row.content_key,
    revision: row.revision,
    shape: row.shape,
    day: row.day,
    batch: {
      batchKey: Number(row.batch_key),
      publicId: row.batch,
      fileName: row.file_name,
      state: row.batch_state,
      finishedAt: new Date(row.finished_at),
      rowsTotal: row.rows_total,
    },
    target: toTarget(row),
  };
}

async function renew(db: Sql, landing: DueLanding, leaseMs: number): Promise<void> {
  const renewed = await db
    .update(landings)
    .set({ leaseUntil: msFromNow(leaseMs) })
    .where(isClaimed(landing));
  if (renewed.rowCount === 0) throw lost();
}

async function readParts(db: Sql, { landingKey }: DueLanding): Promise<readonly RecordedPart[]> {
  const { part, path, rows, bytes, sha256, writtenAt, landingId } = landingParts;
  const found = await db
    .select({ part, path, rows, bytes, sha256, writtenAt })
    .from(landingParts)
    .where(eq(landingId, landingKey))
    .orderBy(asc(part));
  return found.map(({ writtenAt: at, ...fields }) => ({ ...fields, isWritten: at !== null }));
}

/** Changes parts under the lock of the claimed landing, which another process cannot claim meanwhile. */
function changeParts(
  db: NodePgDatabase,
  landing: DueLanding,
  change: (transaction: Sql) => Promise<void>,
): Promise<void> {
  return withDatabase(() =>
    db.transaction(async (transaction) => {
      const claimed = await transaction
        .select({ id: landings.id })
        .from(landings)
        .where(isClaimed(landing))
        .for('no key update');
      if (claimed.length === 0) throw lost();
      await change(transaction);
    }),
  );
}

async function planPart(db: Sql, { landingKey }: DueLanding, part: LandingPart): Promise<void> {
  const { path, rows, bytes, sha256 } = part;
  const values = { path, rows, bytes, sha256, writtenAt: null };
  await db
    .insert(landingParts)
    .values({ landingId: landingKey, part: part.part, ...values })
    .onConflictDoUpdate({ target: [landingParts.landingId, landingParts.part], set: values });
}

async function endLanding(db: Sql, landing: DueLanding, end: LandingEnd): Promise<void> {
  const destination = await db.execute<{ id: string }>(
    sql`SELECT d.id FROM nightshift.destinations d JOIN nightshift.landings l ON l.destination_id = d.id
      WHERE l.id = ${landing.landingKey} FOR NO KEY UPDATE OF d`,
  );
  const key = Number(destination.rows[0]?.id);
  if (end.kind === 'landed') {
    await setLanded(db, landing, end);
    await showReason(db, key, null);
    return;
  }
  await setFailed(db, landing, end);
  if (end.isRejected) await showReason(db, key, end.error);
}

/** A batch that finished again meanwhile, or whose parts a replay distrusts, lands again at once. */
async function setLanded(
  db: Sql,
  landing: DueLanding,
  { size }: Extract<LandingEnd, { kind: 'landed' }>,
): Promise<void> {
  const { rows, bytes, parts, note } = size;
  await db.execute(
    sql`UPDATE nightshift.landings l SET lease_until = NULL, last_error = NULL, note = ${note}, rows = ${rows}, bytes = ${bytes},
        parts = ${parts}, state = CASE WHEN l.content_key = ${landing.contentKey} AND f.is_whole THEN 'landed' ELSE 'pending' END,
        landed_at = CASE WHEN l.content_key = ${landing.contentKey} AND f.is_whole THEN now() END
      FROM (
        SELECT b.state IN ('finished', 'cancelled') AND NOT EXISTS (
          SELECT FROM nightshift.landing_parts p WHERE p.landing_id = ${landing.landingKey} AND p.written_at IS NULL) AS is_whole
        FROM nightshift.batches b WHERE b.id = ${landing.batch.batchKey}
      ) f
      WHERE l.id = ${landing.landingKey} AND l.token = ${landing.token} AND l.state = 'pending'`,
  );
}

/** A batch that finished again meanwhile has all its attempts. */
async function setFailed(
  db: Sql,
  landing: DueLanding,
  end: Extract<LandingEnd, { kind: 'retry' | 'dead' }>,
): Promise<void> {
  const isSame = sql`${landings.contentKey} = ${landing.contentKey}`;
  const waitMs = end.kind === 'retry' ? end.waitMs : 0;
  await db
    .update(landings)
    .set({
      state: sql`CASE WHEN ${isSame} THEN ${end.kind === 'retry' ? 'pending' : 'dead'} ELSE 'pending' END`,
      leaseUntil: null,
      nextAt: sql`CASE WHEN ${isSame} THEN ${msFromNow(waitMs)} ELSE now() END`,
      lastError: end.error,
    })
    .where(isClaimed(landing));
}

/** An active destination shows why its storage rejects it, until something lands. */
async function showReason(db: Sql, key: number, stateReason: string | null): Promise<void> {
  await db
    .update(destinations)
    .set({ stateReason })
    .where(and(eq(destinations.id, key), eq(destinations.state, 'active')));
}

async function release(db: Sql, landing: DueLanding): Promise<void> {
  await db
    .update(landings)
    .set({ attempts: sql`greatest(${landings.attempts} - 1, 0)`, leaseUntil: null })
    .where(isClaimed(landing));
}

function isClaimed({ landingKey, token }: DueLanding): SQL | undefined {
  return and(eq(landings.id, landingKey), eq(landings.token, token), eq(landings.state, 'pending'));
}

function isPart({ landingKey }: DueLanding, part: number): SQL | undefined {
  return and(eq(landingParts.landingId, landingKey), eq(landingParts.part, part));
}

function lost(): LeaseLost {
  return new LeaseLost('Another process writes this landing.');
}
