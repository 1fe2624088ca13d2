import { sql, type SQL } from 'drizzle-orm';
import { chunkCounts } from '../stores/sql/chunk-counts.ts';
import { countOf, credits, type Clause } from './clause.ts';
import type { Scope } from './scope/scope.ts';

/** Number of ids in a multirange. */
export function idsIn(ranges: SQL): SQL {
  return sql`(SELECT coalesce(sum(upper(r.ids) - lower(r.ids)), 0)::bigint FROM unnest(${ranges}) AS r(ids))`;
}

/** Purged chunks `p`, with their chunk `c` if it exists. */
function withChunks({ purgedChunks, chunks }: Scope): SQL {
  return sql`${purgedChunks} p LEFT JOIN ${chunks} c ON c.id = p.chunk_id`;
}

const ended = sql.raw(`(${chunkCounts.map((name) => `c.${name}`).join(' + ')})`);

/** A purged chunk has as many lookups as its chunk counts, none of another one, and nothing of them is stored any more. */
export const purgedChunksAreWhole = (scope: Scope): Clause => ({
  part: 'lookups',
  checked: countOf(sql`${scope.purgedChunks} s`),
  broken: sql`SELECT CASE
        WHEN c.id IS NULL THEN format('purged chunk %s does not exist', p.chunk_id)
        WHEN c.state <> 'done' THEN format('chunk %s is %s, and purged', c.id, c.state)
        WHEN c.account_id <> p.account_id OR c.batch_id IS DISTINCT FROM p.batch_id
          THEN format('chunk %s is purged for account %s and batch %s, and belongs to account %s and batch %s', c.id, p.account_id,
            coalesce(p.batch_id::text, '-'), c.account_id, coalesce(c.batch_id::text, '-'))
        WHEN b.id IS NOT NULL AND b.purged_at IS NULL THEN format('chunk %s is purged, and batch %s is not', c.id, b.public_id)
        ELSE format('chunk %s counts %s of %s lookups; purged are %s from %s to %s', c.id, ${ended}, c.lookups - c.moved_on,
          ${idsIn(sql`p.lookups`)}, lower(p.lookups), upper(p.lookups) - 1) END AS finding
    FROM ${withChunks(scope)} LEFT JOIN ${scope.batches} b ON b.id = p.batch_id
    WHERE c.id IS NULL OR c.state <> 'done' OR c.account_id <> p.account_id OR c.batch_id IS DISTINCT FROM p.batch_id
      OR (b.id IS NOT NULL AND b.purged_at IS NULL)
      OR ${idsIn(sql`p.lookups`)} <> c.lookups - c.moved_on OR ${ended} <> c.lookups - c.moved_on
      OR lower(p.lookups) < c.first_lookup_id OR upper(p.lookups) - 1 > c.last_lookup_id
    UNION ALL
    SELECT format('lookup %s of chunk %s is in another purged chunk, too', lower(p.lookups * o.lookups), p.chunk_id)
    FROM ${scope.purgedChunks} p CROSS JOIN LATERAL (
      SELECT q.lookups FROM nightshift.purged_chunks q
      WHERE q.lookups && p.lookups AND (lower(q.lookups), q.chunk_id) < (lower(p.lookups), p.chunk_id) OFFSET 0
    ) o
    UNION ALL
    SELECT format('lookup %s is purged, and stored', l.id)
    FROM ${scope.purgedChunks} p CROSS JOIN LATERAL (
      SELECT s.id FROM nightshift.lookups s
      WHERE s.id BETWEEN lower(p.lookups) AND upper(p.lookups) - 1 AND p.lookups @> s.id OFFSET 0
    ) l`,
});

/** The daily counts of a purged chunk add up to those of the chunk. One whose lookups ended on several days has them. */
export const purgedQuartersAddUp = (scope: Scope): Clause => ({
  part: 'lookups',
  checked: null,
  broken: sql`SELECT format('chunk %s counts %s; its quarters of an hour add up to %s', id, said, are) AS finding
    FROM (
      SELECT c.id, concat_ws(' ', ${ended}, c.charged_micro, c.none, c.no_match, c.unknown, c.failed, c.cancelled) AS said,
        (SELECT concat_ws(' ', sum(q.lookups), sum(q.charged) * c.price_micro, sum(q.none), sum(q.no_match), sum(q.unknown), sum(q.failed),
            sum(q.cancelled))
          FROM jsonb_to_recordset(p.quarters) AS q(lookups bigint, charged bigint, none bigint, no_match bigint, unknown bigint, failed bigint,
            cancelled bigint)) AS are
      FROM ${withChunks(scope)} WHERE p.quarters IS NOT NULL
    ) q WHERE said <> are
    UNION ALL
    SELECT format('the lookups of chunk %s ended from %s to %s; nothing says how many on each day', c.id, c.first_ended_at, c.last_ended_at)
    FROM ${withChunks(scope)}
    WHERE p.quarters IS NULL AND c.last_ended_at - c.first_ended_at > interval '15 minutes'`,
});

/** Each charge of a purged chunk is its price. The charges of its lookups in the ledger are compared like those of other lookups. */
export const purgedChargesFitPrices = (scope: Scope): Clause => ({
  part: 'lookups',
  checked: null,
  broken: sql`SELECT format('chunk %s says it charged %s; its %s purged charges at %s say %s', c.id, ${credits(sql`c.charged_micro`)},
        ${idsIn(sql`p.charged`)}, ${credits(sql`c.price_micro`)}, ${credits(sql`${idsIn(sql`p.charged`)} * c.price_micro`)}) AS finding
    FROM ${withChunks(scope)} WHERE ${idsIn(sql`p.charged`)} * c.price_micro <> c.charged_micro`,
});
