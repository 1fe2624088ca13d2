import { sql, type SQL } from 'drizzle-orm';
import { chunkCounts, countsSql } from '../stores/sql/chunk-counts.ts';
import { countOf, type Clause } from './clause.ts';
import { lookupChunks, microseconds } from './lookup-chunks.ts';
import { idsIn, purgedChunksAreWhole, purgedQuartersAddUp } from './purged-chunks.ts';
import type { Scope } from './scope/scope.ts';
import { outcomeIsFinal } from './triggers.ts';

/** Invariant 2. There is at most one outcome by construction, because it is one column. The rest is checked. */
export function lookupClauses(scope: Scope): readonly Clause[] {
  return [
    outcomesAreWhole(scope),
    finishedBatchesAreDone(scope),
    batchesCountTheirLookups(scope),
    batchesCountTheirAddresses(scope),
    chunksAnswerForLookups(scope),
    chunksKnowWhen(scope),
    completedHaveTheirVerdict(scope),
    verdictsHaveTheirLookup(scope),
    purgedChunksAreWhole(scope),
    purgedQuartersAddUp(scope),
    outcomeIsFinal(),
  ];
}

const outcomesAreWhole = ({ lookups, lookupsCount }: Scope): Clause => ({
  part: 'lookups',
  checked: lookupsCount,
  broken: sql`SELECT format('lookup %s %s', id, CASE
        WHEN outcome IS NULL THEN 'has a time of its end and no outcome'
        WHEN ended_at IS NULL THEN format('has the outcome %s and no time of its end', outcome)
        ELSE 'has failed without a reason' END) AS finding
    FROM ${lookups} s
    WHERE (outcome IS NULL) <> (ended_at IS NULL) OR (outcome = 'failed' AND reason IS NULL)`,
});

const finishedBatchesAreDone = ({ batches, lookups }: Scope): Clause => ({
  part: 'lookups',
  checked: null,
  broken: sql`SELECT format('batch %s is %s, and lookup %s is open', b.public_id, b.state, l.id) AS finding
    FROM ${lookups} l JOIN ${batches} b ON b.id = l.batch_id
    WHERE l.outcome IS NULL AND b.finished_at IS NOT NULL
    UNION ALL
    SELECT format('batch %s is %s, and has %s', public_id, state,
      CASE WHEN finished_at IS NULL THEN 'no time of its end' ELSE 'a time of its end' END)
    FROM ${batches} s
    WHERE (state = 'finished' AND finished_at IS NULL)
      OR (finished_at IS NOT NULL AND state NOT IN ('finished', 'cancelled'))`,
});

/**
 * Each company counts once, and a retried lookup remains beside its successor. The dispatcher stops at the last lookup that the
 * batch records: later ones would never run.
 */
const batchesCountTheirLookups = ({ batches, lookups, purgedChunks }: Scope): Clause => ({
  part: 'lookups',
  checked: null,
  broken: sql`SELECT format('batch %s says %s lookups up to %s; stored are %s up to %s', b.public_id, b.lookups_total + b.retried,
        b.last_lookup_id, c.lookups, c.last_id) AS finding
    FROM (
      SELECT batch_id, sum(lookups) AS lookups, max(last_id) AS last_id
      FROM (
        SELECT id AS batch_id, 0 AS lookups, 0 AS last_id FROM ${batches} s
        UNION ALL
        SELECT batch_id, count(*), max(id) FROM ${lookups} s WHERE batch_id IS NOT NULL GROUP BY batch_id
        UNION ALL
        SELECT p.batch_id, ${idsIn(sql`p.lookups`)}, upper(p.lookups) - 1 FROM ${purgedChunks} p WHERE p.batch_id IS NOT NULL
      ) s GROUP BY batch_id
    ) c
    JOIN ${batches} b ON b.id = c.batch_id
    WHERE b.loaded_at IS NOT NULL AND (c.lookups <> b.lookups_total + b.retried OR c.last_id <> b.last_lookup_id)`,
});

/** The lookups of a purged batch are counted together, above. */
const batchesCountTheirAddresses = ({ batches, lookups }: Scope): Clause => ({
  part: 'lookups',
  checked: null,
  broken: sql`SELECT format('batch %s says %s addresses; stored are %s', b.public_id, b.email_lookups_total, c.addresses) AS finding
    FROM (
      SELECT batch_id, sum(addresses) AS addresses FROM (
        SELECT id AS batch_id, 0 AS addresses FROM ${batches} s
        UNION ALL
        SELECT batch_id, count(*) FROM ${lookups} s
        WHERE batch_id IS NOT NULL AND operation = 'email_validation' AND generation = 1 GROUP BY batch_id
      ) s GROUP BY batch_id
    ) c
    JOIN ${batches} b ON b.id = c.batch_id
    WHERE b.loaded_at IS NOT NULL AND b.purged_at IS NULL AND c.addresses <> b.email_lookups_total`,
});

