import { sql } from 'drizzle-orm';
import { credits, type Clause } from './clause.ts';
import { lookupChunks } from './lookup-chunks.ts';

/**
 * A hold ends at most once and completely. Open holds correspond to the open lookups of open chunks, with the chunk's price and
 * attempt.
 *
 * A hold without such a lookup would stay forever; such a lookup without a hold could not be charged.
 */
export const holdsFitOpenWork: Clause = {
  checked: null,
  broken: sql`WITH ${lookupChunks(sql`l.outcome IS NULL`)},
    unpaired AS (
      SELECT lookup_id, attempt, count(*) FILTER (WHERE kind = 'reserve') AS holds,
        count(*) FILTER (WHERE kind <> 'reserve') AS ends, sum(held_delta_micro) AS held
      FROM nightshift.ledger_entries WHERE lookup_id IS NOT NULL
      GROUP BY account_id, lookup_id, attempt
      HAVING NOT (count(*) = 2 AND count(*) FILTER (WHERE kind = 'reserve') = 1 AND sum(held_delta_micro) = 0)
    ),
    work AS (
      SELECT c.lookup_id, s.attempt, s.id AS chunk_id, s.price_micro
      FROM lookup_chunk c JOIN span s ON s.id = c.chunk_id
      WHERE s.state IN ('queued', 'running') AND s.price_micro > 0
    )
    SELECT format('lookup %s, attempt %s: %s holds and %s ends leave %s held', lookup_id, attempt, holds, ends,
      ${credits(sql`held`)}) AS finding
    FROM unpaired WHERE holds <> 1 OR ends <> 0
    UNION ALL
    SELECT CASE
      WHEN chunk_id IS NULL THEN format('lookup %s, attempt %s: %s are held, and there is no open work for it', lookup_id, attempt,
        ${credits(sql`held`)})
      WHEN held IS NULL THEN format('lookup %s is open in chunk %s, and nothing is held for its attempt %s', lookup_id, chunk_id,
        attempt)
      ELSE format('lookup %s, attempt %s: %s are held, and the price of chunk %s is %s', lookup_id, attempt,
        ${credits(sql`held`)}, chunk_id, ${credits(sql`price_micro`)}) END
    FROM (SELECT * FROM unpaired WHERE holds = 1 AND ends = 0) hold FULL JOIN work USING (lookup_id, attempt)
    WHERE held IS DISTINCT FROM price_micro`,
};
