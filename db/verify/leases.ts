import { sql } from 'drizzle-orm';
import type { InvariantReport, VerifyOptions } from '../../src/core/reports/invariants.ts';
import type { Sql } from '../connection/client.ts';
import { countOf, evaluate, type Clause } from './clause.ts';
import { deliveriesAreRescued, deliveriesAreWhole } from './events.ts';
import { landingsAreRescued } from './landings.ts';
import type { Scope } from './scope/scope.ts';

const rescueMsDefault = 60_000;

/** Invariant 8. By the database clock, like every lease. The scope has all that is open. */
export function checkLeases(
  db: Sql,
  { rescueMs = rescueMsDefault, queueIsEmpty = null }: VerifyOptions,
  scope: Pick<Scope, 'lookups'>,
): Promise<InvariantReport> {
  const clauses = [
    claimsAreRescued(rescueMs),
    finishedBatchesRest,
    deliveriesAreRescued(rescueMs),
    deliveriesAreWhole,
    landingsAreRescued(rescueMs),
    ...(queueIsEmpty === true ? [nothingIsForgotten(scope)] : []),
  ];
  return evaluate(db, 8, clauses, noteOn(queueIsEmpty));
}

function noteOn(queueIsEmpty: boolean | null): string | null {
  if (queueIsEmpty === null)
    return 'It is unknown if the queue is empty: open lookups of running batches were not checked.';
  return queueIsEmpty ? null : 'The queue is not empty: lookups of running batches may be open.';
}

function claimsAreRescued(rescueMs: number): Clause {
  return {
    checked: countOf(sql`nightshift.chunks`),
    broken: sql`SELECT format('chunk %s of %s is claimed, and its lease ended %s s ago', c.id,
          coalesce('batch ' || b.public_id, 'a request'), floor(extract(epoch FROM now() - c.lease_until))) AS finding
      FROM nightshift.chunks c LEFT JOIN nightshift.batches b ON b.id = c.batch_id
      WHERE c.state = 'running' AND c.lease_until < now() - ${rescueMs} * interval '1 millisecond'`,
  };
}

/** Invariant 2 checks that a finished batch has no open lookup; this checks that no chunk of it is open. */
const finishedBatchesRest: Clause = {
  checked: null,
  broken: sql`SELECT format('chunk %s is %s, and its batch %s is %s', c.id, c.state, coalesce(b.public_id, c.batch_id::text),
        coalesce(b.state, 'gone')) AS finding
    FROM nightshift.chunks c LEFT JOIN nightshift.batches b ON b.id = c.batch_id
    WHERE c.state <> 'done' AND c.batch_id IS NOT NULL AND (b.id IS NULL OR b.finished_at IS NOT NULL)`,
};

/** Batches that wait or are paused have open lookups with an empty queue, and a lookup of a request is in no queue. */
const nothingIsForgotten = ({ lookups }: Pick<Scope, 'lookups'>): Clause => ({
  checked: countOf(sql`nightshift.batches WHERE state = 'running'`),
  broken: sql`SELECT format('batch %s runs, the queue is empty, and %s of its lookups are open, the first of them lookup %s',
        b.public_id, count(*), min(l.id)) AS finding
    FROM ${lookups} l JOIN nightshift.batches b ON b.id = l.batch_id
    WHERE l.outcome IS NULL AND b.state = 'running' GROUP BY b.public_id`,
});
