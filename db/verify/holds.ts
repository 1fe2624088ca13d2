import { sql } from 'drizzle-orm';
import { credits, type Clause } from './clause.ts';
import { lookupChunks } from './lookup-chunks.ts';

/** A hold is there before it ends, ends at most once, and ends as a whole. */
export const holdsAreEndedOnce: Clause = {
  checked: null,
  broken: sql`SELECT format('lookup %s, attempt %s: %s holds of %s, and %s ends that take back %s', lookup_id, attempt, holds,
        ${credits(sql`held`)}, ends, ${credits(sql`-ended`)}) AS finding
    FROM (
      SELECT lookup_id, attempt, count(*) FILTER (WHERE kind = 'reserve') AS holds,
        count(*) FILTER (WHERE kind <> 'reserve') AS ends,
        coalesce(sum(held_delta_micro) FILTER (WHERE kind = 'reserve'), 0) AS held,
        coalesce(sum(held_delta_micro) FILTER (WHERE kind <> 'reserve'), 0) AS ended
      FROM nightshift.ledger_entries WHERE lookup_id IS NOT NULL GROUP BY account_id, lookup_id, attempt
    ) h
    WHERE holds <> 1 OR ends > 1 OR (ends = 1 AND held + ended <> 0)`,
};

/**
 * Credits are held for exactly the open lookups of open chunks, at the chunk's price and under its attempt.
 *
 * A hold without such a lookup would be held for ever; such a lookup without a hold could not be charged.
 */
export const holdsHaveOpenWork: Clause = {
  checked: null,
  broken: sql`WITH ${lookupChunks(sql`l.outcome IS NULL`)},
    hold AS (
      SELECT lookup_id, attempt, sum(held_delta_micro) AS held
      FROM nightshift.ledger_entries WHERE lookup_id IS NOT NULL
      GROUP BY account_id, lookup_id, attempt HAVING count(*) FILTER (WHERE kind <> 'reserve') = 0
    ),
    work AS (
      SELECT c.lookup_id, s.attempt, s.id AS chunk_id, s.price_micro
      FROM lookup_chunk c JOIN span s ON s.id = c.chunk_id
      WHERE s.state IN ('queued', 'running') AND s.price_micro > 0
    )
    SELECT CASE
      WHEN chunk_id IS NULL THEN format('lookup %s, attempt %s: %s are held, and there is no open work for it', lookup_id, attempt,
        ${credits(sql`held`)})
      WHEN held IS NULL THEN format('lookup %s is open in chunk %s, and nothing is held for its attempt %s', lookup_id, chunk_id,
        attempt)
      ELSE format('lookup %s, attempt %s: %s are held, and the price of chunk %s is %s', lookup_id, attempt,
        ${credits(sql`held`)}, chunk_id, ${credits(sql`price_micro`)}) END AS finding
    FROM hold FULL JOIN work USING (lookup_id, attempt)
    WHERE held IS DISTINCT FROM price_micro`,
};
