import { sql } from 'drizzle-orm';
import type { InvariantReport } from '../../src/core/reports/invariants.ts';
import type { Sql } from '../connection/client.ts';
import { countOf, credits, evaluate, type Clause } from './clause.ts';
import { lookupChunks } from './lookup-chunks.ts';
import { purgedChargesFitPrices, purgedLookups } from './purged-chunks.ts';
import { rowLookups } from './row-lookups.ts';
import { appendOnly } from './triggers.ts';

/** Invariant 3, counted from the lookups and from the ledger. */
export function checkCharges(db: Sql): Promise<InvariantReport> {
  return evaluate(db, 3, [
    chargesFitOutcomes,
    chargesFitPrices,
    purgedChargesFitPrices,
    chargesShowOnce,
    appendOnly(['prices']),
  ]);
}

/** A result is charged once, with its full hold; nothing else is charged. Charges without a lookup belong to invariant 5. */
const chargesFitOutcomes: Clause = {
  checked: countOf(sql`nightshift.all_lookups`),
  broken: sql`SELECT format('lookup %s (%s) says it cost %s; the ledger has %s charges for it, %s in all, of %s held', lookup_id,
        coalesce(outcome, 'open'), ${credits(sql`said`)}, charges, ${credits(sql`charged`)}, ${credits(sql`held`)}) AS finding
    FROM (
      SELECT lookup_id, sum(lookups) AS lookups, max(outcome) AS outcome, sum(said) AS said, sum(charges) AS charges,
        sum(charged) AS charged, sum(held) AS held
      FROM (
        SELECT id AS lookup_id, 1 AS lookups, outcome, charged_micro AS said, 0 AS charges, 0 AS charged, 0 AS held
        FROM nightshift.all_lookups
        UNION ALL
        SELECT id, 1, 'purged', charged_micro, 0, 0, 0 FROM ${purgedLookups} p
        UNION ALL
        SELECT lookup_id, 0, NULL, 0, 1, -(balance_delta_micro + held_delta_micro), -held_delta_micro
        FROM nightshift.ledger_entries WHERE kind = 'settle'
      ) s GROUP BY lookup_id
    ) t
    WHERE lookups = 1 AND (said <> charged
      OR CASE WHEN outcome IN ('found', 'completed', 'purged') AND said > 0 THEN charges <> 1 OR charged <> held
        ELSE charges > 0 OR said <> 0 END)
    UNION ALL
    SELECT format('lookup %s got the verdict unknown, which is free, and cost %s', l.id, ${credits(sql`l.charged_micro`)})
    FROM nightshift.all_lookups l JOIN nightshift.email_results e ON e.lookup_id = l.id
    WHERE e.status = 'unknown' AND l.charged_micro <> 0`,
};

/**
 * The reverse: the charge of each chunk is its price for each result, and the sum of its lookups' charges. A reused answer is
 * not a result of the chunk.
 */
const chargesFitPrices: Clause = {
  checked: countOf(sql`nightshift.chunks`),
  broken: sql`WITH ${lookupChunks(sql`l.outcome IN ('found', 'completed') AND l.repeats IS NULL`)},
    counted AS (
      SELECT chunk_id, count(*) FILTER (WHERE email_status IS DISTINCT FROM 'unknown') AS results, sum(charged_micro) AS charged FROM lookup_chunk
      WHERE chunk_id IS NOT NULL GROUP BY chunk_id
    )
    SELECT format('chunk %s says it charged %s; its %s results at %s say %s', s.id, ${credits(sql`s.charged_micro`)},
        coalesce(c.results, 0), ${credits(sql`s.price_micro`)}, ${credits(sql`coalesce(c.charged, 0)`)}) AS finding
    FROM span s LEFT JOIN counted c ON c.chunk_id = s.id
    WHERE NOT s.is_purged AND (s.charged_micro <> coalesce(c.charged, 0) OR s.charged_micro <> coalesce(c.results, 0) * s.price_micro)
    UNION ALL
    SELECT format('lookup %s was charged %s and is in no chunk', lookup_id, ${credits(sql`charged_micro`)})
    FROM lookup_chunk WHERE chunk_id IS NULL AND charged_micro <> 0`,
};

/**
 * An export shows a charge on the first row of its lookup, and 0 on the others
 * (docs/architecture/decisions/0007-one-lookup-per-subject.md).
 */
const chargesShowOnce: Clause = {
  checked: null,
  broken: sql`SELECT format('lookup %s shows its charge on %s rows, and on the first of them %s', lookup_id, shown,
        CASE WHEN first_shown THEN 'too' ELSE 'not' END) AS finding
    FROM (
      SELECT lookup_id, count(*) FILTER (WHERE is_first) AS shown,
        coalesce(min(row_no) FILTER (WHERE is_first) = min(row_no), false) AS first_shown
      FROM (${rowLookups}) l GROUP BY lookup_id
    ) r
    WHERE shown <> 1 OR NOT first_shown`,
};
