import { ne, sql } from 'drizzle-orm';
import { notApplicable, type InvariantReport } from '../../src/core/reports/invariants.ts';
import type { Sql } from '../connection/client.ts';
import { destinations } from '../schema/destinations.ts';
import { countOf, evaluate, type Clause } from './clause.ts';

/** Invariant 15, as far as the stored data can show: a destination is not asked for what it has. */
export async function checkLandings(db: Sql): Promise<InvariantReport> {
  const { id, state } = destinations;
  const [destination] = await db.select({ id }).from(destinations).where(ne(state, 'removed')).limit(1);
  if (destination === undefined) return notApplicable(15, 'There is no destination yet.');
  return evaluate(db, 15, [finishedBatchesLand, landedIsWhole, partsBelong]);
}

/** A batch that finished since a destination takes it has a landing for each shape, of its last completion. */
const finishedBatchesLand: Clause = {
  checked: countOf(sql`nightshift.landings`),
  broken: sql`SELECT format('batch %s has no landing of its %s in destination %s', b.public_id, s.shape, d.public_id) AS finding
    FROM nightshift.destinations d
    CROSS JOIN LATERAL unnest(d.shapes) s(shape)
    JOIN nightshift.batches b ON b.account_id = d.account_id AND b.state = 'finished' AND b.finished_at > d.takes_since
    LEFT JOIN nightshift.landings l ON l.destination_id = d.id AND l.batch_id = b.id AND l.shape = s.shape
    WHERE d.state <> 'removed' AND l.id IS NULL AND coalesce(d.batch_id = b.id, true) AND (d.schedule_id IS NULL OR EXISTS (
      SELECT FROM nightshift.scans n WHERE n.batch_id = b.id AND n.schedule_id = d.schedule_id))
    UNION ALL
    SELECT format('the landing of the %s of batch %s in destination %s is of an earlier completion', l.shape, b.public_id, d.public_id)
    FROM nightshift.landings l
    JOIN nightshift.destinations d ON d.id = l.destination_id AND d.state <> 'removed' AND l.shape = ANY (d.shapes)
    JOIN nightshift.batches b ON b.id = l.batch_id AND b.state = 'finished'
    WHERE l.content_key <> format('%s %s %s', b.public_id, l.shape, (extract(epoch FROM b.state_since) * 1000000)::bigint)`,
};

/** The parts of a landing add up to its size, and files have a manifest. Part 0 is the manifest. */
const landedIsWhole: Clause = {
  checked: countOf(sql`nightshift.landings WHERE state = 'landed'`),
  broken: sql`SELECT format('landing %s has %s parts with %s rows and %s bytes, and its parts are %s with %s rows and %s bytes', l.content_key,
        l.parts, l.rows, l.bytes, p.parts, p.rows, p.bytes) AS finding
    FROM nightshift.landings l CROSS JOIN LATERAL (
      SELECT count(*) AS parts, coalesce(sum(o.rows), 0) AS rows, coalesce(sum(o.bytes), 0) AS bytes
      FROM nightshift.landing_parts o WHERE o.landing_id = l.id AND o.part > 0 AND o.written_at IS NOT NULL
    ) p
    WHERE l.state = 'landed' AND (l.parts <> p.parts OR l.rows <> p.rows OR l.bytes <> p.bytes)
    UNION ALL
    SELECT format('landing %s has landed without a manifest', l.content_key)
    FROM nightshift.landings l JOIN nightshift.destinations d ON d.id = l.destination_id AND d.location ->> 'kind' <> 'postgres'
    WHERE l.state = 'landed' AND NOT EXISTS (
      SELECT FROM nightshift.landing_parts p WHERE p.landing_id = l.id AND p.part = 0 AND p.written_at IS NOT NULL)`,
};

/** A part belongs to a landing, and no other landing of the destination writes its file. */
const partsBelong: Clause = {
  checked: countOf(sql`nightshift.landing_parts`),
  broken: sql`SELECT format('part %s of landing %s belongs to no landing', p.part, p.landing_id) AS finding
    FROM nightshift.landing_parts p LEFT JOIN nightshift.landings l ON l.id = p.landing_id WHERE l.id IS NULL
    UNION ALL
    SELECT format('%s parts of destination %s have the path %s', count(*), d.public_id, p.path)
    FROM nightshift.landing_parts p
    JOIN nightshift.landings l ON l.id = p.landing_id
    JOIN nightshift.destinations d ON d.id = l.destination_id AND d.location ->> 'kind' <> 'postgres'
    GROUP BY d.public_id, p.path HAVING count(*) > 1`,
};

/** Part of invariant 8: the next process takes over the landing of a dead one. */
export function landingsAreRescued(rescueMs: number): Clause {
  return {
    checked: countOf(sql`nightshift.landings`),
    broken: sql`SELECT format('landing %s is being written to destination %s, and the lease on it ended %s s ago', l.content_key,
          d.public_id, floor(extract(epoch FROM now() - l.lease_until))) AS finding
      FROM nightshift.landings l
      JOIN nightshift.destinations d ON d.id = l.destination_id AND d.state = 'active'
      JOIN nightshift.batches b ON b.id = l.batch_id AND b.state IN ('finished', 'cancelled')
      WHERE l.state = 'pending' AND l.lease_until < now() - ${rescueMs} * interval '1 millisecond'`,
  };
}

/** Part of invariant 12: a batch lands in destinations of its account. */
export const landingsStayInAccount: Clause = {
  checked: countOf(sql`nightshift.landings`),
  broken: sql`SELECT format('batch %s of account %s lands in destination %s of account %s', b.public_id, b.account_id, d.public_id,
        d.account_id) AS finding
    FROM nightshift.landings l
    JOIN nightshift.destinations d ON d.id = l.destination_id
    JOIN nightshift.batches b ON b.id = l.batch_id
    WHERE b.account_id <> d.account_id
    UNION ALL
    SELECT format('landing %s is of batch %s, which does not exist', l.content_key, l.batch_id)
    FROM nightshift.landings l LEFT JOIN nightshift.batches b ON b.id = l.batch_id WHERE b.id IS NULL`,
};