/** Exactly the completed validations have a verdict. */
const completedHaveTheirVerdict = ({ lookups, verdicts }: Scope): Clause => ({
  part: 'lookups',
  checked: null,
  broken: sql`SELECT CASE
      WHEN e.lookup_id IS NULL THEN format('lookup %s is completed, and its verdict is missing', l.id)
      ELSE format('lookup %s (%s) has a verdict', l.id, coalesce(l.outcome, 'open')) END AS finding
    FROM (SELECT * FROM ${lookups} s WHERE operation = 'email_validation') l
    LEFT JOIN ${verdicts} e ON e.lookup_id = l.id
    WHERE (l.outcome IS NOT DISTINCT FROM 'completed') <> (e.lookup_id IS NOT NULL)`,
});

const verdictsHaveTheirLookup = ({ numberedVerdicts, numberedLookups }: Scope): Clause => ({
  part: 'verdicts',
  checked: countOf(sql`${numberedVerdicts} s`),
  broken: sql`SELECT format('a verdict is stored for lookup %s, which does not exist', e.lookup_id) AS finding
    FROM ${numberedVerdicts} e
    LEFT JOIN (SELECT id FROM ${numberedLookups} s WHERE operation = 'email_validation') l ON l.id = e.lookup_id WHERE l.id IS NULL`,
});

/** Every dispatched lookup is in exactly one chunk, and each chunk's counts match its lookups: progress lines sum up chunks. */
const chunksAnswerForLookups = (scope: Scope): Clause => ({
  part: 'lookups',
  checked: countOf(sql`${scope.chunks} s`),
  broken: sql`WITH ${lookupChunks(sql`true`, scope)},
    counted AS (
      SELECT chunk_id, count(*) AS lookups, count(*) FILTER (WHERE "end" IS NULL) AS open, ${countsSql}
      FROM (SELECT chunk_id, coalesce(email_status, outcome) AS "end" FROM lookup_chunk WHERE chunk_id IS NOT NULL) l
      GROUP BY chunk_id
    ),
    compared AS (
      SELECT s.id, s.state, coalesce(c.open, 0) AS open_are,
        format('%s of %s lookups', ${countText('s')}, s.lookups - s.moved_on) AS said,
        format('%s of %s lookups', ${countText('c')}, coalesce(c.lookups, 0)) AS are
      FROM span s LEFT JOIN counted c ON c.chunk_id = s.id WHERE NOT s.is_purged
    )
    SELECT format('chunk %s counts %s; its lookups are %s', id, said, are) AS finding
    FROM compared WHERE said <> are
    UNION ALL
    SELECT format('chunk %s is %s, and %s of its lookups are open', id, state, open_are) FROM compared
    WHERE (state = 'done') <> (open_are = 0)
    UNION ALL
    SELECT CASE
      WHEN c.chunk_id IS NULL THEN format('lookup %s of %s is in no chunk', c.lookup_id,
        coalesce('batch ' || b.public_id, 'a request'))
      ELSE format('lookup %s of batch %s is in chunk %s, and the batch is dispatched up to %s only', c.lookup_id, b.public_id,
        c.chunk_id, b.dispatched_to) END
    FROM lookup_chunk c LEFT JOIN (
      SELECT id, public_id, 'ads_search' AS operation, dispatched_to FROM ${scope.batches} s
      UNION ALL SELECT id, public_id, 'email_validation', emails_dispatched_to FROM ${scope.batches} s
    ) b ON b.id = c.batch_id AND b.operation = c.operation
    WHERE CASE
      WHEN c.chunk_id IS NULL THEN c.outcome IS NOT NULL OR c.batch_id IS NULL OR c.lookup_id <= b.dispatched_to
      ELSE c.lookup_id > b.dispatched_to END`,
});

/** Each chunk has the times at which the first and the last of its lookups ended: daily sums follow from them. */
const chunksKnowWhen = (scope: Scope): Clause => ({
  part: 'lookups',
  checked: null,
  broken: sql`WITH ${lookupChunks(sql`l.ended_at IS NOT NULL`, scope)},
    ended AS (
      SELECT chunk_id, min(ended_us) AS first_us, max(ended_us) AS last_us FROM lookup_chunk
      WHERE chunk_id IS NOT NULL GROUP BY chunk_id
    )
    SELECT format('chunk %s says that its lookups ended from %s to %s; they did from %s to %s', s.id,
        coalesce(s.first_ended_at::text, 'never'), coalesce(s.last_ended_at::text, 'never'),
        coalesce(to_timestamp(e.first_us / 1000000.0)::text, 'never'), coalesce(to_timestamp(e.last_us / 1000000.0)::text, 'never')) AS finding
    FROM span s LEFT JOIN ended e ON e.chunk_id = s.id
    WHERE NOT s.is_purged AND (${microseconds(sql`s.first_ended_at`)} IS DISTINCT FROM e.first_us
      OR ${microseconds(sql`s.last_ended_at`)} IS DISTINCT FROM e.last_us)`,
});

/** Counts of a row other than 0, in words: `2 found, 1 none`. */
function countText(row: string): SQL {
  const words = chunkCounts.map(
    (name) => `CASE WHEN ${row}.${name} <> 0 THEN ${row}.${name} || ' ${name}' END`,
  );
  return sql.raw(`coalesce(nullif(concat_ws(', ', ${words.join(', ')}), ''), 'none ended')`);
}
