import { sql } from 'drizzle-orm';
import {
  notApplicable,
  type InvariantReport,
  type VerifyOptions,
} from '../../src/core/reports/invariants.ts';
import { advisoryLocks } from '../locks/advisory-locks.ts';
import type { Sql } from '../connection/client.ts';
import { schedules } from '../schema/schedules.ts';
import { texts } from '../stores/sql/arrays.ts';
import { countOf, evaluate, type Clause } from './clause.ts';

const rescueMsDefault = 60_000;

/**
 * Invariant 10. The timeliness of ticks, and the schedules of the queue, are checked only while a dispatcher runs, because it
 * maintains them.
 */
export async function checkSchedules(
  db: Sql,
  { rescueMs = rescueMsDefault, readJobSchedulers }: VerifyOptions,
): Promise<InvariantReport> {
  if (!(await hasSchedules(db))) return notApplicable(10, 'There are no schedules yet.');
  const isKept = await isDispatcherAtWork(db);
  const names = isKept && readJobSchedulers !== undefined ? await readJobSchedulers() : null;
  const clauses = [
    ticksMakeOneScan,
    scansBelongToOneAccount,
    scansEndWhole,
    ...(isKept ? [scansEndWithBatches(rescueMs), ticksAreDealtWith(rescueMs)] : []),
    ...(names === null ? [] : [queueKnowsSchedules(names, rescueMs)]),
  ];
  return evaluate(db, 10, clauses, noteOn(isKept, names !== null));
}

function noteOn(isKept: boolean, isQueueAsked: boolean): string | null {
  if (!isKept) return 'No dispatcher is running: late ticks and the schedules of the queue were not checked.';
  return isQueueAsked ? null : 'The queue was not available: its schedules were not checked.';
}

async function hasSchedules(db: Sql): Promise<boolean> {
  const found = await db.select({ id: schedules.id }).from(schedules).limit(1);
  return found.length > 0;
}

/** Holder of the leader lock. */
async function isDispatcherAtWork(db: Sql): Promise<boolean> {
  const found = await db.execute(
    sql`SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND granted AND objsubid = 1 AND classid = 0 AND objid = ${advisoryLocks.dispatcher}
      AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
  );
  return found.rows.length > 0;
}

/** A tick creates one scan, and a scan one batch; manual scans have due times of their own. */
const ticksMakeOneScan: Clause = {
  checked: countOf(sql`nightshift.scans`),
  broken: sql`SELECT format('schedule %s has %s scans for its tick at %s', s.public_id, count(*), n.due_at) AS finding
    FROM nightshift.scans n JOIN nightshift.schedules s ON s.id = n.schedule_id
    WHERE n.cause <> 'manual' GROUP BY s.id, n.due_at HAVING count(*) > 1
    UNION ALL
    SELECT format('batch %s is said to be %s scans, of which %s', coalesce(b.public_id, n.batch_id::text), count(*), min(n.public_id))
    FROM nightshift.scans n LEFT JOIN nightshift.batches b ON b.id = n.batch_id
    WHERE n.batch_id IS NOT NULL GROUP BY n.batch_id, b.public_id HAVING count(*) > 1
    UNION ALL
    SELECT format('schedule %s has %s scans that wait', s.public_id, count(*))
    FROM nightshift.scans n JOIN nightshift.schedules s ON s.id = n.schedule_id
    WHERE n.state = 'waiting' GROUP BY s.id HAVING count(*) > 1
    UNION ALL
    SELECT format('scan %s of schedule %s stands for %s ticks', n.public_id, s.public_id, n.ticks)
    FROM nightshift.scans n JOIN nightshift.schedules s ON s.id = n.schedule_id
    WHERE n.ticks < 1 OR (n.ticks > 1 AND n.cause = 'manual')`,
};

const scansBelongToOneAccount: Clause = {
  checked: null,
  broken: sql`SELECT format('scan %s belongs to account %s, its schedule %s to account %s', n.public_id, n.account_id, s.public_id,
        s.account_id) AS finding
    FROM nightshift.scans n JOIN nightshift.schedules s ON s.id = n.schedule_id WHERE n.account_id <> s.account_id
    UNION ALL
    SELECT format('scan %s belongs to account %s, its batch %s to %s', n.public_id, n.account_id, coalesce(b.public_id, n.batch_id::text),
      coalesce('account ' || b.account_id, 'no account: it does not exist'))
    FROM nightshift.scans n LEFT JOIN nightshift.batches b ON b.id = n.batch_id
    WHERE n.batch_id IS NOT NULL AND n.account_id IS DISTINCT FROM b.account_id`,
};

const scansEndWhole: Clause = {
  checked: null,
  broken: sql`SELECT format('scan %s is %s and has %s', n.public_id, n.state,
        CASE WHEN n.finished_at IS NULL THEN 'no time of its end' ELSE 'a time of its end' END) AS finding
    FROM nightshift.scans n WHERE (n.state IN ('finished', 'cancelled')) <> (n.finished_at IS NOT NULL)
    UNION ALL
    SELECT format('batch %s is being loaded, and is scan %s', b.public_id, n.public_id)
    FROM nightshift.scans n JOIN nightshift.batches b ON b.id = n.batch_id WHERE b.loaded_at IS NULL`,
};

/** A scan may follow a moment later when its batch has ended or was reopened. */
function scansEndWithBatches(rescueMs: number): Clause {
  return {
    checked: null,
    broken: sql`SELECT format('scan %s is %s, and its batch %s is %s', n.public_id, n.state, b.public_id, b.state) AS finding
      FROM nightshift.scans n JOIN nightshift.batches b ON b.id = n.batch_id
      WHERE b.state_since < now() - ${rescueMs} * interval '1 millisecond' AND CASE n.state
        WHEN 'running' THEN b.finished_at IS NOT NULL
        ELSE b.state <> n.state END`,
  };
}

function ticksAreDealtWith(rescueMs: number): Clause {
  return {
    checked: countOf(sql`nightshift.schedules WHERE state = 'active'`),
    broken: sql`SELECT format('schedule %s had a tick %s s ago that was not handled', public_id,
          floor(extract(epoch FROM now() - next_at))) AS finding
      FROM nightshift.schedules WHERE state = 'active' AND next_at < now() - ${rescueMs} * interval '1 millisecond'`,
  };
}

/** A schedule that was just changed may not be in the queue yet, and an old job scheduler may not be removed yet. */
function queueKnowsSchedules(names: readonly string[], rescueMs: number): Clause {
  const settled = sql`revised_at < now() - ${rescueMs} * interval '1 millisecond'`;
  return {
    checked: sql`SELECT ${names.length}::bigint AS n`,
    broken: sql`SELECT format('schedule %s is not in the queue under its revision %s', public_id, revision) AS finding
      FROM nightshift.schedules
      WHERE state = 'active' AND ${settled} AND public_id || '-' || revision <> ALL (${texts(names)})
      UNION ALL
      SELECT format('the queue has a job scheduler %s, which is none of the table', q.name)
      FROM unnest(${texts(names)}) AS q(name)
      WHERE NOT EXISTS (
        SELECT 1 FROM nightshift.schedules s WHERE q.name = s.public_id || '-' || s.revision AND s.state = 'active')
        AND NOT EXISTS (
          SELECT 1 FROM nightshift.schedules s WHERE q.name LIKE s.public_id || '-%' AND NOT ${settled})`,
  };
}
