import { sql, type SQL } from 'drizzle-orm';
import type { Sql } from '../../connection/client.ts';
import { bigints } from '../../stores/sql/arrays.ts';
import { credits, type Clause } from '../clause.ts';
import { lookupChunks } from '../lookup-chunks.ts';
import type { EntryRange, Scope } from '../scope/scope.ts';

/**
 * Clauses that find a hold that did not end at most once and completely. Open holds correspond to the open lookups of open chunks, with the chunk's price and
 * attempt.
 *
 * A hold without such a lookup would stay forever; such a lookup without a hold could not be charged. All entries are read only if
 * something is wrong, for the findings: otherwise the entries after the proved ones, and the holds of open lookups. If each of these
 * has its hold and the holds add up to what the accounts hold, there is no other.
 */
export async function holdsFitOpenWork(
  db: Sql,
  looseEnds: number,
  { lookups }: Pick<Scope, 'lookups'>,
): Promise<readonly Clause[]> {
  const isWrong = looseEnds > 0 || (await countMisfits(db, lookups)) > 0;
  return isWrong ? [holdsFitExactly(lookups)] : [];
}

/** Number of open lookups without their hold, and of accounts that hold another sum than the prices of their open lookups. */
async function countMisfits(db: Sql, lookups: SQL): Promise<number> {
  const { rows } = await db.execute<{ misfits: string }>(
    sql`WITH ${lookupChunks(openLookups, openWork(lookups))},
      work AS (
        SELECT s.account_id, c.lookup_id, s.attempt, s.price_micro
        FROM lookup_chunk c JOIN span s ON s.id = c.chunk_id
        WHERE s.state IN ('queued', 'running') AND s.price_micro > 0
      )
      SELECT (SELECT count(*) FROM work w CROSS JOIN LATERAL (
          SELECT count(*) AS movements, sum(b.held_delta_micro) AS held
          FROM nightshift.ledger_blocks_of(w.account_id, w.lookup_id, w.lookup_id) b
          WHERE b.attempt = w.attempt AND (b.steps IS NULL OR (w.lookup_id - b.first_lookup)::smallint = ANY (b.steps))
        ) h WHERE h.movements <> 1 OR h.held <> w.price_micro)
      + (SELECT count(*) FROM nightshift.credit_balances b
        LEFT JOIN (SELECT account_id, sum(price_micro) AS price FROM work GROUP BY account_id) w USING (account_id)
        WHERE b.held_micro <> coalesce(w.price, 0)) AS misfits`,
  );
  return Number(rows[0]?.misfits ?? 0);
}

/** Number of ends among these entries that do not end exactly one hold completely. */
export async function countLooseEnds(db: Sql, entries: readonly EntryRange[]): Promise<number> {
  const accounts = bigints(entries.map(({ accountId }) => accountId));
  const afters = bigints(entries.map(({ after }) => after));
  const ends = bigints(entries.map(({ to }) => to));
  const { rows } = await db.execute<{ ends: string }>(
    sql`WITH fresh AS MATERIALIZED (
        SELECT e.* FROM unnest(${accounts}, ${afters}, ${ends}) AS p(account_id, seq, upto)
        CROSS JOIN LATERAL (
          SELECT b.* FROM nightshift.ledger_blocks b WHERE b.account_id = p.account_id AND b.to_seq > p.seq AND b.to_seq <= p.upto AND b.phase = 1 OFFSET 0
        ) e
      ), ended AS (
        SELECT f.account_id, f.attempt, f.first_lookup + coalesce(n.step, n.nth) AS lookup_id
        FROM fresh f
        CROSS JOIN LATERAL ROWS FROM (generate_series(0, (f.to_seq - f.from_seq)::integer), unnest(f.steps)) AS n(nth, step)
      ), near AS (
        SELECT DISTINCT ON (b.account_id, b.to_seq) b.*
        FROM fresh f CROSS JOIN LATERAL nightshift.ledger_blocks_of(f.account_id, f.first_lookup, f.last_lookup) b
        WHERE b.attempt = f.attempt
      ), moved AS (
        SELECT b.account_id, b.attempt, b.phase, b.held_delta_micro, b.first_lookup + coalesce(n.step, n.nth) AS lookup_id
        FROM near b
        CROSS JOIN LATERAL ROWS FROM (generate_series(0, (b.to_seq - b.from_seq)::integer), unnest(b.steps)) AS n(nth, step)
      )
      SELECT count(*) AS ends FROM (
        SELECT FROM ended e JOIN moved m USING (account_id, lookup_id, attempt) GROUP BY account_id, lookup_id, attempt
        HAVING NOT (count(*) = 2 AND count(*) FILTER (WHERE m.phase = 0) = 1 AND sum(m.held_delta_micro) = 0)
      ) u`,
  );
  return Number(rows[0]?.ends ?? 0);
}

/** Lookups that can be in an open chunk. */
const openLookups = sql`l.outcome IS NULL
  AND l.id >= (SELECT min(c.first_lookup_id) FROM nightshift.chunks c WHERE c.state IN ('queued', 'running'))
  AND l.id <= (SELECT max(c.last_lookup_id) FROM nightshift.chunks c WHERE c.state IN ('queued', 'running'))`;

/** Chunks and lookups for open work: open lookups have no verdict, and are never purged. */
function openWork(lookups: SQL): Parameters<typeof lookupChunks>[1] {
  return { unevenChunks: openChunks, unevenLookups: lookups, purgedChunks: nonePurged, verdicts: noVerdicts };
}

/** Open chunks, with all of their batches. */
const openChunks = sql`(
  SELECT c.* FROM nightshift.chunks c
  WHERE c.batch_id IN (SELECT o.batch_id FROM nightshift.chunks o WHERE o.state IN ('queued', 'running') AND o.batch_id IS NOT NULL)
  UNION ALL
  SELECT c.* FROM nightshift.chunks c WHERE c.batch_id IS NULL AND c.state IN ('queued', 'running')
)`;

const noVerdicts = sql`(SELECT * FROM nightshift.email_results WHERE false)`;
const nonePurged = sql`(SELECT * FROM nightshift.purged_chunks WHERE false)`;

/** The same over all entries. */
const holdsFitExactly = (lookups: SQL): Clause => ({
  checked: null,
  broken: sql`WITH ${lookupChunks(sql`l.outcome IS NULL`, openWork(lookups))},
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
});
