import { sql } from 'drizzle-orm';
import { countOf, credits, type Clause } from './clause.ts';
import { lookupChunks } from './lookup-chunks.ts';
import { purgedChargesFitPrices } from './purged-chunks.ts';
import type { Scope } from './scope/scope.ts';
import { rowLookups } from './row-lookups.ts';
import { appendOnly } from './triggers.ts';

/** Invariant 3, counted from the lookups and from the ledger. */
export function chargeClauses(scope: Scope): readonly Clause[] {
  return [
    chargesFitOutcomes(scope),
    chargesFitPrices(scope),
    purgedChargesFitPrices(scope),
    chargesShowOnce(scope),
    appendOnly(['prices']),
  ];
}

/** A result is charged once, with its full hold; nothing else is charged. Charges without a lookup belong to invariant 5. */
const chargesFitOutcomes = ({
  lookups,
  lookupsCount,
  unevenLookups,
  purgedLookups,
  verdicts,
  charges,
}: Scope): Clause => ({
  part: 'lookups',
  checked: lookupsCount,
  broken: sql`WITH wrong AS MATERIALIZED (
      SELECT lookup_id, max(outcome) AS outcome, max(said) AS said, sum(charges) AS charges
      FROM (
        SELECT id AS lookup_id, 1 AS lookups, outcome, charged_micro AS said, 0 AS charges, NULL::bigint AS charged, NULL::bigint AS held
        FROM ${unevenLookups} s
        UNION ALL
        SELECT id, 1, 'purged', charged_micro, 0, NULL, NULL FROM ${purgedLookups} p
        UNION ALL
        SELECT lookup_id, 0, NULL, NULL, 1, charged, held FROM ${charges} s
      ) s GROUP BY lookup_id
      HAVING sum(lookups) = 1 AND (sum(charges) > 1 OR max(said) <> coalesce(max(charged), 0)
        OR CASE WHEN max(outcome) IN ('found', 'completed', 'purged') AND max(said) > 0 THEN sum(charges) <> 1 OR max(charged) <> max(held)
          ELSE sum(charges) > 0 OR max(said) <> 0 END)
    )
    SELECT format('lookup %s (%s) says it cost %s; the ledger has %s charges for it, %s in all, of %s held', w.lookup_id,
        coalesce(w.outcome, 'open'), ${credits(sql`w.said`)}, w.charges, ${credits(sql`coalesce(c.charged, 0)`)},
        ${credits(sql`coalesce(c.held, 0)`)}) AS finding
    FROM wrong w LEFT JOIN (
      SELECT lookup_id, sum(charged) AS charged, sum(held) AS held FROM ${charges} s
      WHERE EXISTS (SELECT FROM wrong) AND lookup_id IN (SELECT lookup_id FROM wrong) GROUP BY lookup_id
    ) c ON c.lookup_id = w.lookup_id
    UNION ALL
    SELECT format('lookup %s got the verdict unknown, which is free, and cost %s', l.id, ${credits(sql`l.charged_micro`)})
    FROM ${lookups} l JOIN ${verdicts} e ON e.lookup_id = l.id
    WHERE e.status = 'unknown' AND l.charged_micro <> 0`,
});

/**
 * The reverse: the charge of each chunk is its price for each result, and the sum of its lookups' charges. A reused answer is
 * not a result of the chunk.
 */
const chargesFitPrices = (scope: Scope): Clause => ({
  part: 'lookups',
  checked: countOf(sql`${scope.chunks} s`),
  broken: sql`WITH ${lookupChunks(sql`l.outcome IN ('found', 'completed') AND l.repeats IS NULL`, scope)},
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
});

/**
 * An export shows a charge on the first row of its lookup, and 0 on the others
 * (docs/architecture/decisions/0007-one-lookup-per-subject.md).
 */
const chargesShowOnce = ({ rowBlocks }: Scope): Clause => ({
  part: 'lookups',
  checked: null,
  broken: sql`SELECT format('lookup %s shows its charge on %s rows, and on the first of them %s', lookup_id, shown,
        CASE WHEN first_shown THEN 'too' ELSE 'not' END) AS finding
    FROM (
      SELECT lookup_id, count(*) FILTER (WHERE is_first) AS shown,
        coalesce(min(row_no) FILTER (WHERE is_first) = min(row_no), false) AS first_shown
      FROM (${rowLookups(rowBlocks)}) l GROUP BY lookup_id
    ) r
    WHERE shown <> 1 OR NOT first_shown`,
});
